import { describe, expect, it } from 'vitest';
import { higressRouter, mseRouter } from '../../../src/routers';
import { type Ask, app, ask, deployment, service, worldOf } from '../stack';

const NGINX = 'nginx.ingress.kubernetes.io';

function ingress(
  className: string,
  name: string,
  annotations: Readonly<Record<string, string>> = {},
  path = '/',
  pathType = 'Prefix',
): string {
  const lines = Object.entries(annotations).map(
    ([key, value]) => `${key.includes('/') ? key : `${NGINX}/${key}`}: ${JSON.stringify(value)}`,
  );
  return `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ${name}, annotations: {${lines.join(', ')}}}
spec:
  ingressClassName: ${className}
  rules:
    - host: a.com
      http: {paths: [{path: "${path}", pathType: ${pathType}, backend: {service: {name: ${name}, port: {number: 80}}}}]}`;
}

type Annotations = Readonly<Record<string, string>>;

describe('Higress', () => {
  const router = higressRouter();
  const canary = (annotations: Annotations) => ingress('higress', 'web-canary', { canary: 'true', ...annotations });
  const gets = (annotations: Annotations, request: Ask = {}) =>
    ask(router, worldOf(app('web'), app('web-canary'), ingress('higress', 'web'), canary(annotations)), request);

  it.each<[string, Annotations, Ask, string]>([
    ['weight', { 'canary-weight': '20' }, {}, 'web 80%, web-canary 20%'],
    ['a total', { 'canary-weight': '20', 'canary-weight-total': '50' }, {}, 'web 60%, web-canary 40%'],
    ['no weight', {}, {}, 'web 100%, web-canary 0%'],
    [
      'under the prefix of Higress',
      { 'canary-weight': '0', 'higress.io/canary-by-header': 'x-c' },
      { headers: { 'x-c': 'always' } },
      'web-canary',
    ],
    ['header always', { 'canary-by-header': 'x-c' }, { headers: { 'x-c': 'always' } }, 'web-canary'],
    [
      'a header besides a weight, which does not count',
      { 'canary-by-header': 'x-c', 'canary-weight': '50' },
      {},
      'web',
    ],
    [
      'header value',
      { 'canary-by-header': 'x-c', 'canary-by-header-value': 'v' },
      { headers: { 'x-c': 'v' } },
      'web-canary',
    ],
    [
      'always beside a value',
      { 'canary-by-header': 'x-c', 'canary-by-header-value': 'v' },
      { headers: { 'x-c': 'always' } },
      'web-canary',
    ],
    [
      'a value is an expression',
      { 'canary-by-header': 'x-c', 'canary-by-header-value': 'v.1' },
      { headers: { 'x-c': 'vx1' } },
      'web-canary',
    ],
    [
      'a pattern, found anywhere',
      { 'canary-by-header': 'x-c', 'canary-by-header-pattern': 'b+' },
      { headers: { 'x-c': 'abc' } },
      'web-canary',
    ],
    ['cookie', { 'canary-by-cookie': 'g' }, { headers: { cookie: 'a=b; g=always' } }, 'web-canary'],
    ['a cookie that only ends like it', { 'canary-by-cookie': 'g' }, { headers: { cookie: 'ag=always' } }, 'web'],
    [
      'a header before a cookie',
      { 'canary-by-header': 'x-c', 'canary-by-cookie': 'g' },
      { headers: { cookie: 'g=always' } },
      'web',
    ],
  ])('%s', (_, annotations, request, expected) => expect(gets(annotations, request)).toBe(expected));

  it('falls back to the stable version when the canary has no pods', () => {
    const texts = [app('web'), service('web-canary'), ingress('higress', 'web')];
    expect(
      ask(router, worldOf(...texts, canary({ 'canary-by-header': 'x-c' })), { headers: { 'x-c': 'always' } }),
    ).toBe('web');
    expect(ask(router, worldOf(...texts, canary({ 'canary-weight': '20' })), {})).toBe('web 80%, web 20%');
  });

  it('takes several canaries by weight', () => {
    const second = ingress('higress', 'x-canary', { canary: 'true', 'canary-weight': '30' });
    const world = worldOf(
      app('web'),
      app('web-canary'),
      app('x-canary'),
      ingress('higress', 'web'),
      canary({ 'canary-weight': '20' }),
      second,
    );
    expect(ask(router, world, {})).toBe('web 50%, web-canary 20%, x-canary 30%');
  });

  it('passes a canary over that fits no main path', () => {
    const other = ingress('higress', 'web-canary', { canary: 'true', 'canary-weight': '50' }, '/cart');
    const world = worldOf(app('web'), app('web-canary'), ingress('higress', 'web'), other);
    expect(ask(router, world, { path: '/cart' })).toBe('web');
    expect(router.routes(world).ignored?.map(({ reason }) => reason)).toEqual(['canary-without-main']);
  });

  it('gives a path to the first Ingress that has it', () => {
    const texts = ['web', 'web-canary'].flatMap((name) => [app(name), ingress('higress', name)]);
    const { ignored } = router.routes(worldOf(...texts));
    expect(ignored?.map(({ manifest, reason, why }) => [manifest.name, reason, why])).toEqual([
      ['web-canary', 'path-taken', 'default/web has the path / of a.com already'],
    ]);
    expect(ask(router, worldOf(...texts), {})).toBe('web');
  });

  it('gives a path to the first Ingress also if the second has it with another type', () => {
    const world = worldOf(
      ...[app('a'), app('b')],
      ...[ingress('higress', 'a', {}, '/x', 'Exact'), ingress('higress', 'b', {}, '/x', 'Prefix')],
    );
    expect(['/x', '/x/y'].map((path) => ask(router, world, { path }))).toEqual(['a', '404']);
  });

  it.each<[string, string, string, string]>([
    ['/', 'Prefix', '/x', 's'],
    ['/cart', 'Prefix', '/cart/1', 's'],
    ['/cart', 'Prefix', '/cartoon', '404'],
    ['/cart', 'Exact', '/cart/1', '404'],
    ['/cart/', 'Prefix', '/cart', 's'],
  ])('path %s as %s on %s: %s', (path, pathType, requested, expected) => {
    expect(ask(router, worldOf(app('s'), ingress('higress', 's', {}, path, pathType)), { path: requested })).toBe(
      expected,
    );
  });

  it.each([
    ['a', 'b', 'c', 'd', 'e'],
    ['e', 'd', 'c', 'b', 'a'],
    ['c', 'e', 'a', 'd', 'b'],
  ])(
    'orders exact paths, longer prefixes, expressions and the root, whatever their names: %s %s %s %s %s',
    (...names) => {
      const [exact, long, short, regex, root] = names as [string, string, string, string, string];
      const world = worldOf(
        ...names.map((name) => app(name)),
        ingress('higress', root),
        ingress('higress', exact, {}, '/a/b', 'Exact'),
        ingress('higress', short, {}, '/a', 'Prefix'),
        ingress('higress', long, {}, '/a/c', 'Prefix'),
        ingress('higress', regex, { 'use-regex': 'true' }, '/[a-c]', 'Prefix'),
      );
      const at = (path: string) => ask(router, world, { path });
      expect(['/a/b', '/a/c/d', '/a/d', '/bx', '/d'].map(at)).toEqual([exact, long, short, regex, root]);
    },
  );

  it('has HTTPS for hosts with a certificate only', () => {
    const tls = `${ingress('higress', 'web')}\n  tls: [{hosts: [a.com], secretName: s}]`;
    expect(ask(router, worldOf(app('web'), ingress('higress', 'web')), { port: 443 })).toBe('404');
    expect(ask(router, worldOf(app('web'), tls), { port: 443 })).toBe('web');
    const redirect = tls.replace('annotations: {', `annotations: {${NGINX}/ssl-redirect: "true"`);
    expect(ask(router, worldOf(app('web'), redirect), {})).toBe('redirect 308 HTTPS');
  });

  it('sends the rest to the default backend', () => {
    const text =
      'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: d}\nspec: {ingressClassName: higress, defaultBackend: {service: {name: d, port: {name: http}}}}';
    const world = worldOf(app('web'), app('d'), ingress('higress', 'web'), text);
    expect(ask(router, world, { host: 'b.com' })).toBe('d');
    expect(ask(router, world, {})).toBe('web');
  });
});

