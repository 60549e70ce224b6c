/** Matches of HTTPRoutes and MeshHTTPRoutes, and their precedence in each dialect. */
import { describe, expect, it } from 'vitest';
import { gatewayApiRouter, istioRouter } from '../../src/routers';
import {
  compareRanks,
  compileMatches,
  type MatchDialect,
  type MatchOptions,
} from '../../src/routers/http-route/matches';
import { redirectAnswer } from '../../src/routers/http-route/redirect';
import { fqdnOf, resolveHost, serviceOf } from '../../src/routers/istio/names';
import {
  destinationOf,
  meshPorts,
  meshService,
  requestedMeshService,
  taggedService,
  tagOf,
} from '../../src/routers/kuma/services';
import { Services } from '../../src/routers/services';
import { app, service, worldOf } from './stack';

const compile = (match: object, options: MatchOptions = {}) => compileMatches([match] as never, options)[0]!;
const path = (value: string, type?: string) => ({ path: { value, ...(type === undefined ? {} : { type }) } });
const DIALECTS: readonly MatchDialect[] = ['envoy', 'istio', 'envoy-gateway', 'traefik'];

describe('a match', () => {
  it('without anything takes every request, in words', () => {
    expect(compileMatches(undefined).map(({ words }) => words)).toEqual(['path is under /']);
    expect(compileMatches([]).map(({ test }) => test({ host: '', path: '/x' }))).toEqual([true]);
    expect(compileMatches({} as never)).toHaveLength(1);
    expect(compileMatches([{}, {}])).toHaveLength(2);
  });

  it('keeps the first condition of a name, or all of them', () => {
    const match = {
      headers: [{ name: 'h', value: '1' }, { name: 'H', value: '2' }, { value: '3' }],
      queryParams: [
        { name: 'q', value: '1' },
        { name: 'q', value: '2' },
        { name: 'Q', value: '3' },
      ],
    };
    expect(compile(match).words).toBe(
      'path is under / and header h is "1" and header  is "3" and query parameter q is "1" and query parameter Q is "3"',
    );
    expect(compile(match, { repeatedHeaders: true }).words).toBe(
      'path is under / and header h is "1" and header H is "2" and header  is "3" and query parameter q is "1" and query parameter Q is "3"',
    );
  });

  it.each<[string, object, Readonly<Record<Exclude<MatchDialect, 'istio-1.30'>, boolean>>]>([
    [
      'a part of an expression of a path',
      { match: path('/v[0-9]', 'RegularExpression'), request: { path: '/v1x' } },
      { envoy: false, istio: false, 'envoy-gateway': false, traefik: true },
    ],
    [
      'a whole expression of a path',
      { match: path('/v[0-9]', 'RegularExpression'), request: { path: '/v1' } },
      { envoy: true, istio: true, 'envoy-gateway': true, traefik: true },
    ],
    [
      'an expression that is none',
      { match: path('(', 'RegularExpression'), request: { path: '(' } },
      { envoy: false, istio: false, 'envoy-gateway': false, traefik: false },
    ],
    [
      'a part of an expression of a header',
      {
        match: { headers: [{ name: 'h', type: 'RegularExpression', value: 'a+' }] },
        request: { headers: { h: 'xay' } },
      },
      { envoy: false, istio: false, 'envoy-gateway': false, traefik: true },
    ],
    [
      'an expression of a header that is none',
      { match: { headers: [{ name: 'h', type: 'RegularExpression', value: '(' }] }, request: { headers: { h: '(' } } },
      { envoy: false, istio: false, 'envoy-gateway': false, traefik: false },
    ],
    [
      'two slashes',
      { match: path('/a/b', 'Exact'), request: { path: '/a//b' } },
      { envoy: false, istio: false, 'envoy-gateway': true, traefik: true },
    ],
    [
      'the second value of a parameter',
      { match: { queryParams: [{ name: 'q', value: '2' }] }, request: { target: '/?q=1&q=2' } },
      { envoy: false, istio: false, 'envoy-gateway': false, traefik: true },
    ],
    [
      'an escape in a parameter',
      { match: { queryParams: [{ name: 'q', value: 'a b' }] }, request: { target: '/?q=a%20b' } },
      { envoy: false, istio: false, 'envoy-gateway': false, traefik: true },
    ],
    [
      'an escape in a path',
      { match: path('/a b', 'Exact'), request: { target: '/a%20b' } },
      { envoy: false, istio: false, 'envoy-gateway': false, traefik: true },
    ],
    [
      'two values of a header, joined by Envoy',
      { match: { headers: [{ name: 'accept', value: 'b' }] }, request: { repeatedHeaders: { accept: ['a', 'b'] } } },
      { envoy: false, istio: false, 'envoy-gateway': false, traefik: true },
    ],
    [
      'a method',
      { match: { method: 'PUT' }, request: { method: 'PUT' } },
      { envoy: true, istio: true, 'envoy-gateway': true, traefik: true },
    ],
    [
      'another method',
      { match: { method: 'PUT' }, request: {} },
      { envoy: false, istio: false, 'envoy-gateway': false, traefik: false },
    ],
  ])('takes %s', (_, given, expected) => {
    const { match, request } = given as { readonly match: object; readonly request: object };
    const taken = Object.fromEntries(
      DIALECTS.map((dialect) => [dialect, compile(match, { dialect }).test({ host: 'a', path: '/', ...request })]),
    );
    expect(taken).toEqual(expected);
  });

  it.each<[MatchDialect, string, boolean]>([
    ['istio', 'b', true],
    ['istio', 'a,b', false],
    ['istio-1.30', 'b', false],
    ['istio-1.30', 'a,b', true],
    ['traefik', 'b', true],
  ])('of %s takes two values of a header for %s: %s', (dialect, value, expected) => {
    const request = { host: 'a', path: '/', repeatedHeaders: { h: ['a', 'b'] } };
    expect(compile({ headers: [{ name: 'h', value }] }, { dialect }).test(request)).toBe(expected);
  });

  it.each<[string, string, object, boolean]>([
    ['Prefix', 'a', { h: 'ab' }, true],
    ['Prefix', 'a', { h: 'ba' }, false],
    ['Prefix', '', {}, false],
    ['Present', '', { h: '' }, true],
    ['Present', '', {}, false],
    ['Absent', '', {}, true],
    ['Absent', '', { h: 'a' }, false],
    ['Exact', 'a', { h: 'a' }, true],
    ['Exact', 'a', { h: 'ab' }, false],
    ['Other', 'a', { h: 'a' }, true],
  ])('on a header of the type %s with %j takes %j: %j', (type, value, headers, expected) => {
    expect(
      compile({ headers: [{ name: 'h', type, value }] }).test({ host: '', path: '/', headers: headers as never }),
    ).toBe(expected);
  });
});

