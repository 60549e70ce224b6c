/** What kinds of routing objects say of themselves: their hosts, places, requests, names, fields and samples. */
import { describe, expect, it } from 'vitest';
import { Manifest } from '../../src/core';
import { allRouters, candidatesOf, RouteKinds, type RouterName, routerNamed } from '../../src/routers';

const kinds = new RouteKinds(allRouters());

const VERSIONS = {
  Ingress: 'networking.k8s.io/v1',
  VirtualService: 'networking.istio.io/v1',
  DestinationRule: 'networking.istio.io/v1',
  HTTPRoute: 'gateway.networking.k8s.io/v1',
  GRPCRoute: 'gateway.networking.k8s.io/v1',
  ApisixRoute: 'apisix.apache.org/v2',
  ApisixUpstream: 'apisix.apache.org/v2',
  MeshHTTPRoute: 'kuma.io/v1alpha1',
  TrafficRoute: 'kuma.io/v1alpha1',
  HTTPProxy: 'projectcontour.io/v1',
} as const;

type Kind = keyof typeof VERSIONS;

function object(kind: Kind, spec: unknown, annotations: object = {}): Manifest {
  return Manifest.of({ apiVersion: VERSIONS[kind], kind, metadata: { name: 'web', annotations }, spec } as never);
}

const path = (value: unknown, type?: string) => ({ path: { value, ...(type === undefined ? {} : { type }) } });

describe('the hosts of', () => {
  it.each<[Kind, string, unknown, string[]]>([
    [
      'Ingress',
      'rules, any host among them',
      { rules: [{ host: 'A.com' }, { host: 'a.com' }, {}, { host: 5 }] },
      ['a.com', '*'],
    ],
    ['Ingress', 'none', {}, []],
    ['VirtualService', 'a list', { hosts: ['B.com', '*.b.com', 'b.com'] }, ['b.com', '*.b.com']],
    ['DestinationRule', 'nothing', { host: 'web' }, []],
    ['HTTPRoute', 'a list', { hostnames: ['a.com', 5, '*.com'] }, ['a.com', '*.com']],
    ['HTTPRoute', 'none', {}, []],
    [
      'ApisixRoute',
      'its rules',
      { http: [{ match: { hosts: ['a.com', 'b.com'] } }, {}, { match: { hosts: ['a.com'] } }] },
      ['a.com', 'b.com'],
    ],
    ['HTTPProxy', 'a root', { virtualhost: { fqdn: 'A.com' } }, ['a.com']],
    ['HTTPProxy', 'a child', { routes: [] }, []],
    [
      'MeshHTTPRoute',
      'services',
      { to: [{ targetRef: { name: 'web' } }, { targetRef: { name: 'b_default_svc_80' } }] },
      ['web', 'b_default_svc_80.mesh'],
    ],
    ['MeshHTTPRoute', 'a service without a name', { to: [{ targetRef: { name: 'web' } }, { targetRef: {} }] }, []],
    ['MeshHTTPRoute', 'a gateway', { targetRef: { kind: 'MeshGateway' }, to: [{ targetRef: { name: 'web' } }] }, []],
    [
      'MeshHTTPRoute',
      'a tag without a port',
      { to: [{ targetRef: { name: 'b_default_svc' } }, { targetRef: { name: 'b_svc_80x' } }] },
      ['b_default_svc', 'b_svc_80x'],
    ],
    [
      'TrafficRoute',
      'destinations',
      {
        destinations: [
          { match: { 'kuma.io/service': 'web_default_svc_80' } },
          { match: {} },
          { match: { 'kuma.io/service': 'b' } },
        ],
      },
      ['web_default_svc_80.mesh', 'b'],
    ],
  ])('a %s: %s', (kind, _, spec, expected) => expect(kinds.hostsOf(object(kind, spec))).toEqual(expected));
});

