import { describe, expect, it } from 'vitest';
import { contourRouter } from '../../src/routers';
import { type Ask, app, ask, service, worldOf } from './stack';

const router = contourRouter();

function proxy(name: string, spec: string, { namespace = 'default' } = {}): string {
  return `apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: ${spec}`;
}

const root = (routes: string, more = '') => proxy('root', `{virtualhost: {fqdn: a.com}, routes: [${routes}]${more}}`);
const to = (name: string, conditions = '') =>
  `{services: [{name: ${name}, port: 80}]${conditions === '' ? '' : `, conditions: [${conditions}]`}}`;

const APPS = ['a', 'b', 'c'].map((name) => app(name));
const gets = (texts: readonly string[], request: Ask = {}) => ask(router, worldOf(...APPS, ...texts), request);
const ignored = (texts: readonly string[]) =>
  router.routes(worldOf(...APPS, ...texts)).ignored?.map(({ reason }) => reason);

describe('conditions of an HTTPProxy', () => {
  it.each<[string, string, Ask, boolean]>([
    ['prefix', '{prefix: /x}', { path: '/x/1' }, true],
    ['a prefix that ends within a name', '{prefix: /x}', { path: '/xy' }, true],
    ['exact', '{exact: /x}', { path: '/x/' }, false],
    ['exact, to the letter', '{exact: /x.y}', { path: '/xzy' }, false],
    ['regex, for the whole path', "{regex: '/v[0-9]+'}", { path: '/v1/x' }, false],
    ['header exact', '{header: {name: X-C, exact: v}}', { headers: { 'x-c': 'v' } }, true],
    ['header exact, another case', '{header: {name: x-c, exact: v}}', { headers: { 'x-c': 'V' } }, false],
    ['header, case ignored', '{header: {name: x-c, exact: v, ignoreCase: true}}', { headers: { 'x-c': 'V' } }, true],
    ['header notexact', '{header: {name: x-c, notexact: v}}', { headers: { 'x-c': 'w' } }, true],
    ['header notexact without the header', '{header: {name: x-c, notexact: v}}', {}, false],
    [
      'a missing header as an empty one, negated',
      '{header: {name: x-c, notexact: v, treatMissingAsEmpty: true}}',
      {},
      true,
    ],
    ['header contains', '{header: {name: x-c, contains: v}}', { headers: { 'x-c': 'uvw' } }, true],
    ['header notcontains', '{header: {name: x-c, notcontains: v}}', { headers: { 'x-c': 'uvw' } }, false],
    ['header present', '{header: {name: x-c, present: true}}', { headers: { 'x-c': '' } }, true],
    ['header notpresent', '{header: {name: x-c, notpresent: true}}', { headers: { 'x-c': '' } }, false],
    ['header regex', '{header: {name: x-c, regex: v+}}', { headers: { 'x-c': 'vv' } }, true],
    [
      'a missing header as an empty one, for a regex',
      '{header: {name: x-c, regex: v*, treatMissingAsEmpty: true}}',
      {},
      false,
    ],
    ['query exact', '{queryParameter: {name: q, exact: "1"}}', { query: { q: '1' } }, true],
    ['query prefix', '{queryParameter: {name: q, prefix: a}}', { query: { q: 'ab' } }, true],
    ['query suffix', '{queryParameter: {name: q, suffix: b}}', { query: { q: 'ab' } }, true],
    ['query regex', '{queryParameter: {name: q, regex: a}}', { query: { q: 'ab' } }, false],
    ['query present', '{queryParameter: {name: q, present: true}}', {}, false],
    ['AND', '{header: {name: h, exact: "1"}}, {header: {name: i, exact: "1"}}', { headers: { h: '1' } }, false],
  ])('%s', (_, conditions, request, matched) => {
    expect(gets([root(to('a', conditions))], request)).toBe(matched ? 'a' : '404');
  });
});

it('an HTTPProxy with a wrong condition has none of its routes, and the condition is named', () => {
  const texts = [root(`${to('a')}, ${to('b', '{prefix: /x}, {prefix: /y}')}`)];
  const { ignored } = router.routes(worldOf(...APPS, ...texts));
  expect(ignored?.map(({ manifest, path, reason }) => [manifest.name, path, reason])).toEqual([
    ['root', ['spec', 'routes', 1, 'conditions'], 'invalid-conditions'],
  ]);
  expect(gets(texts)).toBe('404');
});

it.each([
  ["{regex: '('}", 'the regex "(" is not valid'],
  ["{header: {name: h, regex: '('}}", 'the regex "(" is not valid'],
  ["{queryParameter: {name: q, regex: '('}}", 'the regex "(" is not valid'],
  ['{prefix: x}', 'the prefix "x" does not start with a slash'],
  ['{exact: x}', 'the exact "x" does not start with a slash'],
  ["{regex: 'x.*'}", undefined],
])('the condition %s makes an HTTPProxy invalid: %j', (condition, why) => {
  const { ignored = [] } = router.routes(worldOf(...APPS, root(to('a', condition))));
  expect(ignored.map((each) => each.why)).toEqual(
    why === undefined ? [] : [`${why}, so the whole HTTPProxy is invalid and none of its routes exists`],
  );
});