describe('the precedence of matches', () => {
  const headers = (count: number, type = 'Exact') => ({
    headers: Array.from({ length: count }, (_, index) => ({ name: `h${index}`, value: 'v', type })),
  });
  const query = (count: number, type = 'Exact') => ({
    queryParams: Array.from({ length: count }, (_, index) => ({ name: `q${index}`, value: 'v', type })),
  });
  const order = (one: object, other: object, options: MatchOptions) => {
    const sign = Math.sign(compareRanks(compile(one, options).rank, compile(other, options).rank));
    expect(Math.sign(compareRanks(compile(other, options).rank, compile(one, options).rank))).toBe(
      sign === 0 ? 0 : -sign,
    );
    return sign === 0 ? 'equal' : sign < 0 ? 'first' : 'second';
  };

  it.each<[string, object, object, string[]]>([
    ['exact, prefix', path('/x', 'Exact'), path('/xxxx'), ['first', 'first', 'first', 'first']],
    ['exact, longer exact', path('/x', 'Exact'), path('/xx', 'Exact'), ['equal', 'equal', 'second', 'equal']],
    ['prefix, longer prefix', path('/x'), path('/xx'), ['second', 'second', 'second', 'second']],
    ['prefix, the same with a slash', path('/x'), path('/x/'), ['second', 'equal', 'second', 'second']],
    ['root, none', path('/'), {}, ['equal', 'equal', 'equal', 'equal']],
    ['root, an expression of it', path('/'), path('/', 'RegularExpression'), ['first', 'first', 'second', 'second']],
    ['root, two slashes', path('/'), path('//'), ['second', 'equal', 'second', 'second']],
    ['prefix, expression', path('/x'), path('/xxxx', 'RegularExpression'), ['first', 'first', 'second', 'second']],
    [
      'expression, longer expression',
      path('/x', 'RegularExpression'),
      path('/xx', 'RegularExpression'),
      ['second', 'second', 'second', 'second'],
    ],
    ['exact, expression', path('/x', 'Exact'), path('/xx', 'RegularExpression'), ['first', 'first', 'first', 'first']],
    ['method, headers', { method: 'GET' }, headers(2), ['first', 'first', 'second', 'first']],
    ['method, one header', { method: 'GET' }, headers(1), ['first', 'first', 'equal', 'first']],
    [
      'method, an expression of a header',
      { method: 'GET' },
      headers(1, 'RegularExpression'),
      ['first', 'first', 'first', 'first'],
    ],
    ['method, longer prefix', { ...path('/x'), method: 'GET' }, path('/xx'), ['second', 'second', 'second', 'first']],
    ['header, headers', headers(1), headers(2), ['second', 'second', 'second', 'second']],
    ['header, parameters', headers(1), query(9), ['first', 'first', 'first', 'first']],
    ['header, an expression', headers(1), headers(1, 'RegularExpression'), ['equal', 'equal', 'first', 'equal']],
    ['ten headers, a method', headers(10), { method: 'GET' }, ['second', 'second', 'first', 'equal']],
    ['parameter, parameters', query(1), query(2), ['second', 'second', 'second', 'second']],
    ['parameter, an expression', query(1), query(1, 'RegularExpression'), ['equal', 'equal', 'first', 'equal']],
    ['parameter, nothing', query(1), {}, ['first', 'first', 'first', 'first']],
  ])('%s', (_, one, other, expected) => {
    expect(DIALECTS.map((dialect) => order(one, other, { dialect }))).toEqual(expected);
  });

  it('puts a match without a path last where that is asked for', () => {
    const last = { pathlessLast: true };
    expect([
      order({ ...headers(2) }, path('/'), last),
      order(headers(2), path('/', 'RegularExpression'), last),
      order(headers(2), {}, last),
    ]).toEqual(['second', 'second', 'first']);
    expect(order(headers(2), path('/'), {})).toBe('first');
  });
});

