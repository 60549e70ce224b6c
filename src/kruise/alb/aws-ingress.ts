/** Checks the stable Ingress of a canary on an AWS load balancer. */

import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import type { Path } from '../../core/path';
import { defineRules } from '../../core/rule';
import { annotatedAction, type RequestedAction } from '../../routers/aws-alb/actions';
import { annotationPath } from '../../routers/aws-alb/annotations';
import { BuildFailure } from '../../routers/aws-alb/failure';
import { groupOf } from '../../routers/aws-alb/group';
import { annotationKey, USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import { namedClassOf } from '../../routers/ingress/class';
import { type IngressPath, readIngress } from '../../routers/ingress/ingress';
import { serviceOf } from '../rules/context';
import { ALB_CLASS_ANNOTATION } from './annotations';
import { type AlbCheck, type AlbChecker, type AlbRoute, awsRoutes } from './context';
import {
  ACTION,
  CLONED_INGRESS,
  CLONING,
  CLONING_ROLLOUT,
  cloned,
  edit,
  IN_PLACE,
  INGRESS,
  inPlace,
  ROLLOUT,
  SERVICE,
  yaml,
} from './examples';
import { sources } from './sources';

const ANNOTATION = `    alb.ingress.kubernetes.io/actions.web: '${ACTION}'\n`;
const NUMBERED = edit(INGRESS, ['port: { name: use-annotation }', 'port: { number: 80 }'], [ANNOTATION, '']);
const action = (...targetGroups: string[]) =>
  edit(INGRESS, [ACTION, `{"type":"forward","forwardConfig":{"targetGroups":[${targetGroups.join(',')}]}}`]);
const group = (name: string, weight: number) => `{"serviceName":"${name}","servicePort":80,"weight":${weight}}`;
const OWN_CLASS = edit(INGRESS, ['ingressClassName: alb', 'ingressClassName: alb-internal']);
const AUTH = [
  'alb.ingress.kubernetes.io/auth-type: cognito',
  `alb.ingress.kubernetes.io/auth-idp-cognito: '{"userPoolARN":"arn:aws:cognito-idp:eu-west-1:123456789012:userpool/eu-west-1_a","userPoolClientID":"a","userPoolDomain":"shop"}'`,
];
const withAuth = (text: string, indent: string) => AUTH.map((line) => `${indent}${line}\n`).join('') + text;
const SERVICE_WITH_AUTH = edit(SERVICE, [
  'metadata: { name: web, namespace: shop }\n',
  `metadata:\n  name: web\n  namespace: shop\n  annotations:\n${withAuth('', '    ')}`,
]);

/** Rules on the stable Ingress of a canary. */
export const awsIngressRules = defineRules({
  'kruise-alb-backend-port': {
    severity: 'error',
    title: 'a backend of the released Service names a port instead of an action',
    because:
      'an action holds the weights of a canary, and the load balancer controller reads the action only if the port of the ' +
      'backend is use-annotation; a backend with any other port sends all requests to one Service',
    fix: `write "port: { name: use-annotation }" in the backend, and add alb.ingress.kubernetes.io/actions.<service>: ${ACTION}`,
    basis: 'run',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [sources.lbcBackend],
    failing: yaml(ROLLOUT, NUMBERED, SERVICE, ...IN_PLACE),
    corrected: yaml(...inPlace()),
  },

  'kruise-alb-action': {
    severity: 'error',
    title: 'the action of the released Service does not forward to this Service only',
    because:
      'the script reads port and stickiness from this action, and splits its traffic; it refuses an action that responds ' +
      'by itself or forwards elsewhere, and the release stops',
    fix: `forward to this Service only: ${ACTION}`,
    basis: 'run',
    rehearsedAs: ['rehearsal-match-ignored', 'rehearsal-weight-differs', 'rehearsal-canary-gets-everything'],
    sources: [sources.ingress, sources.lbcConfig],
    failing: yaml(
      ROLLOUT,
      action(group('web', 80), group('api', 20)),
      SERVICE,
      edit(SERVICE, ['name: web,', 'name: api,']),
      ...IN_PLACE,
    ),
    corrected: yaml(...inPlace()),
  },

  'kruise-alb-canary-in-action': {
    severity: 'error',
    title: 'the action of the Ingress names the canary Service',
    because:
      'the controller creates the canary Service for a release and deletes it afterwards; an action that names several ' +
      'Services fails for the whole group if one of them is missing: the load balancer keeps its old rules',
    fix: 'forward to the stable Service only; the script adds the canary Service during a release',
    basis: 'run',
    sources: [sources.lbcBackend, sources.ingress],
    failing: yaml(ROLLOUT, action(group('web', 100), group('web-canary', 0)), ...IN_PLACE),
    corrected: yaml(...inPlace()),
  },

  'kruise-alb-class-unnamed': {
    severity: 'error',
    title: 'the script does not recognize the class of the Ingress as one of AWS',
    because:
      'the controller runs the script for every Ingress in customNetworkRefs, whatever its class; the script refuses ' +
      'classes other than alb, so that it never edits the Ingress of another controller',
    fix: `add the annotation ${ALB_CLASS_ANNOTATION} with the name of the class`,
    basis: 'run',
    sources: [sources.custom],
    failing: yaml(ROLLOUT, OWN_CLASS, SERVICE, ...IN_PLACE),
    corrected: yaml(
      ROLLOUT,
      edit(OWN_CLASS, [ANNOTATION, `    ${ALB_CLASS_ANNOTATION}: alb-internal\n${ANNOTATION}`]),
      SERVICE,
      ...IN_PLACE,
    ),
  },

  'kruise-alb-service-auth': {
    severity: 'error',
    title: 'authentication is set on the Service, and a canary turns it off',
    because:
      'the load balancer controller reads auth annotations of a Service only for an action with a single target group; ' +
      'as soon as a release splits the traffic, requests reach the application without authentication',
    fix: 'move the auth annotations to the Ingress',
    basis: 'read',
    sources: [sources.lbcBackend],
    failing: yaml(ROLLOUT, INGRESS, SERVICE_WITH_AUTH, ...IN_PLACE),
    corrected: yaml(ROLLOUT, edit(INGRESS, [ANNOTATION, withAuth(ANNOTATION, '    ')]), SERVICE, ...IN_PLACE),
  },

  'kruise-alb-group': {
    severity: 'error',
    title: 'the Ingress is in no group, so the canary Ingress gets a load balancer of its own',
    because:
      'without a group every Ingress has its own load balancer: the canary Ingress gets a second one that no DNS name ' +
      'points to, and the first one does not change during the release',
    fix: 'set alb.ingress.kubernetes.io/group.name, or the group of the IngressClassParams; or use customNetworkRefs, which need no group',
    basis: 'run',
    rehearsedAs: ['rehearsal-canary-gets-nothing', 'rehearsal-second-load-balancer'],
    sources: [sources.lbcGroups],
    failing: yaml(
      CLONING_ROLLOUT,
      edit(CLONED_INGRESS, ['    alb.ingress.kubernetes.io/group.name: shop\n', '']),
      SERVICE,
      ...CLONING,
    ),
    corrected: yaml(...cloned()),
  },
});

/** Checks the stable Ingress of every canary. */
export const checkAwsIngresses: AlbChecker = (check) =>
  awsRoutes(check).flatMap((subject) => {
    const { ingress, route } = subject;
    if (ingress === undefined || route.service === '') return [];
    return [
      ...backendPorts(check, subject, ingress),
      ...actions(subject, ingress),
      ...className(subject, ingress),
      ...serviceAuth(check, subject, ingress),
      ...grouped(check, subject, ingress),
    ];
  });

/** The backends of paths, and the default backend, that lead to a Service. */
function backendsTo(check: AlbCheck, ingress: Manifest, service: string) {
  const { rules, defaultBackend } = readIngress(check.world, ingress);
  const backends = [...rules.flatMap(({ paths }) => paths.map((path: IngressPath) => path.backend)), defaultBackend];
  return backends.filter((backend) => backend?.service?.name === service).map((backend) => backend!);
}

function backendPorts(check: AlbCheck, { route }: AlbRoute, ingress: Manifest): Finding[] {
  return backendsTo(check, ingress, route.service)
    .filter(({ service }) => service!.port !== USE_ANNOTATION)
    .map(({ at, service }) =>
      ingress.finding(awsIngressRules['kruise-alb-backend-port'], {
        message: `the backend "${route.service}" names the port ${service!.port}, so a canary of ${nameOf(route)} gets no traffic`,
        path: at,
      }),
    );
}

function actions({ route }: AlbRoute, ingress: Manifest): Finding[] {
  const suffix = `actions.${route.service}`;
  if (ingress.annotations[annotationKey(suffix)] === undefined) return [];
  const action = readAction(ingress, route.service);
  // Another check reports an action that cannot be read.
  if (action === undefined) return [];
  const path = annotationPath(suffix);
  const services =
    action.type === 'forward' ? action.targets.map((target) => ('service' in target ? target.service : '')) : [];
  if (route.makesCanaryService && services.includes(route.canaryService)) {
    return [
      ingress.finding(awsIngressRules['kruise-alb-canary-in-action'], {
        message: `${annotationKey(suffix)} names the Service "${route.canaryService}", which exists only during a release`,
        path,
      }),
    ];
  }
  if (services.length === 1 && services[0] === route.service) return [];
  const does = action.type === 'forward' ? `forwards to ${listOf(services)}` : `is a ${action.type}`;
  return [
    ingress.finding(awsIngressRules['kruise-alb-action'], {
      message: `${annotationKey(suffix)} ${does}, not to the Service "${route.service}" only`,
      path,
      fix: `forward to this Service only: ${ACTION.replace('"web"', JSON.stringify(route.service))}`,
    }),
  ];
}

function readAction(ingress: Manifest, name: string): RequestedAction | undefined {
  try {
    return annotatedAction(ingress.annotations, name);
  } catch (error) {
    if (error instanceof BuildFailure) return undefined;
    throw error;
  }
}

function listOf(services: readonly string[]): string {
  if (services.length === 0) return 'nothing';
  return services.map((service) => (service === '' ? 'a target group of AWS' : `"${service}"`)).join(' and ');
}

function className({ mode }: AlbRoute, ingress: Manifest): Finding[] {
  const name = namedClassOf(ingress) ?? 'alb';
  if (mode === 'ingress' || name === 'alb' || ingress.annotations[ALB_CLASS_ANNOTATION] === name) return [];
  const path: Path =
    ingress.get('spec.ingressClassName') === undefined ? ['metadata', 'annotations'] : ['spec', 'ingressClassName'];
  return [
    ingress.finding(awsIngressRules['kruise-alb-class-unnamed'], {
      message: `the Ingress has the class "${name}", which the script refuses`,
      path,
      fix: `add the annotation ${ALB_CLASS_ANNOTATION}: ${name}`,
    }),
  ];
}

function serviceAuth({ world }: AlbCheck, { route }: AlbRoute, ingress: Manifest): Finding[] {
  const service = serviceOf(world, route);
  const key = annotationKey('auth-type');
  const type = service?.annotations[key];
  if (service === undefined || type === undefined || type === 'none') return [];
  if ((ingress.annotations[key] ?? 'none') !== 'none') return [];
  return [
    service.finding(awsIngressRules['kruise-alb-service-auth'], {
      message: `${key} is on the Service; the Ingress "${ingress.name}" has none`,
      path: ['metadata', 'annotations', key],
      related: { message: `the Ingress "${ingress.name}" leads to the Service`, object: ingress.ref },
    }),
  ];
}

function grouped({ aws, world }: AlbCheck, { mode, route }: AlbRoute, ingress: Manifest): Finding[] {
  if (mode !== 'ingress') return [];
  const own = groupOf(aws.groups, `${world.namespaceOf(ingress)}/${ingress.name}`);
  const isOwnGroup = own !== undefined && own.name === own.members[0]!.ingress.key;
  if (!isOwnGroup) return [];
  return [
    ingress.finding(awsIngressRules['kruise-alb-group'], {
      message: `the Ingress is in no group, and ${nameOf(route)} creates a canary Ingress in addition to it`,
      path: 'metadata.annotations',
    }),
  ];
}

/** `the Rollout "web"` */
export function nameOf({ manifest }: AlbRoute['route']): string {
  return `the ${manifest.kind} "${manifest.name}"`;
}
