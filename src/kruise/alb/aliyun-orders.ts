/** Orders of Ingresses on an ALB of Alibaba Cloud, which evaluates the smaller order first. */
import type { Finding } from '../../core/finding';
import { keyedBy } from '../../core/keyed';
import type { Manifest } from '../../core/manifest';
import { defineRules } from '../../core/rule';
import type { World } from '../../core/world';
import { annotationKey } from '../../routers/ingress/alb-annotations';
import { namedClassOf } from '../../routers/ingress/class';
import { type IngressPath, readIngress } from '../../routers/ingress/ingress';
import { INGRESS_CLASS } from '../../routers/ingress/kinds';
import { nameOfKind } from '../../routers/kinds';
import { ALIYUN_SLOTS } from './aliyun-order';
import { CANARY_ORDER_ANNOTATION } from './annotations';
import { nameOf } from './aws-ingress';
import type { AlbCheck, AlbRoute } from './context';
import { covers, type HostPath } from './coverage';
import { ALIYUN_INGRESS, aliyun, edit, SERVICE, yaml } from './examples';
import { sources } from './sources';

const ORDER = annotationKey('order');
/** Another Ingress on the same ALB. */
export const API_INGRESS = edit(
  ALIYUN_INGRESS,
  ['  name: web\n', '  name: api\n'],
  ['order: "501"', 'order: "502"'],
  ['canary-order: "1"', 'canary-order: "2"'],
  ['host: shop.', 'host: api.'],
  ['service: { name: web', 'service: { name: api'],
);
const CATCH_ALL = edit(
  ALIYUN_INGRESS,
  ['  name: web\n', '  name: fallback\n'],
  [
    '    alb.ingress.kubernetes.io/order: "501"\n    rollout-constructs.io/canary-order: "1"\n',
    '    example.com/owner: shop\n',
  ],
  ['service: { name: web', 'service: { name: fallback'],
);

const FALLBACK_SERVICE = edit(SERVICE, ['name: web,', 'name: fallback,']);
const API_SERVICE = edit(SERVICE, ['name: web,', 'name: api,']);

/** Rules on the orders that Ingresses have. */
export const aliyunOrderingRules = defineRules({
  'kruise-aliyun-order': {
    severity: 'error',
    title: 'the canary Ingress is not evaluated before the stable one',
    because:
      'the ALB evaluates the smaller order first; orders go from 1 to 1000, and the default is 10; a canary Ingress ' +
      'after the stable one, which has the same host and path, gets no request',
    fix: `set ${ORDER}, and ${CANARY_ORDER_ANNOTATION} to a smaller number, and use each order only once in the ALB`,
    basis: 'documented',
    rehearsedAs: ['rehearsal-canary-gets-nothing'],
    sources: [sources.aliyunIngress, sources.aliyunOrder],
    failing: yaml(
      edit(ALIYUN_INGRESS, ['canary-order: "1"', 'canary-order: "600"']),
      ...aliyun().filter((text) => text !== ALIYUN_INGRESS),
    ),
    corrected: yaml(...aliyun()),
  },

  'kruise-aliyun-order-duplicate': {
    severity: 'error',
    title: 'two Ingresses of one ALB have the same order',
    because:
      'the ALB creates no rule for the second Ingress with the same order: it gets no address and, if it is a canary ' +
      'Ingress, no traffic (reported by users, not documented)',
    fix: 'give every Ingress and every canary Ingress of the ALB a different order',
    basis: 'documented',
    sources: [sources.aliyunOrder],
    failing: yaml(ALIYUN_INGRESS, edit(API_INGRESS, ['canary-order: "2"', 'canary-order: "1"']), SERVICE, API_SERVICE),
    corrected: yaml(ALIYUN_INGRESS, API_INGRESS, SERVICE, API_SERVICE),
  },

  'kruise-aliyun-order-default': {
    severity: 'error',
    title: 'an Ingress without an order is evaluated before one with a canary',
    because:
      'an Ingress without an order has the order 10: the ALB evaluates it before a stable Ingress with a higher order, ' +
      'so it takes the requests for every host and path that both have',
    fix: `set ${ORDER} on it, to a higher order than that of the more specific Ingress`,
    basis: 'documented',
    sources: [sources.aliyunIngress],
    failing: yaml(...aliyun(), CATCH_ALL, FALLBACK_SERVICE),
    corrected: yaml(
      ...aliyun(),
      edit(CATCH_ALL, ['example.com/owner: shop', 'alb.ingress.kubernetes.io/order: "1000"']),
      FALLBACK_SERVICE,
    ),
  },
});

