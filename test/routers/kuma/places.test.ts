import { describe, expect, it } from 'vitest';
import { kumaRouter } from '../../../src/routers';
import { app, ask, service, worldOf } from '../stack';
import { answered, routed, tableOf } from '../tables';

const router = kumaRouter();
const APPS = ['web', 'b', 'c'].map((name) => app(name));
const inMesh = { loadBalancer: 'mesh', host: 'web' } as const;

function meshHttpRoute(name: string, to: string, { target = '{kind: Mesh}', namespace = 'default' } = {}): string {
  return `apiVersion: kuma.io/v1alpha1\nkind: MeshHTTPRoute\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {targetRef: ${target}, to: [${to}]}`;
}

const toService = (rules: string, name = 'web', more = '') =>
  `{targetRef: {kind: MeshService, name: ${name}${more}}, rules: [${rules}]}`;
const rule = (matches: string, refs: string) => `{matches: [${matches}], default: {backendRefs: [${refs}]}}`;
const ref = (name: string, more = '') => `{kind: MeshService, name: ${name}, port: 80${more}}`;
const ANY = '{path: {type: PathPrefix, value: /}}';

function trafficRoute(name: string, conf: string, { destination = 'web_default_svc_80', source = "'*'" } = {}): string {
  return `apiVersion: kuma.io/v1alpha1\nkind: TrafficRoute\nmesh: default\nmetadata: {name: ${name}}\nspec: {sources: [{match: {kuma.io/service: ${source}}}], destinations: [{match: {kuma.io/service: '${destination}'}}], conf: ${conf}}`;
}

const tag = (name: string) => `{kuma.io/service: ${name}_default_svc_80}`;

