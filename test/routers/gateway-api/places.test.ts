import { describe, expect, it } from 'vitest';
import { gatewayApiRouter } from '../../../src/routers';
import { app, ask, service, worldOf } from '../stack';
import { answered, routed, tableOf } from '../tables';

const router = gatewayApiRouter();
const APPS = ['a', 'b', 'c'].map((name) => app(name));

const API = 'apiVersion: gateway.networking.k8s.io/v1';
const HTTP = '{name: http, port: 80, protocol: HTTP}';

const gateway = (className: string, listeners = HTTP, more = '') =>
  `${API}\nkind: Gateway\nmetadata: {name: edge}\nspec: {gatewayClassName: ${className}, listeners: [${listeners}]${more}}`;

function route(
  name: string,
  rules: string,
  { parents = '[{name: edge}]', hostnames = '[]', namespace = 'default' } = {},
): string {
  return `${API}\nkind: HTTPRoute\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {parentRefs: ${parents}, hostnames: ${hostnames}, rules: [${rules}]}`;
}

const to = (name: string, matches = '', more = '') =>
  `{matches: [${matches}], backendRefs: [{name: ${name}, port: 80}]${more}}`;

describe('the rules of a Gateway', () => {
  it('have the place of their rule and words for each kind of match, the most specific first', () => {
    const matches = [
      '{}',
      '{path: {type: Exact, value: /x}}',
      '{path: {type: PathPrefix, value: /p}, method: PUT, headers: [{name: h, value: v}, {name: H, value: w}, {type: RegularExpression, name: i, value: z+}], queryParams: [{name: q, value: "1"}, {name: q, value: "2"}, {name: Q, type: RegularExpression, value: r}]}',
      '{path: {type: RegularExpression, value: "/r.*"}}',
      '{path: {}}',
    ];
    expect(
      tableOf(router, gateway('istio'), route('one', `${to('a', matches.join(', '))}, ${to('a')}`), route('two', '')),
    ).toEqual([
      'default/edge: one, two',
      '- HTTP on 80',
      '  one spec.rules[0]: HTTPRoute default/one rules[0]: path is /x',
      '  one spec.rules[0]: HTTPRoute default/one rules[0]: path is under /p and method is PUT and header h is "v" and header i matches z+ and query parameter q is "1" and query parameter Q matches r',
      '  one spec.rules[0]: HTTPRoute default/one rules[0]: path is under /',
      '  one spec.rules[0]: HTTPRoute default/one rules[0]: path is under /',
      '  one spec.rules[1]: HTTPRoute default/one rules[1]: path is under /',
      '  two spec: HTTPRoute default/two without rules: path is under /',
      '  one spec.rules[0]: HTTPRoute default/one rules[0]: path matches /r.*',
    ]);
  });

  it('are at the listeners that take them, in the order of the ports', () => {
    const listeners =
      '{name: tls, port: 443, protocol: HTTPS, hostname: "*.com"}, {name: http, port: 80, protocol: HTTP, hostname: a.com}, {name: tcp, port: 9, protocol: TCP}, {name: none, protocol: HTTP}, {name: same, port: 80, protocol: HTTPS}';
    const texts = [
      gateway('istio', listeners),
      route('all', to('a')),
      route('one', to('a'), { hostnames: '[b.com]' }),
      route('lost', to('a'), { hostnames: '[b.org]', parents: '[{name: edge, sectionName: tls}]' }),
      route('section', to('a'), { parents: '[{name: edge, sectionName: none}, {name: edge, port: 443}]' }),
      route('other', to('a'), { parents: '[{name: gone}, {kind: Other, name: edge}, {name: edge, namespace: team}]' }),
      route('nowhere', to('a'), { parents: '[{kind: Other, name: edge}]' }),
      route('foreign', to('a'), { parents: '[{name: edge, namespace: default}]', namespace: 'team' }),
    ];
    expect(tableOf(router, ...texts)).toEqual([
      'default/edge: all, one, section',
      '- HTTP on 80',
      '  all spec.rules[0]: HTTPRoute default/all rules[0]: path is under /',
      '  one spec.rules[0]: HTTPRoute default/one rules[0]: path is under /',
      '- HTTPS on 443',
      '  all spec.rules[0]: HTTPRoute default/all rules[0]: path is under /',
      '  one spec.rules[0]: HTTPRoute default/one rules[0]: path is under /',
      '  section spec.rules[0]: HTTPRoute default/section rules[0]: path is under /',
      'default/gone: other',
      '- HTTP on 80',
      '  other spec.rules[0]: HTTPRoute default/other rules[0]: path is under /',
      '- HTTPS on 443',
      '  other spec.rules[0]: HTTPRoute default/other rules[0]: path is under /',
      'team/edge: other',
      '- HTTP on 80',
      '  other spec.rules[0]: HTTPRoute default/other rules[0]: path is under /',
      '- HTTPS on 443',
      '  other spec.rules[0]: HTTPRoute default/other rules[0]: path is under /',
      'unserved: lost',
      'unserved: nowhere',
      'unserved: team/foreign',
      'ignored: lost spec.parentRefs[0], not-attached: no listener of Gateway default/edge takes the route: see its hostname, port, sectionName and allowedRoutes',
      'ignored: team/foreign spec.parentRefs[0], not-attached: no listener of Gateway default/edge takes the route: see its hostname, port, sectionName and allowedRoutes',
    ]);
  });

  it('tell the first part of a match that a request misses', () => {
    const match =
      '{path: {value: /x}, method: PUT, headers: [{name: h, value: v}], queryParams: [{name: q, value: "1"}]}';
    const missed = (request: object) =>
      routed(router, [...APPS, gateway('istio'), route('one', to('a', match))], request);
    expect(missed({})).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404' },
      rule: undefined,
      isDefault: true,
      passedOver: [
        'HTTPRoute default/one rules[0]: path is under /x and method is PUT and header h is "v" and query parameter q is "1": path is under /x',
      ],
    });
    expect(missed({ path: '/x' }).passedOver).toEqual([
      'HTTPRoute default/one rules[0]: path is under /x and method is PUT and header h is "v" and query parameter q is "1": method is PUT',
    ]);
    expect(missed({ path: '/x', method: 'PUT' }).passedOver).toEqual([
      'HTTPRoute default/one rules[0]: path is under /x and method is PUT and header h is "v" and query parameter q is "1": header h is "v"',
    ]);
    expect(missed({ path: '/x', method: 'PUT', headers: { h: 'v' } }).passedOver).toEqual([
      'HTTPRoute default/one rules[0]: path is under /x and method is PUT and header h is "v" and query parameter q is "1": query parameter q is "1"',
    ]);
    expect(missed({ path: '/x', method: 'PUT', headers: { h: 'v' }, query: { q: '1' } })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'a' }, port: 80, weight: 1, share: 1, workloads: ['Deployment a'] },
        ],
        sticky: false,
      },
      rule: 'one spec.rules[0]: HTTPRoute default/one rules[0]: path is under /x and method is PUT and header h is "v" and query parameter q is "1"',
      isDefault: false,
      passedOver: [],
    });
  });

  it('of a Service in a mesh are at the ports of the Service', () => {
    const texts = [
      service('a'),
      route('one', to('b'), { parents: '[{kind: Service, group: "", name: a}]' }),
      route('two', to('b', '{path: {value: /x}}'), {
        parents: '[{kind: Service, group: "", name: a, port: 80}, {kind: Service, name: none}]',
      }),
    ];
    expect(tableOf(router, ...texts)).toEqual([
      'service default/a: one, two',
      '- HTTP on 80',
      '  two spec.rules[0]: HTTPRoute default/two rules[0]: path is under /x',
      '  one spec.rules[0]: HTTPRoute default/one rules[0]: path is under /',
      '- HTTP on 9000',
      '  one spec.rules[0]: HTTPRoute default/one rules[0]: path is under /',
      'service default/none: two',
      '- HTTP on 80',
      '  two spec.rules[0]: HTTPRoute default/two rules[0]: path is under /x',
    ]);
    const inMesh = { loadBalancer: 'service default/a', host: 'a' };
    expect(routed(router, [...APPS, ...texts.slice(1)], { ...inMesh, path: '/x' })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'b' }, port: 80, weight: 1, share: 1, workloads: ['Deployment b'] },
        ],
        sticky: false,
      },
      rule: 'two spec.rules[0]: HTTPRoute default/two rules[0]: path is under /x',
      isDefault: false,
      passedOver: [],
    });
    expect(routed(router, [...APPS, ...texts.slice(1)], { ...inMesh, host: 'b' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404' },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
    expect(routed(router, [...APPS, texts[2]!], { ...inMesh, port: 9000 })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'a' },
            port: 9000,
            weight: 1,
            share: 1,
            workloads: ['Deployment a'],
          },
        ],
        sticky: false,
      },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
    expect(routed(router, [...APPS, texts[2]!], { ...inMesh, port: 80 })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404' },
      rule: undefined,
      isDefault: true,
      passedOver: ['HTTPRoute default/two rules[0]: path is under /x: path is under /x'],
    });
    expect(
      ask(router, worldOf(...APPS, app('a', 'team'), ...texts.slice(1)), { ...inMesh, source: { namespace: 'team' } }),
    ).toBe('404');
  });
});

