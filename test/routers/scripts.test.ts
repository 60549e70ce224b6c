import { describe, expect, it } from 'vitest';
import { Manifest, parseManifests, type World } from '../../src/core';
import { playCustom, playIngress } from '../../src/kruise/controller';
import { builtinScripts, packagedScripts } from '../../src/kruise/scripts/library';
import type { RouterName } from '../../src/routers';
import { routerNamed } from '../../src/routers';
import { type Ask, app, deployment, service, whoGets, worldOf } from './stack';

/** Routing scripts and routers verify each other: the router has to understand what the script writes. */
interface Case {
  readonly router: RouterName;
  /** The routing object of the stable version. */
  readonly object: string;
  /** The class of the Ingress; without one, the object is one of `customNetworkRefs`. */
  readonly classType?: string;
  /** Additional objects. */
  readonly others?: string;
  /** Defaults of the requests. */
  readonly ask: Ask;
  /** The load balancer ignores the case of values. */
  readonly ignoresCase?: boolean;
  /** Features that the script does not support. */
  readonly cannot?: readonly (keyof typeof STEPS)[];
}

const STEPS = {
  header: { matches: [{ headers: [{ type: 'Exact', name: 'user-agent', value: 'pc' }] }] },
  headerRegex: { matches: [{ headers: [{ type: 'RegularExpression', name: 'x-user', value: 'user-[0-9]+' }] }] },
  and: {
    matches: [
      {
        headers: [
          { type: 'Exact', name: 'user-agent', value: 'pc' },
          { type: 'Exact', name: 'x-user', value: 'user-1' },
        ],
      },
    ],
  },
  or: {
    matches: [
      { headers: [{ type: 'Exact', name: 'user-agent', value: 'pc' }] },
      { headers: [{ type: 'Exact', name: 'x-user', value: 'user-1' }] },
    ],
  },
  cookie: { matches: [{ headers: [{ type: 'Exact', name: 'canary-by-cookie', value: 'grey' }] }] },
  query: { matches: [{ queryParams: [{ type: 'Exact', name: 'v', value: '2' }] }] },
  path: { matches: [{ path: { type: 'PathPrefix', value: '/v2' } }] },
} as const;

/** For each step, requests that must and requests that must not reach the canary. */
const REQUESTS: Record<keyof typeof STEPS, { readonly canary: readonly Ask[]; readonly stable: readonly Ask[] }> = {
  header: {
    canary: [{ headers: { 'User-Agent': 'pc' } }, { headers: { 'user-agent': 'pc' }, path: '/deep/er' }],
    stable: [
      {},
      { headers: { 'user-agent': 'pcs' } },
      { headers: { 'user-agent': 'PC' } },
      { headers: { other: 'pc' } },
    ],
  },
  headerRegex: {
    canary: [{ headers: { 'x-user': 'user-12' } }],
    stable: [{}, { headers: { 'x-user': 'user-' } }, { headers: { 'x-user': 'nobody' } }],
  },
  and: {
    canary: [{ headers: { 'user-agent': 'pc', 'x-user': 'user-1' } }],
    stable: [{}, { headers: { 'user-agent': 'pc' } }, { headers: { 'x-user': 'user-1' } }],
  },
  or: {
    canary: [{ headers: { 'user-agent': 'pc' } }, { headers: { 'x-user': 'user-1' } }],
    stable: [{}, { headers: { 'x-user': 'user-2' } }],
  },
  cookie: {
    canary: [{ headers: { cookie: 'grey=always' } }, { headers: { cookie: 'a=b; grey=always; c=d' } }],
    stable: [{}, { headers: { cookie: 'grey=never' } }, { headers: { cookie: 'notgrey=always' } }],
  },
  query: {
    canary: [{ query: { v: '2' } }, { query: { a: 'b', v: '2' } }],
    stable: [{}, { query: { v: '1' } }, { query: { w: '2' } }],
  },
  path: {
    canary: [{ path: '/v2' }, { path: '/v2/cart' }],
    stable: [{}, { path: '/v20' }, { path: '/v1' }],
  },
};

