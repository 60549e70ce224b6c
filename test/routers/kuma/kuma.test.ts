import { describe, expect, it } from 'vitest';
import { kumaRouter, routeOf } from '../../../src/routers';
import { type Ask, app, ask, deployment, service, worldOf } from '../stack';

const router = kumaRouter();
const APPS = ['web', 'b', 'c'].map((name) => app(name));
const gets = (texts: readonly string[], request: Ask = {}) =>
  ask(router, worldOf(...APPS, ...texts), { loadBalancer: 'mesh', host: 'web', ...request });

function meshHttpRoute(
  name: string,
  rules: string,
  { to = '{kind: MeshService, name: web}', target = '{kind: Mesh}', more = '' } = {},
): string {
  return `
apiVersion: kuma.io/v1alpha1
kind: MeshHTTPRoute
metadata: {name: ${name}}
spec: {targetRef: ${target}, to: [{targetRef: ${to}, rules: ${rules}${more}}]}`;
}

const rule = (matches: string, refs: string) => `{matches: ${matches}, default: {backendRefs: ${refs}}}`;
const ref = (name: string, more = '') => `{kind: MeshService, name: ${name}, port: 80${more}}`;
const ALL = '[{path: {type: PathPrefix, value: /}}]';

describe('MeshHTTPRoute', () => {
  it('shows the rules of each service that it is for', () => {
    const route = meshHttpRoute('r', `[${rule(ALL, `[${ref('c')}]`)}]`, {
      more: `}, {targetRef: {kind: MeshService, name: b}, rules: [${rule('[{path: {type: Exact, value: /x}}]', `[${ref('c')}]`)}]`,
    });
    const mesh = router.routes(worldOf(...APPS, route)).loadBalancers.find(({ name }) => name === 'mesh')!;
    expect(mesh.listeners.find(({ port }) => port === 80)!.rules.map(({ path }) => path?.slice(0, 3))).toEqual([
      ['spec', 'to', 0],
      ['spec', 'to', 1],
    ]);
    expect(gets([route])).toBe('c');
    expect(gets([route], { host: 'b', path: '/x' })).toBe('c');
    expect(gets([route], { host: 'b' })).toBe('b');
  });

  it.each<[string, string, Ask, string]>([
    ['weights', `[${rule(ALL, `[${ref('web', ', weight: 80')}, ${ref('b', ', weight: 20')}]`)}]`, {}, 'web 80%, b 20%'],
    ['a weight left out', `[${rule(ALL, `[${ref('web')}, ${ref('b')}]`)}]`, {}, 'web 50%, b 50%'],
    ['weight 0, left out', `[${rule(ALL, `[${ref('web')}, ${ref('b', ', weight: 0')}]`)}]`, {}, 'web'],
    [
      'a header',
      `[${rule('[{headers: [{type: Exact, name: h, value: "1"}]}]', `[${ref('b')}]`)}]`,
      { headers: { H: '1' } },
      'b',
    ],
    [
      'what no rule takes',
      `[${rule('[{headers: [{type: Exact, name: h, value: "1"}]}]', `[${ref('b')}]`)}]`,
      {},
      'web',
    ],
    [
      'all headers of one name',
      `[${rule('[{headers: [{name: h, type: Prefix, value: a}, {name: h, type: RegularExpression, value: ".*z"}]}]', `[${ref('b')}]`)}]`,
      { headers: { h: 'ab' } },
      'web',
    ],
    [
      'a header that is there',
      `[${rule('[{headers: [{name: h, type: Present}]}]', `[${ref('b')}]`)}]`,
      { headers: { h: '' } },
      'b',
    ],
    ['a header that is not', `[${rule('[{headers: [{name: h, type: Absent}]}]', `[${ref('b')}]`)}]`, {}, 'b'],
    [
      'any path before a match without one',
      `[${rule('[{headers: [{type: Exact, name: h, value: "1"}]}]', `[${ref('b')}]`)}, ${rule(ALL, `[${ref('c')}]`)}]`,
      { headers: { H: '1' } },
      'c',
    ],
    [
      'the more specific match, whatever the order',
      `[${rule(ALL, `[${ref('c')}]`)}, ${rule('[{path: {type: Exact, value: /x}}]', `[${ref('b')}]`)}]`,
      { path: '/x' },
      'b',
    ],
    [
      'a rule without backends',
      '[{matches: [{path: {type: PathPrefix, value: /x}}], default: {}}]',
      { path: '/x' },
      'web',
    ],
    [
      'a redirect',
      '[{matches: [{}], default: {filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]}}]',
      {},
      'redirect 302 HTTPS',
    ],
    ['the tag as a name', `[${rule(ALL, '[{kind: MeshService, name: b_default_svc_80}]')}]`, {}, 'b'],
    ['a missing Service', `[${rule(ALL, `[${ref('x')}]`)}]`, {}, 'x (503 service-not-found)'],
    [
      'another kind',
      `[${rule(ALL, '[{kind: MeshExternalService, name: api}]')}]`,
      {},
      'MeshExternalService default/api',
    ],
  ])('%s', (_, rules, request, expected) => expect(gets([meshHttpRoute('r', rules)], request)).toBe(expected));

  it('is for its service, and for its port', () => {
    const rules = `[${rule(ALL, `[${ref('b')}]`)}]`;
    expect(gets([meshHttpRoute('r', rules)], { host: 'c' })).toBe('c');
    const tagged = meshHttpRoute('r', rules, { to: '{kind: MeshService, name: web_default_svc_9000}' });
    expect(gets([tagged])).toBe('web');
    expect(gets([tagged], { port: 9000 })).toBe('b');
    expect(gets([meshHttpRoute('r', rules)], { host: 'web_default_svc_80.mesh' })).toBe('b');
  });

  it('for certain clients replaces rules for all clients', () => {
    const all = meshHttpRoute(
      'a',
      `[${rule(ALL, `[${ref('b')}]`)}, ${rule('[{path: {type: Exact, value: /x}}]', `[${ref('b')}]`)}]`,
    );
    const some = meshHttpRoute('z', `[${rule(ALL, `[${ref('c')}]`)}]`, { target: '{kind: MeshService, name: client}' });
    expect(gets([all, some])).toBe('c');
    expect(gets([all, some], { path: '/x' })).toBe('b');
  });

  it('selects proxies of a service by tags', () => {
    const texts = [
      meshHttpRoute('r', `[${rule(ALL, '[{kind: MeshServiceSubset, name: b, port: 80, tags: {version: v2}}]')}]`),
    ];
    expect(gets(texts)).toBe('b:version=v2 (503 no-pods)');
    expect(gets([...texts, deployment('b', 'default', ', version: v2').replace('name: b,', 'name: b2,')])).toBe(
      'b:version=v2',
    );
  });

  it('of a gateway takes requests from outside', () => {
    const options = { target: '{kind: MeshGateway, name: edge}', to: '{kind: Mesh}', more: ', hostnames: [a.com]' };
    const texts = [...APPS, meshHttpRoute('r', `[${rule(ALL, `[${ref('b')}]`)}]`, options)];
    const at = (request: Ask, ...more: readonly string[]) =>
      ask(router, worldOf(...texts, ...more), { loadBalancer: 'edge', ...request });
    expect(at({})).toBe('b');
    expect(at({ host: 'b.com' })).toBe('404');
    expect(gets(texts.slice(3))).toBe('web');
    const gateway =
      "apiVersion: kuma.io/v1alpha1\nkind: MeshGateway\nmesh: default\nmetadata: {name: edge}\nspec: {conf: {listeners: [{port: 8080, protocol: HTTP, hostname: '*.com'}]}}";
    expect(at({ port: 8080 }, gateway)).toBe('b');
    expect(at({}, gateway)).toBe('nothing listens');
  });
});

