import { describe, expect, it } from 'vitest';
import { type HttpRequest, nginxRouter } from '../../../src/routers';
import { type Ask, app, ask, service, worldOf } from '../stack';

const router = nginxRouter();

interface IngressOptions {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly host?: string;
  readonly path?: string;
  readonly pathType?: string;
  readonly backend?: string;
  readonly port?: string;
  readonly more?: string;
}

function ingress(name: string, options: IngressOptions = {}): string {
  const {
    annotations = {},
    host = 'a.com',
    path = '/',
    pathType = 'Prefix',
    backend = name,
    port = '{number: 80}',
  } = options;
  const lines = Object.entries(annotations).map(
    ([key, value]) => `nginx.ingress.kubernetes.io/${key}: ${JSON.stringify(value)}`,
  );
  return `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ${name}, annotations: {${lines.join(', ')}}}
spec:
  ingressClassName: nginx
  rules:
    - host: ${host}
      http: {paths: [{path: "${path}", pathType: ${pathType}, backend: {service: {name: ${backend}, port: ${port}}}}]}
${options.more ?? ''}`;
}

const canary = (annotations: Readonly<Record<string, string>>, options: IngressOptions = {}) =>
  ingress('web-canary', { ...options, annotations: { canary: 'true', ...annotations } });

const APPS = [app('web'), app('web-canary')];

const gets = (texts: readonly string[], request: Ask = {}) => ask(router, worldOf(...texts), request);

const ignored = (...texts: readonly string[]) =>
  router.routes(worldOf(...texts)).ignored?.map(({ manifest, reason }) => `${manifest.name}: ${reason}`);