describe('the rules of the mesh', () => {
  it('of MeshHTTPRoutes and TrafficRoutes have their place and their words', () => {
    const matches = [
      ANY,
      '{path: {type: Exact, value: /x}, method: PUT, headers: [{name: h, value: v}, {name: h, type: Prefix, value: w}, {name: i, type: Present}, {name: k, type: Absent}, {name: l, type: RegularExpression, value: z+}], queryParams: [{name: q, value: "1"}]}',
    ];
    const route = meshHttpRoute(
      'm',
      `${toService(rule(matches.join(', '), ref('b')))}, ${toService(`${rule(ANY, ref('c'))}, {matches: [{path: {type: RegularExpression, value: "/v."}}], default: {}}`, 'b')}`,
    );
    const http = [
      `{match: {path: {prefix: /p}, method: {exact: PUT}, headers: {h: {exact: v}, i: {prefix: w}, k: {regex: z+}, l: {}}}, destination: ${tag('b')}}`,
      `{match: {path: {exact: /e}}, destination: ${tag('b')}}`,
      `{destination: ${tag('b')}}`,
    ];
    const traffic = trafficRoute('t', `{http: [${http.join(', ')}], destination: ${tag('c')}}`);
    expect(tableOf(router, service('web'), traffic, route)).toEqual([
      'mesh: m, t',
      '- HTTP on 80',
      '  m spec.to[0].rules[0]: MeshHTTPRoute default/m: path is /x and method is PUT and header h is "v" and header h begins with "w" and header i is there and header k is not there and header l matches z+ and query parameter q is "1"',
      '  m spec.to[0].rules[0]: MeshHTTPRoute default/m: path is under /',
      '  m spec.to[1].rules[0]: MeshHTTPRoute default/m: path is under /',
      '  t spec.conf.http[0]: TrafficRoute default/t: path begins with "/p" and method is "PUT" and header h is "v" and header i begins with "w" and header k matches z+',
      '  t spec.conf.http[1]: TrafficRoute default/t: path is "/e"',
      '  t spec.conf.http[2]: TrafficRoute default/t: any request',
      '  t spec.conf: TrafficRoute default/t: what is left',
      '- HTTP on 9000',
      '  m spec.to[0].rules[0]: MeshHTTPRoute default/m: path is /x and method is PUT and header h is "v" and header h begins with "w" and header i is there and header k is not there and header l matches z+ and query parameter q is "1"',
      '  m spec.to[0].rules[0]: MeshHTTPRoute default/m: path is under /',
      '  m spec.to[1].rules[0]: MeshHTTPRoute default/m: path is under /',
      '  t spec.conf.http[0]: TrafficRoute default/t: path begins with "/p" and method is "PUT" and header h is "v" and header i begins with "w" and header k matches z+',
      '  t spec.conf.http[1]: TrafficRoute default/t: path is "/e"',
      '  t spec.conf.http[2]: TrafficRoute default/t: any request',
      '  t spec.conf: TrafficRoute default/t: what is left',
    ]);
  });

  it('are there for each port of any Service, and port 80', () => {
    const other = service('other').replace('9000', '70').replace('port: 80,', 'port: x,');
    expect(tableOf(router, other)).toEqual(['mesh: ', '- HTTP on 70', '- HTTP on 80']);
  });

  it('answer with whole destinations', () => {
    const refs = [
      ref('web', ', weight: 3'),
      ref('b', ', weight: 1, tags: {version: v2, kuma.io/zone: z}'),
      '{kind: MeshExternalService, name: api, namespace: team, weight: 4}',
      '{kind: MeshServiceSubset, name: c_default_svc_9000, tags: {version: v1, lane: fast}}',
    ];
    const texts = [...APPS, meshHttpRoute('m', toService(rule(ANY, refs.join(', '))))];
    expect(routed(router, texts, inMesh)).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            weight: 3,
            share: 0.3333333333333333,
            workloads: ['Deployment web'],
          },
          {
            service: { namespace: 'default', name: 'b' },
            port: 80,
            subset: { name: 'version=v2', labels: { version: 'v2' } },
            weight: 1,
            unavailable: {
              reason: 'no-pods',
              why: 'Service default/b selects no pods: no workload has pods with the labels app=b,version=v2',
              statusCode: '503',
            },
            share: 0.1111111111111111,
            workloads: [],
          },
          { target: 'MeshExternalService team/api', weight: 4, share: 0.4444444444444444 },
          {
            service: { namespace: 'default', name: 'c' },
            port: 9000,
            subset: { name: 'version=v1,lane=fast', labels: { version: 'v1', lane: 'fast' } },
            weight: 1,
            unavailable: {
              reason: 'no-pods',
              why: 'Service default/c selects no pods: no workload has pods with the labels app=c,version=v1,lane=fast',
              statusCode: '503',
            },
            share: 0.1111111111111111,
            workloads: [],
          },
        ],
        sticky: false,
      },
      rule: 'm spec.to[0].rules[0]: MeshHTTPRoute default/m: path is under /',
      isDefault: false,
      passedOver: [],
    });
  });

  it('answer without a rule with the Service, or the host itself', () => {
    expect(routed(router, APPS, inMesh)).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'web' },
            port: 80,
            weight: 1,
            share: 1,
            workloads: ['Deployment web'],
          },
        ],
        sticky: false,
      },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
    expect(routed(router, APPS, { ...inMesh, host: 'API.example.org', port: 9000 })).toEqual({
      answer: {
        kind: 'services',
        destinations: [{ target: 'api.example.org', port: 9000, weight: 1, share: 1 }],
        sticky: false,
      },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
    expect(answered(router, APPS, { ...inMesh, host: 'web_default_svc_9000.mesh' })).toEqual({
      kind: 'services',
      destinations: [
        {
          service: { namespace: 'default', name: 'web' },
          port: 9000,
          weight: 1,
          share: 1,
          workloads: ['Deployment web'],
        },
      ],
      sticky: false,
    });
    expect(answered(router, APPS, { ...inMesh, host: 'web.default.svc.9000.mesh' })).toEqual({
      kind: 'services',
      destinations: [
        {
          service: { namespace: 'default', name: 'web' },
          port: 9000,
          weight: 1,
          share: 1,
          workloads: ['Deployment web'],
        },
      ],
      sticky: false,
    });
    expect(answered(router, APPS, { ...inMesh, host: 'web.mesh', port: 9000 })).toEqual({
      kind: 'services',
      destinations: [
        {
          service: { namespace: 'default', name: 'web' },
          port: 9000,
          weight: 1,
          share: 1,
          workloads: ['Deployment web'],
        },
      ],
      sticky: false,
    });
    expect(answered(router, APPS, { ...inMesh, host: 'none.mesh' })).toEqual({
      kind: 'services',
      destinations: [{ target: 'none.mesh', port: 80, weight: 1, share: 1 }],
      sticky: false,
    });
  });
});