describe('TrafficRoute', () => {
  const trafficRoute = (name: string, conf: string, destination = 'web_default_svc_80') => `
apiVersion: kuma.io/v1alpha1
kind: TrafficRoute
mesh: default
metadata: {name: ${name}}
spec:
  sources: [{match: {kuma.io/service: '*'}}]
  destinations: [{match: {kuma.io/service: '${destination}'}}]
  conf: ${conf}`;
  const tag = (name: string) => `{kuma.io/service: ${name}_default_svc_80}`;

  it.each<[string, string, Ask, string]>([
    ['a destination', `{destination: ${tag('b')}}`, {}, 'b'],
    ['the service asked for', "{destination: {kuma.io/service: '*'}}", {}, 'web'],
    [
      'a split',
      `{split: [{weight: 90, destination: ${tag('web')}}, {weight: 10, destination: ${tag('b')}}]}`,
      {},
      'web 90%, b 10%',
    ],
    [
      'a header',
      `{http: [{match: {headers: {h: {exact: "1"}}}, destination: ${tag('b')}}], destination: ${tag('web')}}`,
      { headers: { H: '1' } },
      'b',
    ],
    [
      'what is left',
      `{http: [{match: {headers: {h: {exact: "1"}}}, destination: ${tag('b')}}], destination: ${tag('web')}}`,
      {},
      'web',
    ],
    [
      'the first of the list',
      `{http: [{match: {path: {prefix: /}}, destination: ${tag('b')}}, {match: {path: {exact: /x}}, destination: ${tag('c')}}], destination: ${tag('web')}}`,
      { path: '/x' },
      'b',
    ],
    [
      'a prefix that ends within a name',
      `{http: [{match: {path: {prefix: /x}}, destination: ${tag('b')}}], destination: ${tag('web')}}`,
      { path: '/xy' },
      'b',
    ],
    [
      'an expression, for the whole path',
      `{http: [{match: {path: {regex: '/v[0-9]'}}, destination: ${tag('b')}}], destination: ${tag('web')}}`,
      { path: '/v1/x' },
      'web',
    ],
    [
      'a method',
      `{http: [{match: {method: {exact: PUT}}, destination: ${tag('b')}}], destination: ${tag('web')}}`,
      { method: 'PUT' },
      'b',
    ],
    ['a missing service', `{destination: ${tag('x')}}`, {}, 'x (503 service-not-found)'],
  ])('%s', (_, conf, request, expected) => expect(gets([trafficRoute('r', conf)], request)).toBe(expected));

  it('names the place of the entry that takes a request', () => {
    const conf = `{http: [{match: {path: {prefix: /x}}, destination: ${tag('b')}}], destination: ${tag('c')}}`;
    const mesh = router
      .routes(worldOf(...APPS, trafficRoute('r', conf)))
      .loadBalancers.find(({ name }) => name === 'mesh')!;
    const placeOf = (path: string) => routeOf(mesh, 80, { host: 'web', path })?.rule?.path;
    expect(placeOf('/x')).toEqual(['spec', 'conf', 'http', 0]);
    expect(placeOf('/')).toEqual(['spec', 'conf']);
  });

  it('for one service takes precedence over one for all', () => {
    const texts = [
      trafficRoute('a', `{destination: ${tag('b')}}`, '*'),
      trafficRoute('z', `{destination: ${tag('c')}}`),
    ];
    expect(gets(texts)).toBe('c');
    expect(gets(texts, { host: 'c' })).toBe('b');
  });

  it('yields to a MeshHTTPRoute', () => {
    expect(
      gets([trafficRoute('r', `{destination: ${tag('b')}}`), meshHttpRoute('m', `[${rule(ALL, `[${ref('c')}]`)}]`)]),
    ).toBe('c');
  });

  it('is optional', () => {
    expect(gets([])).toBe('web');
    expect(gets([service('e')], { host: 'e' })).toBe('e (503 no-pods)');
    expect(gets([], { host: 'example.org' })).toBe('example.org');
  });
});