describe('the place of', () => {
  it.each<[Kind, string, unknown, unknown]>([
    [
      'Ingress',
      'paths',
      {
        ingressClassName: 'x',
        rules: [{ http: { paths: [{ path: '/A' }, { path: '/b/' }] } }, { http: { paths: [{ path: '/' }] } }],
      },
      { paths: ['/a', '/b/', '/'], besides: '[{"ingressClassName":"x"},[]]' },
    ],
    ['Ingress', 'a path that is missing', { rules: [{ http: { paths: [{ path: '/a' }, {}] } }] }, undefined],
    [
      'HTTPRoute',
      'paths of all types but expressions',
      {
        parentRefs: [{ name: 'edge' }],
        rules: [{ matches: [path('/A'), path('/b', 'Exact')] }, { matches: [path('/c', 'PathPrefix')], filters: [{}] }],
      },
      { paths: ['/a', '/b', '/c'], besides: '{"parentRefs":[{"name":"edge"}]}' },
    ],
    ['HTTPRoute', 'an expression', { rules: [{ matches: [path('/a'), path('/b', 'RegularExpression')] }] }, undefined],
    ['HTTPRoute', 'a match without a path', { rules: [{ matches: [path('/a'), {}] }] }, undefined],
    ['HTTPRoute', 'a rule without a match', { rules: [{ matches: [path('/a')] }, {}] }, undefined],
    ['HTTPRoute', 'no rule', {}, undefined],
    [
      'ApisixRoute',
      'paths, with a star at the end or without',
      { ingressClassName: 'x', http: [{ match: { paths: ['/a*', '/b/*'] } }, { match: { paths: ['/C'] } }] },
      { paths: ['/a', '/b/', '/c'], besides: '{"ingressClassName":"x"}' },
    ],
    ['ApisixRoute', 'a path with a star in the middle', { http: [{ match: { paths: ['/a/*/b'] } }] }, undefined],
    ['ApisixRoute', 'no path', { http: [{ match: {} }] }, undefined],
    ['VirtualService', 'nothing', { http: [{ match: [{ uri: { exact: '/a' } }] }] }, undefined],
    ['HTTPProxy', 'nothing', { routes: [{ conditions: [{ prefix: '/a' }] }] }, undefined],
    ['MeshHTTPRoute', 'nothing', { to: [] }, undefined],
  ])('a %s: %s', (kind, _, spec, expected) => expect(kinds.placeOf(object(kind, spec))).toEqual(expected));

  it.each<[string, boolean]>([
    ['/', true],
    ['/a', true],
    ['/a/b/', true],
    ['/a-b_c.d~e:f@g!h&i,j;k=l', true],
    ['/a//b', false],
    ['//a', false],
    ['a', false],
    ['', false],
    ['/a*', false],
    ['/a?', false],
    ['/a(b)', false],
    ['/a%20b', false],
    ['/ä', false],
    ['/a b', false],
    ['/a$', false],
    ['/a|b', false],
  ])('an Ingress with the path %j is known: %j', (text, isKnown) => {
    const place = kinds.placeOf(object('Ingress', { rules: [{ http: { paths: [{ path: text }] } }] }));
    expect(place?.paths).toEqual(isKnown ? [text.toLowerCase()] : undefined);
  });
});

