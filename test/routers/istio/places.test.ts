import { describe, expect, it } from 'vitest';
import { istioRouter } from '../../../src/routers';
import { app, ask, service, worldOf } from '../stack';
import { ignoredBy, routed, tableOf } from '../tables';

const router = istioRouter();

function virtualService(
  name: string,
  http: string,
  { hosts = '[web]', more = '', namespace = 'default' } = {},
): string {
  return `apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {hosts: ${hosts}, http: [${http}]${more}}`;
}

const gateway = (servers: string, name = 'edge') =>
  `apiVersion: networking.istio.io/v1\nkind: Gateway\nmetadata: {name: ${name}}\nspec: {servers: [${servers}]}`;
const to = (host: string, more = '') => `route: [{destination: {host: ${host}${more}}}]`;
const TO_WEB = `{${to('web')}}`;

const APPS = [app('web'), app('b')];
const mesh = { loadBalancer: 'mesh', host: 'web' } as const;

describe('the rules of Istio', () => {
  it('have the place of their entry, and words for each kind of match', () => {
    const matches = [
      '{uri: {exact: /x}, headers: {h: {exact: v}, i: {prefix: w}, k: {regex: z+}, l: {}, m: {regex: "*"}}}',
      '{withoutHeaders: {h: {exact: v}, i: {}}, queryParams: {q: {exact: "1"}, r: {regex: ".*"}}}',
      '{method: {exact: GET}, authority: {prefix: we}, scheme: {exact: http}, uri: {prefix: /p}}',
      '{sourceLabels: {app: a, tier: b}, sourceNamespace: team}',
      '{sourceNamespace: team, uri: {prefix: /}}',
      '{sourceLabels: {app: a}, gateways: [mesh], uri: {regex: /r}}',
      '{port: 9000}',
      '{port: 0, uri: {exact: /z}}',
      '{gateways: [edge]}',
    ];
    expect(
      tableOf(
        router,
        ...APPS,
        virtualService('vs', `{match: [${matches.join(', ')}], ${to('web')}}, {${to('b')}}, {${to('web')}}`),
      ),
    ).toEqual([
      'mesh: vs',
      '- HTTP on 80',
      '  vs spec.http[0]: VirtualService default/vs http[0]: path is "/x" and header h is "v" and header i begins with "w" and header k matches z+ and header l is there and header m is there',
      '  vs spec.http[0]: VirtualService default/vs http[0]: not: header h is "v" and not: header i is there and query parameter q is "1" and query parameter r matches .*',
      '  vs spec.http[0]: VirtualService default/vs http[0]: path begins with "/p" and method is "GET" and authority begins with "we" and scheme is "http"',
      '  vs spec.http[0]: VirtualService default/vs http[0]: the client is app=a, tier=b, team',
      '  vs spec.http[0]: VirtualService default/vs http[0]: the client is team',
      '  vs spec.http[0]: VirtualService default/vs http[0]: path matches /r',
      '  vs spec.http[0]: VirtualService default/vs http[0]: path is "/z"',
      '  vs spec.http[1]: VirtualService default/vs http[1]: any request',
      '- HTTP on 9000',
      '  vs spec.http[0]: VirtualService default/vs http[0]: path is "/x" and header h is "v" and header i begins with "w" and header k matches z+ and header l is there and header m is there',
      '  vs spec.http[0]: VirtualService default/vs http[0]: not: header h is "v" and not: header i is there and query parameter q is "1" and query parameter r matches .*',
      '  vs spec.http[0]: VirtualService default/vs http[0]: path begins with "/p" and method is "GET" and authority begins with "we" and scheme is "http"',
      '  vs spec.http[0]: VirtualService default/vs http[0]: the client is app=a, tier=b, team',
      '  vs spec.http[0]: VirtualService default/vs http[0]: the client is team',
      '  vs spec.http[0]: VirtualService default/vs http[0]: path matches /r',
      '  vs spec.http[0]: VirtualService default/vs http[0]: any request',
    ]);
  });

  it('of a delegate have its place, and the words of both', () => {
    const root = virtualService(
      'root',
      `{match: [{headers: {h: {exact: v}}}], delegate: {name: detail}}, {delegate: {name: detail, namespace: team}}`,
    );
    const detail = virtualService(
      'detail',
      `{match: [{uri: {prefix: /x}}], ${to('web')}}, {delegate: {name: root}}, ${TO_WEB}`,
      { hosts: '[]' },
    );
    const other = virtualService('detail', `{${to('b.default.svc.cluster.local')}}`, {
      hosts: '[]',
      namespace: 'team',
    });
    expect(tableOf(router, service('web'), root, detail, other)).toEqual([
      'mesh: root',
      '- HTTP on 80',
      '  detail spec.http[0]: VirtualService default/detail http[0]: path begins with "/x" and header h is "v"',
      '  detail spec.http[2]: VirtualService default/detail http[2]: any request and header h is "v"',
      '  team/detail spec.http[0]: VirtualService team/detail http[0]: any request',
      '- HTTP on 9000',
      '  detail spec.http[0]: VirtualService default/detail http[0]: path begins with "/x" and header h is "v"',
      '  detail spec.http[2]: VirtualService default/detail http[2]: any request and header h is "v"',
      '  team/detail spec.http[0]: VirtualService team/detail http[0]: any request',
    ]);
  });

  it('tell the first part of a match that a request misses', () => {
    const matched = `{match: [{uri: {prefix: /x}, headers: {h: {exact: "1"}}}, {method: {exact: PUT}}], ${to('b')}}`;
    const missed = (request: object) =>
      routed(router, [...APPS, virtualService('vs', `${matched}, ${TO_WEB}`)], { ...mesh, ...request });
    expect(missed({})).toEqual({
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
      rule: 'vs spec.http[1]: VirtualService default/vs http[1]: any request',
      isDefault: false,
      passedOver: [
        'VirtualService default/vs http[0]: path begins with "/x" and header h is "1": path begins with "/x"',
        'VirtualService default/vs http[0]: method is "PUT": method is "PUT"',
      ],
    });
    expect(missed({ path: '/x' }).passedOver).toEqual([
      'VirtualService default/vs http[0]: path begins with "/x" and header h is "1": header h is "1"',
      'VirtualService default/vs http[0]: method is "PUT": method is "PUT"',
    ]);
    expect(missed({ path: '/x', headers: { h: '1' } })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'b' }, port: 80, weight: 1, share: 1, workloads: ['Deployment b'] },
        ],
        sticky: false,
      },
      rule: 'vs spec.http[0]: VirtualService default/vs http[0]: path begins with "/x" and header h is "1"',
      isDefault: false,
      passedOver: [],
    });
  });

  it('of delegates tell the parts of both', () => {
    const root = virtualService('root', `{match: [{headers: {h: {exact: "1"}}}], delegate: {name: detail}}`);
    const detail = virtualService('detail', `{match: [{uri: {prefix: /x}}], ${to('web')}}`, { hosts: '[]' });
    const missed = (request: object) => routed(router, [...APPS, root, detail], { ...mesh, ...request });
    expect(missed({ path: '/x' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404' },
      rule: undefined,
      isDefault: true,
      passedOver: ['VirtualService default/detail http[0]: path begins with "/x" and header h is "1": header h is "1"'],
    });
    expect(missed({ headers: { h: '1' } }).passedOver).toEqual([
      'VirtualService default/detail http[0]: path begins with "/x" and header h is "1": path begins with "/x"',
    ]);
    expect(missed({ headers: { h: '1' }, path: '/x' }).rule).toEqual(
      'detail spec.http[0]: VirtualService default/detail http[0]: path begins with "/x" and header h is "1"',
    );
  });

  it('end with one that takes everything, also in a delegate', () => {
    const root = virtualService('root', `{delegate: {name: detail}}, {directResponse: {status: 418}}`);
    const whole = virtualService('detail', TO_WEB, { hosts: '[]' });
    const part = virtualService('detail', `{match: [{uri: {exact: /x}}], ${to('web')}}`, { hosts: '[]' });
    expect(ask(router, worldOf(...APPS, root, whole), mesh)).toBe('web');
    expect(ask(router, worldOf(...APPS, root, part), mesh)).toBe('418');
    expect(tableOf(router, service('web'), root, whole).slice(1, 3)).toEqual([
      '- HTTP on 80',
      '  detail spec.http[0]: VirtualService default/detail http[0]: any request',
    ]);
    expect(tableOf(router, service('web'), root, part).slice(1, 4)).toEqual([
      '- HTTP on 80',
      '  detail spec.http[0]: VirtualService default/detail http[0]: path is "/x"',
      '  root spec.http[1]: VirtualService default/root http[1]: any request',
    ]);
  });
});

