/** The Services behind an Ingress. */

import { didYouMean } from '../../../core/did-you-mean';
import { isExternal } from '../../../core/external';
import type { Finding } from '../../../core/finding';
import type { Path } from '../../../core/path';
import { defineRules } from '../../../core/rule';
import { USE_ANNOTATION } from '../../ingress/alb-annotations';
import { annotationPath } from '../annotations';
import type { Member } from '../class';
import { BuildFailure } from '../failure';
import type { LoadedGroup } from '../group';
import { type LoadBalancerSettings, loadBalancerSettings } from '../load-balancer';
import { TargetGroups } from '../target-group';
import { readAction } from './actions';
import { type AwsAlbCheck, type AwsAlbChecker, backendsOf } from './context';
import { ACTION, edit, INGRESS, SERVICE, withAction, yaml } from './examples';
import { sources } from './sources';

const INSTANCE = edit(INGRESS, ['target-type: ip', 'target-type: instance']);
const NODE_PORT = edit(SERVICE, ['spec:\n', 'spec:\n  type: NodePort\n']);

/** Rules on the Services behind an Ingress. */
export const targetRules = defineRules({
  'alb-service-missing': {
    severity: 'error',
    title: 'an Ingress names a Service that does not exist',
    because: 'the load balancer answers with 503 "Backend service does not exist"',
    fix: 'correct the name, add the Service to the namespace of the Ingress, or declare it as external',
    basis: 'run',
    sources: [sources.backend],
    failing: yaml(withAction(ACTION.replace('"web"', '"wbe"')), SERVICE),
    corrected: yaml(INGRESS, SERVICE),
  },

  'alb-service-port': {
    severity: 'error',
    title: 'an Ingress names a port that the Service does not have',
    because:
      'the controller reports "unable to find port" and applies nothing of the whole group: the load balancer keeps the ' +
      'rules that it had, for every Ingress of the group',
    fix: 'name a port of the Service (spec.ports[].port or its name), not one of the pods',
    basis: 'run',
    sources: [sources.servicePort, sources.groupController],
    failing: yaml(INGRESS, edit(SERVICE, ['port: 80', 'port: 8080'])),
    corrected: yaml(INGRESS, SERVICE),
  },

  'alb-instance-service': {
    severity: 'error',
    title: 'target type instance needs a Service with node ports',
    because:
      'the controller reports "TargetGroup port is empty" for a Service of type ClusterIP and applies nothing of the ' +
      'whole group; instance is the target type where none is given',
    fix: 'set alb.ingress.kubernetes.io/target-type: ip, or the type of the Service to NodePort',
    basis: 'run',
    sources: [sources.targetGroup],
    failing: yaml(INSTANCE, SERVICE),
    corrected: yaml(INSTANCE, NODE_PORT),
  },

  'alb-target-group-setting': {
    severity: 'error',
    title: 'the controller rejects a setting of the target groups',
    because: 'the controller applies nothing of the whole group',
    fix: 'correct the annotation on the Ingress or on the Service; the Service wins if both have it',
    basis: 'read',
    sources: [sources.targetGroup, sources.annotations],
    failing: yaml(
      edit(INGRESS, [
        'target-type: ip\n',
        'target-type: ip\n    alb.ingress.kubernetes.io/healthcheck-interval-seconds: 10s\n',
      ]),
      SERVICE,
    ),
    corrected: yaml(
      edit(INGRESS, [
        'target-type: ip\n',
        "target-type: ip\n    alb.ingress.kubernetes.io/healthcheck-interval-seconds: '10'\n",
      ]),
      SERVICE,
    ),
  },
});

/** Checks the Services that actions and backends name. */
export const checkTargets: AwsAlbChecker = (check) => check.groups.flatMap((group) => checkGroup(check, group));

/** A Service that an Ingress names. */
interface Target {
  readonly member: Member;
  readonly path: Path;
  readonly service: string;
  readonly port: number | string;
  /** Whether the same action names other Services, too. */
  readonly isOneOfSeveral: boolean;
}

function checkGroup(check: AwsAlbCheck, group: LoadedGroup): Finding[] {
  const targetGroups = new TargetGroups(check.world, settingsOf(group));
  const seen = new Set<string>();
  return group.members
    .filter(({ ingress }) => check.isRuled(ingress))
    .flatMap(targetsOf)
    .flatMap((target) => {
      const key = JSON.stringify([target.member.ingress.key, target.service, target.port]);
      if (seen.has(key)) return [];
      seen.add(key);
      const manifest = targetGroups.findService(target.member, target.service);
      if (manifest === undefined) return missing(check, target);
      try {
        targetGroups.get(target.member, manifest, target.port);
        return [];
      } catch (error) {
        if (!(error instanceof BuildFailure)) throw error;
        return refused(target, error);
      }
    });
}

/** Another rule reports members that disagree. */
function settingsOf({ members }: LoadedGroup): LoadBalancerSettings {
  try {
    return loadBalancerSettings(members);
  } catch (error) {
    if (error instanceof BuildFailure) return { ipAddressType: 'ipv4' };
    throw error;
  }
}

function targetsOf(member: Member): Target[] {
  return backendsOf(member).flatMap(({ backend: { service, at } }) => {
    if (service === undefined) return [];
    if (service.port !== USE_ANNOTATION) {
      return [{ member, path: at, service: service.name, port: service.port, isOneOfSeveral: false }];
    }
    const action = readAction(member, service.name);
    if (action?.type !== 'forward') return [];
    const path = annotationPath(`actions.${service.name}`);
    const isOneOfSeveral = action.targets.length > 1;
    return action.targets.flatMap((target) =>
      'service' in target ? [{ member, path, service: target.service, port: target.port, isOneOfSeveral }] : [],
    );
  });
}

function missing(check: AwsAlbCheck, { member, path, service, isOneOfSeveral }: Target): Finding[] {
  const { manifest, namespace } = member.ingress;
  const known = check.world.list('Service', namespace).map(({ name }) => name);
  // The Services of a namespace are unknown if the World has none of them.
  if (known.length === 0 || isExternal(check.options, { apiVersion: 'v1', kind: 'Service', namespace, name: service }))
    return [];
  const meant = didYouMean(service, known);
  return [
    manifest.finding(targetRules['alb-service-missing'], {
      message: `there is no Service "${service}" in the namespace "${namespace}"`,
      path,
      absent: [{ apiVersion: 'v1', kind: 'Service', namespace, name: service }],
      ...(isOneOfSeveral && {
        because: 'one missing Service among several fails the whole group: the load balancer keeps its previous rules',
      }),
      ...(meant !== undefined && {
        fix: `did you mean "${meant}"? If not, add the Service or declare it as external`,
      }),
    }),
  ];
}

function refused({ member, path, service }: Target, { errorClass, message }: BuildFailure): Finding[] {
  const { manifest } = member.ingress;
  switch (errorClass) {
    case 'service-port':
      return [manifest.finding(targetRules['alb-service-port'], { message, path })];
    case 'target-group-port':
      return [
        manifest.finding(targetRules['alb-instance-service'], {
          message: `the Service "${service}" has no node port, which the target type needs`,
          path,
        }),
      ];
    default:
      return [
        manifest.finding(targetRules['alb-target-group-setting'], {
          message: `${message} (Service "${service}")`,
          path,
        }),
      ];
  }
}
