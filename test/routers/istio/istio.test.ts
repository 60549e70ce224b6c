import { describe, expect, it } from 'vitest';
import { istioRouter, routeOf } from '../../../src/routers';
import { type Ask, app, ask, deployment, service, worldOf } from '../stack';

const router = istioRouter();

function virtualService(
  http: string,
  { name = 'web', hosts = '[web]', gateways = '', namespace = 'default' } = {},
): string {
  const lines = http
    .trim()
    .split('\n')
    .map((line) => `    ${line}`);
  return `
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  hosts: ${hosts}
${gateways === '' ? '' : `  gateways: ${gateways}\n`}  http:
${lines.join('\n')}`;
}

const APPS = [app('web'), app('web-canary')];
const mesh = (texts: readonly string[], request: Ask = {}) =>
  ask(router, worldOf(...texts), { loadBalancer: 'mesh', host: 'web', ...request });
const ignored = (texts: readonly string[]) => router.routes(worldOf(...texts)).ignored?.map(({ reason }) => reason);

const TO_WEB = '- route: [{destination: {host: web}}]';

describe('matches of a VirtualService', () => {
  const matching = (match: string, request: Ask) =>
    mesh(
      [...APPS, virtualService(`- match: ${match}\n  route: [{destination: {host: web-canary}}]\n${TO_WEB}`)],
      request,
    );

  it.each<[string, string, Ask, boolean]>([
    ['exact header', '[{headers: {x-u: {exact: a}}}]', { headers: { 'X-U': 'a' } }, true],
    ['exact header, another case', '[{headers: {x-u: {exact: a}}}]', { headers: { 'x-u': 'A' } }, false],
    ['no header', '[{headers: {x-u: {exact: a}}}]', {}, false],
    ['prefix of a header', '[{headers: {x-u: {prefix: a}}}]', { headers: { 'x-u': 'ab' } }, true],
    ['an expression is for the whole value', '[{headers: {x-u: {regex: a+}}}]', { headers: { 'x-u': 'aab' } }, false],
    ['an expression', '[{headers: {x-u: {regex: a+}}}]', { headers: { 'x-u': 'aa' } }, true],
    ['a star for any value', "[{headers: {x-u: {regex: '*'}}}]", { headers: { 'x-u': 'q' } }, true],
    ['an expression that is none', "[{headers: {x-u: {regex: '('}}}]", { headers: { 'x-u': '(' } }, false],
    ['presence', '[{headers: {x-u: {}}}]', { headers: { 'x-u': '' } }, true],
    ['AND within a match', '[{headers: {a: {exact: "1"}, b: {exact: "2"}}}]', { headers: { a: '1' } }, false],
    [
      'AND within a match, all',
      '[{headers: {a: {exact: "1"}, b: {exact: "2"}}}]',
      { headers: { a: '1', b: '2' } },
      true,
    ],
    [
      'OR between matches',
      '[{headers: {a: {exact: "1"}}}, {headers: {b: {exact: "2"}}}]',
      { headers: { b: '2' } },
      true,
    ],
    ['without a header', '[{withoutHeaders: {a: {exact: "1"}}}]', {}, true],
    ['without a value of a header', '[{withoutHeaders: {a: {exact: "1"}}}]', { headers: { a: '1' } }, false],
    ['without a header at all', '[{withoutHeaders: {a: {}}}]', { headers: { a: '9' } }, false],
    ['uri exact', '[{uri: {exact: /a}}]', { path: '/a/b' }, false],
    ['uri prefix, which ends anywhere', '[{uri: {prefix: /a}}]', { path: '/abc' }, true],
    ['uri regex', "[{uri: {regex: '/v[0-9]+'}}]", { path: '/v12' }, true],
    ['uri regex, a part', "[{uri: {regex: '/v[0-9]+'}}]", { path: '/v12/x' }, false],
    ['uri of another case', '[{uri: {prefix: /A}, ignoreUriCase: true}]', { path: '/abc' }, true],
    ['case counts otherwise', '[{uri: {prefix: /A}}]', { path: '/abc' }, false],
    ['query parameter', '[{queryParams: {v: {exact: "2"}}}]', { query: { v: '2' } }, true],
    ['no query parameter', '[{queryParams: {v: {exact: "2"}}}]', { query: { w: '2' } }, false],
    ['a prefix of a query parameter', '[{queryParams: {v: {prefix: a}}}]', { query: { v: 'ab' } }, true],
    ['method', '[{method: {exact: POST}}]', { method: 'POST' }, true],
    ['another method', '[{method: {exact: POST}}]', {}, false],
    ['authority', '[{authority: {exact: web}}]', {}, true],
    ['scheme', '[{scheme: {exact: https}}]', {}, false],
    ['port', '[{port: 80}]', {}, true],
    ['another port', '[{port: 9000}]', {}, false],
    ['gateway mesh', '[{gateways: [mesh]}]', {}, true],
    ['another gateway', '[{gateways: [edge]}]', {}, false],
    ['labels of an unknown client', '[{sourceLabels: {app: a}}]', {}, false],
    ['labels of a client', '[{sourceLabels: {app: a}}]', { source: { labels: { app: 'a', b: 'c' } } }, true],
    ['namespace of a client', '[{sourceNamespace: x}]', { source: { namespace: 'x' }, host: 'web.default' }, true],
    ['nothing', '[{}]', {}, true],
  ])('%s', (_, match, request, takes) => expect(matching(match, request)).toBe(takes ? 'web-canary' : 'web'));

  it('are tried in order, and the first wins', () => {
    const http = `
- match: [{headers: {a: {}}}]
  route: [{destination: {host: web-canary}}]
- match: [{headers: {a: {exact: "1"}}}]
  directResponse: {status: 418}
${TO_WEB}`;
    expect(mesh([...APPS, virtualService(http)], { headers: { a: '1' } })).toBe('web-canary');
  });

  it('end with the first rule that matches everything', () => {
    expect(
      mesh([...APPS, virtualService(`${TO_WEB}\n- match: [{headers: {a: {}}}]\n  directResponse: {status: 418}`)], {
        headers: { a: '1' },
      }),
    ).toBe('web');
  });

  it('leave the request without a route if none matches', () => {
    expect(
      mesh([...APPS, virtualService('- match: [{headers: {a: {}}}]\n  route: [{destination: {host: web}}]')]),
    ).toBe('404');
  });
});