describe('canary annotations of nginx', () => {
  const withCanary = (annotations: Readonly<Record<string, string>>, request: Ask) =>
    gets([...APPS, ingress('web'), canary(annotations)], request);

  it.each<[string, Readonly<Record<string, string>>, Ask, string]>([
    ['weight', { 'canary-weight': '20' }, {}, 'web 80%, web-canary 20%'],
    ['weight 0', { 'canary-weight': '0' }, {}, 'web'],
    ['weight 100', { 'canary-weight': '100' }, {}, 'web 0%, web-canary 100%'],
    ['a weight beyond the total', { 'canary-weight': '300' }, {}, 'web 0%, web-canary 100%'],
    ['a total', { 'canary-weight': '20', 'canary-weight-total': '1000' }, {}, 'web 98%, web-canary 2%'],
    [
      'a total below 100, which does not count',
      { 'canary-weight': '20', 'canary-weight-total': '50' },
      {},
      'web 80%, web-canary 20%',
    ],
    ['no number', { 'canary-weight': '20%' }, {}, 'web'],
    ['header always', { 'canary-by-header': 'x-c' }, { headers: { 'X-C': 'always' } }, 'web-canary'],
    ['header never', { 'canary-by-header': 'x-c', 'canary-weight': '50' }, { headers: { 'x-c': 'never' } }, 'web'],
    [
      'header else',
      { 'canary-by-header': 'x-c', 'canary-weight': '50' },
      { headers: { 'x-c': 'yes' } },
      'web 50%, web-canary 50%',
    ],
    [
      'header value',
      { 'canary-by-header': 'x-c', 'canary-by-header-value': 'v' },
      { headers: { 'x-c': 'v' } },
      'web-canary',
    ],
    [
      'another value',
      { 'canary-by-header': 'x-c', 'canary-by-header-value': 'v' },
      { headers: { 'x-c': 'always' } },
      'web',
    ],
    [
      'value before pattern',
      { 'canary-by-header': 'x-c', 'canary-by-header-value': 'v', 'canary-by-header-pattern': '.' },
      { headers: { 'x-c': 'w' } },
      'web',
    ],
    [
      'a pattern, found anywhere',
      { 'canary-by-header': 'x-c', 'canary-by-header-pattern': 'b+' },
      { headers: { 'x-c': 'abc' } },
      'web-canary',
    ],
    [
      'a look-ahead',
      { 'canary-by-header': 'x-c', 'canary-by-header-pattern': '^a(?=c)' },
      { headers: { 'x-c': 'ac' } },
      'web-canary',
    ],
    [
      'a pattern with a character that 1.12 refuses',
      { 'canary-by-header': 'x-c', 'canary-by-header-pattern': '^a(?!b)' },
      { headers: { 'x-c': 'ac' } },
      'web',
    ],
    [
      'a value with a character that 1.12 refuses',
      { 'canary-by-header': 'x-c', 'canary-by-header-value': 'a@b' },
      { headers: { 'x-c': 'a@b' } },
      'web',
    ],
    [
      'a pattern that is none: no look at the cookie',
      { 'canary-by-header': 'x-c', 'canary-by-header-pattern': '(', 'canary-by-cookie': 'g' },
      { headers: { 'x-c': 'a', cookie: 'g=always' } },
      'web',
    ],
    [
      'hyphens and underscores of the name',
      { 'canary-by-header': 'x_c' },
      { headers: { 'x-c': 'always' } },
      'web-canary',
    ],
    [
      'a header with an underscore, which nginx drops',
      { 'canary-by-header': 'x_c' },
      { headers: { x_c: 'always' } },
      'web',
    ],
    ['cookie always', { 'canary-by-cookie': 'g' }, { headers: { cookie: 'a=b; G=always' } }, 'web-canary'],
    ['cookie never', { 'canary-by-cookie': 'g', 'canary-weight': '50' }, { headers: { cookie: 'g=never' } }, 'web'],
    [
      'cookie else',
      { 'canary-by-cookie': 'g', 'canary-weight': '50' },
      { headers: { cookie: 'g=1' } },
      'web 50%, web-canary 50%',
    ],
    [
      'header before cookie',
      { 'canary-by-header': 'x-c', 'canary-by-cookie': 'g' },
      { headers: { 'x-c': 'never', cookie: 'g=always' } },
      'web',
    ],
    ['canary false', { canary: 'false', 'canary-weight': '50' }, {}, 'web'],
  ])('%s', (_, annotations, request, expected) => expect(withCanary(annotations, request)).toBe(expected));

  it('with an expression that is not modelled say that it is not known', () => {
    const repeated = '^(a)\\1$';
    const header = { 'canary-by-header': 'x-c', 'canary-by-header-pattern': repeated };
    const routed = (request: HttpRequest, ...texts: readonly string[]) =>
      router.routes(worldOf(...texts)).loadBalancers[0]!.listeners[0]!.route(request).answer;
    const stack = [...APPS, ingress('web'), canary(header)];
    const why = `the regular expression ${JSON.stringify(repeated)} has a part that is not modelled, such as a back-reference`;
    expect(routed({ host: 'a.com', path: '/', headers: { 'x-c': 'aa' } }, ...stack)).toEqual({ kind: 'unknown', why });
    expect(routed({ host: 'a.com', path: '/' }, ...stack)).toMatchObject({ kind: 'services' });

    const path = ingress('web', { path: '/(a)\\\\1', annotations: { 'use-regex': 'true' } });
    expect(routed({ host: 'a.com', path: '/aa' }, ...APPS, path)).toMatchObject({ kind: 'unknown' });
  });

  it('need a main Ingress with the same host and path', () => {
    const orphan = [...APPS, app('other'), ingress('other'), canary({ 'canary-weight': '50' }, { host: 'b.com' })];
    expect(gets(orphan, { host: 'b.com' })).toBe('404');
    expect(ignored(...orphan)).toEqual(['web-canary: canary-without-main']);
    const path = [...APPS, ingress('web'), canary({ 'canary-weight': '50' }, { path: '/cart' })];
    expect(gets(path, { path: '/cart' })).toBe('web');
    const type = [...APPS, ingress('web'), canary({ 'canary-weight': '50' }, { pathType: 'Exact' })];
    expect(gets(type)).toBe('web');
    expect(gets([...APPS, canary({ 'canary-weight': '50' })])).toBe('404');
  });

  it('are all lost if one path of the canary matches no main path', () => {
    const more =
      '      # a second rule\n    - host: b.com\n      http: {paths: [{path: /x, pathType: Prefix, backend: {service: {name: web-canary, port: {number: 80}}}}]}';
    const texts = [
      ...APPS,
      ingress('web'),
      app('other'),
      ingress('other', { host: 'b.com' }),
      canary({ 'canary-weight': '50' }, { more }),
    ];
    expect(gets(texts)).toBe('web');
  });

  it('apply to all paths of the stable Service, whatever their host', () => {
    const texts = [
      ...APPS,
      ingress('web'),
      ingress('web-b', { backend: 'web', host: 'b.com' }),
      canary({ 'canary-weight': '50' }),
    ];
    expect(gets(texts, { host: 'b.com' })).toBe('web 50%, web-canary 50%');
  });

  it('apply to the first canary only', () => {
    const second = ingress('x-canary', { annotations: { canary: 'true', 'canary-weight': '90' } });
    const texts = [...APPS, app('x-canary'), ingress('web'), canary({ 'canary-weight': '10' }), second];
    expect(gets(texts)).toBe('web 90%, web-canary 10%');
    expect(ignored(...texts)).toEqual(['x-canary: second-canary']);
  });

  it('have no effect if the canary has no pods', () => {
    expect(gets([app('web'), service('web-canary'), ingress('web'), canary({ 'canary-weight': '50' })])).toBe('web');
    expect(gets([service('web'), app('web-canary'), ingress('web'), canary({ 'canary-weight': '50' })])).toBe(
      'web (503 no-pods)',
    );
  });

  it('keep clients on their version, with cookie affinity', () => {
    const world = worldOf(
      ...APPS,
      ingress('web', { annotations: { affinity: 'cookie' } }),
      canary({ 'canary-weight': '50' }),
    );
    const route = router.routes(world).loadBalancers[0]!.listeners[0]!.route({ host: 'a.com', path: '/' });
    expect(route.answer).toMatchObject({ kind: 'services', sticky: true });
  });

  it('name the Ingress and the annotation that took a request', () => {
    const world = worldOf(
      ...APPS,
      ingress('web'),
      canary({ 'canary-by-header': 'x-c', 'canary-by-header-value': 'v' }),
    );
    const listener = router.routes(world).loadBalancers[0]!.listeners[0]!;
    const { rule } = listener.route({ host: 'a.com', path: '/', headers: { 'x-c': 'v' } });
    expect(rule?.manifest.name).toBe('web-canary');
    expect(rule?.path).toEqual(['metadata', 'annotations', 'nginx.ingress.kubernetes.io/canary-by-header']);
    expect(rule?.description).toBe('HTTP a.com, path /*, header x-c is "v"');
    expect(listener.route({ host: 'a.com', path: '/' }).rule?.manifest.name).toBe('web');
  });
});