it.each<[unknown, object]>([
  [undefined, { kind: 'redirect', statusCode: '302' }],
  [{}, { kind: 'redirect', statusCode: '302' }],
  [
    {
      scheme: 'https',
      hostname: 'a.com',
      port: 8443,
      statusCode: 301,
      path: { type: 'ReplaceFullPath', replaceFullPath: '/x' },
    },
    { kind: 'redirect', statusCode: '301', protocol: 'HTTPS', host: 'a.com', port: '8443', path: '/x' },
  ],
  [{ path: { replacePrefixMatch: '/y' } }, { kind: 'redirect', statusCode: '302', path: '/y' }],
  [
    { scheme: '', hostname: '', port: '1', path: {} },
    { kind: 'redirect', statusCode: '302' },
  ],
])('a redirect of %j answers', (redirect, expected) => expect(redirectAnswer(redirect as never)).toEqual(expected));

describe('names in Istio', () => {
  it.each([
    ['web', 'web.ns.svc.cluster.local'],
    ['WEB', 'web.ns.svc.cluster.local'],
    ['*', '*'],
    ['a.com', 'a.com'],
    ['*.A.com', '*.a.com'],
    ['', '.ns.svc.cluster.local'],
  ])('%j is %j', (host, expected) => expect(resolveHost(host, 'ns')).toBe(expected));

  it.each([
    ['web.ns.svc.cluster.local', { namespace: 'ns', name: 'web' }],
    ['web.svc.cluster.local', undefined],
    ['a.web.ns.svc.cluster.local', undefined],
    ['.ns.svc.cluster.local', undefined],
    ['web..svc.cluster.local', undefined],
    ['web.ns.svc', undefined],
    ['web.nssvc.cluster.local', undefined],
  ])('%j is the Service %j', (fqdn, expected) => {
    expect(serviceOf(fqdn)).toEqual(expected);
    if (expected !== undefined) expect(fqdnOf(expected)).toBe(fqdn);
  });
});