const INGRESS = (className: string, annotations = '') => `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, annotations: {team: shop${annotations}}}
spec:
  ingressClassName: ${className}
  rules:
    - host: a.com
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}`;

const CASES: Readonly<Record<string, Case>> = {
  'nginx (built-in)': {
    router: 'nginx',
    classType: 'nginx',
    object: INGRESS('nginx'),
    ask: {},
    // The built-in reads one header of one match, and neither paths nor query parameters.
    cannot: ['and', 'or', 'query', 'path'],
  },
  'higress (built-in)': {
    router: 'higress',
    classType: 'higress',
    object: INGRESS('higress'),
    ask: {},
    cannot: ['and', 'or', 'query', 'path'],
  },
  'mse (built-in)': {
    router: 'mse',
    classType: 'mse',
    object: INGRESS('mse'),
    ask: {},
    // It writes conditions on query parameters under a prefix that the gateway does not read.
    cannot: ['and', 'or', 'query', 'path'],
  },
  'aliyun-alb': {
    router: 'aliyun-alb',
    classType: 'aliyun-alb',
    object: INGRESS('alb', ", alb.ingress.kubernetes.io/order: '501', rollout-constructs.io/canary-order: '1'"),
    ask: {},
    cannot: ['headerRegex', 'and', 'or', 'query', 'path'],
  },
  'aws-alb': {
    router: 'aws-alb',
    object: `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  annotations:
    alb.ingress.kubernetes.io/target-type: ip
    alb.ingress.kubernetes.io/actions.web: >-
      {"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":80}]}}
spec:
  ingressClassName: alb
  rules:
    - host: a.com
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {name: use-annotation}}}}]}`,
    ask: {},
    ignoresCase: true,
  },
  'aws-alb (canary Ingress)': {
    router: 'aws-alb',
    classType: 'aws-alb',
    object: `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  annotations:
    alb.ingress.kubernetes.io/group.name: demo
    alb.ingress.kubernetes.io/group.order: '10'
    rollout-constructs.io/canary-group-order: '9'
    alb.ingress.kubernetes.io/target-type: ip
    alb.ingress.kubernetes.io/actions.web: >-
      {"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":80}]}}
spec:
  ingressClassName: alb
  rules:
    - host: a.com
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {name: use-annotation}}}}]}`,
    ask: {},
    ignoresCase: true,
    cannot: ['or', 'path'],
  },
  'VirtualService (built-in)': {
    router: 'istio',
    object: `
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: web}
spec:
  hosts: [web]
  http: [{route: [{destination: {host: web}}]}]`,
    ask: { loadBalancer: 'mesh', host: 'web' },
    // A header named canary-by-cookie is a header like any other to it, and its prefixes end anywhere.
    cannot: ['cookie', 'path'],
  },
  ApisixRoute: {
    router: 'apisix',
    object: `
apiVersion: apisix.apache.org/v2
kind: ApisixRoute
metadata: {name: web}
spec:
  http:
    - name: main
      match: {hosts: [a.com], paths: ['/*']}
      backends: [{serviceName: web, servicePort: 80}]`,
    ask: {},
  },
  HTTPProxy: {
    router: 'contour',
    object: `
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: {name: web}
spec:
  virtualhost: {fqdn: a.com}
  routes: [{services: [{name: web, port: 80}]}]`,
    ask: {},
  },
  IngressRoute: {
    router: 'traefik',
    object: `
apiVersion: traefik.io/v1alpha1
kind: IngressRoute
metadata: {name: web}
spec:
  entryPoints: [web]
  routes: [{kind: Rule, match: 'Host(\`a.com\`)', services: [{name: web, port: 80}]}]`,
    ask: {},
  },
  TraefikService: {
    router: 'traefik',
    object: `
apiVersion: traefik.io/v1alpha1
kind: TraefikService
metadata: {name: split}
spec: {weighted: {services: [{name: web, port: 80}]}}`,
    others: `
apiVersion: traefik.io/v1alpha1
kind: IngressRoute
metadata: {name: web}
spec: {routes: [{kind: Rule, match: 'Host(\`a.com\`)', services: [{name: split, kind: TraefikService}]}]}`,
    ask: {},
    cannot: ['header', 'headerRegex', 'and', 'or', 'cookie', 'query', 'path'],
  },
  MeshHTTPRoute: {
    router: 'kuma',
    object: `
apiVersion: kuma.io/v1alpha1
kind: MeshHTTPRoute
metadata: {name: web, labels: {kuma.io/mesh: default}}
spec:
  targetRef: {kind: Mesh}
  to:
    - targetRef: {kind: MeshService, name: web}
      rules:
        - matches: [{path: {type: PathPrefix, value: /}}]
          default: {backendRefs: [{kind: MeshService, name: web, port: 80}]}`,
    ask: { loadBalancer: 'mesh', host: 'web' },
  },
  TrafficRoute: {
    router: 'kuma',
    object: `
apiVersion: kuma.io/v1alpha1
kind: TrafficRoute
mesh: default
metadata: {name: web}
spec:
  sources: [{match: {kuma.io/service: '*'}}]
  destinations: [{match: {kuma.io/service: web_default_svc_80}}]
  conf: {destination: {kuma.io/service: web_default_svc_80}}`,
    ask: { loadBalancer: 'mesh', host: 'web' },
    cannot: ['query'],
  },
};

