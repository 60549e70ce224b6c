/** Where routes of Traefik come from, what is left out of them, and their whole answers. */
import { describe, expect, it } from 'vitest';
import { traefikRouter } from '../../../src/routers';
import { app, service, worldOf } from '../stack';

const manifest = (kind: string, name: string, spec: string, namespace = 'default') =>
  `apiVersion: traefik.io/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: ${spec}`;
const routes = (...items: string[]) => manifest('IngressRoute', 'web', `{routes: [${items.join(', ')}]}`);
const route = (match: string, more = ', services: [{name: a, port: 80}]') => `{kind: Rule, match: '${match}'${more}}`;
const table = (...texts: string[]) => traefikRouter().routes(worldOf(app('a'), app('b'), ...texts));
const at = (path: string, port: number, texts: string[], more: object = {}) =>
  table(...texts)
    .loadBalancers[0]!.listeners.find((listener) => listener.port === port)!
    .route({ host: 'a.com', path, ...more });

describe('a route of an IngressRoute', () => {
  const texts = [
    routes(
      route('Host(`a.com`)'),
      route('Host(`a.com`) && Path(`/é`)', ', priority: 7, services: [{name: b, port: 80}]'),
    ),
  ];

  it('has its place and its words', () => {
    expect(at('/', 80, texts)).toMatchObject({
      rule: { description: 'IngressRoute default/web, priority 13: Host(`a.com`)', path: ['spec', 'routes', 0] },
      isDefault: false,
      answer: {
        kind: 'services',
        destinations: [{ service: { namespace: 'default', name: 'a' }, port: 80, share: 1 }],
      },
    });
    expect(at('/', 80, texts).rule!.manifest.name).toBe('web');
  });

  it('has a priority of bytes, not of characters', () => {
    const { rule } = at('/é', 80, [routes(route('Host(`a.com`) && Path(`/é`)'))]);
    expect(rule!.description).toBe('IngressRoute default/web, priority 28: Host(`a.com`) && Path(`/é`)');
  });

  it('is tried on each entry point in the order of ports, and 404 is the rest', () => {
    const { loadBalancers, unserved, ignored } = table(...texts);
    expect(loadBalancers.map(({ name, members }) => [name, members.map((each) => each.name)])).toEqual([
      ['traefik', ['web']],
    ]);
    expect(
      loadBalancers[0]!.listeners.map(({ port, protocol, rules }) => [
        port,
        protocol,
        rules.map(({ path }) => path[2]),
      ]),
    ).toEqual([
      [80, 'HTTP', [0, 1]],
      [443, 'HTTPS', [0, 1]],
    ]);
    expect({ unserved, ignored }).toEqual({ unserved: [], ignored: [] });
    expect(at('/', 80, texts, { host: 'b.com' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404' },
      isDefault: true,
    });
  });

  it('passes over the rules before', () => {
    const [listener] = table(routes(route('Host(`a.com`)'), route('Host(`a.com`) && Path(`/x`)'))).loadBalancers[0]!
      .listeners;
    expect(listener!.passedOver!({ host: 'a.com', path: '/' }).map(({ rule }) => rule.path)).toEqual([
      ['spec', 'routes', 1],
    ]);
  });
});

describe('what makes no route', () => {
  const ignored = (...texts: string[]) =>
    table(...texts).ignored!.map(({ path, reason, why }) => ({ path: path!.join('.'), reason, why }));

  it.each<[string, string, string]>([
    [', services: [{name: x, port: 80}]', 'service-not-found', 'Service default/x does not exist'],
    [', services: [{name: a, port: 81}]', 'port-not-found', 'Service default/a has no port 81'],
    [', services: [{name: a}]', 'route-dropped', 'the service a has no port, and Traefik takes none from the Service'],
    ['', 'route-dropped', 'the route has no services'],
    [
      ', services: [{name: t, kind: TraefikService}]',
      'route-dropped',
      'TraefikService default/t has neither weighted nor mirroring',
    ],
    [
      ', services: [{name: t, kind: TraefikService, namespace: other}]',
      'route-dropped',
      'service other/t is in another namespace, which allowCrossNamespace would have to allow',
    ],
    [
      ', services: [{name: a, port: 80}], middlewares: [{name: absent}]',
      'route-dropped',
      'Middleware default/absent does not exist',
    ],
  ])('with %s: %s', (more, reason, why) => {
    const others = [manifest('TraefikService', 't', '{}'), manifest('Middleware', 'm', '{}')];
    expect(ignored(...others, routes(route('Host(`b.com`)'), route('Host(`a.com`)', more)))).toEqual([
      { path: 'spec.routes.1', reason, why },
    ]);
  });

  it('is the earlier of two equal rules', () => {
    expect(ignored(routes(route('Host(`a.com`)'), route('Host(`b.com`)'), route('Host(`a.com`)')))).toEqual([
      { path: 'spec.routes.0', reason: 'route-replaced', why: 'routes[2] has the same match and replaces it' },
    ]);
  });

  it('is a rule that cannot be read; an IngressRoute without others serves nothing', () => {
    const text = routes(route('Host('));
    expect(ignored(text)[0]!.why).toMatch(/^the rule Host\( cannot be read: /);
    const { loadBalancers, unserved } = table(text);
    expect([loadBalancers[0]!.members, unserved.map(({ name }) => name)]).toEqual([[], ['web']]);
  });

  it('without manifests is no load balancer', () => {
    expect(table().loadBalancers).toEqual([]);
  });

  it.each([
    ['of another provider', '{name: auth@file}'],
    ['of a namespace without Middlewares in the stack', '{name: auth, namespace: other}'],
  ])('is not a route with a Middleware %s', (_, middleware) => {
    const more = `, services: [{name: a, port: 80}], middlewares: [${middleware}]`;
    expect(ignored(manifest('Middleware', 'm', '{}'), routes(route('Host(`a.com`)', more)))).toEqual([]);
  });
});

describe('a redirect', () => {
  const by = (spec: string, more: object = {}, path = '/x') =>
    at(
      path,
      80,
      [
        manifest('Middleware', 'm', spec),
        routes(route('Host(`a.com`)', ', services: [{name: a, port: 80}], middlewares: [{name: m}]')),
      ],
      more,
    ).answer;

  it.each<[string, object, object]>([
    ['{redirectScheme: {scheme: https}}', {}, { kind: 'redirect', statusCode: '302', protocol: 'HTTPS' }],
    [
      '{redirectScheme: {scheme: https, permanent: true, port: "8443"}}',
      { method: 'POST' },
      { kind: 'redirect', statusCode: '308', protocol: 'HTTPS', port: '8443' },
    ],
    [
      '{redirectRegex: {regex: "^http://a.com/.*", replacement: "https://b.com/"}}',
      {},
      { kind: 'redirect', statusCode: '302', location: 'https://b.com/' },
    ],
    [
      '{redirectRegex: {regex: "^http://a.com/x$", replacement: "https://b.com/", permanent: true}}',
      { method: 'PUT' },
      { kind: 'redirect', statusCode: '308', location: 'https://b.com/' },
    ],
    [
      '{redirectRegex: {regex: "^http://a.com/(.*)", replacement: "https://b.com/$1"}}',
      {},
      { kind: 'redirect', statusCode: '302', location: 'what redirectRegex makes of the URL: https://b.com/$1' },
    ],
    [
      '{redirectRegex: {regex: "a.com", replacement: "b.com"}}',
      {},
      { kind: 'redirect', statusCode: '302', location: 'what redirectRegex makes of the URL: b.com' },
    ],
  ])('of %s for %j is %j', (spec, more, answer) => {
    expect(by(spec, more)).toEqual(answer);
  });

  it('of the scheme of the request is none, and so is another middleware', () => {
    for (const spec of ['{redirectScheme: {scheme: http}}', '{redirectScheme: {}}', '{headers: {}}', '{}'])
      expect(by(spec).kind).toBe('services');
  });
});

describe('what stands behind a route', () => {
  const answer = (services: string, ...others: string[]) =>
    at('/', 80, [...others, routes(route('Host(`a.com`)', `, services: ${services}`))]).answer;
  const weights = (services: string, ...others: string[]) => {
    const found = answer(services, ...others);
    return (
      found.kind === 'services' &&
      found.destinations.map(({ service, weight, share }) => [service?.name, weight, share])
    );
  };

  it('has the weights of its services, and none below zero', () => {
    expect(weights('[{name: a, port: 80, weight: 3}, {name: b, port: 80, weight: 1}]')).toEqual([
      ['a', 3, 0.75],
      ['b', 1, 0.25],
    ]);
    expect(weights('[{name: a, port: 80, weight: -1}, {name: b, port: 80, weight: 1}]')).toEqual([
      ['a', 0, 0],
      ['b', 1, 1],
    ]);
  });

  it('is a TraefikService with one service of weight 0, which gets nothing', () => {
    const weighted = manifest('TraefikService', 't', '{weighted: {services: [{name: a, port: 80, weight: 0}]}}');
    expect(weights('[{name: t, kind: TraefikService}]', weighted)).toEqual([['a', 0, 0]]);
    const both = '[{name: t, kind: TraefikService, weight: 1}, {name: b, port: 80, weight: 1}]';
    expect(weights(both, weighted)).toEqual([
      ['a', 0, 0],
      ['b', 1, 1],
    ]);
  });

  it.each([
    ['[{name: a, port: 80, sticky: {cookie: {}}}, {name: b, port: 80}]', true],
    ['[{name: a, port: 80}, {name: b, port: 80}]', false],
    ['[{name: t, kind: TraefikService}]', true],
    ['[{name: u, kind: TraefikService}]', false],
  ])('of %s is sticky: %s', (services, sticky) => {
    const two = 'services: [{name: a, port: 80}, {name: b, port: 80}]';
    const others = [
      manifest('TraefikService', 't', `{weighted: {${two}, sticky: {cookie: {}}}}`),
      manifest('TraefikService', 'u', `{weighted: {${two}}}`),
    ];
    const found = answer(services, ...others);
    expect(found.kind === 'services' && found.sticky).toBe(sticky);
  });

  it('answers 503 without pods', () => {
    expect(answer('[{name: e, port: 80}]', service('e'))).toMatchObject({
      destinations: [{ service: { name: 'e' }, unavailable: { reason: 'no-pods', statusCode: '503' } }],
    });
  });
});
