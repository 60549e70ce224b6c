/** `actions.*` annotations, and the backends that use them. */

import { didYouMean } from '../../../core/did-you-mean';
import type { Finding } from '../../../core/finding';
import { ownValue } from '../../../core/json';
import { keyedBy } from '../../../core/keyed';
import type { Manifest } from '../../../core/manifest';
import { defineRules } from '../../../core/rule';
import type { World } from '../../../core/world';
import { annotationKey, USE_ANNOTATION } from '../../ingress/alb-annotations';
import { listOf, textOf } from '../../values';
import { annotatedAction, type RequestedAction, type RequestedForward, type RequestedTarget } from '../actions';
import { annotationPath } from '../annotations';
import type { Member } from '../class';
import { BuildFailure } from '../failure';
import { type AwsAlbChecker, annotatedNames, backendNames, backendsOf, namesAfter } from './context';
import { ACTION, annotated, edit, INGRESS, SERVICE, withAction, yaml } from './examples';
import { sources } from './sources';

const targetGroups = (...groups: string[]) =>
  `{"type":"forward","forwardConfig":{"targetGroups":[${groups.join(',')}]}}`;
const group = (name: string, weight: number) => `{"serviceName":"${name}","servicePort":80,"weight":${weight}}`;
const SPLIT = withAction(targetGroups(group('web', 80), group('web-canary', 20)));
const NUMBERED = edit(INGRESS, ['port: { name: use-annotation }', 'port: { number: 80 }']);
const ANNOTATION = `    alb.ingress.kubernetes.io/actions.web: '${ACTION}'\n`;
const UNANNOTATED = edit(INGRESS, [ANNOTATION, '']);
const PLAIN = edit(NUMBERED, [ANNOTATION, '']);

/** Rules on actions. */
export const actionRules = defineRules({
  'alb-action-invalid': {
    severity: 'error',
    title: 'the load balancer controller cannot read an action annotation',
    because:
      'the controller cannot build the load balancer, and leaves it as it is with every Ingress of the group; nothing ' +
      'checks actions when the Ingress is applied',
    fix: `write the action as in ${ACTION}`,
    basis: 'run',
    sources: [sources.config, sources.groupController],
    failing: yaml(withAction(ACTION.replace('forward', 'Forward'))),
    corrected: yaml(INGRESS),
  },

  'alb-action-target-groups': {
    severity: 'error',
    title: 'an action forwards to no target group, or to more than AWS allows',
    because: 'AWS allows one to five target groups in an action, and rejects other rules',
    fix: 'name one to five target groups',
    basis: 'documented',
    sources: [sources.limits, sources.config],
    failing: yaml(withAction(targetGroups())),
    corrected: yaml(INGRESS),
  },

  'alb-action-duplicate-target': {
    severity: 'warning',
    title: 'an action names the same target group twice',
    because:
      'the two weights lead to one place, so nothing is split between them; AWS probably refuses the rule (this was not tried)',
    fix: 'name another Service, or add up the weights',
    basis: 'inferred',
    sources: [sources.forward],
    failing: yaml(withAction(targetGroups(group('web', 80), group('web', 20)))),
    corrected: yaml(SPLIT),
  },

  'alb-action-weight': {
    severity: 'error',
    title: 'the weights of an action are outside of the range of AWS',
    because: 'AWS allows weights from 0 to 999, and no target gets a request if all weights are 0',
    fix: 'use weights from 0 to 999, at least one of them above 0',
    basis: 'documented',
    sources: [sources.targetGroupTuple, sources.forward],
    failing: yaml(withAction(targetGroups(group('web', 800), group('web-canary', 1000)))),
    corrected: yaml(SPLIT),
  },

  'alb-action-stickiness': {
    severity: 'error',
    title: 'the duration of stickiness is outside of the range of AWS',
    because: 'AWS allows 1 second to 7 days (604800 seconds), and rejects other rules',
    fix: 'set durationSeconds from 1 to 604800, and enabled',
    basis: 'documented',
    sources: [sources.stickiness],
    failing: yaml(
      withAction(
        ACTION.replace(
          '"targetGroups"',
          '"targetGroupStickinessConfig":{"enabled":true,"durationSeconds":0},"targetGroups"',
        ),
      ),
    ),
    corrected: yaml(
      withAction(
        ACTION.replace(
          '"targetGroups"',
          '"targetGroupStickinessConfig":{"enabled":true,"durationSeconds":600},"targetGroups"',
        ),
      ),
    ),
  },

  'alb-action-missing': {
    severity: 'error',
    title: 'a backend uses an annotation that does not exist',
    because: 'the load balancer answers every request to it with 503 "Backend action does not exist"',
    fix: `add the annotation, as in alb.ingress.kubernetes.io/actions.<name>: ${ACTION}`,
    basis: 'run',
    sources: [sources.backend],
    failing: yaml(UNANNOTATED),
    corrected: yaml(INGRESS),
  },

  'alb-action-ignored': {
    severity: 'error',
    title: 'an action annotation is ignored, because the backend names a port',
    because:
      'the controller reads actions.<name> only for a backend whose port is called use-annotation; with a port of its ' +
      'own, everything goes to the Service of that name, whatever the action says',
    fix: 'write "port: { name: use-annotation }" in the backend',
    basis: 'run',
    sources: [sources.backend],
    failing: yaml(NUMBERED),
    corrected: yaml(INGRESS),
  },

  'alb-annotation-unused': {
    severity: 'warning',
    title: 'an annotation of actions, conditions or transforms belongs to no backend',
    because:
      'the controller looks for these annotations by the names of the backends; one with any other name is never read, ' +
      'so a restriction in it does not hold',
    fix: 'give the annotation the name of a backend of this Ingress, or remove it',
    basis: 'read',
    sources: [sources.backend],
    failing: yaml(
      annotated({ 'conditions.wbe': [{ field: 'source-ip', sourceIPConfig: { values: ['10.0.0.0/8'] } }] }),
    ),
    corrected: yaml(
      annotated({ 'conditions.web': [{ field: 'source-ip', sourceIPConfig: { values: ['10.0.0.0/8'] } }] }),
    ),
  },

  'alb-resource-backend': {
    severity: 'error',
    title: 'a backend is a resource, not a Service',
    because: 'the controller knows only Services as backends, and applies nothing of the whole group',
    fix: 'name a Service, or use an action (fixed-response, redirect) by the port name use-annotation',
    basis: 'run',
    sources: [sources.backend],
    failing: yaml(
      edit(PLAIN, [
        'service: { name: web, port: { number: 80 } }',
        'resource: { apiGroup: example.com, kind: Bucket, name: web }',
      ]),
    ),
    corrected: yaml(PLAIN, SERVICE),
  },
});

