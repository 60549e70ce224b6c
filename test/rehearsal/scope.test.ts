/** The part of a World that concerns a release. */
import { describe, expect, it } from 'vitest';
import { type JsonObject, Manifest, World } from '../../src/core';
import { Scopes } from '../../src/rehearsal/scope';
import type { Match } from '../../src/release';

const object = (apiVersion: string, kind: string, name: string, spec?: object, more: object = {}): Manifest =>
  Manifest.of({
    apiVersion,
    kind,
    metadata: { name, namespace: 'shop', ...more },
    ...(spec && { spec: spec as JsonObject }),
  } as JsonObject);
const service = (name: string, more?: object) => object('v1', 'Service', name, {}, more);
const path = (name: string, at = '/') => ({ path: at, pathType: 'Prefix', backend: { service: { name } } });
const ingress = (name: string, host: string | undefined, paths: readonly object[], more?: object) =>
  object(
    'networking.k8s.io/v1',
    'Ingress',
    name,
    { ingressClassName: 'nginx', rules: [{ ...(host && { host }), http: { paths } }] },
    more,
  );

const namespace = (name: string) => Manifest.of({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const className = Manifest.of({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name: 'nginx' },
  spec: { controller: 'k8s.io/ingress-nginx' },
});
const routed = (more: object = {}) => ({
  namespace: 'shop',
  stableService: 'web',
  canaryService: 'web-canary',
  objects: [],
  names: ['web'],
  ...more,
});
const namesOf = (manifests: readonly Manifest[]) => manifests.map(({ kind, name }) => `${kind} ${name}`).sort();
const scopeOf = (objects: readonly Manifest[], traffic = routed(), others: Manifest[] = [], matches: Match[] = []) =>
  namesOf(new Scopes(World.of(objects)).of(traffic, others, matches).manifests);

describe('the objects that concern a release', () => {
  const own = [service('web'), service('web-canary'), ingress('web', 'a.com', [path('web')])];

  it('are its Services, the routes to them, and what those lead to', () => {
    const both = ingress('web', 'a.com', [path('web'), path('api', '/api')]);
    const all = [service('web'), service('web-canary'), both, service('api'), service('far'), namespace('shop')];
    expect(scopeOf(all)).toEqual(['Ingress web', 'Namespace shop', 'Service api', 'Service web', 'Service web-canary']);
  });

  it('are those of its host, with their Services, and not those of others', () => {
    const others = [
      ingress('same', 'a.com', [path('blog', '/web')]),
      service('blog'),
      ingress('far', 'b.com', [path('far')]),
      service('far'),
    ];
    expect(scopeOf([...own, ...others])).toEqual([
      ...['Ingress same', 'Ingress web', 'Service blog', 'Service web', 'Service web-canary'],
    ]);
  });

  it('are also those of a wildcard over its host, and of any host', () => {
    const others = [
      ingress('wild', '*.a.com', [path('x')]),
      ingress('any', undefined, [path('x')]),
      ingress('above', 'a.com', [path('x')]),
      ingress('deep', '*.b.a.com', [path('x')]),
      ingress('beside', '*.c.com', [path('x')]),
    ];
    const mine = [service('web'), ingress('web', 'b.a.com', [path('web')])];
    expect(scopeOf([...mine, ...others])).toEqual(['Ingress any', 'Ingress web', 'Ingress wild', 'Service web']);
  });

  it('are those of its host in other namespaces, with their Namespaces', () => {
    const elsewhere = { namespace: 'blog' };
    const others = [ingress('blog', 'a.com', [path('blog')], elsewhere), service('blog', elsewhere), namespace('blog')];
    expect(scopeOf([...own, ...others])).toEqual([
      ...['Ingress blog', 'Ingress web', 'Namespace blog', 'Service blog', 'Service web', 'Service web-canary'],
    ]);
    // A Service of the same name in another namespace is another one.
    expect(scopeOf([...own, service('web', elsewhere)])).toEqual(['Ingress web', 'Service web', 'Service web-canary']);
  });

  it('are all IngressClasses, and what the release needs besides', () => {
    expect(scopeOf([...own, className], routed(), [object('apps/v1', 'Deployment', 'web', {})])).toEqual([
      ...['Deployment web', 'Ingress web', 'IngressClass nginx', 'Service web', 'Service web-canary'],
    ]);
    expect(namesOf(new Scopes(World.of([...own, className])).of(undefined).manifests)).toEqual(['IngressClass nginx']);
  });

  it('are the objects that it names, and what those name', () => {
    const named = object('v1', 'ConfigMap', 'own', { backend: 'api' });
    const objects = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'own' }];
    expect(scopeOf([...own, named, service('api')], routed({ objects }))).toContain('Service api');
    expect(scopeOf([...own, named, service('api')], routed({ objects }))).toContain('ConfigMap own');
    expect(scopeOf([...own, named, service('api')])).not.toContain('ConfigMap own');
  });

  it('are none of its host that take other paths, but for a few that say the same', () => {
    const at = (name: string, where: string, annotations?: object) =>
      ingress(name, 'a.com', [path('x', where)], annotations && { annotations });
    const mine = [service('web'), ingress('web', 'a.com', [path('web', '/web')])];
    const others = [1, 2, 3, 4, 5, 6, 7].map((index) => at(`other-${index}`, `/other-${index}`));
    const named = (...more: Manifest[]) => scopeOf([...mine, ...others, ...more]).filter((one) => /Ingress/.test(one));
    const four = [1, 2, 3, 4].map((index) => `Ingress other-${index}`);
    expect(named()).toEqual([...four, 'Ingress web']);
    expect(named(at('below', '/web/x'), at('above', '/'), at('beside', '/we'))).toEqual([
      ...['Ingress above', 'Ingress below', 'Ingress beside', 'Ingress other-1', 'Ingress web'],
    ]);
    expect(named(at('says-more', '/far', { a: 'b' }))).toContain('Ingress says-more');
    const match = (value: string, type?: 'RegularExpression'): Match => ({ path: { value, ...(type && { type }) } });
    const withMatch = (each: Match) => scopeOf([...mine, ...others], routed(), [], [each]);
    expect(withMatch(match('/other-7'))).toContain('Ingress other-7');
    expect(withMatch(match('/other-6'))).not.toContain('Ingress other-7');
    expect(withMatch({ headers: [{ name: 'x', value: '1' }] })).not.toContain('Ingress other-7');
    // An object that is no route takes no path.
    const objects = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'own' }];
    const config = object('v1', 'ConfigMap', 'own', {});
    expect(scopeOf([...mine, ...others, config], routed({ objects }))).not.toContain('Ingress other-7');
    // An expression may take any path.
    expect(withMatch(match('/o.*', 'RegularExpression'))).toContain('Ingress other-7');
  });

  it('are found though an object is broken', () => {
    const broken = [
      object('networking.k8s.io/v1', 'Ingress', 'none'),
      object('networking.k8s.io/v1', 'Ingress', 'odd', { rules: [null, 1, true, 'web'] }),
    ];
    expect(scopeOf([...own, ...broken])).toContain('Ingress odd');
  });

  it('are of one origin for releases that share their load balancer', () => {
    const scopes = new Scopes(World.of([...own, service('api'), ingress('api', 'a.com', [path('api')])]));
    const [one, two] = [scopes.of(routed()), scopes.of(routed({ stableService: 'api', names: ['api'] }))];
    expect(namesOf(one.manifests)).toEqual(namesOf(two.with(service('web-canary')).manifests));
  });
});

