import { describe, expect, it } from 'vitest';
import { type TraefikOptions, traefikRouter } from '../../../src/routers';
import { type Ask, app, ask, service, worldOf } from '../stack';

const APPS = ['a', 'b', 'c'].map((name) => app(name));
const ROUTER = 'traefik.ingress.kubernetes.io/router.';

interface Parts {
  readonly name?: string;
  readonly host?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: string;
}

/** `/x Prefix a` is a path, its type and its Service. */
function ingress(paths: readonly string[], { name = 'web', host = 'a.com', annotations = {}, spec = '' }: Parts = {}) {
  const items = paths.map((text) => {
    const [path, pathType, to, port = '80'] = text.split(' ') as [string, string, string, string?];
    const number = /^\d+$/.test(port) ? `number: ${port}` : `name: ${port}`;
    return `{path: '${path}', pathType: ${pathType}, backend: {service: {name: ${to}, port: {${number}}}}}`;
  });
  const rules =
    paths.length === 0 ? '' : `\n  rules: [{${host && `host: '${host}', `}http: {paths: [${items.join(', ')}]}}]`;
  return `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ${name}, annotations: ${JSON.stringify(annotations)}}
spec:
  ingressClassName: traefik${rules}${spec}`;
}

const told = (texts: readonly string[], request: Ask = {}, options: TraefikOptions = {}) =>
  ask(traefikRouter(options), worldOf(...APPS, ...texts), request);
const ignored = (...texts: readonly string[]) =>
  traefikRouter()
    .routes(worldOf(...APPS, ...texts))
    .ignored!.map(({ manifest, path, reason, why }) => ({
      at: [manifest.name, ...(path ?? [])].join('.'),
      reason,
      why,
    }));

describe('an Ingress of Traefik', () => {
  it.each([
    ['/cart', 'b'],
    ['/cart/pay', 'b'],
    ['/cartoon', 'b'],
    ['/exact/page', 'c'],
    ['/exact/page/', 'a'],
    ['/own', 'b'],
    ['/owner', 'b'],
    ['/', 'a'],
  ])('sends %s to %s: a prefix is one of characters', (path, expected) => {
    const paths = ['/ Prefix a', '/cart Prefix b', '/exact/page Exact c', '/own ImplementationSpecific b'];
    expect(told([ingress(paths)], { path })).toBe(expected);
  });

  it.each([
    ['/cart', 'b'],
    ['/cart/pay', 'b'],
    ['/cartoon', 'a'],
    ['/slash', 'c'],
    ['/slash/x', 'c'],
    ['/slashes', 'a'],
  ])('sends %s to %s where it matches prefixes strictly', (path, expected) => {
    const paths = ['/ Prefix a', '/cart Prefix b', '/slash/ Prefix c'];
    expect(told([ingress(paths)], { path }, { strictPrefixMatching: true })).toBe(expected);
  });

  it('gives a prefix what a short exact path asks for: its rule is shorter', () => {
    const paths = ['/ Prefix a', '/exact Exact c'];
    expect(told([ingress(paths)], { path: '/exact' })).toBe('a');
  });

  it('takes its host, of a wildcard one label, and without a host all', () => {
    const asked = (host: string, request: string) => told([ingress(['/ Prefix a'], { host })], { host: request });
    expect(asked('a.com', 'A.com')).toBe('a');
    expect(asked('a.com', 'b.com')).toBe('404');
    expect(asked('*.a.com', 'x.a.com')).toBe('a');
    expect(asked('*.a.com', 'x.y.a.com')).toBe('404');
    expect(asked('*.a.com', 'a.com')).toBe('404');
    expect(asked('', 'any.test')).toBe('a');
  });

  it('shares its entry points with IngressRoutes, and the longer rule comes first', () => {
    const services = '[{name: b, port: 80}]';
    const ofCrd = (rule: string) =>
      `apiVersion: traefik.io/v1alpha1\nkind: IngressRoute\nmetadata: {name: route}\nspec:\n  routes: [{kind: Rule, match: '${rule}', services: ${services}}]`;
    expect(told([ingress(['/x Prefix a']), ofCrd('PathPrefix(`/`)')], { path: '/x' })).toBe('a');
    const longer = 'Host(`a.com`) && PathPrefix(`/x`) && Method(`GET`)';
    expect(told([ingress(['/x Prefix a']), ofCrd(longer)], { path: '/x' })).toBe('b');
    const equal = 'Host("a.com") && PathPrefix("/x")';
    expect(told([ingress(['/x Prefix a']), ofCrd(equal)], { path: '/x' })).toMatch(/^not known: Traefik has no order/);
  });

  it('names its rule', () => {
    const { loadBalancers } = traefikRouter().routes(worldOf(...APPS, ingress(['/x Prefix a'])));
    const { rule } = loadBalancers[0]!.listeners[0]!.route({ host: 'a.com', path: '/x' });
    expect(rule?.description).toBe('Ingress default/web, priority 33: Host("a.com") && PathPrefix("/x")');
    expect(rule?.path).toEqual(['spec', 'rules', 0, 'http', 'paths', 0]);
  });

  it.each([
    ['the class of its name', 'kind: IngressClass\nmetadata: {name: traefik}\nspec: {controller: other}', '404'],
    [
      'a class of its controller',
      'kind: IngressClass\nmetadata: {name: traefik}\nspec: {controller: traefik.io/ingress-controller}',
      'a',
    ],
  ])('is served by %s', (_, ingressClass, expected) => {
    const of = `apiVersion: networking.k8s.io/v1\n${ingressClass}`;
    const { loadBalancers } = traefikRouter().routes(worldOf(...APPS, of, ingress(['/ Prefix a'])));
    expect(loadBalancers).toHaveLength(expected === 'a' ? 1 : 0);
  });
});

