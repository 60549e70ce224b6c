import { describe, expect, it } from 'vitest';
import { gatewayApiRouter } from '../../../src/routers';
import { type Ask, app, ask, service, worldOf } from '../stack';

const router = gatewayApiRouter();

interface RouteOptions {
  readonly hostnames?: string;
  readonly parentRefs?: string;
  readonly namespace?: string;
  readonly created?: string;
  readonly version?: string;
}

function route(name: string, rules: string, options: RouteOptions = {}): string {
  const { hostnames, parentRefs = '[{name: edge}]', namespace = 'default', created, version = 'v1' } = options;
  return `
apiVersion: gateway.networking.k8s.io/${version}
kind: HTTPRoute
metadata: {name: ${name}, namespace: ${namespace}${created === undefined ? '' : `, creationTimestamp: "${created}"`}}
spec:
  parentRefs: ${parentRefs}
${hostnames === undefined ? '' : `  hostnames: ${hostnames}\n`}  rules: ${rules}`;
}

function gateway(listeners = '[{name: http, port: 80, protocol: HTTP}]', className = 'istio'): string {
  return `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge}
spec: {gatewayClassName: ${className}, listeners: ${listeners}}`;
}

const to = (name: string, matches = '') =>
  `{backendRefs: [{name: ${name}, port: 80}]${matches === '' ? '' : `, matches: ${matches}`}}`;
const APPS = ['a', 'b'].map((name) => app(name));
const gets = (texts: readonly string[], request: Ask = {}) => ask(router, worldOf(...texts), request);
const ignored = (texts: readonly string[]) => router.routes(worldOf(...texts)).ignored?.map(({ reason }) => reason);

describe('matches of an HTTPRoute', () => {
  const takes = (match: string, request: Ask) => gets([...APPS, gateway(), route('r', `[${to('a', match)}]`)], request);

  it.each<[string, string, Ask, boolean]>([
    ['a prefix', '[{path: {type: PathPrefix, value: /cart}}]', { path: '/cart/1' }, true],
    ['a prefix ends at a slash', '[{path: {type: PathPrefix, value: /cart}}]', { path: '/cartoon' }, false],
    ['a prefix with a slash', '[{path: {type: PathPrefix, value: /cart/}}]', { path: '/cart' }, true],
    ['a path without type', '[{path: {value: /cart}}]', { path: '/cart/1' }, true],
    ['an exact path', '[{path: {type: Exact, value: /cart}}]', { path: '/cart/' }, false],
    ['an expression', "[{path: {type: RegularExpression, value: '/v[0-9]+'}}]", { path: '/v12' }, true],
    ['header', '[{headers: [{name: X-C, value: a}]}]', { headers: { 'x-c': 'a' } }, true],
    ['header, another case', '[{headers: [{name: x-c, value: a}]}]', { headers: { 'x-c': 'A' } }, false],
    [
      'header expression',
      '[{headers: [{name: x-c, type: RegularExpression, value: a+}]}]',
      { headers: { 'x-c': 'aab' } },
      false,
    ],
    ['AND', '[{headers: [{name: a, value: "1"}, {name: b, value: "2"}]}]', { headers: { a: '1' } }, false],
    [
      'of two conditions on one header the first',
      '[{headers: [{name: a, value: "1"}, {name: A, value: "2"}]}]',
      { headers: { a: '1' } },
      true,
    ],
    ['OR', '[{headers: [{name: a, value: "1"}]}, {headers: [{name: b, value: "2"}]}]', { headers: { b: '2' } }, true],
    ['query', '[{queryParams: [{name: v, value: "2"}]}]', { query: { v: '2' } }, true],
    ['query, other', '[{queryParams: [{name: v, value: "2"}]}]', { query: { v: '3' } }, false],
    ['method', '[{method: POST}]', {}, false],
    ['no match at all', '', { path: '/any' }, true],
  ])('%s', (_, match, request, matched) => expect(takes(match, request)).toBe(matched ? 'a' : '404'));
});