describe('destinations', () => {
  const to = (route: string, ...others: readonly string[]) => mesh([...APPS, ...others, virtualService(route)]);

  it.each<[string, string, string]>([
    [
      'weights',
      '- route: [{destination: {host: web}, weight: 80}, {destination: {host: web-canary}, weight: 20}]',
      'web 80%, web-canary 20%',
    ],
    [
      'weights that do not add up to 100',
      '- route: [{destination: {host: web}, weight: 3}, {destination: {host: web-canary}, weight: 1}]',
      'web 75%, web-canary 25%',
    ],
    ['one destination, whatever its weight', '- route: [{destination: {host: web}, weight: 0}]', 'web'],
    ['a host written out', '- route: [{destination: {host: web.default.svc.cluster.local}}]', 'web'],
    [
      'a host with a dot, which is taken as it is',
      '- route: [{destination: {host: web.default}}]',
      'web.default (503 service-not-found)',
    ],
    [
      'another namespace, which has no such Service',
      '- route: [{destination: {host: web.shop.svc.cluster.local}}]',
      'shop/web (503 service-not-found)',
    ],
    ['a missing Service', '- route: [{destination: {host: none}}]', 'none (503 service-not-found)'],
    ['a port', '- route: [{destination: {host: web, port: {number: 9000}}}]', 'web'],
    ['a missing port', '- route: [{destination: {host: web, port: {number: 81}}}]', 'web (503 port-not-found)'],
    ['a missing subset', '- route: [{destination: {host: web, subset: v2}}]', 'web:v2 (503 subset-not-found)'],
    [
      'a redirect',
      '- redirect: {uri: /x, authority: b.com, scheme: https, redirectCode: 302}',
      'redirect 302 HTTPS b.com /x',
    ],
    ['a redirect without code', '- redirect: {uri: /x}', 'redirect 301 /x'],
    ['an own answer', '- directResponse: {status: 503, body: {string: later}}', '503 later'],
    [
      'an abort of all',
      '- fault: {abort: {httpStatus: 500, percentage: {value: 100}}}\n  route: [{destination: {host: web}}]',
      '500',
    ],
    ['no route', '- name: x', 'nowhere'],
  ])('%s', (_, route, expected) => expect(to(route)).toBe(expected));

  it.each([
    ['web.default', 'the mesh knows no host web.default; did you mean web.default.svc.cluster.local?'],
    ['api.example.com', 'the mesh knows no host api.example.com'],
    ['web.shop.svc.cluster.local', 'the mesh knows no host web.shop.svc.cluster.local'],
    ['none', 'the mesh knows no host none.default.svc.cluster.local'],
  ])('to the host %s: %s', (host, why) => {
    const { loadBalancers } = router.routes(
      worldOf(...APPS, virtualService(`- route: [{destination: {host: ${host}}}]`)),
    );
    const answer = routeOf(loadBalancers.find(({ name }) => name === 'mesh')!, 80, { host: 'web', path: '/' })?.answer;
    expect(answer?.kind === 'services' && answer.destinations[0]?.unavailable?.why).toBe(why);
  });

  it('in subsets reach the pods with the labels', () => {
    const rule = (subsets: string, namespace = 'default') =>
      `apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: web, namespace: ${namespace}}\nspec: {host: web.default.svc.cluster.local, subsets: ${subsets}}`;
    const route = '- route: [{destination: {host: web, subset: v2}}]';
    expect(to(route, rule('[{name: v2, labels: {version: v2}}]'))).toBe('web:v2 (503 no-pods)');
    const pods = deployment('web', 'default', ', version: v2').replace('name: web,', 'name: web-v2,');
    expect(to(route, rule('[{name: v2, labels: {version: v2}}]'), pods)).toBe('web:v2');
    // The first of two subsets with one name applies; rules of other namespaces do not.
    expect(to(route, rule('[{name: v2, labels: {version: v3}}, {name: v2, labels: {version: v2}}]'), pods)).toBe(
      'web:v2 (503 no-pods)',
    );
    expect(to(route, rule('[{name: v2, labels: {version: v2}}]', 'elsewhere'), pods)).toBe(
      'web:v2 (503 subset-not-found)',
    );
    expect(to(route, rule('[{name: v2, labels: {version: v2}}]', 'istio-system'), pods)).toBe('web:v2');
  });

  it('outside of the cluster need a ServiceEntry', () => {
    const route = '- route: [{destination: {host: api.example.com}}]';
    expect(to(route)).toBe('api.example.com (503 service-not-found)');
    const entry =
      'apiVersion: networking.istio.io/v1\nkind: ServiceEntry\nmetadata: {name: api}\nspec: {hosts: [api.example.com]}';
    expect(to(route, entry)).toBe('api.example.com');
  });

  it('can be delegated to another VirtualService', () => {
    const root = virtualService(`
- match: [{headers: {x-u: {exact: a}}}]
  delegate: {name: detail}
${TO_WEB}`);
    const detail = virtualService('- match: [{uri: {prefix: /v2}}]\n  route: [{destination: {host: web-canary}}]', {
      name: 'detail',
      hosts: '[]',
    });
    const texts = [...APPS, root, detail];
    expect(mesh(texts, { headers: { 'x-u': 'a' }, path: '/v2' })).toBe('web-canary');
    expect(mesh(texts, { headers: { 'x-u': 'a' } })).toBe('web');
    expect(mesh(texts, { path: '/v2' })).toBe('web');
    expect(router.routes(worldOf(...texts)).unserved).toEqual([]);
    expect(ignored([...APPS, root])).toEqual(['delegate-not-found']);
  });
});