/** Checks the actions of every Ingress. */
export const checkActions: AwsAlbChecker = ({ world, ruled }) =>
  ruled.flatMap((member) => [
    ...resources(member),
    ...missing(world, member),
    ...ignored(member),
    ...unused(member),
    ...annotatedNames(member).flatMap((name) => action(member, name)),
  ]);

function resources(member: Member): Finding[] {
  return backendsOf(member)
    .filter(({ backend }) => backend.service === undefined)
    .map(({ backend }) =>
      member.ingress.manifest.finding(actionRules['alb-resource-backend'], {
        message: 'the backend names no Service',
        path: backend.at,
      }),
    );
}

function missing(world: World, member: Member): Finding[] {
  const { ingress } = member;
  const known = namesAfter(ingress.annotations, 'actions');
  const byArgo = namesOfArgo(world, member);
  const backends = backendsOf(member).filter(({ backend: { service } }) => {
    if (service?.port !== USE_ANNOTATION) return false;
    return !known.includes(service.name) && !byArgo.has(service.name);
  });
  return backends.map(({ backend }) => {
    const { name } = backend.service!;
    const meant = didYouMean(name, known);
    return ingress.manifest.finding(actionRules['alb-action-missing'], {
      message: `the backend "${name}" uses the annotation ${annotationKey(`actions.${name}`)}, which does not exist`,
      path: backend.at,
      ...(meant !== undefined && {
        fix: `did you mean actions.${meant}? The name after "actions." is that of the backend`,
      }),
    });
  });
}

/** The Rollouts of Argo by the Ingresses that they name. */
const rolloutsThrough = keyedBy<Manifest>((rollout) => {
  const alb = rollout.get('spec.strategy.canary.trafficRouting.alb');
  return [ownValue(alb, 'ingress') ?? null, ...listOf(ownValue(alb, 'ingresses'))].flatMap(
    (name) => textOf(name) ?? [],
  );
});

/** Actions that Argo Rollouts adds to this Ingress when it runs. */
function namesOfArgo(world: World, { ingress }: Member): Set<string> {
  const rollouts = rolloutsThrough(world.list('Rollout.argoproj.io', ingress.namespace), ingress.name);
  const names = rollouts.flatMap((rollout) => {
    const canary = rollout.get('spec.strategy.canary');
    const root =
      textOf(rollout.get('spec.strategy.canary.trafficRouting.alb.rootService')) ||
      textOf(ownValue(canary, 'stableService'));
    const routes = listOf(ownValue(ownValue(canary, 'trafficRouting'), 'managedRoutes'));
    return [root, ...routes.map((route) => textOf(ownValue(route, 'name')))];
  });
  return new Set(names.flatMap((name) => name ?? []));
}