describe('what Istio leaves out', () => {
  it.each<[string, readonly string[], string[]]>([
    [
      'a delegate that does not exist',
      [virtualService('vs', '{delegate: {name: x}}')],
      [
        'ignored: vs spec.http[0].delegate, delegate-not-found: there is no VirtualService default/x without hosts to delegate to',
      ],
    ],
    [
      'a delegate with hosts',
      [virtualService('vs', '{delegate: {name: a}}'), virtualService('a', TO_WEB, { hosts: '[b]' })],
      [
        'ignored: vs spec.http[0].delegate, delegate-not-found: there is no VirtualService default/a without hosts to delegate to',
      ],
    ],
    [
      'a delegate without a name',
      [virtualService('vs', '{delegate: {namespace: team}}')],
      [
        'ignored: vs spec.http[0].delegate, delegate-not-found: there is no VirtualService team/ without hosts to delegate to',
      ],
    ],
    [
      'a delegate once for all ports',
      [service('x'), virtualService('vs', '{delegate: {name: x}}, {delegate: {name: z}}')],
      [
        'ignored: vs spec.http[0].delegate, delegate-not-found: there is no VirtualService default/x without hosts to delegate to',
        'ignored: vs spec.http[1].delegate, delegate-not-found: there is no VirtualService default/z without hosts to delegate to',
      ],
    ],
    [
      'a delegate of two VirtualServices',
      [virtualService('vs', '{delegate: {name: x}}'), virtualService('b', '{delegate: {name: x}}', { hosts: '[b]' })],
      [
        'ignored: b spec.http[0].delegate, delegate-not-found: there is no VirtualService default/x without hosts to delegate to',
        'ignored: vs spec.http[0].delegate, delegate-not-found: there is no VirtualService default/x without hosts to delegate to',
      ],
    ],
    [
      'a host that an older one has',
      [virtualService('a', TO_WEB), virtualService('c', TO_WEB, { hosts: '[b, web.default.svc.cluster.local, WEB]' })],
      [
        'ignored: c spec.hosts[1], host-taken: an older VirtualService has the host web.default.svc.cluster.local in the mesh already',
        'ignored: c spec.hosts[2], host-taken: an older VirtualService has the host web.default.svc.cluster.local in the mesh already',
      ],
    ],
    [
      'nothing of hosts of gateways',
      [
        virtualService('a', TO_WEB, { more: ', gateways: [edge]' }),
        virtualService('c', TO_WEB, { more: ', gateways: [edge]' }),
      ],
      [],
    ],
    [
      'nothing of one short name in two namespaces',
      [virtualService('a', TO_WEB), virtualService('c', TO_WEB, { namespace: 'team' })],
      [],
    ],
  ])('%s', (_, texts, expected) => expect(ignoredBy(router, ...APPS, ...texts)).toEqual(expected));

  it('VirtualServices that nothing delegates to are not served', () => {
    expect(
      tableOf(router, service('web'), virtualService('lost', TO_WEB, { hosts: '[]' }), virtualService('vs', TO_WEB)),
    ).toEqual([
      'mesh: vs',
      '- HTTP on 80',
      '  vs spec.http[0]: VirtualService default/vs http[0]: any request',
      '- HTTP on 9000',
      '  vs spec.http[0]: VirtualService default/vs http[0]: any request',
      'unserved: lost',
    ]);
  });
});