describe('the objects of a release', () => {
  const objectsOf = (objects: readonly Manifest[], more: object = {}) =>
    new Scopes(World.of(objects)).objectsOf(routed(more)).map(({ kind, name }) => `${kind} ${name}`);

  it('are its Services, the objects that it names, and the routes to its Services', () => {
    const all = [
      service('web'),
      service('web-canary'),
      ingress('one', 'a.com', [path('web')]),
      ingress('two', 'b.com', [path('web-canary')]),
      ingress('word', 'web.com', [path('api', '/web')]),
      object('v1', 'ConfigMap', 'named', {}),
    ];
    const names = ['web', 'web-canary'];
    expect(objectsOf(all, { names })).toEqual(['Service web', 'Service web-canary', 'Ingress one', 'Ingress two']);
    const objects = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'named' },
      { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'two' },
    ];
    expect(objectsOf(all, { names, objects })).toEqual([
      ...['Service web', 'Service web-canary', 'ConfigMap named', 'Ingress two', 'Ingress one'],
    ]);
    expect(objectsOf([], { names })).toEqual([]);
  });

  it('are routes that name a Service by its host, as a mesh does', () => {
    const virtualService = (name: string, host: string) =>
      object('networking.istio.io/v1', 'VirtualService', name, {
        hosts: ['a.com'],
        http: [{ route: [{ destination: { host } }] }],
      });
    const all = [
      virtualService('short', 'web'),
      virtualService('long', 'web.shop.svc.cluster.local'),
      virtualService('other', 'web.blog.svc'),
      virtualService('longer', 'web2.shop'),
    ];
    expect(objectsOf(all)).toEqual(['VirtualService long', 'VirtualService short']);
  });
});
