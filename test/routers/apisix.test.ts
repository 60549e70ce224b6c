import { describe, expect, it } from 'vitest';
import { apisixRouter } from '../../src/routers';
import { type Ask, app, ask, deployment, service, worldOf } from './stack';

const router = apisixRouter();

function route(name: string, ...rules: readonly string[]): string {
  return `
apiVersion: apisix.apache.org/v2
kind: ApisixRoute
metadata: {name: ${name}}
spec:
  http: [${rules.join(', ')}]`;
}

const rule = (match: string, backends = '[{serviceName: a, servicePort: 80}]', more = '') =>
  `{name: r, match: {paths: ['/*'], ${match}}, backends: ${backends}${more}}`;

const APPS = ['a', 'b', 'c'].map((name) => app(name));
const gets = (texts: readonly string[], request: Ask = {}) => ask(router, worldOf(...APPS, ...texts), request);
const ignored = (texts: readonly string[]) =>
  router.routes(worldOf(...APPS, ...texts)).ignored?.map(({ reason }) => reason);
const B = '[{serviceName: b, servicePort: 80}]';

describe('expressions of an ApisixRoute', () => {
  it.each<[string, string, Ask, boolean]>([
    ['Equal', '{subject: {scope: Header, name: X-C}, op: Equal, value: v}', { headers: { 'x-c': 'v' } }, true],
    [
      'Equal, another case',
      '{subject: {scope: Header, name: X-C}, op: Equal, value: v}',
      { headers: { 'x-c': 'V' } },
      false,
    ],
    ['NotEqual', '{subject: {scope: Header, name: X-C}, op: NotEqual, value: v}', {}, true],
    ['GreaterThan', '{subject: {scope: Query, name: v}, op: GreaterThan, value: "9"}', { query: { v: '10' } }, true],
    [
      'GreaterThan, no number',
      '{subject: {scope: Query, name: v}, op: GreaterThan, value: "9"}',
      { query: { v: 'x' } },
      false,
    ],
    ['LessThanEqual', '{subject: {scope: Query, name: v}, op: LessThanEqual, value: "9"}', { query: { v: '9' } }, true],
    [
      'RegexMatch, anywhere',
      '{subject: {scope: Header, name: x-c}, op: RegexMatch, value: b+}',
      { headers: { 'x-c': 'abc' } },
      true,
    ],
    [
      'RegexMatch, another case',
      '{subject: {scope: Header, name: x-c}, op: RegexMatch, value: ^b}',
      { headers: { 'x-c': 'B' } },
      false,
    ],
    [
      'RegexMatchCaseInsensitive',
      '{subject: {scope: Header, name: x-c}, op: RegexMatchCaseInsensitive, value: ^b}',
      { headers: { 'x-c': 'B' } },
      true,
    ],
    [
      'RegexNotMatch without the header',
      '{subject: {scope: Header, name: x-c}, op: RegexNotMatch, value: b}',
      {},
      true,
    ],
    ['In', '{subject: {scope: Cookie, name: g}, op: In, set: [v, w]}', { headers: { cookie: 'g=w' } }, true],
    ['NotIn', '{subject: {scope: Cookie, name: g}, op: NotIn, set: [v, w]}', { headers: { cookie: 'g=w' } }, false],
    ['Path', '{subject: {scope: Path}, op: Equal, value: /p}', { path: '/p' }, true],
    ['Variable', '{subject: {scope: Variable, name: arg_v}, op: Equal, value: "1"}', { query: { v: '1' } }, true],
    [
      'Variable of a header',
      '{subject: {scope: Variable, name: http_x_c}, op: Equal, value: v}',
      { headers: { 'X-C': 'v' } },
      true,
    ],
    [
      'Variable of a cookie',
      '{subject: {scope: Variable, name: cookie_g}, op: Equal, value: w}',
      { headers: { cookie: 'f=v; g=w' } },
      true,
    ],
    ['Variable of the path', '{subject: {scope: Variable, name: uri}, op: Equal, value: /p}', { path: '/p' }, true],
    ['Variable of the host', '{subject: {scope: Variable, name: host}, op: Equal, value: a.com}', {}, true],
    [
      'Variable of the client',
      '{subject: {scope: Variable, name: remote_addr}, op: Equal, value: 10.0.0.1}',
      { sourceIp: '10.0.0.1' },
      true,
    ],
    ['a Variable that is not known', '{subject: {scope: Variable, name: x}, op: Equal, value: "1"}', {}, false],
    [
      'Variable of the method',
      '{subject: {scope: Variable, name: request_method}, op: Equal, value: PUT}',
      { method: 'PUT' },
      true,
    ],
  ])('%s', (_, expression, request, matched) => {
    expect(gets([route('r', rule(`exprs: [${expression}]`))], request)).toBe(matched ? 'a' : '404');
  });

  it('disable the whole ApisixRoute if they cannot be translated', () => {
    const texts = [route('r', rule(''), rule('exprs: [{subject: {scope: Headers, name: x}, op: Equal, value: v}]'))];
    expect(ignored(texts)).toEqual(['expression']);
    expect(gets(texts)).toBe('no load balancer');
    expect(ignored([route('r', rule('exprs: [{subject: {scope: Header, name: ""}, op: Equal, value: v}]'))])).toEqual([
      'expression',
    ]);
    for (const rest of ['op: Is, value: v', 'op: Equal', 'op: Equal, value: null', 'op: In', 'op: In, value: v']) {
      expect(ignored([route('r', rule(`exprs: [{subject: {scope: Header, name: x}, ${rest}}]`))])).toEqual([
        'expression',
      ]);
    }
  });

  it('of a body match no request without one', () => {
    const texts = [route('r', rule('exprs: [{subject: {scope: Body, name: model}, op: Equal, value: v}]'))];
    expect(ignored(texts)).toEqual([]);
    expect(gets(texts)).toBe('404');
  });

  it('in Lua code are not run', () => {
    expect(ignored([route('r', rule('filter_func: "return true"'))])).toEqual(['filter-func']);
  });
});

