import { describe, expect, it } from 'vitest';
import { traefikRouter } from '../../../src/routers';
import { type Ask, app, ask, service, worldOf } from '../stack';

const router = traefikRouter();

function ingressRoute(routes: string, more = '', name = 'web'): string {
  return `apiVersion: traefik.io/v1alpha1\nkind: IngressRoute\nmetadata: {name: ${name}}\nspec:\n  routes: ${routes}\n${more}`;
}

const route = (match: string, services: string, more = '') =>
  `{kind: Rule, match: '${match}', services: ${services}${more}}`;
const A = '[{name: a, port: 80}]';
const B = '[{name: b, port: 80}]';

const APPS = ['a', 'b'].map((name) => app(name));
const gets = (texts: readonly string[], request: Ask = {}, by = router) => ask(by, worldOf(...APPS, ...texts), request);
const dropped = (texts: readonly string[], by = router) =>
  by.routes(worldOf(...APPS, ...texts)).ignored?.map(({ why }) => why);

describe('routes of Traefik', () => {
  it('are sorted by the length of their rules', () => {
    const routes = `[${route('Host(`a.com`)', A)}, ${route('Host(`a.com`) && PathPrefix(`/x`)', B)}]`;
    expect(gets([ingressRoute(routes)], { path: '/x' })).toBe('b');
    expect(gets([ingressRoute(routes)])).toBe('a');
    expect(gets([ingressRoute(routes)], { host: 'b.com' })).toBe('404');
  });

  it('are sorted by their priority if they have one', () => {
    const first = (priority: number) =>
      `[${route('Host(`a.com`)', A, `, priority: ${priority}`)}, ${route('Host(`a.com`) && PathPrefix(`/x`)', B)}]`;
    expect(gets([ingressRoute(first(100))], { path: '/x' })).toBe('a');
    expect(gets([ingressRoute(first(0))], { path: '/x' })).toBe('b');
  });

  it.each([
    ['ClientIP(`10.0.0.0/8`)', {}, 'not known: ClientIP depends on the address'],
    ['ClientIP(`10.0.0.0/8`)', { sourceIp: '10.1.2.3' }, 'b'],
    ['ClientIP(`10.0.0.0/8`)', { sourceIp: '192.0.2.1' }, 'a'],
    ['!ClientIP(`10.0.0.0/8`)', {}, 'not known: ClientIP'],
    ['!ClientIP(`10.0.0.0/8`)', { sourceIp: '192.0.2.1' }, 'b'],
    ['ClientIP(`10.0.0.0/8`) && PathPrefix(`/x`)', {}, 'a'],
    ['(ClientIP(`10.0.0.0/8`) || Method(`GET`))', {}, 'b'],
  ])('with %s, for a request with %j: %s', (condition, request, expected) => {
    const routes = `[${route('Host(`a.com`)', A)}, ${route(`Host(\`a.com\`) && ${condition}`, B)}]`;
    expect(gets([ingressRoute(routes)], request).startsWith(expected)).toBe(true);
  });

  it('have no order where they have one priority, which matters only to what leads elsewhere', () => {
    const many = (count: number, services: string) => {
      const others = Array.from({ length: count }, (_, index) => route(`Host(\`x${index}.com\`)`, A));
      const rivals = [route('Host(`a.com`)', A, ', priority: 5'), route('Method(`GET`)', services, ', priority: 5')];
      return [ingressRoute(`[${[...others, ...rivals].join(', ')}]`)];
    };
    for (const count of [0, 12]) {
      expect(gets(many(count, B))).toMatch(
        /^not known: Traefik has no order for routes of equal priority, and IngressRoute/,
      );
    }
    expect(gets(many(12, B), { host: 'b.com' })).toBe('b');
    expect(gets(many(12, A))).toBe('a');
  });

  it.each([
    ['PathPrefix(`/ca`)', ', priority: 35', 'PathPrefix(`/cart`)', ', priority: 35'],
    ['PathPrefix(`/ca`)', ', priority: 36', 'PathPrefix(`/cart`)', ''],
    ['PathPrefix(`/{id}x`)', ', syntax: v2', 'PathPrefix(`/cartx`)', ''],
  ])('have no order where %s%s meets %s%s', (one, more, other, otherMore) => {
    const routes = [route(`Host(\`a.com\`) && ${one}`, A, more), route(`Host(\`a.com\`) && ${other}`, B, otherMore)];
    expect(gets([ingressRoute(`[${routes.join(', ')}]`)], { path: '/cartx' })).toMatch(/^not known: /);
  });

  it('belong to entry points, and to HTTPS with a certificate', () => {
    const text = (more: string) => [ingressRoute(`[${route('Host(`a.com`)', A)}]`, more)];
    expect(gets(text('  entryPoints: [websecure]'))).toBe('404');
    expect(gets(text('  entryPoints: [websecure]'), { port: 443 })).toBe('a');
    expect(gets(text('  tls: {secretName: s}'))).toBe('404');
    expect(gets(text('  tls: {secretName: s}'), { port: 443 })).toBe('a');
    const own = traefikRouter({ entryPoints: { internal: { port: 8080, protocol: 'HTTP' } } });
    expect(gets(text('  entryPoints: [internal]'), { port: 8080 }, own)).toBe('a');
  });

  it.each<[string, string, string]>([
    [
      'a rule that cannot be read',
      route('Host(`a.com`', A),
      'the rule Host(`a.com` cannot be read: expected ), not "the end"',
    ],
    ['a missing Service', route('Host(`a.com`)', '[{name: x, port: 80}]'), 'Service default/x does not exist'],
    [
      'one missing Service of two',
      route('Host(`a.com`)', '[{name: a, port: 80}, {name: x, port: 80}]'),
      'Service default/x does not exist',
    ],
    ['a missing port', route('Host(`a.com`)', '[{name: a, port: 81}]'), 'Service default/a has no port 81'],
    ['no services', route('Host(`a.com`)', '[]'), 'the route has no services'],
    [
      'another namespace',
      route('Host(`a.com`)', '[{name: a, namespace: other, port: 80}]'),
      'service other/a is in another namespace, which allowCrossNamespace would have to allow',
    ],
    [
      'another kind of service',
      route('Host(`a.com`)', '[{name: a, kind: Bucket}]'),
      'services of kind Bucket are not known',
    ],
    [
      'another kind of route',
      "{kind: Other, match: 'Host(`a.com`)', services: []}",
      'kind is "Other", and only Rule is known',
    ],
  ])('are left out for %s', (_, text, why) => {
    const other = route('PathPrefix(`/`)', B, ', priority: 1');
    expect(gets([ingressRoute(`[${text}, ${other}]`)])).toBe('b');
    expect(dropped([ingressRoute(`[${text}, ${other}]`)])).toEqual([why]);
  });

  it('to Services without pods answer 503, or are dropped', () => {
    const texts = [
      service('e'),
      ingressRoute(`[${route('Host(`a.com`)', '[{name: a, port: 80}, {name: e, port: 80}]')}]`),
    ];
    expect(gets(texts)).toBe('a 50%, e 50% (503 no-pods)');
    expect(gets(texts, {}, traefikRouter({ allowEmptyServices: false }))).toBe('404');
  });

  it('can lead to other namespaces if that is allowed', () => {
    const texts = [
      app('o', 'other'),
      ingressRoute(`[${route('Host(`a.com`)', '[{name: o, namespace: other, port: 80}]')}]`),
    ];
    expect(gets(texts, {}, traefikRouter({ allowCrossNamespace: true }))).toBe('other/o');
  });

  it('of Traefik 2 have its matchers', () => {
    expect(gets([ingressRoute(`[${route('Host(`x`, `a.com`)', A, ', syntax: v2')}]`)])).toBe('a');
    const old = ingressRoute(`[${route('Host(`x`, `a.com`)', A)}]`).replace('traefik.io', 'traefik.containo.us');
    expect(gets([old])).toBe('a');
  });

  it('can redirect to HTTPS', () => {
    const middleware =
      'apiVersion: traefik.io/v1alpha1\nkind: Middleware\nmetadata: {name: m}\nspec: {redirectScheme: {scheme: https, permanent: true}}';
    const texts = [middleware, ingressRoute(`[${route('Host(`a.com`)', A, ', middlewares: [{name: m}]')}]`)];
    expect(gets(texts)).toBe('redirect 301 HTTPS');
    expect(gets(texts, { port: 443 })).toBe('a');
    const elsewhere = middleware.replace('permanent: true', 'port: "8443"');
    expect(gets([elsewhere, ...texts.slice(1)])).toBe('redirect 302 HTTPS 8443');
  });

  it.each<[string, string, Ask, string]>([
    ['path and query', 'http://a.com/x\\\\?v=1', { path: '/x', query: { v: '1' } }, 'redirect 302'],
    ['another query', 'http://a.com/x\\\\?v=1', { path: '/x', query: { v: '2' } }, 'a'],
    ['no query', '^http://a.com/x$', { path: '/x' }, 'redirect 302'],
    ['the target as it was sent', '^http://a.com/x%2Fy$', { path: '/x/y', target: '/x%2Fy' }, 'redirect 302'],
    ['a method with a body', '^http://a.com/', { method: 'POST' }, 'redirect 307'],
    ['another host', '^http://b.com/', {}, 'a'],
    ['the scheme', '^https://a.com/$', { port: 443 }, 'redirect 302'],
    ['an expression that is none', '(', {}, 'a'],
  ])('can redirect the URLs of an expression: %s', (_, regex, request, expected) => {
    const middleware = `apiVersion: traefik.io/v1alpha1\nkind: Middleware\nmetadata: {name: m}\nspec: {redirectRegex: {regex: "${regex}", replacement: x}}`;
    const texts = [middleware, ingressRoute(`[${route('Host(`a.com`)', A, ', middlewares: [{name: m}]')}]`)];
    expect(gets(texts, request)).toBe(expected);
  });

  it('can redirect the URLs of another port', () => {
    const middleware =
      'apiVersion: traefik.io/v1alpha1\nkind: Middleware\nmetadata: {name: m}\nspec: {redirectRegex: {regex: "^http://a.com:8080/$", replacement: x, permanent: true}}';
    const texts = [middleware, ingressRoute(`[${route('Host(`a.com`)', A, ', middlewares: [{name: m}]')}]`)];
    const own = traefikRouter({
      entryPoints: { web: { port: 80, protocol: 'HTTP' }, internal: { port: 8080, protocol: 'HTTP' } },
    });
    expect(gets(texts, { port: 8080 }, own)).toBe('redirect 301');
    expect(gets(texts, { port: 80 }, own)).toBe('a');
  });
});