describe('paths of nginx', () => {
  const texts = (...paths: readonly (readonly [path: string, type: string])[]) => [
    ...paths.map((_, index) => app(`s${index}`)),
    ...paths.map(([path, pathType], index) => ingress(`s${index}`, { path, pathType })),
  ];

  it.each<[string, readonly string[], string, string]>([
    ['the longest prefix', texts(['/', 'Prefix'], ['/cart', 'Prefix']), '/cart/1', 's1'],
    ['a prefix itself', texts(['/', 'Prefix'], ['/cart', 'Prefix']), '/cart', 's1'],
    ['a prefix that ends within a name', texts(['/', 'Prefix'], ['/cart', 'Prefix']), '/cartoon', 's0'],
    ['exact before prefix', texts(['/cart', 'Prefix'], ['/cart', 'Exact']), '/cart', 's1'],
    ['below an exact path', texts(['/cart', 'Prefix'], ['/cart', 'Exact']), '/cart/1', 's0'],
    ['what the controller decides is a prefix', texts(['/', 'ImplementationSpecific']), '/deep', 's0'],
    [
      'a prefix with a slash: the path without it',
      texts(['/', 'Prefix'], ['/cart/', 'Prefix']),
      '/cart',
      'redirect 301 /cart/',
    ],
    ['nothing', texts(['/cart', 'Prefix']), '/', '404'],
  ])('%s', (_, manifests, path, expected) => expect(gets(manifests, { path })).toBe(expected));

  it('are all expressions if one path of the host is an expression', () => {
    const regex = ingress('s1', {
      path: '/c[a-z]+',
      pathType: 'ImplementationSpecific',
      annotations: { 'use-regex': 'true' },
    });
    const manifests = [
      app('s0'),
      app('s1'),
      app('s2'),
      ingress('s0'),
      regex,
      ingress('s2', { path: '/cart', pathType: 'Exact' }),
    ];
    expect(gets(manifests, { path: '/CART' })).toBe('s1');
    expect(gets(manifests, { path: '/card' })).toBe('s1');
    expect(gets(manifests, { path: '/1' })).toBe('s0');
    const exact = [
      app('s0'),
      app('s2'),
      ingress('s0', { annotations: { 'rewrite-target': '/x' } }),
      ingress('s2', { path: '/cart', pathType: 'Exact' }),
    ];
    expect(gets(exact, { path: '/cartoon' })).toBe('s2');
  });

  it('belong to the older of two Ingresses with the same path', () => {
    const manifests = [app('s0'), app('s1'), ingress('s0'), ingress('s1')];
    expect(gets(manifests)).toBe('s0');
    expect(ignored(...manifests)).toEqual(['s1: path-taken']);
    const older = ingress('s1').replace('metadata: {', 'metadata: {creationTimestamp: "2024-01-01T00:00:00Z", ');
    expect(gets([app('s0'), app('s1'), ingress('s0'), older])).toBe('s1');
  });
});