describe('which route wins', () => {
  it.each<[string, readonly string[], Ask, string]>([
    [
      'the higher priority of one path',
      [
        '{name: x, priority: 1, match: {paths: [/x]}, backends: [{serviceName: a, servicePort: 80}]}',
        '{name: y, priority: 2, match: {paths: [/x]}, backends: [{serviceName: b, servicePort: 80}]}',
      ],
      { path: '/x' },
      'b',
    ],
    [
      'the exact path, whatever the priority',
      [
        '{name: x, match: {paths: [/x]}, backends: [{serviceName: a, servicePort: 80}]}',
        `{name: y, priority: 9, match: {paths: ['/*']}, backends: ${B}}`,
      ],
      { path: '/x' },
      'a',
    ],
    ['the longer prefix', [rule(''), `{name: y, match: {paths: ['/x/*']}, backends: ${B}}`], { path: '/x/1' }, 'b'],
    [
      'a route of the host',
      [rule('', '[{serviceName: a, servicePort: 80}]', ', priority: 9'), rule('hosts: [a.com]', B)],
      {},
      'b',
    ],
    ['a route of the host before its wildcard', [rule("hosts: ['*.com']"), rule('hosts: [a.com]', B)], {}, 'b'],
    ['else a route of all hosts', [rule(''), rule('hosts: [a.com], methods: [POST]', B)], {}, 'a'],
    ['a star within a path', [`{name: y, match: {paths: ['/x/*/z']}, backends: ${B}}`], { path: '/x/1/2/z' }, 'b'],
    ['methods', [rule('methods: [POST]', B)], { method: 'POST' }, 'b'],
    ['addresses', [rule('remoteAddrs: [10.0.0.0/8]', B)], { sourceIp: '10.1.2.3' }, 'b'],
    ['one address', [rule('remoteAddrs: [10.0.0.1]', B)], { sourceIp: '10.0.0.2' }, '404'],
    ['nothing', [rule('hosts: [b.com]')], {}, '404'],
  ])('%s', (_, rules, request, expected) => expect(gets([route('r', ...rules)], request)).toBe(expected));
});