/** Rules on orders that this library assigns. */
export const aliyunOrderRules = defineRules({
  'kruise-aliyun-order-moves': {
    severity: 'warning',
    title: 'the order of an Ingress depends on the other Ingresses of the ALB',
    because:
      'the library derives the order from the name of the Ingress, and another Ingress of the ALB already has this order; ' +
      'if that one is removed, or a third one is added, this one gets a different order, which a running release ignores',
    fix: 'set the prop order to pin the orders',
    basis: 'inferred',
    sources: [sources.aliyunOrder],
    failing: {
      language: 'typescript',
      text: "new AliyunAlbCanaryIngress(this, 'Web', { service: { name: 'web', port: 80 } })",
    },
    corrected: {
      language: 'typescript',
      text: "new AliyunAlbCanaryIngress(this, 'Web', { service: { name: 'web', port: 80 }, order: { stable: 502, canary: 2 } })",
    },
  },
  'kruise-aliyun-order-exhausted': {
    severity: 'error',
    title: 'an ALB has no order left for an Ingress with a canary',
    because: `an ALB has 1000 orders, and this library assigns ${ALIYUN_SLOTS} pairs of them to Ingresses with a canary`,
    fix: 'move some of the Ingresses to another ALB, or remove some of the reservedOrders',
    basis: 'documented',
    sources: [sources.aliyunIngress],
    failing: {
      language: 'typescript',
      text: 'for (const name of fiveHundredNames) {\n  new AliyunAlbCanaryIngress(this, name, { service: { name, port: 80 } });\n}',
    },
    corrected: {
      language: 'typescript',
      text:
        "for (const [index, name] of fiveHundredNames.entries()) {\n  const albConfig = index < 400 ? 'alb' : 'alb-2';\n" +
        '  new AliyunAlbCanaryIngress(this, name, { service: { name, port: 80 }, albConfig, ingressClassName: albConfig });\n}',
    },
  },
});

/** Checks the orders of all Ingresses, and of the canaries that routes make. */
export function checkAliyunOrders(check: AlbCheck, routes: readonly AlbRoute[]): Finding[] {
  return [...routes.flatMap((route) => orders(check, route)), ...duplicates(check), ...defaults(check, routes)];
}

const MAX_ORDER = 1000;
const DEFAULT_ORDER = 10;

/** An order; undefined if the script would refuse it. */
function orderOf(text: string): number | undefined {
  const order = /^\d+$/.test(text) ? Number(text) : 0;
  return order >= 1 && order <= MAX_ORDER ? order : undefined;
}

function orders({ scriptOf }: AlbCheck, { route, ingress }: AlbRoute): Finding[] {
  if (ingress === undefined) return [];
  const script = scriptOf(route);
  const found = (message: string, key?: string) => [
    ingress.finding(aliyunOrderingRules['kruise-aliyun-order'], {
      message,
      path: key === undefined ? ['metadata', 'annotations'] : ['metadata', 'annotations', key],
    }),
  ];
  const stableText = ingress.annotations[ORDER];
  const canaryText = ingress.annotations[CANARY_ORDER_ANNOTATION];
  const stable = stableText === undefined ? DEFAULT_ORDER : orderOf(stableText);
  if (stable === undefined) return found(`${ORDER} is "${stableText}", not an integer from 1 to ${MAX_ORDER}`, ORDER);
  if (script.kind === 'builtin' || script.kind === 'other') {
    const annotations = script.annotationsOf(ingress);
    // The rehearsal shows a script that fails.
    if (annotations === undefined) return [];
    const written = orderOf(annotations[ORDER] ?? String(DEFAULT_ORDER));
    if (written !== undefined && written < stable) return [];
    const whose = script.kind === 'builtin' ? 'the built-in script' : 'the script of the ConfigMap';
    return found(
      `${whose} gives the canary Ingress of ${nameOf(route)} the order ${written ?? annotations[ORDER]}, and the stable one has ${stable}`,
      stableText === undefined ? undefined : ORDER,
    );
  }
  if (canaryText === undefined) {
    return found(`${CANARY_ORDER_ANNOTATION} is not set, so the canary Ingress of ${nameOf(route)} has no order`);
  }
  const canary = orderOf(canaryText);
  if (canary === undefined) {
    return found(
      `${CANARY_ORDER_ANNOTATION} is "${canaryText}", not an integer from 1 to ${MAX_ORDER}`,
      CANARY_ORDER_ANNOTATION,
    );
  }
  if (canary < stable) return [];
  const given = stableText === undefined ? `${stable}, the default` : stable;
  return found(`${CANARY_ORDER_ANNOTATION} is ${canary}, and ${ORDER} is ${given}`, CANARY_ORDER_ANNOTATION);
}