describe('the annotations of an Ingress', () => {
  const paths = ['/x ImplementationSpecific a', '/x/y Prefix b'];

  it.each([
    ['priority', '1000', { path: '/x/y' }, 'not known: Traefik has no order'],
    ['pathmatcher', 'Path', { path: '/x/z' }, '404'],
    ['PathMatcher', 'Path', { path: '/x' }, 'a'],
    ['pathmatcher', 'PathRegexp', { path: '/x' }, 'a'],
    ['pathmatcher', '', { path: '/x/z' }, 'a'],
    ['entrypoints', 'websecure', { path: '/x' }, '404'],
    ['entrypoints', 'websecure', { path: '/x', port: 443 }, 'a'],
    ['entrypoints', 'other, web', { path: '/x' }, 'a'],
    ['tls', 'true', { path: '/x' }, '404'],
    ['tls', 'true', { path: '/x', port: 443 }, 'a'],
    ['tls', 'false', { path: '/x' }, 'a'],
    ['tls.certresolver', 'le', { path: '/x' }, '404'],
    ['rulesyntax', 'v2', { path: '/x' }, 'a'],
    ['middlewares', 'default-auth@kubernetescrd', { path: '/x' }, 'a'],
    ['middlewares', 'auth@file', { path: '/x' }, 'a'],
  ])('%s: "%s": %j gets %s', (key, value, request, expected) => {
    const text = ingress(paths, { annotations: { [`${ROUTER}${key}`]: value } });
    expect(told([text], request).startsWith(expected)).toBe(true);
  });

  it.each([
    [
      'weight',
      '5',
      'Traefik skips the Ingress, because it knows no annotation traefik.ingress.kubernetes.io/router.weight',
    ],
    ['priority', 'high', 'Traefik skips the Ingress, because the priority "high" is no number'],
  ])('%s: "%s" makes Traefik skip the Ingress', (key, value, why) => {
    const text = ingress(paths, { annotations: { [`${ROUTER}${key}`]: value } });
    expect(ignored(text)).toEqual([{ at: 'web', reason: 'route-dropped', why }]);
    const { loadBalancers, unserved } = traefikRouter().routes(worldOf(...APPS, text));
    expect(unserved.map(({ name }) => name)).toEqual(['web']);
    expect(loadBalancers[0]!.members).toEqual([]);
  });

  it('pathmatcher names a matcher of paths', () => {
    const text = ingress(paths, { annotations: { [`${ROUTER}pathmatcher`]: 'Header' } });
    const why =
      'the annotation traefik.ingress.kubernetes.io/router.pathmatcher is Header, and Traefik takes Path, PathPrefix, PathRegexp';
    expect(ignored(text)).toEqual([{ at: 'web.spec.rules.0.http.paths.0', reason: 'route-dropped', why }]);
    expect(told([text], { path: '/x/y' })).toBe('b');
  });

  it('middlewares redirect, and drop what names none', () => {
    const middleware = (name: string) =>
      `apiVersion: traefik.io/v1alpha1\nkind: Middleware\nmetadata: {name: ${name}}\nspec: {redirectScheme: {scheme: https}}`;
    const by = (value: string) => [
      middleware('to-https'),
      ingress(['/x Prefix a'], { annotations: { [`${ROUTER}middlewares`]: value } }),
    ];
    expect(told(by('default-to-https@kubernetescrd'), { path: '/x' })).toBe('redirect 302 HTTPS');
    expect(told(by('default-to-https@kubernetescrd'), { path: '/x', port: 443 })).toBe('a');
    expect(told(by('default-absent@kubernetescrd'), { path: '/x' })).toBe('404');
    expect(told(by('elsewhere-absent@kubernetescrd'), { path: '/x' })).toBe('a');
    expect(ignored(...by('default-absent@kubernetescrd'))).toEqual([
      {
        at: 'web.spec.rules.0.http.paths.0',
        reason: 'route-dropped',
        why: 'no Middleware has the name default-absent, which is NAMESPACE-NAME',
      },
    ]);
    expect(ignored(...by('to-https'))[0]!.why).toBe(
      'the provider of Ingresses has no middleware to-https: write the namespace, the name and the provider: shop-to-https@kubernetescrd',
    );
  });

  it('rulesyntax v2 writes a wildcard as an expression', () => {
    const text = ingress(['/ Prefix a'], { host: '*.a.com', annotations: { [`${ROUTER}rulesyntax`]: 'v2' } });
    expect(told([text], { host: 'x.a.com' })).toBe('a');
    expect(told([text], { host: 'x.y.a.com' })).toBe('404');
  });
});

