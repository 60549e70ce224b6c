import { describe, expect, it } from 'vitest';
import { aliyunAlbRouter } from '../../src/routers';
import { type Ask, app, ask, worldOf } from './stack';

const router = aliyunAlbRouter();

type Annotations = Readonly<Record<string, string>>;

function ingress(
  name: string,
  annotations: Annotations = {},
  { host = 'a.com', path = '/', pathType = 'Prefix', backend = name } = {},
): string {
  const lines = Object.entries(annotations).map(
    ([key, value]) => `alb.ingress.kubernetes.io/${key}: ${JSON.stringify(value)}`,
  );
  return `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ${name}, annotations: {${lines.join(', ')}}}
spec:
  ingressClassName: alb
  rules:
    - host: ${host}
      http: {paths: [{path: "${path}", pathType: ${pathType}, backend: {service: {name: ${backend}, port: {number: 80}}}}]}`;
}

const gets = (texts: readonly string[], request: Ask = {}) => ask(router, worldOf(...texts), request);
const ignored = (texts: readonly string[]) =>
  router.routes(worldOf(...texts)).ignored?.map(({ manifest, reason }) => `${manifest.name}: ${reason}`);

const APPS = [app('web'), app('web-canary')];
const stable = ingress('web', { order: '10' });
const canary = (annotations: Annotations) => ingress('web-canary', { canary: 'true', order: '1', ...annotations });

describe('canaries of the ALB', () => {
  const withCanary = (annotations: Annotations, request: Ask) => gets([...APPS, stable, canary(annotations)], request);

  it.each<[string, Annotations, Ask, string]>([
    ['weight', { 'canary-weight': '20' }, {}, 'web 80%, web-canary 20%'],
    ['weight beyond 100', { 'canary-weight': '200' }, {}, 'web 0%, web-canary 100%'],
    [
      'header value',
      { 'canary-by-header': 'x-c', 'canary-by-header-value': 'v' },
      { headers: { 'X-C': 'v' } },
      'web-canary',
    ],
    ['another value', { 'canary-by-header': 'x-c', 'canary-by-header-value': 'v' }, { headers: { 'x-c': 'w' } }, 'web'],
    ['header without a value: its presence', { 'canary-by-header': 'x-c' }, { headers: { 'x-c': 'w' } }, 'web-canary'],
    ['cookie', { 'canary-by-cookie': 'g' }, { headers: { cookie: 'g=always' } }, 'web-canary'],
    ['another cookie value', { 'canary-by-cookie': 'g' }, { headers: { cookie: 'g=1' } }, 'web'],
    [
      'header or cookie',
      { 'canary-by-header': 'x-c', 'canary-by-cookie': 'g' },
      { headers: { cookie: 'g=always' } },
      'web-canary',
    ],
  ])('%s', (_, annotations, request, expected) => expect(withCanary(annotations, request)).toBe(expected));

  it('never win after the stable Ingress', () => {
    const late = ingress('web-canary', { canary: 'true', order: '11', 'canary-by-header': 'x-c' });
    expect(gets([...APPS, stable, late], { headers: { 'x-c': 'always' } })).toBe('web');
    // Without an order, names decide: `web-canary` comes after `web`.
    const unordered = ingress('web-canary', { canary: 'true', 'canary-by-header': 'x-c' });
    expect(gets([...APPS, ingress('web'), unordered], { headers: { 'x-c': 'always' } })).toBe('web');
  });

  it('get no rule with an order that is taken', () => {
    const other = [app('shop'), app('shop-canary'), ingress('shop', { order: '20' }, { host: 'b.com' })];
    const second = ingress('shop-canary', { canary: 'true', order: '1', 'canary-by-header': 'x-c' }, { host: 'b.com' });
    const texts = [...APPS, stable, canary({ 'canary-by-header': 'x-c' }), ...other, second];
    expect(ignored(texts)).toEqual(['web-canary: duplicate-order']);
    expect(gets(texts, { host: 'b.com', headers: { 'x-c': '1' } })).toBe('shop-canary');
    expect(gets(texts, { headers: { 'x-c': '1' } })).toBe('web');
    const table = router.routes(worldOf(...texts));
    expect(table.unserved.map(({ name }) => name)).toEqual(['web-canary']);
    expect(table.ignored?.[0]?.path).toEqual(['metadata', 'annotations', 'alb.ingress.kubernetes.io/order']);
    const apart = [...texts.slice(0, -1), second.replace('order: "1"', 'order: "2"')];
    expect(ignored(apart)).toEqual([]);
    expect(gets(apart, { headers: { 'x-c': '1' } })).toBe('web-canary');
  });

  it('cannot combine a weight and a header', () => {
    expect(ignored([...APPS, stable, canary({ 'canary-by-header': 'x-c', 'canary-weight': '20' })])).toEqual([
      'web-canary: canary-combination',
    ]);
  });

  it('by weight need a main Ingress', () => {
    expect(ignored([...APPS, canary({ 'canary-weight': '20' })])).toEqual(['web-canary: canary-without-main']);
  });
});

