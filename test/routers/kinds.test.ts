/** What kinds of routing objects say of themselves: their hosts, places, requests, names, fields and samples. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../src/core';
import {
  allRouters,
  kindsOf,
  nameOfKind,
  RouteKinds,
  type RouterName,
  routerNamed,
  scriptableKinds,
} from '../../src/routers';
import { worldOf } from './stack';

const kinds = new RouteKinds(allRouters().filter(({ name }) => name !== 'traefik'));

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

describe('what objects name', () => {
  const ALB = 'alb.ingress.kubernetes.io';

  it('outside of spec are the texts of actions', () => {
    const annotations = {
      [`${ALB}/actions.a`]: 'one',
      [`${ALB}/actions.b`]: 'two',
      [`${ALB}/conditions.a`]: 'three',
      'x/actions': 'four',
    };
    // Both clouds read the annotation.
    expect([...new Set(kinds.namesIn(object('Ingress', {}, annotations)))]).toEqual(['one', 'two']);
    expect(kinds.namesIn(object('VirtualService', {}))).toEqual([]);
  });

  it('as their load balancer is the group', () => {
    const grouped = object('Ingress', {}, { [`${ALB}/group.name`]: 'g' });
    expect(kinds.loadBalancerOf(grouped, World.of([grouped]))).toBe('g');
    expect(kinds.loadBalancerOf(object('VirtualService', {}), World.of([]))).toBeUndefined();
    expect(kinds.loadBalancerOf(object('Ingress', {}), World.of([]))).toBeUndefined();
  });

  it.each<[string, object, string, string, string | undefined]>([
    ['the class of the field', { ingressClassName: 'alb' }, '', 'params', 'team'],
    ['the class of the annotation', { ingressClassName: 'x' }, 'alb', 'params', 'team'],
    ['another class', { ingressClassName: 'x' }, '', 'params', undefined],
    ['no class', {}, '', 'params', undefined],
    ['parameters that are missing', { ingressClassName: 'alb' }, '', 'gone', undefined],
  ])('as their load balancer is the group of the parameters of %s', (_, spec, annotation, reference, expected) => {
    const world = worldOf(
      `apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: alb}\nspec: {controller: ingress.k8s.aws/alb, parameters: {name: ${reference}}}`,
      'apiVersion: elbv2.k8s.aws/v1beta1\nkind: IngressClassParams\nmetadata: {name: params}\nspec: {group: {name: team}}',
    );
    const annotations = annotation === '' ? {} : { 'kubernetes.io/ingress.class': annotation };
    expect(kinds.loadBalancerOf(object('Ingress', spec, annotations), world)).toBe(expected);
  });
});

describe('the fields that scripts rewrite', () => {
  const fields = (kind: Kind, spec: unknown, annotations = {}) =>
    kinds
      .of(nameOfKind({ kind, group: VERSIONS[kind].split('/')[0]! }))
      .map((each) => each.rewrittenFields?.(object(kind, spec, annotations), 'web'));

  it.each<[Kind, unknown, string[] | undefined]>([
    ['VirtualService', { http: [], tls: [] }, ['/spec/http', '/spec/tls']],
    ['VirtualService', { tcp: [] }, ['/spec/tcp']],
    ['VirtualService', {}, ['/spec/http']],
    ['DestinationRule', {}, ['/spec/subsets']],
    ['ApisixRoute', {}, ['/spec/http']],
    ['HTTPProxy', {}, ['/spec/routes']],
    ['MeshHTTPRoute', {}, ['/spec/to']],
    ['TrafficRoute', {}, ['/spec/conf']],
    ['HTTPRoute', {}, ['/metadata/annotations', '/metadata/labels', '/spec']],
    ['GRPCRoute', {}, undefined],
    ['ApisixUpstream', {}, undefined],
  ])('of a %s with %j', (kind, spec, expected) => expect(fields(kind, spec)).toEqual([expected]));

  it('of an Ingress are the annotations, or its action alone', () => {
    const action = { 'alb.ingress.kubernetes.io/actions.web': '{}' };
    expect([...new Set(fields('Ingress', {}).map((each) => each?.join(' ')))]).toEqual([
      '/metadata/annotations /spec/rules',
    ]);
    expect([...new Set(fields('Ingress', {}, action).map((each) => each?.join(' ')))]).toEqual([
      '/metadata/annotations/alb.ingress.kubernetes.io~1actions.web /spec/rules',
    ]);
    expect(kinds.of('Ingress.networking.k8s.io')[0]!.rewrittenFields?.(undefined, 'web')).toEqual([
      '/metadata/annotations',
      '/spec/rules',
    ]);
  });
});

describe('the kinds of routers', () => {
  it.each<[RouterName, unknown]>([
    [
      'aliyun-alb',
      {
        reads: ['ingresses networking.k8s.io'],
        shared: ['ingressclasses networking.k8s.io of the cluster', 'albconfigs alibabacloud.com of the cluster'],
        expressions: undefined,
      },
    ],
    [
      'apisix',
      {
        reads: ['apisixroutes apisix.apache.org', 'apisixupstreams apisix.apache.org'],
        shared: [],
        expressions: undefined,
      },
    ],
    [
      'aws-alb',
      {
        reads: ['ingresses networking.k8s.io'],
        shared: ['ingressclasses networking.k8s.io of the cluster', 'ingressclassparams elbv2.k8s.aws of the cluster'],
        expressions: undefined,
      },
    ],
    ['contour', { reads: ['httpproxies projectcontour.io'], shared: [], expressions: 'RE2' }],
    [
      'gateway-api',
      {
        reads: [
          'httproutes gateway.networking.k8s.io',
          'grpcroutes gateway.networking.k8s.io',
          'tlsroutes gateway.networking.k8s.io',
          'tcproutes gateway.networking.k8s.io',
        ],
        shared: [
          'gatewayclasses gateway.networking.k8s.io of the cluster',
          'gateways gateway.networking.k8s.io',
          'listenersets gateway.networking.k8s.io',
          'xlistenersets gateway.networking.x-k8s.io',
          'referencegrants gateway.networking.k8s.io',
        ],
        expressions: 'RE2',
      },
    ],
    [
      'higress',
      {
        reads: ['ingresses networking.k8s.io'],
        shared: ['ingressclasses networking.k8s.io of the cluster'],
        expressions: undefined,
      },
    ],
    [
      'istio',
      {
        reads: ['virtualservices networking.istio.io', 'destinationrules networking.istio.io a declaration'],
        shared: ['gateways networking.istio.io', 'serviceentries networking.istio.io'],
        expressions: 'RE2',
      },
    ],
    [
      'kuma',
      {
        reads: ['meshhttproutes kuma.io', 'trafficroutes kuma.io of the cluster'],
        shared: ['meshes kuma.io of the cluster', 'meshgateways kuma.io of the cluster'],
        expressions: 'RE2',
      },
    ],
    [
      'mse',
      {
        reads: ['ingresses networking.k8s.io'],
        shared: ['ingressclasses networking.k8s.io of the cluster'],
        expressions: undefined,
      },
    ],
    [
      'nginx',
      {
        reads: ['ingresses networking.k8s.io'],
        shared: ['ingressclasses networking.k8s.io of the cluster'],
        expressions: undefined,
      },
    ],
  ])('of %s', (name, expected) => {
    const { reads, shared, expressions } = routerNamed(name);
    const words = ({ plural, group, clusterScoped, isDeclaration }: (typeof reads)[number]) =>
      [plural, group, clusterScoped && 'of the cluster', isDeclaration && 'a declaration'].filter(Boolean).join(' ');
    expect({ reads: reads.map(words), shared: shared.map(words), expressions }).toEqual(expected);
  });

  it('have names, and are told once', () => {
    expect(kinds.names).toEqual([
      'Ingress.networking.k8s.io',
      'ApisixRoute.apisix.apache.org',
      'ApisixUpstream.apisix.apache.org',
      'HTTPProxy.projectcontour.io',
      'HTTPRoute.gateway.networking.k8s.io',
      'GRPCRoute.gateway.networking.k8s.io',
      'TLSRoute.gateway.networking.k8s.io',
      'TCPRoute.gateway.networking.k8s.io',
      'VirtualService.networking.istio.io',
      'DestinationRule.networking.istio.io',
      'MeshHTTPRoute.kuma.io',
      'TrafficRoute.kuma.io',
    ]);
    expect(kindsOf([routerNamed('nginx'), routerNamed('mse'), routerNamed('kuma')]).map(nameOfKind)).toEqual([
      'Ingress.networking.k8s.io',
      'IngressClass.networking.k8s.io',
      'MeshHTTPRoute.kuma.io',
      'TrafficRoute.kuma.io',
      'Mesh.kuma.io',
      'MeshGateway.kuma.io',
    ]);
    expect(
      scriptableKinds([
        routerNamed('apisix'),
        routerNamed('gateway-api'),
        routerNamed('nginx'),
        routerNamed('mse'),
      ]).map(nameOfKind),
    ).toEqual(['ApisixRoute.apisix.apache.org', 'HTTPRoute.gateway.networking.k8s.io', 'Ingress.networking.k8s.io']);
    expect(kinds.of('Service.')).toEqual([]);
  });

  it('have hosts or not', () => {
    const having = kinds.names.filter((name) => kinds.haveHosts(name));
    expect(kinds.names.filter((name) => !having.includes(name))).toEqual([
      'ApisixUpstream.apisix.apache.org',
      'GRPCRoute.gateway.networking.k8s.io',
      'TLSRoute.gateway.networking.k8s.io',
      'TCPRoute.gateway.networking.k8s.io',
      'DestinationRule.networking.istio.io',
    ]);
    expect(kinds.haveHosts('Service.')).toBe(false);
  });

  it.each<[RouterName, unknown]>([
    [
      'apisix',
      [
        [
          {
            name: 'an ApisixRoute with one rule',
            spec: {
              http: [
                {
                  name: 'web',
                  match: { hosts: ['shop.example.com'], paths: ['/*'] },
                  backends: [{ serviceName: 'web', servicePort: 80 }],
                },
              ],
            },
          },
        ],
        undefined,
      ],
    ],
    [
      'contour',
      [
        [
          {
            name: 'an HTTPProxy with one route',
            spec: {
              virtualhost: { fqdn: 'shop.example.com' },
              routes: [{ conditions: [{ prefix: '/' }], services: [{ name: 'web', port: 80 }] }],
            },
          },
        ],
      ],
    ],
    [
      'istio',
      [
        [
          {
            name: 'a VirtualService with one route',
            spec: { hosts: ['web'], http: [{ route: [{ destination: { host: 'web' } }] }] },
          },
          {
            name: 'a VirtualService whose route has a match',
            spec: {
              hosts: ['web'],
              http: [{ match: [{ uri: { prefix: '/shop' } }], route: [{ destination: { host: 'web' } }] }],
            },
          },
          {
            name: 'a VirtualService that ends in a redirect',
            spec: {
              hosts: ['web'],
              http: [
                { match: [{ uri: { prefix: '/shop' } }], route: [{ destination: { host: 'web' } }] },
                { redirect: { uri: '/shop' } },
              ],
            },
          },
          {
            name: 'a VirtualService with TLS routes only',
            spec: {
              hosts: ['web'],
              tls: [
                { match: [{ port: 443, sniHosts: ['shop.example.com'] }], route: [{ destination: { host: 'web' } }] },
              ],
            },
          },
        ],
        [
          {
            name: 'a DestinationRule with a subset',
            spec: { host: 'web', subsets: [{ name: 'base', labels: { version: 'base' } }] },
          },
          {
            name: 'a DestinationRule without subsets',
            spec: { host: 'web', trafficPolicy: { loadBalancer: { simple: 'LEAST_REQUEST' } } },
          },
        ],
      ],
    ],
    [
      'kuma',
      [
        [
          {
            name: 'a MeshHTTPRoute with one rule',
            spec: {
              targetRef: { kind: 'Mesh' },
              to: [
                {
                  targetRef: { kind: 'MeshService', name: 'web_shop_svc_80' },
                  rules: [
                    {
                      matches: [{ path: { type: 'PathPrefix', value: '/' } }],
                      default: { backendRefs: [{ kind: 'MeshService', name: 'web_shop_svc_80', weight: 100 }] },
                    },
                  ],
                },
              ],
            },
          },
        ],
        [
          {
            name: 'a TrafficRoute with one destination',
            spec: {
              sources: [{ match: { 'kuma.io/service': '*' } }],
              destinations: [{ match: { 'kuma.io/service': 'web_shop_svc_80' } }],
              conf: { destination: { 'kuma.io/service': 'web_shop_svc_80' } },
            },
          },
          {
            name: 'a TrafficRoute with a split',
            spec: {
              sources: [{ match: { 'kuma.io/service': '*' } }],
              destinations: [{ match: { 'kuma.io/service': 'web_shop_svc_80' } }],
              conf: { split: [{ weight: 100, destination: { 'kuma.io/service': 'web_shop_svc_80' } }] },
            },
          },
        ],
      ],
    ],
  ])('have samples: %s', (name, expected) => {
    expect(routerNamed(name).reads.map(({ samplesFor }) => samplesFor?.('web', 80))).toEqual(expected);
  });
});
