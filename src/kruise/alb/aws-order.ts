/** Checks the order in which a load balancer evaluates the rules of a canary Ingress, of the stable one and of others. */

import { compareBytes } from '../../core/bytes';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import type { Path } from '../../core/path';
import { defineRules } from '../../core/rule';
import { annotationPath } from '../../routers/aws-alb/annotations';
import { groupOf } from '../../routers/aws-alb/group';
import { parseInt32 } from '../../routers/go-values';
import { annotationKey } from '../../routers/ingress/alb-annotations';
import { type Ingress, type IngressPath, readIngress } from '../../routers/ingress/ingress';
import type { RouteSubject } from '../subject';
import { CANARY_GROUP_ORDER_ANNOTATION } from './annotations';
import { nameOf } from './aws-ingress';
import type { CanaryScript } from './canary-script';
import { type AlbCheck, type AlbChecker, type AlbRoute, awsRoutes } from './context';
import { covers, type HostPath, isSame } from './coverage';
import { CLONED_INGRESS, CLONING, CLONING_ROLLOUT, cloned, edit, SERVICE, yaml } from './examples';
import { sources } from './sources';

const API_PATH =
  '          - { path: /api, pathType: Prefix, backend: { service: { name: api, port: { number: 80 } } } }\n';
const API_SERVICE = edit(SERVICE, ['name: web,', 'name: api,']);

function apiIngress(order: string): string {
  return `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: api
  namespace: shop
  annotations:
    alb.ingress.kubernetes.io/target-type: ip
    alb.ingress.kubernetes.io/group.name: shop
    alb.ingress.kubernetes.io/group.order: "${order}"
spec:
  ingressClassName: alb
  rules:
    - host: shop.example.com
      http:
        paths:
${API_PATH}`;
}

/** Rules on the order of a canary Ingress. */
export const awsOrderRules = defineRules({
  'kruise-alb-order': {
    severity: 'error',
    title: 'the canary Ingress is not evaluated before the stable one',
    because:
      'the canary Ingress copies host, path and group.order; if two orders are equal, the load balancer controller puts ' +
      '<ingress> before <ingress>-canary, so the stable rule takes every request, with weights and with matches',
    fix: `set alb.ingress.kubernetes.io/group.order, and ${CANARY_GROUP_ORDER_ANNOTATION} to a lower number, both from -1000 to 1000`,
    basis: 'run',
    rehearsedAs: ['rehearsal-canary-gets-nothing'],
    sources: [sources.lbcGroups, sources.awsRequest],
    failing: yaml(
      CLONING_ROLLOUT,
      edit(CLONED_INGRESS, ['canary-group-order: "9"', 'canary-group-order: "10"']),
      SERVICE,
      ...CLONING,
    ),
    corrected: yaml(...cloned()),
  },

  'kruise-alb-shadowed-path': {
    severity: 'error',
    title: 'during a release the canary Ingress takes requests for another Service',
    because:
      'all rules of the canary Ingress come before all rules of the stable one and of Ingresses with a higher order; ' +
      'requests for a more specific path of another Service then go to the canary',
    fix: 'move the more specific path to an Ingress of the group with an order below that of the canary; or use customNetworkRefs, which keep the order of paths',
    basis: 'run',
    rehearsedAs: ['rehearsal-path-shadowed'],
    sources: [sources.lbcRules, sources.lbcGroups],
    failing: yaml(CLONING_ROLLOUT, `${CLONED_INGRESS}${API_PATH}`, SERVICE, API_SERVICE, ...CLONING),
    corrected: yaml(...cloned(), apiIngress('5'), API_SERVICE),
  },
});

/** Checks the order of every canary Ingress. */
export const checkAwsOrder: AlbChecker = (check) =>
  awsRoutes(check).flatMap((subject) => {
    const { mode, ingress } = subject;
    if (mode !== 'ingress' || ingress === undefined) return [];
    const wrong = orders(check, subject, ingress);
    return wrong.length > 0 ? wrong : shadowed(check, subject, ingress);
  });

const MIN_ORDER = -1000;
const MAX_ORDER = 1000;