describe('hosts of nginx', () => {
  const manifests = [
    app('exact'),
    app('wild'),
    app('deep'),
    app('any'),
    ingress('exact', { host: 'a.b.com' }),
    ingress('wild', { host: '"*.b.com"' }),
    ingress('deep', { host: '"*.x.b.com"' }),
    ingress('any', { host: '""' }),
  ];

  it.each([
    ['a.b.com', 'exact'],
    ['A.B.com:8080', 'exact'],
    ['c.b.com', 'wild'],
    ['c.x.b.com', 'deep'],
    ['b.com', 'any'],
    ['other.com', 'any'],
  ])('%s', (host, expected) => expect(gets(manifests, { host })).toBe(expected));

  it('have aliases', () => {
    const alias = [app('web'), ingress('web', { annotations: { 'server-alias': 'www.a.com, b.com' } })];
    expect(gets(alias, { host: 'b.com' })).toBe('web');
  });

  it('without an Ingress get the default backend', () => {
    expect(gets([app('web'), ingress('web')], { host: 'b.com' })).toBe('404');
    const all =
      'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: all}\nspec: {ingressClassName: nginx, defaultBackend: {service: {name: all, port: {number: 80}}}}';
    expect(gets([app('web'), app('all'), ingress('web'), all], { host: 'b.com' })).toBe('all');
  });

  it('with a certificate redirect to HTTPS', () => {
    const tls = '  tls: [{hosts: [a.com], secretName: s}]';
    expect(gets([app('web'), ingress('web', { more: tls })])).toBe('redirect 308 HTTPS');
    expect(gets([app('web'), ingress('web', { more: tls })], { port: 443 })).toBe('web');
    expect(gets([app('web'), ingress('web', { more: tls, annotations: { 'ssl-redirect': 'false' } })])).toBe('web');
    expect(gets([app('web'), ingress('web', { annotations: { 'force-ssl-redirect': 'true' } })])).toBe(
      'redirect 308 HTTPS',
    );
  });

  it('can be redirected', () => {
    const to = (annotations: Readonly<Record<string, string>>) => gets([app('web'), ingress('web', { annotations })]);
    expect(to({ 'permanent-redirect': 'https://b.com/x' })).toBe('redirect 301 HTTPS b.com /x');
    expect(to({ 'temporal-redirect': '/x' })).toBe('redirect 302 /x');
  });
});

describe('backends of nginx', () => {
  it.each([
    ['{number: 80}', 'web'],
    ['{name: http}', 'web'],
    ['{number: 8080}', 'web'],
    ['{number: 81}', 'web (503 port-not-found)'],
    ['{name: none}', 'web (503 port-not-found)'],
  ])('of port %s: %s', (port, expected) => expect(gets([app('web'), ingress('web', { port })])).toBe(expected));

  it('need the Service', () => {
    expect(gets([app('other'), ingress('web')])).toBe('web (503 service-not-found)');
  });

  it('are not served if their class is another', () => {
    const other = ingress('web').replace('ingressClassName: nginx', 'ingressClassName: alb');
    expect(router.routes(worldOf(app('web'), other)).loadBalancers).toEqual([]);
    const none = ingress('web').replace('ingressClassName: nginx', 'tls: []');
    expect(ask(nginxRouter({ withoutClass: true }), worldOf(app('web'), none), {})).toBe('web');
    const declared =
      'apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: outside}\nspec: {controller: k8s.io/ingress-nginx}';
    const outside = ingress('web').replace('ingressClassName: nginx', 'ingressClassName: outside');
    expect(gets([app('web'), outside, declared])).toBe('web');
  });
});