describe('precedence', () => {
  it.each<[string, string, string, Ask]>([
    [
      'exact before prefix',
      '[{path: {type: Exact, value: /x}}]',
      '[{path: {type: PathPrefix, value: /x}, headers: [{name: h, value: "1"}]}]',
      { path: '/x', headers: { h: '1' } },
    ],
    ['the longer prefix', '[{path: {value: /x/y}}]', '[{path: {value: /x}, method: GET}]', { path: '/x/y/z' }],
    [
      'method before headers',
      '[{method: GET}]',
      '[{headers: [{name: h, value: "1"}, {name: i, value: "1"}]}]',
      { headers: { h: '1', i: '1' } },
    ],
    [
      'more headers',
      '[{headers: [{name: h, value: "1"}, {name: i, value: "1"}]}]',
      '[{headers: [{name: h, value: "1"}], queryParams: [{name: q, value: "1"}]}]',
      { headers: { h: '1', i: '1' }, query: { q: '1' } },
    ],
    ['more query parameters', '[{queryParams: [{name: q, value: "1"}]}]', '[{}]', { query: { q: '1' } }],
    [
      'prefix before expression',
      '[{path: {value: /x}}]',
      "[{path: {type: RegularExpression, value: '/x.*'}}]",
      { path: '/x/y' },
    ],
  ])('%s', (_, first, second, request) => {
    expect(gets([...APPS, gateway(), route('r', `[${to('b', second)}, ${to('a', first)}]`)], request)).toBe('a');
  });

  it('is decided by age, then by name, then by the order of rules', () => {
    const young = route('a-young', `[${to('b')}]`, { created: '2024-02-02T00:00:00Z' });
    const old = route('z-old', `[${to('a')}]`, { created: '2024-01-01T00:00:00Z' });
    expect(gets([...APPS, gateway(), young, old])).toBe('a');
    expect(gets([...APPS, gateway(), route('xx', `[${to('b')}]`), route('x', `[${to('a')}]`)])).toBe('a');
    expect(gets([...APPS, gateway(), route('x', `[${to('a')}, ${to('b')}]`)])).toBe('a');
  });

  it('is decided by the specificity of the hostname first', () => {
    const wild = route('wild', `[${to('b', '[{path: {type: Exact, value: /x}}]')}]`, { hostnames: "['*.com']" });
    const exact = route('exact', `[${to('a')}]`, { hostnames: '[a.com]' });
    expect(gets([...APPS, gateway(), wild, exact], { path: '/x' })).toBe('a');
    expect(gets([...APPS, gateway(), wild, exact], { path: '/x', host: 'b.com' })).toBe('b');
  });
});

describe('a Gateway of an implementation that nobody knows', () => {
  const asked = (rules: string, request: Ask) =>
    gets(
      [...APPS, gateway(undefined, 'mine'), route('r', rules), route('w', `[${to('b')}]`, { hostnames: "['*.com']" })],
      request,
    );

  it.each<[string, string, Ask, string]>([
    ['a prefix', `[${to('a', '[{path: {value: /cart}}]')}]`, { path: '/cart/1', host: 'a.org' }, 'a'],
    ['no rule', `[${to('a', '[{path: {value: /cart}}]')}]`, { path: '/x', host: 'a.org' }, '404'],
    [
      'all of an expression',
      `[${to('a', '[{headers: [{name: x, type: RegularExpression, value: a+}]}]')}]`,
      { headers: { x: 'aa' }, host: 'a.org' },
      'a',
    ],
    [
      'a part of an expression',
      `[${to('a', '[{headers: [{name: x, type: RegularExpression, value: a+}]}]')}]`,
      { headers: { x: 'aab' }, host: 'a.org' },
      'not known: Istio and Envoy Gateway answer with 404, Traefik with a, and the implementation of this Gateway is not known',
    ],
    [
      'an expression and a prefix',
      `[${to('a', "[{path: {type: RegularExpression, value: '/x.*'}}]")}, ${to('b', '[{path: {value: /x}}]')}]`,
      { path: '/x/y', host: 'a.org' },
      'not known: Istio answers with b, Envoy Gateway and Traefik with a, and the implementation of this Gateway is not known',
    ],
    [
      'weights',
      '[{backendRefs: [{name: a, port: 80, weight: 3}, {name: b, port: 80}]}]',
      { host: 'a.org' },
      'a 75%, b 25%',
    ],
    ['an error of any kind', '[{backendRefs: [{name: a, port: 80, weight: 0}]}]', { host: 'a.org' }, '500'],
  ])('%s', (_, rules, request, expected) => expect(asked(rules, request)).toBe(expected));

  it('mirrors, although one of them does not', () => {
    const mirror = '{type: RequestMirror, requestMirror: {backendRef: {name: b, port: 80}}}';
    expect(asked(`[{filters: [${mirror}], backendRefs: [{name: a, port: 80}]}]`, { host: 'a.org' })).toBe('a');
  });
});

