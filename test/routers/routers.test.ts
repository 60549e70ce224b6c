import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../src/core';
import { ROUTER_NAMES, routeOf, routerNamed, routersOf } from '../../src/routers';
import { app, service, worldOf } from './stack';

const names = (world: World) => routersOf(world).map(({ name }) => name);

const ingress = (className: string, annotations = '') => `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, annotations: {${annotations}}}
spec:
  ingressClassName: ${className}
  rules: [{host: a.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]`;

const object = (apiVersion: string, kind: string) =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: web}\nspec: {}`;

describe('the routers of a World', () => {
  it.each<[string, readonly string[]]>([
    [ingress('nginx'), ['nginx']],
    [ingress('higress'), ['higress']],
    [ingress('mse'), ['mse']],
    [ingress('alb'), ['aws-alb']],
    [ingress('alb', "alb.ingress.kubernetes.io/order: '5'"), ['aliyun-alb']],
    [`${ingress('alb')}\n---\napiVersion: alibabacloud.com/v1\nkind: AlbConfig\nmetadata: {name: alb}`, ['aliyun-alb']],
    [ingress('unknown'), []],
    [object('networking.istio.io/v1', 'VirtualService'), ['istio']],
    [object('gateway.networking.k8s.io/v1', 'HTTPRoute'), ['gateway-api']],
    [object('apisix.apache.org/v2', 'ApisixRoute'), ['apisix']],
    [object('kuma.io/v1alpha1', 'TrafficRoute'), ['kuma']],
    [object('projectcontour.io/v1', 'HTTPProxy'), ['contour']],
    [object('traefik.io/v1alpha1', 'IngressRoute'), ['traefik']],
    [service('web'), []],
  ])('%#', (text, expected) => expect(names(worldOf(app('web'), text))).toEqual(expected));

  it('are sorted by name', () => {
    const texts = [
      ingress('nginx'),
      object('traefik.io/v1alpha1', 'IngressRoute'),
      object('apisix.apache.org/v2', 'ApisixRoute'),
    ];
    expect(names(worldOf(app('web'), ...texts))).toEqual(['apisix', 'nginx', 'traefik']);
  });

  it('have the names of the registry', () => {
    expect(ROUTER_NAMES.map((name) => routerNamed(name).name)).toEqual(ROUTER_NAMES);
  });
});

/** Fields that routers read, so that odd values reach the code that reads them. */
const KEYS = [
  'spec',
  'rules',
  'http',
  'paths',
  'path',
  'pathType',
  'backend',
  'service',
  'name',
  'port',
  'number',
  'host',
  'hosts',
  'match',
  'matches',
  'headers',
  'exact',
  'prefix',
  'regex',
  'uri',
  'queryParams',
  'type',
  'value',
  'route',
  'routes',
  'destination',
  'subset',
  'weight',
  'backendRefs',
  'parentRefs',
  'hostnames',
  'filters',
  'requestRedirect',
  'gateways',
  'redirect',
  'delegate',
  'subsets',
  'labels',
  'backends',
  'serviceName',
  'servicePort',
  'exprs',
  'subject',
  'scope',
  'op',
  'services',
  'conditions',
  'header',
  'virtualhost',
  'fqdn',
  'includes',
  'tls',
  'kind',
  'entryPoints',
  'weighted',
  'to',
  'targetRef',
  'default',
  'conf',
  'split',
  'destinations',
  'sources',
  'kuma.io/service',
  'listeners',
  'servers',
  'defaultBackend',
  'ingressClassName',
  'allowedRoutes',
  'namespaces',
  'from',
  'selector',
  'ports',
  'template',
  '__proto__',
];

const TEXTS = [
  '',
  '/',
  '/x',
  'web',
  'a.com',
  '*',
  '*.com',
  'Exact',
  'Prefix',
  'PathPrefix',
  'RegularExpression',
  '(',
  'a+',
  'Host(`a.com`)',
  'Rule',
  'Service',
  'TraefikService',
  'MeshService',
  'Gateway',
  'HTTP',
  'Header',
  'Equal',
  'RegexMatch',
  'nginx',
  'higress',
  'mse',
  'alb',
  'mesh',
  'RequestRedirect',
  '20',
  'true',
  'x-c',
];

const KINDS: readonly (readonly [string, string])[] = [
  ['networking.k8s.io/v1', 'Ingress'],
  ['networking.k8s.io/v1', 'IngressClass'],
  ['networking.istio.io/v1', 'VirtualService'],
  ['networking.istio.io/v1', 'DestinationRule'],
  ['networking.istio.io/v1', 'Gateway'],
  ['gateway.networking.k8s.io/v1', 'HTTPRoute'],
  ['gateway.networking.k8s.io/v1', 'Gateway'],
  ['apisix.apache.org/v2', 'ApisixRoute'],
  ['kuma.io/v1alpha1', 'MeshHTTPRoute'],
  ['kuma.io/v1alpha1', 'TrafficRoute'],
  ['projectcontour.io/v1', 'HTTPProxy'],
  ['traefik.io/v1alpha1', 'IngressRoute'],
  ['traefik.io/v1alpha1', 'TraefikService'],
  ['v1', 'Service'],
  ['v1', 'Pod'],
  ['apps/v1', 'Deployment'],
];

const ANNOTATIONS = [
  'canary',
  'canary-weight',
  'canary-by-header',
  'canary-by-header-value',
  'canary-by-header-pattern',
  'canary-by-cookie',
  'use-regex',
  'rewrite-target',
  'order',
  'listen-ports',
  'server-alias',
  'permanent-redirect',
  'service-subset',
];

const PREFIXES = [
  'nginx.ingress.kubernetes.io',
  'alb.ingress.kubernetes.io',
  'mse.ingress.kubernetes.io',
  'higress.io',
];

const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 4 })),
    fc.constantFrom<unknown>(null, true, false, 0, -1, 80, 443, 1.5, 1e9),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));

const manifest = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    name: fc.constantFrom('web', 'edge', ''),
    annotations: fc.dictionary(
      fc
        .tuple(fc.constantFrom(...PREFIXES), fc.constantFrom(...ANNOTATIONS))
        .map(([prefix, name]) => `${prefix}/${name}`),
      fc.constantFrom(...TEXTS),
      { maxKeys: 4 },
    ),
    spec: anyValue,
  })
  .map(({ kind: [apiVersion, kind], name, annotations, spec }) =>
    Manifest.of({ apiVersion, kind, metadata: { name, annotations }, spec } as object),
  );

/** Valid objects in which one value after the other is replaced by an odd one. */
const WELL_FORMED = [
  ingress('nginx', "nginx.ingress.kubernetes.io/canary: 'true', nginx.ingress.kubernetes.io/canary-by-header: h"),
  ingress('alb', "alb.ingress.kubernetes.io/order: '1'"),
  'apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: web}\nspec: {hosts: [web], http: [{match: [{headers: {h: {exact: a}}, uri: {prefix: /}}], route: [{destination: {host: web, subset: s, port: {number: 80}}, weight: 1}]}]}',
  'apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: web}\nspec: {parentRefs: [{name: edge}], hostnames: [a.com], rules: [{matches: [{path: {type: Exact, value: /}, headers: [{name: h, value: a}]}], backendRefs: [{name: web, port: 80, weight: 1}]}]}',
  "apiVersion: apisix.apache.org/v2\nkind: ApisixRoute\nmetadata: {name: web}\nspec: {http: [{name: r, match: {hosts: [a.com], paths: ['/*'], exprs: [{subject: {scope: Header, name: h}, op: Equal, value: a}]}, backends: [{serviceName: web, servicePort: 80}]}]}",
  'apiVersion: kuma.io/v1alpha1\nkind: MeshHTTPRoute\nmetadata: {name: web}\nspec: {to: [{targetRef: {kind: MeshService, name: web}, rules: [{matches: [{path: {type: PathPrefix, value: /}}], default: {backendRefs: [{kind: MeshService, name: web, port: 80}]}}]}]}',
  'apiVersion: kuma.io/v1alpha1\nkind: TrafficRoute\nmetadata: {name: web}\nspec: {destinations: [{match: {kuma.io/service: web_default_svc_80}}], conf: {http: [{match: {headers: {h: {exact: a}}}, destination: {kuma.io/service: web}}], split: [{weight: 1, destination: {kuma.io/service: web}}]}}',
  'apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: {name: web}\nspec: {virtualhost: {fqdn: a.com}, includes: [{name: c}], routes: [{conditions: [{prefix: /}, {header: {name: h, exact: a}}], services: [{name: web, port: 80}]}]}',
  "apiVersion: traefik.io/v1alpha1\nkind: IngressRoute\nmetadata: {name: web}\nspec: {entryPoints: [web], routes: [{kind: Rule, match: 'Host(`a.com`)', services: [{name: web, port: 80, weight: 1}]}]}",
];

const REQUESTS = [
  { host: 'a.com', path: '/' },
  {
    host: 'web',
    path: '/x',
    method: 'POST',
    headers: { H: 'a', cookie: 'a=b' },
    query: { v: '1' },
    sourceIp: '10.0.0.1',
  },
  { host: '', path: '' },
];

/** Sends requests to all listeners of all routers. */
function askAll(world: World): string {
  const answers = ROUTER_NAMES.map((name) => {
    const table = routerNamed(name).routes(world);
    const unserved = table.unserved.map((each) => each.name);
    const ignored = (table.ignored ?? []).map(({ reason, why, path }) => [reason, why, path]);
    const routes = table.loadBalancers.map((lb) =>
      lb.listeners.map(({ port, rules }) => [
        port,
        rules.map(({ description }) => description),
        REQUESTS.map((request) => {
          const route = routeOf(lb, port, request);
          if (route?.answer.kind === 'services') {
            for (const { share } of route.answer.destinations) expect(share >= 0 && share <= 1).toBe(true);
          }
          return JSON.stringify(route?.answer, (key, value) => (key === 'workloads' ? undefined : value));
        }),
      ]),
    );
    return [name, unserved, ignored, routes];
  });
  return JSON.stringify(answers);
}

describe('odd manifests', () => {
  it('never make a router throw, and always give the same answers', () => {
    fc.assert(
      fc.property(fc.array(manifest, { maxLength: 5 }), (manifests) => {
        expect(askAll(World.of(manifests))).toBe(askAll(World.of([...manifests])));
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it('that are valid except for one value do not either', () => {
    const stacks = WELL_FORMED.map((text) => worldOf(app('web'), text).manifests);
    fc.assert(
      fc.property(fc.constantFrom(...stacks), fc.nat(), anyValue, (manifests, where, value) => {
        const changed = manifests.map((each) => Manifest.of(withValueAt(each.object, where, value) as object));
        expect(() => askAll(World.of(changed))).not.toThrow();
      }),
      { seed: 12, numRuns: 500 },
    );
  });
});

/** An object with another value at the n-th place of its spec. */
function withValueAt(data: unknown, where: number, value: unknown): unknown {
  const { spec, ...others } = data as Record<string, unknown>;
  if (spec === undefined) return data;
  let left = where % countOf(spec);
  const visit = (part: unknown): unknown => {
    if (left-- === 0) return value;
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, visit(inner)]));
  };
  return { ...others, spec: visit(spec) };
}

function countOf(data: unknown): number {
  if (typeof data !== 'object' || data === null) return 1;
  return 1 + Object.values(data).reduce<number>((sum, inner) => sum + countOf(inner), 0);
}
