/** Orders of Ingresses on an ALB of Alibaba Cloud, which evaluates the smaller order first. */
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { defineRules } from '../../core/rule';
import type { World } from '../../core/world';
import { type IngressPath, readIngress } from '../../routers/aws-alb/ingress';
import { annotationKey } from '../../routers/ingress/alb-annotations';
import { namedClassOf } from '../../routers/ingress/class';
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
);
const CATCH_ALL = edit(
  ALIYUN_INGRESS,
  ['  name: web\n', '  name: fallback\n'],
  [
    '    alb.ingress.kubernetes.io/order: "501"\n    rollout-constructs.io/canary-order: "1"\n',
    '    example.com/owner: shop\n',
  ],
);

/** Rules on the orders that Ingresses have. */
export const aliyunOrderingRules = defineRules({
  'kruise-aliyun-order': {
    severity: 'error',
    title: 'the canary Ingress would not be evaluated before the stable one',
    because:
      'the ALB evaluates the smaller order first, from 1 to 1000, and takes 10 where none is given; behind the stable ' +
      'Ingress the canary Ingress, which has the same host and path, gets no request',
    fix: `set ${ORDER}, and ${CANARY_ORDER_ANNOTATION} to a smaller number, both used by no other Ingress of the ALB`,
    basis: 'documented',
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
      'the ALB makes no rule for the second Ingress with an order that is taken: it stays without an address, and as a ' +
      'canary Ingress without traffic (as reported by users; the documentation does not say it)',
    fix: 'give every Ingress of the ALB an order of its own, and every canary Ingress another',
    basis: 'documented',
    sources: [sources.aliyunOrder],
    failing: yaml(ALIYUN_INGRESS, edit(API_INGRESS, ['canary-order: "2"', 'canary-order: "1"']), SERVICE),
    corrected: yaml(ALIYUN_INGRESS, API_INGRESS, SERVICE),
  },

  'kruise-aliyun-order-default': {
    severity: 'error',
    title: 'an Ingress without an order competes with one that has a canary',
    because:
      'an Ingress without an order has the order 10, and so is evaluated before a stable Ingress with a higher one: it ' +
      'takes the requests of a host and path that both have',
    fix: `set ${ORDER} on it, above that of the more specific Ingress`,
    basis: 'documented',
    sources: [sources.aliyunIngress],
    failing: yaml(...aliyun(), CATCH_ALL),
    corrected: yaml(
      ...aliyun(),
      edit(CATCH_ALL, ['example.com/owner: shop', 'alb.ingress.kubernetes.io/order: "1000"']),
    ),
  },
});

/** Rules on orders that this library gives. */
export const aliyunOrderRules = defineRules({
  'kruise-aliyun-order-moves': {
    severity: 'warning',
    title: 'the order of an Ingress depends on which other Ingresses there are',
    because:
      'the order follows from the name of the Ingress, and another one of the ALB has it already; when that one goes, or ' +
      'a third one comes, this one gets other orders, and a release that is under way then keeps the old one',
    fix: 'pin the orders by the prop order',
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
    because: `an ALB has 1000 orders, of which ${ALIYUN_SLOTS} pairs are given to Ingresses with a canary`,
    fix: 'put some of the Ingresses on another ALB, or release some of the reservedOrders',
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
  return [...routes.flatMap(orders), ...duplicates(check), ...defaults(check, routes)];
}

const MAX_ORDER = 1000;
const DEFAULT_ORDER = 10;

/** An order, as strictly as the script reads it. */
function orderOf(text: string): number | undefined {
  const order = /^\d+$/.test(text) ? Number(text) : 0;
  return order >= 1 && order <= MAX_ORDER ? order : undefined;
}

function orders({ route, ingress }: AlbRoute): Finding[] {
  if (ingress === undefined) return [];
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
  if (canaryText === undefined) {
    return found(
      `${CANARY_ORDER_ANNOTATION} is not set, so there is no order for the canary Ingress of ${nameOf(route)}`,
    );
  }
  const canary = orderOf(canaryText);
  if (canary === undefined) {
    return found(
      `${CANARY_ORDER_ANNOTATION} is "${canaryText}", not an integer from 1 to ${MAX_ORDER}`,
      CANARY_ORDER_ANNOTATION,
    );
  }
  if (canary < stable) return [];
  const given = stableText === undefined ? `${stable}, as none is set` : stable;
  return found(`${CANARY_ORDER_ANNOTATION} is ${canary}, and ${ORDER} is ${given}`, CANARY_ORDER_ANNOTATION);
}

/** The ALB of an Ingress: the AlbConfig of its class, or the class where that is not known. */
export function albOf(world: World, ingress: Manifest): string {
  const className = namedClassOf(ingress) ?? '';
  const parameters = world.find(nameOfKind(INGRESS_CLASS), className)?.get('spec.parameters.name');
  return typeof parameters === 'string' ? `AlbConfig ${parameters}` : `class ${className}`;
}

/** An order, the annotation that holds it, and whose it is. */
interface Claim {
  readonly ingress: Manifest;
  readonly key: string;
  readonly order: number;
  /** A canary Ingress has the order that its stable Ingress names for it. */
  readonly owner: string;
}

function claimsOf(world: World, ingress: Manifest): Claim[] {
  const isCanary = ingress.annotations[annotationKey('canary')] === 'true' && ingress.name.endsWith('-canary');
  const namespace = world.namespaceOf(ingress);
  const keys = isCanary ? [ORDER] : [ORDER, CANARY_ORDER_ANNOTATION];
  return keys.flatMap((key) => {
    const order = orderOf(ingress.annotations[key] ?? '');
    if (order === undefined) return [];
    const name = key === ORDER && !isCanary ? ingress.name : `canary of ${ingress.name.replace(/-canary$/, '')}`;
    return [{ ingress, key, order, owner: `${namespace}/${name}` }];
  });
}

function duplicates({ world, aliyun: ingresses }: AlbCheck): Finding[] {
  const first = new Map<string, Claim>();
  return ingresses.flatMap((ingress) =>
    claimsOf(world, ingress).flatMap((claim) => {
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
    message: `${key} is ${order}, which the ${place} has already`,
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
        message: `the Ingress has no order, and is evaluated before "${rival.name}", which has some of its hosts and paths`,
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