describe('services of Kuma', () => {
  it.each([
    ['web', { ref: { namespace: 'ns', name: 'web' }, port: undefined }],
    ['web_team_svc_80', { ref: { namespace: 'team', name: 'web' }, port: 80 }],
    ['my_web_team_svc_80', { ref: { namespace: 'team', name: 'my_web' }, port: 80 }],
    ['web_team_svc', { ref: { namespace: 'ns', name: 'web_team_svc' }, port: undefined }],
    ['web_svc_80', { ref: { namespace: 'ns', name: 'web_svc_80' }, port: undefined }],
    ['web_team_svc_80x', { ref: { namespace: 'ns', name: 'web_team_svc_80x' }, port: undefined }],
    ['_team_svc_80', { ref: { namespace: 'ns', name: '_team_svc_80' }, port: undefined }],
  ])('%s is %j', (name, expected) => expect(meshService(name, 'ns')).toEqual(expected));

  const world = worldOf(app('web'), service('web', 'team').replace('9000', '70'));
  const asked = { ref: { namespace: 'default', name: 'web' }, port: 80 };

  it('have tags, ports and the names by which clients ask', () => {
    expect(tagOf({ namespace: 'ns', name: 'web' }, 80)).toBe('web_ns_svc_80');
    expect(meshPorts(world)).toEqual([70, 80, 9000]);
    const of = (host: string, namespace?: string) =>
      requestedMeshService(world, { host, path: '/', ...(namespace && { source: { namespace } }) }, 81);
    expect(
      ['web', 'web.mesh', 'web_team_svc_70.mesh', 'web.team.svc.70.mesh', 'none', 'none.mesh', 'web.team'].map((host) =>
        of(host),
      ),
    ).toEqual([
      { ref: { namespace: 'default', name: 'web' }, port: 81 },
      { ref: { namespace: 'default', name: 'web' }, port: 81 },
      { ref: { namespace: 'team', name: 'web' }, port: 70 },
      { ref: { namespace: 'team', name: 'web' }, port: 70 },
      undefined,
      undefined,
      { ref: { namespace: 'team', name: 'web' }, port: 81 },
    ]);
    expect([of('web', 'team'), of('web', 'other')]).toEqual([
      { ref: { namespace: 'team', name: 'web' }, port: 81 },
      undefined,
    ]);
    expect([
      taggedService({ 'kuma.io/service': '*' }, asked, 'ns'),
      taggedService({}, asked, 'ns'),
      taggedService({ 'kuma.io/service': 'b' }, asked, 'ns'),
    ]).toEqual([asked, asked, { ref: { namespace: 'ns', name: 'b' }, port: undefined }]);
  });

  it('as destinations have the labels of tags that are not those of Kuma', () => {
    const services = new Services(world);
    const of = (tags: unknown, port?: number) => {
      const { workloads: _, unavailable: __, ...rest } = destinationOf(services, { ...asked, port }, 2, tags as never);
      return rest;
    };
    expect([
      of(undefined),
      of({ 'kuma.io/zone': 'z' }, 80),
      of({ a: 'b', 'kuma.io/zone': 'z', c: 'd', e: 5 }, 9000),
    ]).toEqual([
      { service: { namespace: 'default', name: 'web' }, weight: 2 },
      { service: { namespace: 'default', name: 'web' }, port: 80, weight: 2 },
      {
        service: { namespace: 'default', name: 'web' },
        port: 9000,
        subset: { name: 'a=b,c=d', labels: { a: 'b', c: 'd' } },
        weight: 2,
      },
    ]);
  });
});

it('objects of one load balancer are read together', () => {
  const names = (together: readonly (readonly { readonly name: string }[])[] | undefined) =>
    together?.map((each) => each.map(({ name }) => name));
  const virtualService = (name: string, gateways: string) =>
    `apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: ${name}}\nspec: {hosts: [a.com]${gateways}}`;
  const istio = worldOf(
    virtualService('a', ''),
    virtualService('b', ', gateways: [mesh, edge]'),
    virtualService('c', ', gateways: [./edge, other/edge]'),
  );
  expect(names(istioRouter().readTogether?.(istio))).toEqual([['a', 'b'], ['b', 'c'], ['c']]);
  const route = (kind: string, name: string, parents: string) =>
    `apiVersion: gateway.networking.k8s.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: {parentRefs: ${parents}}`;
  const gateways = worldOf(
    route('HTTPRoute', 'a', '[{name: edge}]'),
    route('GRPCRoute', 'b', '[{name: edge, kind: Gateway, namespace: default}]'),
    route('HTTPRoute', 'c', '[{name: edge, namespace: team}, {name: edge, kind: Service}, {}]'),
  );
  expect(names(gatewayApiRouter().readTogether?.(gateways))).toEqual([['a', 'b'], ['c'], ['c'], ['c']]);
});