describe('requests for', () => {
  const requests = (router: RouterName, manifest: Manifest) => candidatesOf(routerNamed(router), manifest);
  const uri = (match: object) => ({ uri: match });

  it.each<[RouterName, Kind, unknown, unknown]>([
    [
      'istio',
      'VirtualService',
      {
        hosts: ['a.com', '*.b.com'],
        http: [
          {
            match: [
              uri({ exact: '/e' }),
              uri({ prefix: 'p' }),
              uri({ regex: '/r+' }),
              uri({ regex: '(' }),
              {},
              uri({}),
            ],
          },
          {},
        ],
      },
      [
        { host: 'a.com', paths: ['/e', '/p', '/rr', '/'] },
        { host: 'any.b.com', paths: ['/e', '/p', '/rr', '/'] },
      ],
    ],
    ['istio', 'VirtualService', {}, [{ host: 'any.example.com', paths: ['/'] }]],
    ['istio', 'DestinationRule', { host: 'web' }, [{ host: 'any.example.com', paths: ['/'] }]],
    [
      'gateway-api',
      'HTTPRoute',
      {
        hostnames: ['a.com'],
        rules: [
          {
            matches: [
              path('/p'),
              path('/e', 'Exact'),
              path('/r+', 'RegularExpression'),
              path('(', 'RegularExpression'),
              {},
            ],
          },
          {},
        ],
      },
      [{ host: 'a.com', paths: ['/p', '/e', '/rr', '/'] }],
    ],
    ['gateway-api', 'GRPCRoute', { hostnames: ['a.com'] }, [{ host: 'any.example.com', paths: ['/'] }]],
    [
      'apisix',
      'ApisixRoute',
      { http: [{ match: { hosts: ['a.com', '*.b.com'], paths: ['/x*', '/y?'] } }, { match: { paths: ['z'] } }] },
      [
        { host: 'a.com', paths: ['/xany', '/ya'] },
        { host: 'any.b.com', paths: ['/xany', '/ya'] },
        { host: 'any.example.com', paths: ['/z'] },
      ],
    ],
    [
      'contour',
      'HTTPProxy',
      {
        virtualhost: { fqdn: 'a.com' },
        routes: [
          { conditions: [{ prefix: '/p' }, { exact: '/e' }, { header: {} }] },
          { conditions: [{ regex: '/r+' }] },
          { conditions: [{ regex: '(' }] },
          {},
        ],
      },
      [{ host: 'a.com', paths: ['/p/e', '/rr', '/'] }],
    ],
    ['contour', 'HTTPProxy', { routes: [{}] }, [{ host: 'any.example.com', paths: ['/'] }]],
    [
      'kuma',
      'MeshHTTPRoute',
      { to: [{ targetRef: { name: 'b_default_svc_80' }, rules: [{ matches: [path('/p'), {}] }] }, { rules: [] }] },
      [
        { host: 'b_default_svc_80.mesh', paths: ['/p', '/'] },
        { host: 'any.example.com', paths: [] },
      ],
    ],
    [
      'kuma',
      'TrafficRoute',
      {
        destinations: [{ match: { 'kuma.io/service': 'web_default_svc_80' } }],
        conf: { http: [{ match: { path: { prefix: '/p' } } }, { match: { path: { regex: 'r+' } } }, {}] },
      },
      [{ host: 'web_default_svc_80.mesh', paths: ['/p', '/rr', '/'] }],
    ],
    [
      'nginx',
      'Ingress',
      {
        rules: [
          {
            host: '*.a.com',
            http: {
              paths: [
                { path: '/p', pathType: 'Prefix' },
                { path: '/', pathType: 'Prefix' },
                { path: '/q/', pathType: 'Prefix' },
                { path: '/e', pathType: 'Exact' },
                { path: '/g*' },
                { path: '/r+' },
                { path: 'r.*' },
                { path: '/(' },
                {},
              ],
            },
          },
        ],
        defaultBackend: {},
      },
      [
        { host: 'any.a.com', paths: ['/p', '/p/rehearsal'] },
        { host: 'any.a.com', paths: ['/'] },
        { host: 'any.a.com', paths: ['/q/', '/q/rehearsal'] },
        { host: 'any.a.com', paths: ['/e'] },
        { host: 'any.a.com', paths: ['/gany'] },
        { host: 'any.a.com', paths: ['/rr'] },
        { host: 'any.a.com', paths: ['/raa'] },
        { host: 'any.a.com', paths: ['/('] },
        { host: 'any.a.com', paths: ['/'] },
        { host: 'any.example.com', paths: ['/'] },
      ],
    ],
    [
      'nginx',
      'Ingress',
      {
        rules: [
          {
            http: {
              paths: [
                { path: '/x.y' },
                { path: '/x^' },
                { path: '/x$' },
                { path: '/[x]' },
                { path: '/x|z' },
                { path: '/x\\.y' },
              ],
            },
          },
        ],
      },
      [
        { host: 'any.example.com', paths: ['/x.y'] },
        { host: 'any.example.com', paths: ['/x^'] },
        { host: 'any.example.com', paths: ['/x'] },
        { host: 'any.example.com', paths: ['/x'] },
        { host: 'any.example.com', paths: ['/x'] },
        { host: 'any.example.com', paths: ['/x.y'] },
      ],
    ],
  ])('%s of a %s: %#', (router, kind, spec, expected) => {
    expect(requests(router, object(kind, spec))).toEqual(expected);
  });

  it('a kind that the router does not read are none', () => {
    expect(requests('nginx', object('HTTPProxy', {}))).toEqual([]);
    expect(
      requests(
        'gateway-api',
        Manifest.of({ apiVersion: 'x.io/v1', kind: 'HTTPRoute', metadata: { name: 'x' } } as never),
      ),
    ).toEqual([]);
  });

  it('an Ingress of AWS with conditions come with and without them, for each backend of its own', () => {
    const ALB = 'alb.ingress.kubernetes.io';
    const method = (value: string) =>
      JSON.stringify([{ field: 'http-request-method', httpRequestMethodConfig: { values: [value] } }]);
    const backend = (name: string) => ({ path: '/', pathType: 'Exact', backend: { service: { name } } });
    const ingress = object(
      'Ingress',
      { rules: [{ host: 'a.com', http: { paths: [backend('a'), backend('b'), backend('c')] } }] },
      { [`${ALB}/conditions.a`]: method('PUT'), [`${ALB}/conditions.c`]: '{' },
    );
    expect(requests('aws-alb', ingress)).toEqual([
      { host: 'a.com', paths: ['/'], extras: { method: 'PUT' } },
      { host: 'a.com', paths: ['/'] },
      { host: 'a.com', paths: ['/'] },
      { host: 'a.com', paths: ['/'] },
    ]);
    expect(requests('nginx', ingress)).toEqual([
      { host: 'a.com', paths: ['/'] },
      { host: 'a.com', paths: ['/'] },
      { host: 'a.com', paths: ['/'] },
    ]);
  });
});