describe('backends', () => {
  const rule = (text: string, ...others: readonly string[]) =>
    gets([...APPS, ...others, gateway(), route('r', `[${text}]`)]);

  it.each<[string, string, string]>([
    ['weights', '{backendRefs: [{name: a, port: 80, weight: 9}, {name: b, port: 80}]}', 'a 90%, b 10%'],
    ['weight 0', '{backendRefs: [{name: a, port: 80}, {name: b, port: 80, weight: 0}]}', 'a 100%, b 0%'],
    ['only weight 0', '{backendRefs: [{name: a, port: 80, weight: 0}]}', '500'],
    ['none', '{}', '500'],
    ['a missing Service', '{backendRefs: [{name: x, port: 80}]}', 'x (500 service-not-found)'],
    [
      'a missing Service with its share',
      '{backendRefs: [{name: a, port: 80}, {name: x, port: 80}]}',
      'a 50%, x 50% (500 service-not-found)',
    ],
    ['a missing port', '{backendRefs: [{name: a, port: 81}]}', 'a (500 port-not-found)'],
    ['no port', '{backendRefs: [{name: a}]}', 'a (500 port-not-found)'],
    ['another kind', '{backendRefs: [{group: x.io, kind: Bucket, name: a}]}', 'Bucket default/a (500 not-permitted)'],
    [
      'a redirect',
      '{filters: [{type: RequestRedirect, requestRedirect: {scheme: https, statusCode: 301}}]}',
      'redirect 301 HTTPS',
    ],
    [
      'a redirect to a path',
      '{filters: [{type: RequestRedirect, requestRedirect: {hostname: b.com, path: {type: ReplaceFullPath, replaceFullPath: /x}}}]}',
      'redirect 302 b.com /x',
    ],
  ])('%s', (_, text, expected) => expect(rule(text)).toBe(expected));

  it('answer 503 without pods', () => {
    expect(rule('{backendRefs: [{name: e, port: 80}]}', service('e'))).toBe('e (503 no-pods)');
  });

  it('in another namespace need a grant', () => {
    const text = '{backendRefs: [{name: c, namespace: other, port: 80}]}';
    expect(rule(text, app('c', 'other'))).toBe('other/c (500 not-permitted)');
    const grant = `
apiVersion: gateway.networking.k8s.io/v1beta1
kind: ReferenceGrant
metadata: {name: g, namespace: other}
spec: {from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: default}], to: [{group: '', kind: Service}]}`;
    expect(rule(text, app('c', 'other'), grant)).toBe('other/c');
  });

  it.each([
    ['the Service', '{kind: HTTPRoute, namespace: default}', "{group: '', kind: Service, name: c}", true],
    ['Services without a group', '{kind: HTTPRoute, namespace: default}', '{kind: Service}', true],
    [
      'one of two',
      '{kind: Other, namespace: x}, {kind: HTTPRoute, namespace: default}',
      '{kind: Service, name: x}, {kind: Service}',
      true,
    ],
    ['routes of another namespace', '{kind: HTTPRoute, namespace: x}', '{kind: Service}', false],
    ['another kind of route', '{kind: GRPCRoute, namespace: default}', '{kind: Service}', false],
    ['another Service', '{kind: HTTPRoute, namespace: default}', '{kind: Service, name: d}', false],
    ['another group', '{kind: HTTPRoute, namespace: default}', '{group: x, kind: Service}', false],
    ['another kind', '{kind: HTTPRoute, namespace: default}', '{kind: Secret}', false],
    ['nothing', '', '{kind: Service}', false],
    ['nothing else', '{kind: HTTPRoute, namespace: default}', '', false],
  ])('in another namespace, with a grant for %s', (_, from, to, isGranted) => {
    const grant = `
apiVersion: gateway.networking.k8s.io/v1beta1
kind: ReferenceGrant
metadata: {name: g, namespace: other}
spec: {from: [${from}], to: [${to}]}`;
    const text = '{backendRefs: [{name: c, namespace: other, port: 80}]}';
    expect(rule(text, app('c', 'other'), grant)).toBe(isGranted ? 'other/c' : 'other/c (500 not-permitted)');
    const elsewhere = grant.replace('namespace: other', 'namespace: default');
    expect(rule(text, app('c', 'other'), elsewhere)).toBe('other/c (500 not-permitted)');
  });
});