describe('rules of the ALB', () => {
  it.each(['0', '1001', 'first', '1.5'])('need an order from 1 to 1000, not %s', (order) => {
    expect(ignored([app('web'), ingress('web', { order })])).toEqual(['web: order']);
  });

  it('come in the order of the Ingresses, then of their names', () => {
    const texts = [app('b'), app('a'), ingress('b', { order: '5' }), ingress('a')];
    expect(gets(texts)).toBe('b');
    expect(gets([app('b'), app('a'), ingress('b'), ingress('a')])).toBe('a');
  });

  it.each<[string, string, string, string]>([
    ['/', 'Prefix', '/x', 's'],
    ['/cart', 'Prefix', '/cart/1', 's'],
    ['/cart', 'Prefix', '/cartoon', '503'],
    ['/cart', 'Exact', '/cart', 's'],
    ['/cart', 'ImplementationSpecific', '/cart/1', '503'],
  ])('%s as %s on %s: %s', (path, pathType, requested, expected) => {
    expect(gets([app('s'), ingress('s', {}, { path, pathType })], { path: requested })).toBe(expected);
  });

  it('listen on the ports of the annotation', () => {
    const ports = ingress('web', { 'listen-ports': '[{"HTTP": 80}, {"HTTPS": 443}, {"HTTP": 8080}]' });
    const table = router.routes(worldOf(app('web'), ports));
    expect(table.loadBalancers[0]!.listeners.map(({ port, protocol }) => [port, protocol])).toEqual([
      [80, 'HTTP'],
      [443, 'HTTPS'],
      [8080, 'HTTP'],
    ]);
    const redirect = ingress('web', { 'listen-ports': '[{"HTTP": 80}, {"HTTPS": 443}]', 'ssl-redirect': 'true' });
    expect(gets([app('web'), redirect])).toBe('redirect 308 HTTPS 443');
    expect(gets([app('web'), redirect], { port: 443 })).toBe('web');
  });

  it.each<[string, Annotations, string, [number, string][]]>([
    ['without an annotation', {}, '', [[80, 'HTTP']]],
    ['with tls for hosts', {}, '{hosts: [a.com]}', [[443, 'HTTPS']]],
    ['with tls for no host', {}, '{secretName: a}', [[80, 'HTTP']]],
    ['with tls for an empty list', {}, '{hosts: []}', [[80, 'HTTP']]],
    ['with tls for hosts beside one without', {}, '{secretName: a}, {hosts: [a.com]}', [[443, 'HTTPS']]],
    [
      'with tls and a redirect',
      { 'ssl-redirect': 'true' },
      '{hosts: [a.com]}',
      [
        [80, 'HTTP'],
        [443, 'HTTPS'],
      ],
    ],
    ['with a redirect that is off', { 'ssl-redirect': 'false' }, '{hosts: [a.com]}', [[443, 'HTTPS']]],
    ['with text that is no JSON', { 'listen-ports': '[' }, '', [[80, 'HTTP']]],
    ['with no list', { 'listen-ports': '{"HTTP": 81}' }, '', [[80, 'HTTP']]],
    [
      'with ports that are none',
      { 'listen-ports': '[1, {"TCP": 81}, {"HTTP": "82"}, {"HTTP": 83}]' },
      '',
      [[83, 'HTTP']],
    ],
  ])('listen %s', (_, annotations, tls, expected) => {
    const text = ingress('web', annotations).replace('spec:', `spec:\n  tls: [${tls}]`);
    const [loadBalancer] = router.routes(worldOf(app('web'), text)).loadBalancers;
    expect(loadBalancer!.listeners.map(({ port, protocol }) => [port, protocol])).toEqual(expected);
  });

  it('belong to one ALB for each AlbConfig', () => {
    const classOf = (name: string) => `
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: ${name}}
spec: {controller: ingress.k8s.alibabacloud/alb, parameters: {apiGroup: alibabacloud.com, kind: AlbConfig, name: ${name}-config}}`;
    const second = ingress('b', { order: '1' }).replace('ingressClassName: alb', 'ingressClassName: other');
    const texts = [app('a'), app('b'), ingress('a', { order: '1' }), second, classOf('alb'), classOf('other')];
    const table = router.routes(worldOf(...texts));
    expect(table.loadBalancers.map(({ name }) => name)).toEqual(['alb-config', 'other-config']);
    expect(table.ignored).toEqual([]);
  });
});
