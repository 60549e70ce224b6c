/** Canaries on an ALB of Alibaba Cloud. */

import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import type { Path } from '../../core/path';
import { defineRules } from '../../core/rule';
import type { World } from '../../core/world';
import { annotationKey } from '../../routers/alb-annotations';
import { type IngressPath, readIngress } from '../../routers/aws-alb/ingress';
import { namedClassOf } from '../../routers/ingress-class';
import type { HttpHeaderMatch, HttpRouteMatch } from '../api';
import { LUA_CONFIG_MAP_NAME } from '../api';
import { readStrategy, routesTraffic } from '../routing';
import type { RolloutSubject, StepSubject } from '../rules/subject';
import { ingressScriptKey } from '../scripts/lookup';
import { ALIYUN_SLOTS } from './aliyun-order';
import { ALIYUN_CLASS_TYPE, CANARY_ORDER_ANNOTATION } from './annotations';
import { nameOf } from './aws-ingress';
import type { AlbCheck, AlbChecker, AlbRoute } from './context';
import { covers, type HostPath } from './coverage';
import { ALIYUN_INGRESS, ALIYUN_ROLLOUT, aliyun, edit, SERVICE, yaml } from './examples';
import { sources } from './sources';

const ORDER = annotationKey('order');
const API_INGRESS = edit(
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
const CANARY = edit(
  ALIYUN_INGRESS,
  ['  name: web\n', '  name: beta\n'],
  [
    '    rollout-constructs.io/canary-order: "1"\n',
    '    alb.ingress.kubernetes.io/canary: "true"\n    alb.ingress.kubernetes.io/canary-by-header: x-beta\n    alb.ingress.kubernetes.io/canary-by-header-value: always\n',
  ],
);
const BESIDE = '{ matches: [{ headers: [{ name: user-agent, value: pc }] }], replicas';

/** Rules on canaries of an ALB of Alibaba Cloud. */
export const aliyunRules = defineRules({
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

  'kruise-aliyun-match': {
    severity: 'error',
    title: 'a canary Ingress cannot express the matches of a step',
    because:
      'the ALB knows one header with one exact value, and one cookie with the value always; the script stops the ' +
      'release rather than leave a part of a match out, and the built-in one leaves it out without a word',
    fix: 'match one header with type Exact, or one cookie as <name>=always, or one match with each; put alternatives into steps of their own',
    basis: 'documented',
    sources: [sources.aliyunIngress, sources.aliyunScript],
    failing: yaml(...aliyun('[{ headers: [{ type: RegularExpression, name: user-agent, value: "pc|mobile" }] }]')),
    corrected: yaml(...aliyun()),
  },

  'kruise-aliyun-traffic-beside-matches': {
    severity: 'error',
    title: 'a step has both traffic and matches',
    because:
      'the ALB must not be given a header or a cookie together with a weight on one Ingress; our script leaves the ' +
      'weight out, as matches take precedence, and the built-in one writes both',
    fix: 'split it into two steps, one with matches and one with traffic',
    basis: 'documented',
    sources: [sources.aliyunIngress, sources.api],
    failing: yaml(
      edit(aliyun()[0]!, [BESIDE, BESIDE.replace('replicas', 'traffic: 10%, replicas')]),
      ...aliyun().slice(1),
    ),
    corrected: yaml(...aliyun()),
  },

  'kruise-aliyun-canary-mixed': {
    severity: 'error',
    title: 'an Ingress has both a weight and a header or cookie of a canary',
    because: 'the ALB must not be given both on one Ingress',
    fix: 'keep the weight, or the header and the cookie',
    basis: 'documented',
    sources: [sources.aliyunIngress],
    failing: yaml(
      edit(CANARY, ['canary: "true"\n', 'canary: "true"\n    alb.ingress.kubernetes.io/canary-weight: "10"\n']),
    ),
    corrected: yaml(CANARY),
  },

  'kruise-aliyun-builtin-script': {
    severity: 'error',
    title: 'the built-in script gives every canary Ingress the order 1',
    because:
      'two applications that are released at the same time get canary Ingresses with the same order, and the ALB makes ' +
      'no rule for the second one',
    fix: "put a script in its place: LuaScripts.fromLibrary('aliyun-alb') in the ConfigMap kruise-rollout-configuration",
    basis: 'read',
    sources: [sources.aliyunScript, sources.aliyunOrder],
    failing: yaml(
      ...aliyun().slice(0, 3),
      API_INGRESS,
      edit(
        ALIYUN_ROLLOUT,
        ['metadata: { name: web', 'metadata: { name: api'],
        ['kind: Deployment, name: web', 'kind: Deployment, name: api'],
        ['ingress: { name: web', 'ingress: { name: api'],
      ),
    ),
    corrected: yaml(
      ...aliyun(),
      API_INGRESS,
      edit(
        ALIYUN_ROLLOUT,
        ['metadata: { name: web', 'metadata: { name: api'],
        ['kind: Deployment, name: web', 'kind: Deployment, name: api'],
        ['ingress: { name: web', 'ingress: { name: api'],
      ),
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

/** Checks every Ingress of an ALB of Alibaba Cloud, and every canary on one. */
export const checkAliyun: AlbChecker = (check) => {
  const routes = check.routes.filter(({ provider, mode }) => provider === 'aliyun' && mode === 'ingress');
  return [
    ...routes.flatMap((subject) => orders(subject)),
    ...duplicates(check),
    ...defaults(check, routes),
    ...routes.flatMap((subject) =>
      (subject.rollout?.steps ?? []).flatMap((step) => stepFindings(check, subject.rollout!, step)),
    ),
    ...check.aliyun.flatMap(mixed),
    ...builtin(check, routes),
  ];
};

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
    ingress.finding(aliyunRules['kruise-aliyun-order'], {
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
function albOf(world: World, ingress: Manifest): string {
  const className = namedClassOf(ingress) ?? '';
  const parameters = world.find('IngressClass.networking.k8s.io', className)?.get('spec.parameters.name');
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
  return ingress.finding(aliyunRules['kruise-aliyun-order-duplicate'], {
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
      ingress.finding(aliyunRules['kruise-aliyun-order-default'], {
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

function stepFindings(
  { rollouts: { version } }: AlbCheck,
  { manifest, v1alpha1 }: RolloutSubject,
  step: StepSubject,
): Finding[] {
  const strategy = readStrategy(step.object, { version, v1alpha1 });
  if (!routesTraffic(strategy)) return [];
  const { matches = [], traffic, requestHeaderModifier } = strategy;
  const found: Found = (rule, message, path) => [
    manifest.finding(aliyunRules[rule], {
      message: `step ${step.index + 1} ${message}`,
      path: [...step.path, ...path],
      step: step.index,
    }),
  ];
  const weight = v1alpha1 ? 'weight' : 'traffic';
  return [
    ...(traffic !== undefined && matches.length > 0
      ? found('kruise-aliyun-traffic-beside-matches', `has matches, and the traffic ${traffic}, which is not applied`, [
          weight,
        ])
      : []),
    ...(requestHeaderModifier === undefined
      ? []
      : found('kruise-aliyun-match', 'changes headers of requests, which the ALB does not do', [
          'requestHeaderModifier',
        ])),
    ...matches.flatMap((match, index) => matchFindings(match, ['matches', index], found)),
    ...several(matches, found),
  ];
}

type Found = (rule: keyof typeof aliyunRules, message: string, path: Path) => Finding[];

function matchFindings(match: HttpRouteMatch, at: Path, found: Found): Finding[] {
  const { path, headers = [], queryParams = [] } = match;
  const number = `match ${Number(at[1]) + 1}`;
  const narrows = path !== undefined && !(path.value === '/' && path.type === 'PathPrefix');
  return [
    ...(narrows ? found('kruise-aliyun-match', `matches the path "${path.value}"`, [...at, 'path']) : []),
    ...(queryParams.length > 0
      ? found('kruise-aliyun-match', `matches the query parameter "${queryParams[0]!.name}"`, [...at, 'queryParams'])
      : []),
    ...(headers.length > 1
      ? found('kruise-aliyun-match', `has a ${number} with ${headers.length} headers; the ALB knows one`, [
          ...at,
          'headers',
        ])
      : []),
    ...(headers.length === 0 && queryParams.length === 0 && !narrows
      ? found('kruise-aliyun-match', `has a ${number} without a condition`, at)
      : []),
    ...headers.flatMap((header, index) => headerFindings(header, [...at, 'headers', index], found)),
  ];
}

function headerFindings({ type, name, value }: HttpHeaderMatch, at: Path, found: Found): Finding[] {
  if (type === 'RegularExpression')
    return found('kruise-aliyun-match', `matches the header "${name}" by a regular expression`, at);
  const lower = name.toLowerCase();
  if (lower === 'host') return found('kruise-aliyun-match', 'matches the header Host', at);
  return lower === 'cookie' && !/^[^=;]+=always$/.test(value)
    ? found('kruise-aliyun-match', `matches the cookie "${value}"; the ALB only knows the value always`, at)
    : [];
}

function isCookie({ headers = [] }: HttpRouteMatch): boolean {
  return ['cookie', 'canary-by-cookie'].includes(headers[0]?.name.toLowerCase() ?? '');
}

function several(matches: readonly HttpRouteMatch[], found: Found): Finding[] {
  const withHeader = matches.filter(({ headers = [] }) => headers.length > 0);
  const cookies = withHeader.filter(isCookie).length;
  return [
    ...(withHeader.length - cookies > 1
      ? found(
          'kruise-aliyun-match',
          `has ${withHeader.length - cookies} matches on headers; the ALB knows one header with one value`,
          ['matches'],
        )
      : []),
    ...(cookies > 1
      ? found('kruise-aliyun-match', `has ${cookies} matches on cookies; the ALB knows one`, ['matches'])
      : []),
  ];
}

function mixed(ingress: Manifest): Finding[] {
  const has = (name: string) => ingress.annotations[annotationKey(name)] !== undefined;
  if (!has('canary-weight') || !(has('canary-by-header') || has('canary-by-cookie'))) return [];
  return [
    ingress.finding(aliyunRules['kruise-aliyun-canary-mixed'], {
      message: `the Ingress has canary-weight and ${has('canary-by-header') ? 'canary-by-header' : 'canary-by-cookie'}`,
      path: ['metadata', 'annotations', annotationKey('canary-weight')],
    }),
  ];
}

function builtin(check: AlbCheck, routes: readonly AlbRoute[]): Finding[] {
  const { world, rollouts } = check;
  const ref = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: rollouts.controllerNamespace,
    name: LUA_CONFIG_MAP_NAME,
  };
  const script = world.get(ref)?.get(['data', ingressScriptKey(ALIYUN_CLASS_TYPE)]);
  if ((typeof script === 'string' && script !== '') || rollouts.isExternal(ref)) return [];
  const using = routes.filter(({ route }) => route.ingress?.classType === ALIYUN_CLASS_TYPE);
  return using.map((subject) => {
    const { route, ingress } = subject;
    const alb = ingress === undefined ? undefined : albOf(world, ingress);
    const other = using.find(
      (each) => each !== subject && each.ingress !== undefined && albOf(world, each.ingress) === alb,
    );
    const beside = other === undefined ? '' : `, and so does ${nameOf(other.route)} on the same ALB`;
    return route.manifest.finding(aliyunRules['kruise-aliyun-builtin-script'], {
      severity: other === undefined ? 'warning' : 'error',
      message: `${nameOf(route)} uses the built-in script of the class type "${ALIYUN_CLASS_TYPE}"${beside}`,
      path: [...route.ingress!.path, 'classType'],
    });
  });
}