function orders({ scriptOf }: AlbCheck, { route }: AlbRoute, ingress: Manifest): Finding[] {
  const found = (message: string, path: Path) => [
    ingress.finding(awsOrderRules['kruise-alb-order'], { message, path }),
  ];
  const stableText = ingress.annotations[annotationKey('group.order')];
  const canaryText = ingress.annotations[CANARY_GROUP_ORDER_ANNOTATION];
  const canaryPath: Path = ['metadata', 'annotations', CANARY_GROUP_ORDER_ANNOTATION];
  const stable = stableText === undefined ? 0 : parseInt32(stableText);
  // Another check reports an order that the load balancer controller refuses.
  if (stable === undefined || Math.abs(stable) > MAX_ORDER) return [];
  if (stable === MIN_ORDER) {
    return found(`group.order is ${MIN_ORDER}, so no order is left for the canary`, annotationPath('group.order'));
  }
  const script = scriptOf(route);
  if (script.kind === 'other') {
    const written = writtenOrder(script, ingress);
    if (written === undefined || written < stable) return [];
    return found(
      `the script of the ConfigMap gives the canary Ingress of ${nameOf(route)} the order ${written}, and the stable one has ${stable}`,
      stableText === undefined ? ['metadata', 'annotations'] : annotationPath('group.order'),
    );
  }
  if (canaryText === undefined) {
    return found(
      `${CANARY_GROUP_ORDER_ANNOTATION} is not set, so the canary Ingress of ${nameOf(route)} gets ${stableText === undefined ? 'no order, like' : `the order ${stable} of`} the stable one`,
      ['metadata', 'annotations'],
    );
  }
  // As strict as the script.
  const canary = /^-?\d+$/.test(canaryText) ? Number(canaryText) : Number.NaN;
  if (!(canary >= MIN_ORDER && canary <= MAX_ORDER)) {
    return found(
      `${CANARY_GROUP_ORDER_ANNOTATION} is "${canaryText}", not an integer from ${MIN_ORDER} to ${MAX_ORDER}`,
      canaryPath,
    );
  }
  if (canary < stable) return [];
  return found(
    `${CANARY_GROUP_ORDER_ANNOTATION} is ${canary}, and group.order is ${stableText === undefined ? '0, the default' : stable}`,
    canaryPath,
  );
}

/** The order that a script of the user writes; undefined if the script fails, or if the load balancer controller refuses the order. */
function writtenOrder(script: CanaryScript, ingress: Manifest): number | undefined {
  const annotations = script.annotationsOf(ingress);
  return annotations && parseInt32(annotations[annotationKey('group.order')] ?? '0');
}

/** A path and its Ingress. */
interface PlacedPath extends HostPath {
  readonly ingress: Ingress;
  readonly path: IngressPath;
}

function shadowed(check: AlbCheck, { route }: AlbRoute, ingress: Manifest): Finding[] {
  const stable = readIngress(check.world, ingress);
  const canaryPaths = pathsOf(stable).filter(({ path }) => path.backend.service?.name === route.service);
  const others = [stable, ...membersAfter(check, route, stable)]
    .flatMap(pathsOf)
    .filter((other) => other.ingress !== stable || other.path.backend.service?.name !== route.service);
  return others.flatMap((other) => {
    const taking = canaryPaths.find(
      (canary) => covers(canary, other) && (!isSame(canary, other) || hasConditions(other)),
    );
    if (taking === undefined) return [];
    const { manifest } = other.ingress;
    return [
      manifest.finding(awsOrderRules['kruise-alb-shadowed-path'], {
        message:
          `the path ${describe(other)} of ${backendOf(other)} is below ${describe(taking)}, which the canary Ingress ` +
          `"${stable.name}-canary" takes first during a release of ${nameOf(route)}`,
        path: other.path.at,
        ...(manifest !== ingress && {
          related: { message: `the canary Ingress is a copy of "${ingress.name}"`, object: ingress.ref },
        }),
      }),
    ];
  });
}

/** The members of the group that are evaluated after the canary Ingress. */
function membersAfter({ aws, scriptOf }: AlbCheck, route: RouteSubject, stable: Ingress): Ingress[] {
  const group = groupOf(aws.groups, stable.key);
  const script = scriptOf(route);
  const declared = Number(stable.annotations[CANARY_GROUP_ORDER_ANNOTATION]);
  const canaryOrder = script.kind === 'other' ? (writtenOrder(script, stable.manifest) ?? 0) : declared;
  const canaryKey = `${stable.key}-canary`;
  const isAfter = (ingress: Ingress) => {
    const order = parseInt32(ingress.annotations[annotationKey('group.order')] ?? '0') ?? 0;
    return order > canaryOrder || (order === canaryOrder && compareBytes(ingress.key, canaryKey) > 0);
  };
  return (group?.members ?? [])
    .map(({ ingress }) => ingress)
    .filter((ingress) => ingress.key !== stable.key && isAfter(ingress));
}

function pathsOf(ingress: Ingress): PlacedPath[] {
  return ingress.rules.flatMap(({ host, paths }) => paths.map((path) => ({ ingress, host, path })));
}

/** A path with conditions is more specific than the same path without. */
function hasConditions({ ingress, path }: PlacedPath): boolean {
  return ingress.annotations[annotationKey(`conditions.${path.backend.service?.name ?? ''}`)] !== undefined;
}

function describe({ host, path }: HostPath): string {
  return `${host === '' ? '*' : host}${path.path || '/*'}`;
}

function backendOf({ path }: PlacedPath): string {
  return path.backend.service === undefined ? 'a resource' : `"${path.backend.service.name}"`;
}