describe('hosts in the mesh', () => {
  it.each(['web', 'web.default', 'web.default.svc', 'web.default.svc.cluster.local', 'WEB:80'])(
    '%s is the Service',
    (host) => {
      expect(mesh([...APPS, virtualService('- directResponse: {status: 418}')], { host })).toBe('418');
    },
  );

  it('without a VirtualService are the Services themselves', () => {
    expect(mesh([...APPS])).toBe('web');
    expect(mesh([...APPS], { port: 9000 })).toBe('web');
    expect(mesh([service('web'), app('web-canary')])).toBe('web (503 no-pods)');
    expect(mesh([...APPS], { host: 'example.org' })).toBe('example.org');
  });

  it('without a namespace are in the namespace of the client', () => {
    const texts = [
      app('web'),
      app('web', 'shop'),
      virtualService('- directResponse: {status: 418}', { namespace: 'shop' }),
    ];
    expect(mesh(texts)).toBe('web');
    expect(mesh(texts, { source: { namespace: 'shop' } })).toBe('418');
    expect(mesh(texts, { host: 'web.shop' })).toBe('418');
  });

  it('belong to the oldest VirtualService', () => {
    const texts = [
      ...APPS,
      virtualService('- directResponse: {status: 418}', { name: 'a' }),
      virtualService(TO_WEB, { name: 'b' }),
    ];
    expect(mesh(texts)).toBe('418');
    expect(ignored(texts)).toEqual(['host-taken']);
  });

  it('can be wildcards; the most specific one wins', () => {
    const any = virtualService('- directResponse: {status: 418}', {
      name: 'a',
      hosts: "['*.default.svc.cluster.local']",
    });
    expect(mesh([...APPS, any], { host: 'web-canary' })).toBe('418');
    expect(mesh([...APPS, any, virtualService(TO_WEB)])).toBe('web');
    const outside = virtualService(TO_WEB, { hosts: '[shop.example.com]' });
    expect(mesh([...APPS, outside], { host: 'shop.example.com' })).toBe('web');
  });
});