describe('which route wins', () => {
  it.each<[string, string, string, Ask]>([
    ['exact before regex', '{exact: /x}', "{regex: '/x'}", { path: '/x' }],
    ['regex before prefix', "{regex: '/x.*'}", '{prefix: /x/y/z}', { path: '/x/y/z' }],
    [
      'the longer prefix',
      '{prefix: /x/y}',
      '{prefix: /x}, {header: {name: h, exact: "1"}}',
      { path: '/x/y', headers: { h: '1' } },
    ],
    [
      'more headers',
      '{header: {name: h, exact: "1"}}',
      '{queryParameter: {name: q, exact: "1"}}',
      { headers: { h: '1' }, query: { q: '1' } },
    ],
    ['more query parameters', '{queryParameter: {name: q, exact: "1"}}', '', { query: { q: '1' } }],
  ])('%s', (_, first, second, request) => {
    expect(gets([root(`${to('b', second)}, ${to('a', first)}`)], request)).toBe('a');
  });

  it('is the last of equal routes', () => expect(gets([root(`${to('b')}, ${to('a', '{prefix: /}')}`)])).toBe('a'));
});

describe('services of an HTTPProxy', () => {
  it.each<[string, string, string]>([
    ['weights', '[{name: a, port: 80, weight: 80}, {name: b, port: 80, weight: 20}]', 'a 80%, b 20%'],
    ['no weights', '[{name: a, port: 80}, {name: b, port: 80}]', 'a 50%, b 50%'],
    ['one weight', '[{name: a, port: 80, weight: 1}, {name: b, port: 80}]', 'a 100%, b 0%'],
    ['a mirror', '[{name: a, port: 80}, {name: b, port: 80, mirror: true}]', 'a'],
    ['a missing Service, left out', '[{name: a, port: 80, weight: 50}, {name: x, port: 80, weight: 50}]', 'a'],
    ['only a missing Service', '[{name: x, port: 80}]', 'x (503 service-not-found)'],
    ['a missing port', '[{name: a, port: 81}]', 'a (503 port-not-found)'],
  ])('%s', (_, services, expected) => expect(gets([root(`{services: ${services}}`)])).toBe(expected));

  it.each<[string, string, string[]]>([
    ['{name: x, port: 80}', 'service-not-found', ['spec', 'routes', '0', 'services', '0']],
    ['{name: a, port: 81}', 'port-not-found', ['spec', 'routes', '0', 'services', '0']],
  ])('name what is left out: %s is %s', (wrong, reason, path) => {
    const table = router.routes(worldOf(...APPS, root(`{services: [${wrong}, {name: b, port: 80}]}`)));
    expect(table.ignored?.map((each) => [each.manifest.name, each.path?.map(String), each.reason, each.why])).toEqual([
      ['root', path, reason, expect.stringMatching(/, so the service is left out$/)],
    ]);
  });

  it('without pods answer 503', () => {
    expect(gets([service('e'), root('{services: [{name: a, port: 80}, {name: e, port: 80}]}')])).toBe(
      'a 50%, e 50% (503 no-pods)',
    );
  });

  it('can be a redirect or a direct response', () => {
    expect(gets([root('{requestRedirectPolicy: {hostname: b.com, statusCode: 301}}')])).toBe('redirect 301 b.com');
    expect(gets([root('{directResponsePolicy: {statusCode: 404, body: gone}}')])).toBe('404 gone');
  });
});

describe('virtual hosts', () => {
  it('are selected by name, with HTTPS if they have a certificate', () => {
    const tls = proxy(
      'root',
      `{virtualhost: {fqdn: a.com, tls: {secretName: s}}, routes: [${to('a')}, {services: [{name: b, port: 80}], conditions: [{prefix: /plain}], permitInsecure: true}]}`,
    );
    expect(gets([root(to('a'))], { host: 'b.com' })).toBe('404');
    expect(gets([root(to('a'))], { port: 443 })).toBe('404');
    expect(gets([tls])).toBe('redirect 301 HTTPS');
    expect(gets([tls], { path: '/plain' })).toBe('b');
    expect(gets([tls], { port: 443 })).toBe('a');
  });

  it('belong to neither of two proxies that claim them', () => {
    const texts = [root(to('a')), proxy('other', `{virtualhost: {fqdn: A.com}, routes: [${to('b')}]}`)];
    expect(gets(texts)).toBe('no load balancer');
    expect(ignored(texts)).toEqual(['host-taken', 'host-taken']);
  });

  it('include proxies, whose paths are added', () => {
    const include =
      ', includes: [{name: child, namespace: team, conditions: [{prefix: /x}, {header: {name: h, exact: "1"}}]}]';
    const child = proxy('child', `{routes: [${to('t', '{prefix: /1}')}, ${to('t')}]}`, { namespace: 'team' });
    const texts = [root(to('a'), include), child, app('t', 'team')];
    expect(gets(texts, { path: '/x/1', headers: { h: '1' } })).toBe('team/t');
    expect(gets(texts, { path: '/x', headers: { h: '1' } })).toBe('team/t');
    expect(gets(texts, { path: '/x' })).toBe('a');
    expect(gets(texts, { path: '/1', headers: { h: '1' } })).toBe('a');
  });

  it('ignore includes that do not exist or include themselves', () => {
    expect(ignored([root(to('a'), ', includes: [{name: none}]')])).toEqual(['include']);
    const loop = proxy('loop', `{includes: [{name: loop}], routes: [${to('b')}]}`);
    expect(ignored([root(to('a'), ', includes: [{name: loop, conditions: [{prefix: /l}]}]'), loop])).toEqual([
      'include',
    ]);
    expect(router.routes(worldOf(...APPS, loop)).unserved.map(({ name }) => name)).toEqual(['loop']);
  });

  it('can forward connections', () => {
    const text = proxy(
      'root',
      '{virtualhost: {fqdn: a.com, tls: {passthrough: true}}, tcpproxy: {services: [{name: a, port: 80, weight: 9}, {name: b, port: 80, weight: 1}]}}',
    );
    expect(gets([text], { port: 443 })).toBe('a 90%, b 10%');
  });
});