describe('a MeshGateway', () => {
  const target = '{kind: MeshGateway, name: edge}';
  const route = (name: string, hostnames: string, to = 'b') =>
    meshHttpRoute(name, `{targetRef: {kind: Mesh}, rules: [${rule(ANY, ref(to))}]${hostnames}}`, { target });
  const gateway = (listeners: string, name = 'edge') =>
    `apiVersion: kuma.io/v1alpha1\nkind: MeshGateway\nmesh: default\nmetadata: {name: ${name}}\nspec: {conf: {listeners: [${listeners}]}}`;

  it('has listeners with the rules of its routes, beside the mesh', () => {
    const listeners = gateway(
      '{port: 8443, protocol: HTTPS, hostname: a.com}, {port: 80, protocol: HTTP}, {port: 8443, protocol: HTTP}, {protocol: HTTP}',
    );
    const other = meshHttpRoute('other', `{targetRef: {kind: Mesh}, rules: [${rule(ANY, ref('c'))}]}`, {
      target: '{kind: MeshGateway, name: another}',
    });
    expect(
      tableOf(
        router,
        service('b'),
        listeners,
        gateway('{port: 1, protocol: HTTP}', 'none'),
        route('two', ''),
        route('one', ', hostnames: [A.com, a.com]'),
        other,
      ),
    ).toEqual([
      'another: other',
      '- HTTP on 80',
      '  other spec.to[0].rules[0]: MeshHTTPRoute default/other: path is under /',
      'edge: one, two',
      '- HTTP on 80',
      '  one spec.to[0].rules[0]: MeshHTTPRoute default/one: path is under /',
      '  two spec.to[0].rules[0]: MeshHTTPRoute default/two: path is under /',
      '- HTTPS on 8443',
      '  one spec.to[0].rules[0]: MeshHTTPRoute default/one: path is under /',
      '  two spec.to[0].rules[0]: MeshHTTPRoute default/two: path is under /',
      'mesh: ',
      '- HTTP on 80',
      '- HTTP on 9000',
    ]);
  });

  it('prefers the most specific host of its routes, and takes only hosts that it listens for', () => {
    const texts = [
      ...APPS,
      gateway("{port: 80, protocol: HTTP, hostname: '*.com'}"),
      route('one', ', hostnames: [a.com]'),
      route('two', '', 'c'),
    ];
    const at = (host: string) => ask(router, worldOf(...texts), { loadBalancer: 'edge', host });
    expect(['a.com', 'b.com', 'a.org', 'A.COM'].map(at)).toEqual(['b', 'c', '404', 'b']);
    expect(routed(router, texts, { loadBalancer: 'edge', host: 'a.org' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404' },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
    expect(routed(router, texts, { loadBalancer: 'edge', host: 'a.com' })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'b' }, port: 80, weight: 1, share: 1, workloads: ['Deployment b'] },
        ],
        sticky: false,
      },
      rule: 'one spec.to[0].rules[0]: MeshHTTPRoute default/one: path is under /',
      isDefault: false,
      passedOver: [],
    });
  });

  it('has a route once that names it twice', () => {
    const entry = (to: string, hosts: string) => `{targetRef: {kind: Mesh}, rules: [${rule(ANY, ref(to))}]${hosts}}`;
    const twice = meshHttpRoute('r', `${entry('b', '')}, ${entry('c', ', hostnames: [c.com]')}`, { target });
    expect(tableOf(router, service('b'), twice)).toEqual([
      'edge: r',
      '- HTTP on 80',
      '  r spec.to[0].rules[0]: MeshHTTPRoute default/r: path is under /',
      '  r spec.to[1].rules[0]: MeshHTTPRoute default/r: path is under /',
      'mesh: ',
      '- HTTP on 80',
      '- HTTP on 9000',
    ]);
  });

  it('without hosts takes every host', () => {
    const texts = [
      ...APPS,
      gateway('{port: 80, protocol: HTTP}, {port: 81, protocol: HTTP, hostname: ""}'),
      route('one', ', hostnames: []'),
    ];
    expect(
      [80, 81].map((port) => ask(router, worldOf(...texts), { loadBalancer: 'edge', host: 'x.org', port })),
    ).toEqual(['b', 'b']);
  });
});