describe('gateways', () => {
  const gateway = (servers: string) =>
    `apiVersion: networking.istio.io/v1\nkind: Gateway\nmetadata: {name: edge}\nspec:\n  servers: ${servers}`;
  const at = (texts: readonly string[], request: Ask = {}) =>
    ask(router, worldOf(...texts), { loadBalancer: 'default/edge', ...request });
  const HTTP = "[{port: {number: 80, protocol: HTTP}, hosts: ['*']}]";
  const PORT = '- route: [{destination: {host: web, port: {number: 80}}}]';
  const shop = virtualService(PORT, { hosts: '[a.com]', gateways: '[edge]' });

  it('serve the VirtualServices that name them', () => {
    expect(at([...APPS, gateway(HTTP), shop])).toBe('web');
    expect(at([...APPS, gateway(HTTP), shop], { host: 'b.com' })).toBe('404');
    expect(at([...APPS, gateway(HTTP), virtualService(TO_WEB, { hosts: '[a.com]' })])).toBe('404');
    expect(mesh([...APPS, gateway(HTTP), shop], { host: 'a.com' })).toBe('a.com');
  });

  it('that are not in the manifests are assumed to exist', () => {
    expect(at([...APPS, shop])).toBe('web');
    expect(at([...APPS, shop], { port: 443 })).toBe('web');
    // The gateway uses the port that it listens on, if the Service has several ports.
    const portless = virtualService(TO_WEB, { hosts: '[a.com]', gateways: '[edge]' });
    expect(at([...APPS, portless], { port: 443 })).toBe('web (503 port-not-found)');
  });

  it('accept the hosts of their servers', () => {
    const servers = "[{port: {number: 80, protocol: HTTP}, hosts: ['*.a.com', 'other/b.com']}]";
    const any = virtualService(TO_WEB, { hosts: "['*']", gateways: '[edge]' });
    expect(at([...APPS, gateway(servers), any], { host: 'x.a.com' })).toBe('web');
    expect(at([...APPS, gateway(servers), any], { host: 'a.com' })).toBe('404');
    expect(at([...APPS, gateway(servers), any], { host: 'b.com' })).toBe('404');
  });

  it.each([
    ['default/a.com', 'web'],
    ['*/a.com', 'web'],
    ['./a.com', 'web'],
    ['other/a.com', '404'],
  ])('accept VirtualServices of the namespace before the host: %s', (host, expected) => {
    expect(at([...APPS, gateway(`[{port: {number: 80, protocol: HTTP}, hosts: ['${host}']}]`), shop])).toBe(expected);
  });

  it('redirect to HTTPS if httpsRedirect is set', () => {
    const servers =
      "[{port: {number: 80, protocol: HTTP}, hosts: ['*'], tls: {httpsRedirect: true}}, {port: {number: 443, protocol: HTTPS}, hosts: ['*']}]";
    expect(at([...APPS, gateway(servers), shop])).toBe('redirect 301 HTTPS');
    expect(at([...APPS, gateway(servers), shop], { port: 443 })).toBe('web');
  });

  it('merge VirtualServices of one host, with catch-all rules last', () => {
    const rule = virtualService('- match: [{uri: {prefix: /x}}]\n  route: [{destination: {host: web-canary}}]', {
      name: 'x',
      hosts: '[a.com]',
      gateways: '[edge]',
    });
    expect(at([...APPS, gateway(HTTP), shop, rule], { path: '/x' })).toBe('web-canary');
    expect(at([...APPS, gateway(HTTP), shop, rule])).toBe('web');
  });

  it('and the mesh can have separate rules', () => {
    const both = virtualService(
      `- match: [{gateways: [edge]}]\n  route: [{destination: {host: web-canary}}]\n${TO_WEB}`,
      { hosts: '[a.com]', gateways: '[edge, mesh]' },
    );
    expect(at([...APPS, gateway(HTTP), both])).toBe('web-canary');
    expect(mesh([...APPS, gateway(HTTP), both], { host: 'a.com' })).toBe('web');
  });
});