/** The World before a rollout: all Services have pods, those of the canary too. */
function worldFor({ object, others = '' }: Case): World {
  return worldOf(object, others, app('web'), app('web-canary'));
}

/** The World once a step has settled, or the controller's error. */
function worldAfter(given: Case, step: object): World | string {
  const stable = worldFor(given);
  const { manifests } = parseManifests(given.object, 'test.yaml');
  const scripts = { builtins: builtinScripts(), configMap: packagedConfigMap() };
  if (given.classType !== undefined) {
    const { classType } = given;
    const play = playIngress({
      stableIngress: manifests[0]!.object,
      service: 'web',
      classType,
      steps: [step],
      scripts,
    });
    if (play.error !== undefined) return play.error.message;
    return stable.with(Manifest.of(play.afterSteps[0]!));
  }
  const play = playCustom({ objects: [manifests[0]!.object], service: 'web', steps: [step], scripts });
  if (play.error !== undefined) return play.error.message;
  return stable.with(...play.afterSteps[0]!.map((object) => Manifest.of(object)));
}

/** All scripts of this library, under the keys that the controller looks for. */
function packagedConfigMap() {
  const data = packagedScripts().scripts.map(({ target, source }) => [
    target.provider === 'ingress'
      ? `lua.traffic.routing.ingress.${target.classType}`
      : `lua.traffic.routing.${target.kind}.${target.group}`,
    source,
  ]);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kruise-rollout-configuration' },
    data: Object.fromEntries(data),
  };
}

function expectWorld(world: World | string): World {
  if (typeof world === 'string') throw new Error(world);
  return world;
}

describe.each(Object.entries(CASES))('a rollout by %s', (_, given) => {
  const router = routerNamed(given.router);
  const cannot: readonly string[] = given.cannot ?? [];
  const steps = Object.keys(STEPS).filter((step) => !cannot.includes(step)) as (keyof typeof STEPS)[];

  it('starts with the stable version only', () => {
    expect(whoGets(router, worldFor(given), given.ask)).toBe('web');
  });

  it('gives the canary its share', () => {
    for (const [traffic, expected] of [
      ['20%', 'web 80, web-canary 20'],
      ['100%', 'web-canary'],
    ] as const) {
      expect(whoGets(router, expectWorld(worldAfter(given, { traffic })), given.ask)).toEqual(expected);
    }
  });

  it.runIf(steps.length > 0).each(steps)('gives it the requests that match: %s', (step) => {
    const world = expectWorld(worldAfter(given, STEPS[step]));
    const { canary } = REQUESTS[step];
    const stable = REQUESTS[step].stable.filter(
      ({ headers }) => !given.ignoresCase || headers?.['user-agent'] !== 'PC',
    );
    const all = (requests: readonly Ask[]) =>
      requests.map((request) => whoGets(router, world, { ...given.ask, ...request }));
    expect(all(canary)).toEqual(canary.map(() => 'web-canary'));
    expect(all(stable)).toEqual(stable.map(() => 'web'));
  });
});