function ignored(member: Member): Finding[] {
  const { annotations, manifest } = member.ingress;
  const used = annotatedNames(member);
  const known = namesAfter(annotations, 'actions');
  return backendsOf(member).flatMap(({ backend }) => {
    const { service } = backend;
    if (service === undefined || service.port === USE_ANNOTATION || !known.includes(service.name)) return [];
    // If another path uses the annotation, this path may bypass it on purpose.
    if (used.includes(service.name)) return [];
    return [
      manifest.finding(actionRules['alb-action-ignored'], {
        message: `the backend "${service.name}" names the port ${service.port}, so ${annotationKey(`actions.${service.name}`)} is ignored`,
        path: backend.at,
      }),
    ];
  });
}

function unused(member: Member): Finding[] {
  const { annotations, manifest } = member.ingress;
  const names = backendNames(member);
  return ['actions', 'conditions', 'transforms'].flatMap((prefix) =>
    namesAfter(annotations, prefix)
      .filter((name) => !names.has(name))
      .map((name) => {
        const meant = didYouMean(name, [...names]);
        return manifest.finding(actionRules['alb-annotation-unused'], {
          message: `no backend is called "${name}", so ${annotationKey(`${prefix}.${name}`)} is never read`,
          path: annotationPath(`${prefix}.${name}`),
          ...(meant !== undefined && { fix: `did you mean ${prefix}.${meant}? If not, remove the annotation` }),
        });
      }),
  );
}

/** The action of a backend; undefined if it has none or the action cannot be read. */
export function readAction({ ingress }: Member, name: string): RequestedAction | undefined {
  try {
    return annotatedAction(ingress.annotations, name);
  } catch (error) {
    if (error instanceof BuildFailure) return undefined;
    throw error;
  }
}

function action(member: Member, name: string): Finding[] {
  const { manifest, annotations } = member.ingress;
  try {
    const requested = annotatedAction(annotations, name);
    return requested.type === 'forward' ? forward(member, name, requested) : [];
  } catch (error) {
    if (!(error instanceof BuildFailure)) throw error;
    return [
      manifest.finding(actionRules['alb-action-invalid'], {
        message: error.message,
        path: annotationPath(`actions.${name}`),
      }),
    ];
  }
}

const MAX_TARGET_GROUPS = 5;
const MAX_WEIGHT = 999;
const MAX_STICKINESS = 604_800;

function forward({ ingress }: Member, name: string, { targets, stickiness }: RequestedForward): Finding[] {
  const suffix = `actions.${name}`;
  const found = (rule: keyof typeof actionRules, message: string) => [
    ingress.manifest.finding(actionRules[rule], {
      message: `the action "${name}" ${message}`,
      path: annotationPath(suffix),
    }),
  ];
  const weights = targets.map(({ weight = 1 }) => weight);
  const outside = weights.filter((weight) => weight < 0 || weight > MAX_WEIGHT);
  const isEmpty = targets.length === 0 || targets.length > MAX_TARGET_GROUPS;
  const texts = targets.map(describe);
  const repeated = texts.find((text, index) => texts.indexOf(text) < index);
  const seconds = stickiness?.durationSeconds;
  const isSticky = stickiness?.enabled === true;
  return [
    ...(isEmpty ? found('alb-action-target-groups', `forwards to ${targets.length} target groups`) : []),
    ...(repeated === undefined ? [] : found('alb-action-duplicate-target', `names ${repeated} twice`)),
    ...outside.flatMap((weight) => found('alb-action-weight', `has the weight ${weight}`)),
    ...(!isEmpty && weights.every((weight) => weight === 0) ? found('alb-action-weight', 'has no weight above 0') : []),
    ...(isSticky && seconds === undefined ? found('alb-action-stickiness', 'is sticky without durationSeconds') : []),
    ...(seconds !== undefined && (seconds < 1 || seconds > MAX_STICKINESS)
      ? found('alb-action-stickiness', `has the durationSeconds ${seconds}`)
      : []),
  ];
}

function describe(target: RequestedTarget): string {
  if ('targetGroupARN' in target) return `the target group ${target.targetGroupARN}`;
  if ('targetGroupName' in target) return `the target group "${target.targetGroupName}"`;
  return `port ${target.port} of the Service "${target.service}"`;
}