describe('backends of an HTTPRoute', () => {
  const answer = (refs: string, ...texts: readonly string[]) =>
    answered(router, [...APPS, gateway('istio'), ...texts, route('r', `{backendRefs: [${refs}]}`)]);

  it.each<[string, string, object]>([
    [
      'that is there',
      '{name: a, port: 80, weight: 3}',
      {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'a' }, port: 80, weight: 3, share: 1, workloads: ['Deployment a'] },
        ],
        sticky: false,
      },
    ],
    [
      'of a kind that gateways serve',
      '{group: traefik.io, kind: TraefikService, name: t, weight: 2}, {group: networking.istio.io, kind: Hostname, name: x.com}, {group: multicluster.x-k8s.io, kind: ServiceImport, name: s}, {group: gateway.envoyproxy.io, kind: Backend, name: s}, {group: inference.networking.k8s.io, kind: InferencePool, name: s}, {group: inference.networking.x-k8s.io, kind: InferencePool, name: s}',
      {
        kind: 'services',
        destinations: [
          { target: 'TraefikService default/t', weight: 2, share: 0.2857142857142857 },
          { target: 'Hostname default/x.com', weight: 1, share: 0.14285714285714285 },
          { target: 'ServiceImport default/s', weight: 1, share: 0.14285714285714285 },
          { target: 'Backend default/s', weight: 1, share: 0.14285714285714285 },
          { target: 'InferencePool default/s', weight: 1, share: 0.14285714285714285 },
          { target: 'InferencePool default/s', weight: 1, share: 0.14285714285714285 },
        ],
        sticky: false,
      },
    ],
    [
      'of a kind that no gateway serves',
      '{kind: Bucket, name: t, port: 80}, {group: x.io, kind: Service, name: a, port: 80}',
      {
        kind: 'services',
        destinations: [
          {
            target: 'Bucket default/t',
            weight: 1,
            unavailable: {
              reason: 'not-permitted',
              statusCode: '500',
              why: 'Bucket default/t is of a kind that no gateway sends requests to',
            },
            share: 0.5,
          },
          {
            target: 'Service default/a',
            weight: 1,
            unavailable: {
              reason: 'not-permitted',
              statusCode: '500',
              why: 'Service default/a is of a kind that no gateway sends requests to',
            },
            share: 0.5,
          },
        ],
        sticky: false,
      },
    ],
    [
      'without a port',
      '{name: a}',
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'a' },
            weight: 1,
            unavailable: {
              reason: 'port-not-found',
              why: 'the backend a has no port, which a Service needs',
              statusCode: '500',
            },
            share: 1,
          },
        ],
        sticky: false,
      },
    ],
    [
      'without a name',
      '{port: 80}',
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: '' },
            port: 80,
            weight: 1,
            unavailable: { reason: 'service-not-found', why: 'Service default/ does not exist', statusCode: '500' },
            share: 1,
          },
        ],
        sticky: false,
      },
    ],
    [
      'in another namespace',
      '{name: a, namespace: team, port: 80}, {name: a, namespace: team}',
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'team', name: 'a' },
            port: 80,
            weight: 1,
            unavailable: {
              reason: 'not-permitted',
              why: 'no ReferenceGrant in team lets HTTPRoutes of default refer to Service a',
              statusCode: '500',
            },
            share: 0.5,
          },
          {
            service: { namespace: 'team', name: 'a' },
            weight: 1,
            unavailable: {
              reason: 'not-permitted',
              why: 'no ReferenceGrant in team lets HTTPRoutes of default refer to Service a',
              statusCode: '500',
            },
            share: 0.5,
          },
        ],
        sticky: false,
      },
    ],
    [
      'in its own namespace by name',
      '{name: a, namespace: default, port: 80}',
      {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'a' }, port: 80, weight: 1, share: 1, workloads: ['Deployment a'] },
        ],
        sticky: false,
      },
    ],
    [
      'that is no object beside one',
      'a, {name: a, port: 80}',
      {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'a' }, port: 80, weight: 1, share: 1, workloads: ['Deployment a'] },
        ],
        sticky: false,
      },
    ],
  ])('one %s', (_, refs, expected) => expect(answer(refs)).toEqual(expected));
});