it('covers every script', () => {
  const tried = Object.values(CASES).map(({ classType, object }) => {
    const { groupKind } = parseManifests(object, 'test.yaml').manifests[0]!;
    return classType === undefined ? groupKind : `ingress.${classType}`;
  });
  const names = [...packagedScripts().scripts, ...builtinScripts().scripts].map(({ name }) => name);
  // The built-in for DestinationRules only adds a subset, see below.
  const others = names.filter((name) => name !== 'DestinationRule.networking.istio.io');
  expect([...new Set(others)].sort()).toEqual([...new Set(tried)].sort());
});

describe('defects of built-in scripts', () => {
  const playedWorld = (name: string, step: object) => expectWorld(worldAfter(CASES[name]!, step));

  it('nginx matches a part of the header', () => {
    const world = playedWorld('nginx (built-in)', STEPS.headerRegex);
    expect(whoGets(routerNamed('nginx'), world, { headers: { 'x-user': 'superuser-1st' } })).toBe('web-canary');
  });

  it('nginx uses only the last of several matches', () => {
    const world = playedWorld('nginx (built-in)', STEPS.or);
    const router = routerNamed('nginx');
    expect(whoGets(router, world, { headers: { 'user-agent': 'pc' } })).toBe('web');
    expect(whoGets(router, world, { headers: { 'x-user': 'user-1' } })).toBe('web-canary');
  });

  it('nginx uses only the first of several headers', () => {
    const world = playedWorld('nginx (built-in)', STEPS.and);
    expect(whoGets(routerNamed('nginx'), world, { headers: { 'user-agent': 'pc' } })).toBe('web-canary');
  });

  it('higress also matches the word always', () => {
    const world = playedWorld('higress (built-in)', STEPS.header);
    expect(whoGets(routerNamed('higress'), world, { headers: { 'user-agent': 'always' } })).toBe('web-canary');
  });

  it('mse never sees query parameters', () => {
    const world = playedWorld('mse (built-in)', STEPS.query);
    expect(whoGets(routerNamed('mse'), world, { query: { v: '2' } })).toBe('web');
  });

  it('VirtualService prefixes match within path segments', () => {
    const world = playedWorld('VirtualService (built-in)', STEPS.path);
    expect(whoGets(routerNamed('istio'), world, { host: 'web', path: '/v20' })).toBe('web-canary');
  });
});

describe('a rollout without a canary Service', () => {
  const rule = `
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: web}
spec: {host: web, subsets: [{name: stable, labels: {version: v1}}]}`;
  const world = worldOf(
    CASES['VirtualService (built-in)']!.object,
    rule,
    service('web'),
    deployment('web'),
    deployment('web-gray')
      .replaceAll('app: web-gray', 'app: web')
      .replace('labels: {app: web}', 'labels: {app: web, istio.service.tag: gray}'),
  );

  it('splits by a subset of a DestinationRule, whose pods have the label', () => {
    const objects = [
      ...world.list('VirtualService.networking.istio.io'),
      ...world.list('DestinationRule.networking.istio.io'),
    ];
    const play = playCustom({
      objects: objects.map(({ object }) => object),
      service: 'web',
      steps: [{ traffic: '20%' }],
      scripts: { builtins: builtinScripts() },
      disableGenerateCanaryService: true,
    });
    const during = world.with(...play.afterSteps[0]!.map((object) => Manifest.of(object)));
    expect(whoGets(routerNamed('istio'), during, { loadBalancer: 'mesh', host: 'web' })).toBe('web 80, web:canary 20');
    const withoutPods = during.without({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web-gray' });
    expect(whoGets(routerNamed('istio'), withoutPods, { loadBalancer: 'mesh', host: 'web' })).toBe(
      'web 80, web:canary (503 no-pods) 20',
    );
  });
});