describe('listeners', () => {
  it('accept the hostnames that match both', () => {
    const texts = (hostname: string, hostnames?: string) => [
      ...APPS,
      gateway(`[{name: http, port: 80, protocol: HTTP, hostname: '${hostname}'}]`),
      route('r', `[${to('a')}]`, hostnames === undefined ? {} : { hostnames }),
    ];
    expect(gets(texts('*.a.com'), { host: 'x.a.com' })).toBe('a');
    expect(gets(texts('*.a.com'), { host: 'x.b.com' })).toBe('404');
    expect(gets(texts('*.a.com', '[x.a.com]'), { host: 'x.a.com' })).toBe('a');
    expect(gets(texts('*.a.com', '[x.a.com]'), { host: 'y.a.com' })).toBe('404');
    expect(gets(texts('x.a.com', "['*.a.com']"), { host: 'x.a.com' })).toBe('a');
    expect(ignored(texts('x.a.com', '[b.com]'))).toEqual(['not-attached']);
  });

  it.each<[string, string[]]>([
    ['[{name: edge, sectionName: http}]', []],
    ['[{name: edge, sectionName: https}]', ['not-attached']],
    ['[{name: edge, port: 80}]', []],
    ['[{name: edge, port: 8080}]', ['not-attached']],
  ])('are the parents %s: ignored %j', (parentRefs, expected) => {
    const texts = [...APPS, gateway(), route('r', `[${to('a')}]`, { parentRefs })];
    expect(ignored(texts)).toEqual(expected);
    expect(gets(texts) === 'a').toBe(expected.length === 0);
  });

  it('with the more specific hostname take all of its requests', () => {
    const listeners = '[{name: any, port: 80, protocol: HTTP}, {name: a, port: 80, protocol: HTTP, hostname: a.com}]';
    const texts = [
      ...APPS,
      gateway(listeners),
      route('any', `[${to('b')}]`, { parentRefs: '[{name: edge, sectionName: any}]' }),
    ];
    expect(gets(texts)).toBe('404');
    expect(gets(texts, { host: 'b.com' })).toBe('b');
  });

  it('accept routes by section, port and namespace', () => {
    const listeners = '[{name: http, port: 80, protocol: HTTP}, {name: tls, port: 443, protocol: HTTPS}]';
    const section = [
      ...APPS,
      gateway(listeners),
      route('r', `[${to('a')}]`, { parentRefs: '[{name: edge, sectionName: tls}]' }),
    ];
    expect(gets(section)).toBe('404');
    expect(gets(section, { port: 443 })).toBe('a');
    const port = [...APPS, gateway(listeners), route('r', `[${to('a')}]`, { parentRefs: '[{name: edge, port: 80}]' })];
    expect(gets(port, { port: 443 })).toBe('404');
    const foreign = route('r', `[${to('c')}]`, {
      namespace: 'other',
      parentRefs: '[{name: edge, namespace: default}]',
    });
    expect(ignored([app('c', 'other'), gateway(), foreign])).toEqual(['not-attached']);
    const all = gateway('[{name: http, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}]');
    expect(gets([app('c', 'other'), all, foreign])).toBe('other/c');
    const chosen = gateway(
      '[{name: http, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {team: x}}}}}]',
    );
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: other, labels: {team: x}}';
    expect(gets([app('c', 'other'), chosen, foreign, namespace])).toBe('other/c');
  });

  it('of a Gateway that is not in the manifests are assumed to exist', () => {
    expect(gets([...APPS, route('r', `[${to('a')}]`, { version: 'v1beta1' })])).toBe('a');
    expect(gets([...APPS, route('r', `[${to('a')}]`)], { port: 443 })).toBe('a');
  });

  it('in a mesh are the ports of the Service', () => {
    const texts = [
      ...APPS,
      route('r', `[${to('b', '[{headers: [{name: h, value: "1"}]}]')}]`, {
        parentRefs: '[{group: "", kind: Service, name: a}]',
      }),
    ];
    expect(gets(texts, { host: 'a', headers: { h: '1' } })).toBe('b');
    expect(gets(texts, { host: 'a' })).toBe('404');
    expect(gets(texts, { host: 'b' })).toBe('404');
    const elsewhere = texts.map((text) =>
      text.replace('kind: Service, name: a}', 'kind: Service, name: a, port: 9000}'),
    );
    expect(gets(elsewhere, { host: 'a' })).toBe('a');
  });
});