describe('services of Traefik', () => {
  const weighted = (name: string, services: string, more = '') =>
    `apiVersion: traefik.io/v1alpha1\nkind: TraefikService\nmetadata: {name: ${name}}\nspec: {weighted: {services: ${services}${more}}}`;
  const to = (services: string, ...others: readonly string[]) =>
    gets([...others, ingressRoute(`[${route('Host(`a.com`)', services)}]`)]);

  it.each<[string, string, string]>([
    ['weights', '[{name: a, port: 80, weight: 3}, {name: b, port: 80, weight: 1}]', 'a 75%, b 25%'],
    ['a weight left out', '[{name: a, port: 80, weight: 3}, {name: b, port: 80}]', 'a 75%, b 25%'],
    ['weight 0', '[{name: a, port: 80, weight: 0}, {name: b, port: 80}]', 'a 0%, b 100%'],
    ['one, whatever its weight', '[{name: a, port: 80, weight: 0}]', 'a'],
    ['a named port', '[{name: a, port: http}]', 'a'],
    ['a service of Traefik itself', '[{name: api@internal, kind: TraefikService}]', 'api@internal'],
  ])('%s', (_, services, expected) => expect(to(services)).toBe(expected));

  it('can be nested', () => {
    const inner = weighted('inner', '[{name: a, port: 80, weight: 1}, {name: b, port: 80, weight: 3}]');
    const outer = weighted('outer', '[{name: inner, kind: TraefikService, weight: 1}, {name: a, port: 80, weight: 1}]');
    expect(to('[{name: outer, kind: TraefikService}]', inner, outer)).toBe('a 12.5%, b 37.5%, a 50%');
  });

  it('can be mirrored', () => {
    const mirror =
      'apiVersion: traefik.io/v1alpha1\nkind: TraefikService\nmetadata: {name: m}\nspec: {mirroring: {name: a, port: 80, mirrors: [{name: b, port: 80}]}}';
    expect(to('[{name: m, kind: TraefikService}]', mirror)).toBe('a');
  });

  it('that lead to themselves or nowhere disable the route', () => {
    const loop = weighted('loop', '[{name: loop, kind: TraefikService}]');
    const texts = [loop, ingressRoute(`[${route('Host(`a.com`)', '[{name: loop, kind: TraefikService}]')}]`)];
    expect(dropped(texts)).toEqual(['TraefikService default/loop leads to itself']);
    expect(dropped(texts.slice(1))).toEqual(['TraefikService default/loop does not exist']);
  });

  it('can be sticky by cookie', () => {
    const sticky = weighted('s', '[{name: a, port: 80}, {name: b, port: 80}]', ', sticky: {cookie: {name: c}}');
    const world = worldOf(
      ...APPS,
      sticky,
      ingressRoute(`[${route('Host(`a.com`)', '[{name: s, kind: TraefikService}]')}]`),
    );
    expect(
      router.routes(world).loadBalancers[0]!.listeners[0]!.route({ host: 'a.com', path: '/' }).answer,
    ).toMatchObject({ sticky: true });
  });
});