/** The ALB of an Ingress: the AlbConfig of its class, or the class if the AlbConfig is not known. */
export function albOf(world: World, ingress: Manifest): string {
  const className = namedClassOf(ingress) ?? '';
  const parameters = world.find(nameOfKind(INGRESS_CLASS), className)?.get('spec.parameters.name');
  return typeof parameters === 'string' ? `AlbConfig ${parameters}` : `class ${className}`;
}

/** An order, its annotation, and the Ingress that owns it. */
interface Claim {
  readonly ingress: Manifest;
  readonly key: string;
  readonly order: number;
  /** The stable Ingress declares the order of its canary Ingress, so both have the same owner. */
  readonly owner: string;
}

const routeOf = keyedBy<AlbRoute, Manifest>(({ ingress }) => (ingress === undefined ? [] : [ingress]));

function claimsOf({ world, routes, scriptOf }: AlbCheck, ingress: Manifest): Claim[] {
  const isCanary = ingress.annotations[annotationKey('canary')] === 'true' && ingress.name.endsWith('-canary');
  const namespace = world.namespaceOf(ingress);
  const route = routeOf(routes, ingress)[0]?.route;
  const readsOrder = route === undefined || ['library', 'unknown'].includes(scriptOf(route).kind);
  const keys = isCanary || !readsOrder ? [ORDER] : [ORDER, CANARY_ORDER_ANNOTATION];
  return keys.flatMap((key) => {
    const order = orderOf(ingress.annotations[key] ?? '');
    if (order === undefined) return [];
    const name = key === ORDER && !isCanary ? ingress.name : `canary of ${ingress.name.replace(/-canary$/, '')}`;
    return [{ ingress, key, order, owner: `${namespace}/${name}` }];
  });
}

function duplicates(check: AlbCheck): Finding[] {
  const { world, aliyun: ingresses } = check;
  const first = new Map<string, Claim>();
  return ingresses.flatMap((ingress) =>
    claimsOf(check, ingress).flatMap((claim) => {
      const name = `${albOf(world, ingress)} ${claim.order}`;
      const other = first.get(name) ?? claim;
      first.set(name, other);
      return other.owner === claim.owner ? [] : [duplicate(claim, other)];
    }),
  );
}

function duplicate({ ingress, key, order }: Claim, other: Claim): Finding {
  const canary = other.key === ORDER ? '' : 'canary of the ';
  const place = `${canary}Ingress "${other.ingress.name}" of the namespace "${other.ingress.namespace ?? 'default'}"`;
  const source = other.ingress.sourceOf(['metadata', 'annotations', other.key]);
  return ingress.finding(aliyunOrderingRules['kruise-aliyun-order-duplicate'], {
    message: `${key} is ${order}, which the ${place} already has`,
    path: ['metadata', 'annotations', key],
    related: {
      message: `${other.key} is ${order} here`,
      object: other.ingress.ref,
      ...(source !== undefined && { source }),
    },
  });
}

function defaults({ world, aliyun: ingresses }: AlbCheck, routes: readonly AlbRoute[]): Finding[] {
  const managed = routes.flatMap(({ ingress }) => ingress ?? []);
  const unordered = ingresses.filter(
    (ingress) => ingress.annotations[ORDER] === undefined && !managed.includes(ingress),
  );
  return unordered.flatMap((ingress) => {
    const rival = managed.find(
      (other) =>
        albOf(world, other) === albOf(world, ingress) &&
        (orderOf(other.annotations[ORDER] ?? '') ?? 0) > DEFAULT_ORDER &&
        pathsOf(world, other).some((path) =>
          pathsOf(world, ingress).some((own) => covers(own, path) || covers(path, own)),
        ),
    );
    if (rival === undefined) return [];
    return [
      ingress.finding(aliyunOrderingRules['kruise-aliyun-order-default'], {
        message: `the Ingress has no order, and is evaluated before "${rival.name}", which has some of the same hosts and paths`,
        path: ['metadata'],
        related: { message: `${ORDER} of "${rival.name}" is ${rival.annotations[ORDER]}`, object: rival.ref },
      }),
    ];
  });
}

function pathsOf(world: World, ingress: Manifest): HostPath[] {
  return readIngress(world, ingress).rules.flatMap(({ host, paths }) =>
    paths.map((path: IngressPath) => ({ host, path })),
  );
}