describe('backends of an ApisixRoute', () => {
  it.each<[string, string, string]>([
    [
      'weights',
      '[{serviceName: a, servicePort: 80, weight: 80}, {serviceName: b, servicePort: 80, weight: 20}]',
      'a 80%, b 20%',
    ],
    [
      '100 without a weight',
      '[{serviceName: a, servicePort: 80}, {serviceName: b, servicePort: 80, weight: 300}]',
      'a 25%, b 75%',
    ],
    ['one of the weight 0', '[{serviceName: a, servicePort: 80, weight: 0}]', 'a'],
    [
      'one of the weight 0 beside another',
      '[{serviceName: a, servicePort: 80, weight: 0}, {serviceName: b, servicePort: 80, weight: 1}]',
      'a 0%, b 100%',
    ],
    ['a named port', '[{serviceName: a, servicePort: http}]', 'a'],
    ['a missing Service, left out', '[{serviceName: x, servicePort: 80}, {serviceName: b, servicePort: 80}]', 'b'],
    ['a missing port, left out', '[{serviceName: a, servicePort: 81}, {serviceName: b, servicePort: 80}]', 'b'],
    ['nothing left', '[{serviceName: x, servicePort: 80}]', 'nowhere'],
  ])('%s', (_, backends, expected) => expect(gets([route('r', rule('', backends))])).toBe(expected));

  it('answer their share with 503 without pods', () => {
    const both = (first: string, second: string) =>
      route('r', rule('', `[{serviceName: ${first}, servicePort: 80}, {serviceName: ${second}, servicePort: 80}]`));
    expect(gets([service('e'), both('a', 'e')])).toBe('a 50%, e 50% (503 no-pods)');
    expect(gets([service('e'), both('e', 'a')])).toBe('e 50% (503 no-pods), a 50%');
  });

  it('can be external upstreams and subsets', () => {
    const upstream =
      'apiVersion: apisix.apache.org/v2\nkind: ApisixUpstream\nmetadata: {name: a}\nspec: {subsets: [{name: v2, labels: {version: v2}}]}';
    expect(
      gets([
        upstream,
        route(
          'r',
          rule('', '[{serviceName: a, servicePort: 80}]', ', upstreams: [{name: a, weight: 300}, {name: gone}]'),
        ),
      ]),
    ).toBe('a 25%, ApisixUpstream default/a 75%');
    const subset = route('r', rule('', '[{serviceName: a, servicePort: 80, subset: v2}]'));
    expect(gets([upstream, subset])).toBe('a:v2 (503 no-pods)');
    expect(gets([upstream, subset, deployment('a', 'default', ', version: v2').replace('name: a,', 'name: a2,')])).toBe(
      'a:v2',
    );
  });

  it('can be a redirect', () => {
    const plugin = (config: string) =>
      route(
        'r',
        rule(
          '',
          '[{serviceName: a, servicePort: 80}]',
          `, plugins: [{name: redirect, enable: true, config: ${config}}]`,
        ),
      );
    expect(gets([plugin('{http_to_https: true}')])).toBe('redirect 301 HTTPS');
    expect(gets([plugin('{http_to_https: true}')], { port: 443 })).toBe('a');
    expect(gets([plugin('{uri: /x, ret_code: 308}')])).toBe('redirect 308 /x');
  });

  it('are not served if their class is another', () => {
    expect(gets([route('r', rule('')).replace('spec:', 'spec:\n  ingressClassName: other')])).toBe('no load balancer');
  });
});