describe('ListenerSets', () => {
  const set = (listeners: string, options: { readonly kind?: string; readonly name?: string } = {}) => `
apiVersion: ${options.kind === 'XListenerSet' ? 'gateway.networking.x-k8s.io/v1alpha1' : 'gateway.networking.k8s.io/v1'}
kind: ${options.kind ?? 'ListenerSet'}
metadata: {name: ${options.name ?? 'extra'}}
spec: {parentRef: {name: edge}, listeners: ${listeners}}`;
  const allowing = (from: string) =>
    `${gateway('[{name: own, port: 80, protocol: HTTP, hostname: own.com}]')}
  allowedListeners: {namespaces: {from: ${from}}}`
      .replace('}\n  allowedListeners', ', allowedListeners')
      .concat('}');
  const SHOP = '[{name: shop, port: 80, protocol: HTTP, hostname: a.com}]';
  const toSet = (kind = 'ListenerSet', rules = `[${to('a')}]`) =>
    route('r', rules, { parentRefs: `[{kind: ${kind}, name: extra}]` });

  it.each(['ListenerSet', 'XListenerSet'])('a %s adds listeners to its Gateway', (kind) => {
    const stack = [...APPS, allowing('Same'), set(SHOP, { kind }), toSet(kind)];
    expect(gets(stack)).toBe('a');
    expect(gets(stack, { host: 'own.com' })).toBe('404');
    expect(router.routes(worldOf(...stack)).loadBalancers.map(({ name }) => name)).toEqual(['default/edge']);
  });

  it('a Gateway without allowedListeners takes no ListenerSet', () => {
    const stack = [...APPS, gateway(), set(SHOP), toSet()];
    expect(gets(stack)).toBe('404');
    const [refused] = router.routes(worldOf(...stack)).ignored ?? [];
    expect(refused?.why).toContain(
      'no listener of ListenerSet default/extra takes the route: see its hostname, port, sectionName and allowedRoutes, and allowedListeners of Gateway default/edge',
    );
  });

  it('routes to the Gateway do not reach the listeners of a ListenerSet', () => {
    const stack = [...APPS, allowing('All'), set(SHOP), route('own', `[${to('b')}]`), toSet()];
    expect(gets(stack)).toBe('a');
    expect(gets(stack, { host: 'own.com' })).toBe('b');
  });

  it('of equal listeners the first object has it', () => {
    const first = set(SHOP, { name: 'a-first' });
    expect(gets([...APPS, allowing('Same'), first, set(SHOP), toSet()])).toBe('404');
  });

  it('a ListenerSet or Gateway that is elsewhere has listeners for every host', () => {
    expect(gets([...APPS, toSet()])).toBe('a');
    expect(gets([...APPS, set('[{name: all, port: 80, protocol: HTTP}]'), toSet()])).toBe('a');
  });

  it('joins the routes to a Gateway and to its ListenerSets, whoever reads them together', () => {
    const world = worldOf(allowing('Same'), set(SHOP), route('own', `[${to('b')}]`), toSet());
    expect(router.readTogether?.(world).map((together) => together.map(({ name }) => name))).toEqual([['own', 'r']]);
  });
});