describe('the backends of an Ingress', () => {
  it('are Services, by the number or the name of a port', () => {
    expect(told([ingress(['/ Prefix a http'])])).toBe('a');
    expect(told([ingress(['/ Prefix a 9000'])])).toBe('a');
    expect(told([ingress(['/ Prefix b', '/x Prefix a 81'])], { path: '/x' })).toBe('b');
    expect(told([ingress(['/ Prefix b', '/x Prefix absent'])], { path: '/x' })).toBe('b');
  });

  it('without pods answer 503, or drop the route', () => {
    const texts = [service('empty'), ingress(['/ Prefix b', '/x Prefix empty'])];
    expect(told(texts, { path: '/x' })).toBe('empty (503 no-pods)');
    expect(told(texts, { path: '/x' }, { allowEmptyServices: false })).toBe('b');
  });

  it('are the last of equal paths', () => {
    const text = ingress(['/x Prefix a', '/x Prefix b']);
    expect(told([text], { path: '/x' })).toBe('b');
    const why = 'another path of the Ingress makes the same rule and replaces it';
    expect(ignored(text)).toEqual([{ at: 'web.spec.rules.0.http.paths.0', reason: 'route-replaced', why }]);
  });

  it('of a resource make no route', () => {
    const spec =
      '\n  rules: [{host: a.com, http: {paths: [{path: /, pathType: Prefix, backend: {resource: {apiGroup: v1, kind: Bucket, name: x}}}]}}]';
    expect(ignored(ingress([], { spec })).map(({ why }) => why)).toEqual(['Traefik takes no backends but Services']);
  });
});

describe('the default backend of an Ingress', () => {
  const backend = (name: string) => `\n  defaultBackend: {service: {name: ${name}, port: {number: 80}}}`;

  it('takes what no route takes', () => {
    const texts = [ingress([], { name: 'rest', spec: backend('b') }), ingress(['/x Prefix a'])];
    expect(told(texts, { path: '/x' })).toBe('a');
    expect(told(texts)).toBe('b');
    expect(told(texts, { host: 'other.test' })).toBe('b');
    const { loadBalancers } = traefikRouter().routes(worldOf(...APPS, ...texts));
    const { rule, isDefault } = loadBalancers[0]!.listeners[0]!.route({ host: 'other.test', path: '/' });
    expect(isDefault).toBe(true);
    expect(rule?.description).toBe('Ingress default/rest, default backend');
  });

  it('counts in an Ingress without rules only', () => {
    const text = ingress(['/x Prefix a'], { spec: backend('b') });
    expect(told([text])).toBe('404');
    const why = 'Traefik takes the default backend of an Ingress without rules only';
    expect(ignored(text)).toEqual([{ at: 'web.spec.defaultBackend', reason: 'route-dropped', why }]);
  });

  it('is not known where two Ingresses have one', () => {
    const texts = ['one', 'two'].map((name) => ingress([], { name, spec: backend('b') }));
    expect(told(texts)).toBe(
      'not known: Traefik takes one default backend, and these Ingresses have one each: one, two',
    );
  });

  it('whose Service does not exist is no route', () => {
    const text = ingress([], { spec: backend('absent') });
    expect(told([text])).toBe('404');
    expect(ignored(text)[0]!.at).toBe('web.spec.defaultBackend');
  });
});