describe('the load balancers of Istio', () => {
  it('are the mesh and the Gateways by name, with ports in order', () => {
    const servers =
      "{port: {number: 443, protocol: HTTPS}, hosts: ['*']}, {port: {number: 80, protocol: HTTP}, hosts: ['*']}";
    const http = virtualService('http', TO_WEB, {
      hosts: '[a.com]',
      more: ', gateways: [edge, mesh, other/gate, ./edge2, z]',
    });
    expect(tableOf(router, service('web'), gateway(servers), gateway(servers, 'unused'), http)).toEqual([
      'default/edge: http',
      '- HTTP on 80',
      '  http spec.http[0]: VirtualService default/http http[0]: any request',
      '- HTTPS on 443',
      '  http spec.http[0]: VirtualService default/http http[0]: any request',
      'default/edge2: http',
      '- HTTP on 80',
      '  http spec.http[0]: VirtualService default/http http[0]: any request',
      '- HTTPS on 443',
      '  http spec.http[0]: VirtualService default/http http[0]: any request',
      'default/unused: ',
      '- HTTP on 80',
      '- HTTPS on 443',
      'default/z: http',
      '- HTTP on 80',
      '  http spec.http[0]: VirtualService default/http http[0]: any request',
      '- HTTPS on 443',
      '  http spec.http[0]: VirtualService default/http http[0]: any request',
      'mesh: http',
      '- HTTP on 80',
      '  http spec.http[0]: VirtualService default/http http[0]: any request',
      '- HTTP on 9000',
      '  http spec.http[0]: VirtualService default/http http[0]: any request',
      'other/gate: http',
      '- HTTP on 80',
      '  http spec.http[0]: VirtualService default/http http[0]: any request',
      '- HTTPS on 443',
      '  http spec.http[0]: VirtualService default/http http[0]: any request',
    ]);
  });

  it.each<[string, string[]]>([
    ['{port: {number: 80, protocol: HTTP}}', ['HTTP 80']],
    ['{port: {number: 80, protocol: http}}', ['HTTP 80']],
    ['{port: {number: 80, protocol: HTTP2}}', ['HTTP 80']],
    ['{port: {number: 80, protocol: GRPC}}', ['HTTP 80']],
    ['{port: {number: 443, protocol: HTTPS}}', ['HTTPS 443']],
    ['{port: {number: 443, protocol: HTTPS}, tls: {mode: SIMPLE}}', ['HTTPS 443']],
    ['{port: {number: 443, protocol: HTTPS}, tls: {mode: PASSTHROUGH}}', []],
    ['{port: {number: 443, protocol: TLS}}', []],
    ['{port: {number: 80, protocol: TCP}}', []],
    ['{port: {number: 80}}', []],
    ['{port: {protocol: HTTP}}', []],
    ['{port: {number: 80, protocol: HTTP}}, {port: {number: 80, protocol: HTTPS}}', ['HTTPS 80']],
    [
      '{port: {number: 81, protocol: HTTP}}, {port: {number: 9, protocol: HTTP}}, {port: {number: 443, protocol: HTTPS}}',
      ['HTTP 9', 'HTTP 81', 'HTTPS 443'],
    ],
  ])('a Gateway with %s listens on %j', (servers, expected) => {
    const { loadBalancers } = router.routes(worldOf(gateway(servers)));
    expect(
      loadBalancers.map(({ name, listeners }) => [
        name,
        ...listeners.map(({ protocol, port }) => `${protocol} ${port}`),
      ]),
    ).toEqual([
      ['default/edge', ...expected],
      ['mesh', 'HTTP 80'],
    ]);
  });

  it.each<[string, number[]]>([
    ['{port: 1}', [1, 80]],
    ['{name: http-x, port: 1}', [1, 80]],
    ['{name: http-x, port: 1, appProtocol: tcp}', [80]],
    ['{name: tcp, port: 1}', [80]],
    ['{name: tcp-x, port: 1}', [80]],
    ['{name: tcpx, port: 1}', [1, 80]],
    ['{name: my-tcp, port: 1}', [1, 80]],
    ['{name: udp, port: 1}', [80]],
    ['{name: tls-x, port: 1}', [80]],
    ['{name: https, port: 1}', [80]],
    ['{name: mongo, port: 1}', [80]],
    ['{name: mysql, port: 1}', [80]],
    ['{name: redis, port: 1}', [80]],
    ['{name: tcp, port: 1, appProtocol: http}', [1, 80]],
    ['{port: 1, protocol: UDP}', [80]],
    ['{port: 1, protocol: TCP}', [1, 80]],
    ['{port: 9000}, {port: 80}, {port: 81}', [80, 81, 9000]],
    ['{name: http}', [80]],
  ])('a Service with the ports %s gives the mesh %j', (ports, expected) => {
    const text = `apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [${ports}]}`;
    const { loadBalancers } = router.routes(worldOf(text));
    expect(loadBalancers[0]!.listeners.map(({ port }) => port)).toEqual(expected);
  });
});