describe('MSE', () => {
  const router = mseRouter();
  const MSE = 'mse.ingress.kubernetes.io';
  const world = (annotations: Annotations) =>
    worldOf(
      app('web'),
      app('web-canary'),
      ingress('mse', 'web'),
      ingress('mse', 'web-canary', { canary: 'true', ...annotations }),
    );
  const gets = (annotations: Annotations, request: Ask = {}) => ask(router, world(annotations), request);

  it.each<[string, Annotations, Ask, string]>([
    ['query always', { [`${MSE}/canary-by-query`]: 'v' }, { query: { v: 'always' } }, 'web-canary'],
    [
      'query value',
      { [`${MSE}/canary-by-query`]: 'v', [`${MSE}/canary-by-query-value`]: '2' },
      { query: { v: '2' } },
      'web-canary',
    ],
    [
      'another value',
      { [`${MSE}/canary-by-query`]: 'v', [`${MSE}/canary-by-query-value`]: '2' },
      { query: { v: '22' } },
      'web',
    ],
    [
      'query pattern',
      { [`${MSE}/canary-by-query`]: 'v', [`${MSE}/canary-by-query-pattern`]: '^[0-9]$' },
      { query: { v: '2' } },
      'web-canary',
    ],
    [
      'query under the prefix of nginx, which is not read',
      { 'canary-by-query': 'v' },
      { query: { v: 'always' } },
      'web 100%, web-canary 0%',
    ],
    [
      'header and query: both',
      { 'canary-by-header': 'x-c', [`${MSE}/canary-by-query`]: 'v' },
      { query: { v: 'always' } },
      'web',
    ],
    [
      'header and query',
      { 'canary-by-header': 'x-c', [`${MSE}/canary-by-query`]: 'v' },
      { query: { v: 'always' }, headers: { 'x-c': 'always' } },
      'web-canary',
    ],
    [
      'header value alone',
      { 'canary-by-header': 'x-c', 'canary-by-header-value': 'v' },
      { headers: { 'x-c': 'always' } },
      'web',
    ],
    [
      'query before cookie',
      { 'canary-by-cookie': 'g', [`${MSE}/canary-by-query`]: 'v' },
      { headers: { cookie: 'g=always' } },
      'web',
    ],
    ['cookie before weight', { 'canary-by-cookie': 'g', 'canary-weight': '50' }, {}, 'web'],
    ['weight', { 'canary-weight': '50' }, {}, 'web 50%, web-canary 50%'],
  ])('%s', (_, annotations, request, expected) => expect(gets(annotations, request)).toBe(expected));

  it('narrows a Service down to a subset of its pods', () => {
    const subset = { [`${MSE}/service-subset`]: 'gray', [`${MSE}/subset-labels`]: 'version gray' };
    const texts = [app('web'), ingress('mse', 'web', subset)];
    expect(ask(router, worldOf(...texts), {})).toBe('web:gray (503 no-pods)');
    const pods = deployment('web', 'default', ', version: gray').replace('name: web,', 'name: web-gray,');
    expect(ask(router, worldOf(...texts, pods), {})).toBe('web:gray');
  });
});
