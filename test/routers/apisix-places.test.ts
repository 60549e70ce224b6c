import { describe, expect, it } from 'vitest';
import { apisixRouter } from '../../src/routers';
import { app, ask, worldOf } from './stack';
import { answered, ignoredBy, routed, tableOf } from './tables';

const router = apisixRouter();

function route(name: string, http: string, more = ''): string {
  return `apiVersion: apisix.apache.org/v2\nkind: ApisixRoute\nmetadata: {name: ${name}}\nspec: {http: [${http}]${more}}`;
}

const TO_A = '[{serviceName: a, servicePort: 80}]';
const rule = (match: string, { backends = TO_A, more = '' } = {}) =>
  `{name: r, match: {${match}}, backends: ${backends}${more}}`;
const expression = (text: string) => rule(`paths: ['/*'], exprs: [${text}]`);
const plugin = (config: string, enable = 'true') =>
  rule("paths: ['/*']", { more: `, plugins: [{name: redirect, enable: ${enable}, config: ${config}}]` });

const APPS = [app('a'), app('b')];

describe('the routes of APISIX', () => {
  it('have the place of their rule and its conditions in words, on both ports', () => {
    const exprs = [
      '{subject: {scope: Header, name: X-C}, op: Equal, value: v}',
      '{subject: {scope: Cookie, name: g}, op: In, set: [v, w]}',
      '{subject: {scope: Path}, op: RegexMatch, value: ^/x}',
    ];
    const first = route(
      'one',
      `${rule("paths: ['/*', /x]")}, {match: {exprs: [${exprs.join(', ')}]}}, ${rule('hosts: [b.com], paths: [/y]')}`,
    );
    expect(tableOf(router, ...APPS, first, route('two', rule('paths: [/]')))).toEqual([
      'apisix: one, two',
      '- HTTP on 80',
      '  one spec.http[0]: ApisixRoute default/one rule r: /* or /x',
      '  one spec.http[1]: ApisixRoute default/one rule 1: no path and header X-C Equal "v" and cookie g In "v, w" and path RegexMatch "^/x"',
      '  one spec.http[2]: ApisixRoute default/one rule r: /y',
      '  two spec.http[0]: ApisixRoute default/two rule r: /',
      '- HTTPS on 443',
      '  one spec.http[0]: ApisixRoute default/one rule r: /* or /x',
      '  one spec.http[1]: ApisixRoute default/one rule 1: no path and header X-C Equal "v" and cookie g In "v, w" and path RegexMatch "^/x"',
      '  one spec.http[2]: ApisixRoute default/one rule r: /y',
      '  two spec.http[0]: ApisixRoute default/two rule r: /',
    ]);
  });

  it('are told with the whole answer', () => {
    const texts = [
      ...APPS,
      route(
        'one',
        `${rule("paths: ['/*']")}, ${rule('paths: [/x]', { backends: '[{serviceName: b, servicePort: http, weight: 0}]' })}`,
      ),
    ];
    expect(routed(router, texts, { path: '/x' })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'b' },
            port: 'http',
            weight: 1,
            share: 1,
            workloads: ['Deployment b'],
          },
        ],
        sticky: false,
      },
      rule: 'one spec.http[1]: ApisixRoute default/one rule r: /x',
      isDefault: false,
      passedOver: [],
    });
    expect(routed(router, texts, { path: '/y' })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'a' }, port: 80, weight: 1, share: 1, workloads: ['Deployment a'] },
        ],
        sticky: false,
      },
      rule: 'one spec.http[0]: ApisixRoute default/one rule r: /*',
      isDefault: false,
      passedOver: [],
    });
    expect(routed(router, [...APPS, route('one', rule('paths: [/x]'))], { path: '/y' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404' },
      rule: undefined,
      isDefault: true,
      passedOver: [],
    });
    expect(
      routed(router, [...APPS, route('one', `${rule('paths: [/x], methods: [PUT]')}, ${rule("paths: ['/*']")}`)], {
        path: '/x',
      }),
    ).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'a' }, port: 80, weight: 1, share: 1, workloads: ['Deployment a'] },
        ],
        sticky: false,
      },
      rule: 'one spec.http[1]: ApisixRoute default/one rule r: /*',
      isDefault: false,
      passedOver: ['ApisixRoute default/one rule r: /x: not told'],
    });
  });

  it('belong to the class of the gateway', () => {
    const texts = [
      ...APPS,
      route('plain', rule('paths: [/a]')),
      route('named', rule('paths: [/b]'), ', ingressClassName: apisix'),
      route('other', rule('paths: [/c]'), ', ingressClassName: x'),
    ];
    const names = (of: typeof router) =>
      of
        .routes(worldOf(...texts))
        .loadBalancers.map(({ name, members }) => [name, ...members.map((each) => each.name)]);
    expect(names(router)).toEqual([['apisix', 'named', 'plain']]);
    expect(names(apisixRouter({ ingressClass: 'x' }))).toEqual([['apisix', 'other', 'plain']]);
  });
});

describe('what APISIX leaves out', () => {
  it.each<[string, string, string[]]>([
    [
      'a scope that it does not have',
      expression('{subject: {scope: Headers, name: x}, op: Equal, value: v}'),
      [
        'ignored: r spec.http[0].match.exprs[0], expression: subject.scope is "Headers", and must be one of Header, Query, Cookie, Path, Variable, Body',
      ],
    ],
    [
      'no subject',
      expression('{op: Equal, value: v}'),
      [
        'ignored: r spec.http[0].match.exprs[0], expression: subject.scope is "", and must be one of Header, Query, Cookie, Path, Variable, Body',
      ],
    ],
    [
      'a header without a name',
      expression('{subject: {scope: Header}, op: Equal, value: v}'),
      ['ignored: r spec.http[0].match.exprs[0], expression: subject.name is empty'],
    ],
    [
      'an operator that it does not have',
      expression('{subject: {scope: Path}, op: Is, value: v}'),
      [
        'ignored: r spec.http[0].match.exprs[0], expression: op is "Is", and must be one of Equal, NotEqual, GreaterThan, GreaterThanEqual, LessThan, LessThanEqual, RegexMatch, RegexMatchCaseInsensitive, RegexNotMatch, RegexNotMatchCaseInsensitive, In, NotIn',
      ],
    ],
    [
      'an operator that objects have',
      expression('{subject: {scope: Path}, op: toString, value: v}'),
      [
        'ignored: r spec.http[0].match.exprs[0], expression: op is "toString", and must be one of Equal, NotEqual, GreaterThan, GreaterThanEqual, LessThan, LessThanEqual, RegexMatch, RegexMatchCaseInsensitive, RegexNotMatch, RegexNotMatchCaseInsensitive, In, NotIn',
      ],
    ],
    [
      'no operator',
      expression('{subject: {scope: Path}, value: v}'),
      [
        'ignored: r spec.http[0].match.exprs[0], expression: op is "", and must be one of Equal, NotEqual, GreaterThan, GreaterThanEqual, LessThan, LessThanEqual, RegexMatch, RegexMatchCaseInsensitive, RegexNotMatch, RegexNotMatchCaseInsensitive, In, NotIn',
      ],
    ],
    [
      'a comparison with nothing',
      expression('{subject: {scope: Path}, op: Equal}'),
      ['ignored: r spec.http[0].match.exprs[0], expression: value is missing, which Equal needs'],
    ],
    [
      'a comparison with a set',
      expression('{subject: {scope: Path}, op: Equal, set: [v]}'),
      ['ignored: r spec.http[0].match.exprs[0], expression: value is missing, which Equal needs'],
    ],
    [
      'a set without a set',
      expression('{subject: {scope: Path}, op: In, value: v}'),
      ['ignored: r spec.http[0].match.exprs[0], expression: set is missing, which In needs'],
    ],
    [
      'none of a set without a set',
      expression('{subject: {scope: Path}, op: NotIn, value: v}'),
      ['ignored: r spec.http[0].match.exprs[0], expression: set is missing, which NotIn needs'],
    ],
    [
      'the second expression of the second rule',
      `${rule('paths: [/x]')}, ${expression('{subject: {scope: Path}, op: Equal, value: v}, {subject: {scope: Path}, op: Is}')}`,
      [
        'ignored: r spec.http[1].match.exprs[1], expression: op is "Is", and must be one of Equal, NotEqual, GreaterThan, GreaterThanEqual, LessThan, LessThanEqual, RegexMatch, RegexMatchCaseInsensitive, RegexNotMatch, RegexNotMatchCaseInsensitive, In, NotIn',
      ],
    ],
    [
      'code',
      rule('paths: [/x], filter_func: "return true"'),
      [
        'ignored: r spec.http[0].match.filter_func, filter-func: a filter_func is code and is not run here: the route is assumed to match without it',
      ],
    ],
    [
      'a backend without a Service',
      rule('paths: [/x]', { backends: '[{serviceName: a, servicePort: 80}, {serviceName: x, servicePort: 80}]' }),
      [
        'ignored: r spec.http[0].backends[1], service-not-found: Service default/x does not exist, so the backend is left out',
      ],
    ],
    [
      'a backend without a port',
      rule('paths: [/x]', { backends: '[{serviceName: a, servicePort: 81}]' }),
      [
        'ignored: r spec.http[0].backends[0], port-not-found: Service default/a has no port 81, so the backend is left out',
      ],
    ],
    [
      'a backend without a name',
      rule('paths: [/x]', { backends: '[{servicePort: 81}]' }),
      [
        'ignored: r spec.http[0].backends[0], service-not-found: Service default/ does not exist, so the backend is left out',
      ],
    ],
  ])('%s', (_, http, expected) => expect(ignoredBy(router, ...APPS, route('r', http))).toEqual(expected));

  it.each([
    'Equal',
    'NotEqual',
    'GreaterThan',
    'GreaterThanEqual',
    'LessThan',
    'LessThanEqual',
    'RegexMatch',
    'RegexMatchCaseInsensitive',
    'RegexNotMatch',
    'RegexNotMatchCaseInsensitive',
  ])('nothing of %s with a value', (op) => {
    expect(
      ignoredBy(router, ...APPS, route('r', expression(`{subject: {scope: Path}, op: ${op}, value: ""}`))),
    ).toEqual([]);
  });

  it.each(['Header', 'Query', 'Cookie', 'Variable', 'Body'])('nothing of the scope %s with a name', (scope) => {
    expect(
      ignoredBy(router, ...APPS, route('r', expression(`{subject: {scope: ${scope}, name: h}, op: In, set: []}`))),
    ).toEqual([]);
  });

  it('an ApisixRoute with one wrong expression, and no other', () => {
    const wrong = route('wrong', `${rule('paths: [/x]')}, ${expression('{subject: {scope: Path}, op: Is}')}`);
    expect(tableOf(router, ...APPS, wrong, route('right', rule('paths: [/x]')))).toEqual([
      'apisix: right',
      '- HTTP on 80',
      '  right spec.http[0]: ApisixRoute default/right rule r: /x',
      '- HTTPS on 443',
      '  right spec.http[0]: ApisixRoute default/right rule r: /x',
      'unserved: wrong',
      'ignored: wrong spec.http[1].match.exprs[0], expression: op is "Is", and must be one of Equal, NotEqual, GreaterThan, GreaterThanEqual, LessThan, LessThanEqual, RegexMatch, RegexMatchCaseInsensitive, RegexNotMatch, RegexNotMatchCaseInsensitive, In, NotIn',
    ]);
  });
});

describe('expressions of APISIX', () => {
  const takes = (text: string, request: object) =>
    ask(router, worldOf(...APPS, route('r', expression(text))), request) === 'a';
  const query = (op: string, value: string) => `{subject: {scope: Query, name: v}, op: ${op}, value: "${value}"}`;

  it.each<[string, string, readonly string[], readonly string[]]>([
    ['GreaterThan', '9', ['10', '9.5', ' 10 '], ['9', '8', '', 'x', ' ']],
    ['GreaterThanEqual', '9', ['9', '10', '9.0'], ['8', '8.9', '', 'x']],
    ['LessThan', '9', ['8', '-1', '0'], ['9', '10', '', 'x', ' ']],
    ['LessThanEqual', '9', ['9', '8'], ['9.1', '10', '', 'x']],
    ['GreaterThan', 'x', [], ['1', 'y', '']],
    ['LessThan', '', [], ['-1', '']],
    ['Equal', '', [''], ['x']],
    ['NotEqual', 'a', ['b', ''], ['a']],
    ['RegexMatch', '^b', ['b', 'bc'], ['B', 'ab', '']],
    ['RegexMatchCaseInsensitive', '^b', ['b', 'BC'], ['ab', '']],
    ['RegexNotMatch', '^b', ['B', 'ab', ''], ['b']],
    ['RegexNotMatchCaseInsensitive', '^b', ['ab', ''], ['b', 'B']],
    ['RegexMatch', '(', [], ['(', '']],
    ['RegexNotMatch', '(', ['(', ''], []],
  ])('%s %j takes %j, and not %j', (op, value, taken, left) => {
    expect(taken.filter((v) => !takes(query(op, value), { query: { v } }))).toEqual([]);
    expect(left.filter((v) => takes(query(op, value), { query: { v } }))).toEqual([]);
  });

  it.each<[string, boolean]>([
    [query('Equal', ''), false],
    [query('NotEqual', 'a'), true],
    [query('GreaterThan', '-1'), false],
    [query('LessThanEqual', '1'), false],
    [query('RegexMatch', '.*'), false],
    [query('RegexNotMatch', 'a'), true],
    [query('RegexNotMatchCaseInsensitive', 'a'), true],
    ['{subject: {scope: Query, name: v}, op: In, set: [a]}', false],
    ['{subject: {scope: Query, name: v}, op: NotIn, set: [a]}', true],
  ])('%s without the parameter: %j', (text, taken) => expect(takes(text, {})).toBe(taken));

  it.each<[string, object, object]>([
    ['arg_v', { query: { v: '1' } }, { query: { w: '1' } }],
    ['http_x_c', { headers: { 'X-C': '1' } }, { headers: { x_c: '1' } }],
    ['cookie_g', { headers: { cookie: 'g=1' } }, { headers: { cookie: 'h=1' } }],
    ['uri', { path: '/1' }, { path: '/2' }],
    ['host', { host: '1' }, { host: '2' }],
    ['request_method', { method: '1' }, {}],
    ['remote_addr', { sourceIp: '1' }, {}],
  ])('the variable %s', (name, taken, left) => {
    const text = `{subject: {scope: Variable, name: ${name}}, op: Equal, value: "${name === 'uri' ? '/1' : '1'}"}`;
    expect([takes(text, taken), takes(text, left)]).toEqual([true, false]);
  });

  it('with a part that is not modelled make the answer unknown', () => {
    const repeated = '{subject: {scope: Path}, op: RegexMatch, value: "(a)\\\\1"}';
    expect(routed(router, [...APPS, route('r', expression(repeated))])).toEqual({
      answer: {
        kind: 'unknown',
        why: 'the regular expression "(a)\\\\1" has a part that is not modelled, such as a back-reference',
      },
      rule: 'r spec.http[0]: ApisixRoute default/r rule r: /* and path RegexMatch "(a)\\1"',
      isDefault: false,
      passedOver: [],
    });
    const equal = '{subject: {scope: Path}, op: Equal, value: "/(a)\\\\1"}';
    expect(takes(equal, { path: '/(a)\\1' })).toBe(true);
  });
});

describe('conditions of APISIX on the client', () => {
  const to = (match: string, request: object) =>
    ask(router, worldOf(...APPS, route('r', rule(`paths: ['/*'], ${match}`))), request);

  it.each<[string, string, string]>([
    ['10.0.0.0/8', '10.255.255.255', 'a'],
    ['10.0.0.0/8', '11.0.0.0', '404'],
    ['10.0.0.1', '10.0.0.1', 'a'],
    ['10.0.0.1', '10.0.0.0', '404'],
    ['"2001:db8::1"', '2001:db8::1', 'a'],
    ['"2001:db8::1"', '2001:db8::2', '404'],
    ['x, 10.0.0.1', '10.0.0.1', 'a'],
    ['x', '10.0.0.1', '404'],
  ])('the addresses %s and the client %s: %s', (addresses, sourceIp, expected) => {
    expect(to(`remoteAddrs: [${addresses}]`, { sourceIp })).toBe(expected);
  });

  it.each<[string, object, string]>([
    ['remoteAddrs: [10.0.0.1]', {}, '404'],
    ['remoteAddrs: []', {}, 'a'],
    ['methods: []', { method: 'PUT' }, 'a'],
    ['methods: [GET, PUT]', {}, 'a'],
    ['methods: [GET, PUT]', { method: 'POST' }, '404'],
  ])('%s and %j: %s', (match, request, expected) => expect(to(match, request)).toBe(expected));
});

describe('paths of APISIX', () => {
  const winner = (first: string, second: string, path: string, more = '') =>
    ask(
      router,
      worldOf(
        ...APPS,
        route(
          'r',
          `${rule(`paths: [${first}]`)}, ${rule(`paths: [${second}]`, { backends: '[{serviceName: b, servicePort: 80}]', more })}`,
        ),
      ),
      { path },
    );

  it.each<[string, string, string, string]>([
    ["'/x*'", "'/x/y*'", '/x/y/z', 'b'],
    ["'/x/y*'", "'/x*'", '/x/y/z', 'a'],
    ["'/x*'", "'/x*'", '/x', 'a'],
    ["'/*/y', '/x*'", "'/*'", '/x/y', 'a'],
    ["'/*/y'", "'/*'", '/x/y', 'a'],
    ["'/*/y'", "'/*'", '/x/z', 'b'],
    ["'/x.*/y'", "'/*'", '/xa/y', 'b'],
    ["'/x.*/y'", "'/*'", '/x.a/y', 'a'],
    ["'/*/y/*'", "'/z'", '/x/y', '404'],
    ["'/*/y/*'", "'/z'", '/x/y/', 'a'],
    ['/x', "'/x*'", '/x', 'a'],
    ["'/x*'", '/x', '/x', 'b'],
    ['/x', '/y', '/z', '404'],
    ['', '/y', '/z', '404'],
  ])('%s before %s on %s: %s', (first, second, path, expected) => expect(winner(first, second, path)).toBe(expected));

  it('of one length yield to the higher priority only', () => {
    expect(winner("'/x*'", "'/x*'", '/x', ', priority: 1')).toBe('b');
    expect(winner("'/x*'", "'/x*'", '/x', ', priority: 0')).toBe('a');
    expect(winner("'/x*'", "'/x*'", '/x', ', priority: -1')).toBe('a');
    expect(winner("'/x/*'", "'/x*'", '/x/', ', priority: 1')).toBe('a');
  });
});

describe('answers of APISIX', () => {
  it.each<[string, string, number, object]>([
    ['to HTTPS', plugin('{http_to_https: true}'), 80, { kind: 'redirect', statusCode: '301', protocol: 'HTTPS' }],
    [
      'to HTTPS, with an address',
      plugin('{http_to_https: true, uri: /x}'),
      443,
      { kind: 'redirect', statusCode: '302', path: '/x' },
    ],
    ['to an address', plugin('{uri: /x}'), 80, { kind: 'redirect', statusCode: '302', path: '/x' }],
    [
      'to an address with a code',
      plugin('{uri: /x, ret_code: 308}'),
      443,
      { kind: 'redirect', statusCode: '308', path: '/x' },
    ],
  ])('redirect %s', (_, http, port, expected) => {
    expect(answered(router, [...APPS, route('r', http)], { port })).toEqual(expected);
  });

  it.each([
    plugin('{uri: /x}', 'false'),
    plugin('{http_to_https: true}', 'false'),
    plugin('{http_to_https: "true"}'),
    plugin('{uri: ""}'),
    plugin('{uri: /x}').replace('name: redirect', 'name: other'),
  ])('no redirect: %s', (http) => {
    expect(ask(router, worldOf(...APPS, route('r', http)), {})).toBe('a');
  });

  it('have the plugin of a redirect also without the field enable', () => {
    const http = plugin('{uri: /x}').replace('enable: true, ', '');
    expect(ask(router, worldOf(...APPS, route('r', http)), {})).toBe('redirect 302 /x');
  });

  it('name subsets, upstreams and weights', () => {
    const upstream =
      'apiVersion: apisix.apache.org/v2\nkind: ApisixUpstream\nmetadata: {name: a}\nspec: {subsets: [{name: v1, labels: {x: y}}, {name: v2, labels: {version: v2, two: 2}}]}';
    const http = rule("paths: ['/*']", {
      backends:
        '[{serviceName: a, servicePort: 80, subset: v2}, {serviceName: b, servicePort: 80, subset: v2, weight: 50}]',
      more: ', upstreams: [{name: a}, {name: a, weight: 250}, {name: x}, {}]',
    });
    expect(answered(router, [...APPS, upstream, route('r', http)])).toEqual({
      kind: 'services',
      destinations: [
        {
          service: { namespace: 'default', name: 'a' },
          port: 80,
          subset: { name: 'v2', labels: { version: 'v2' } },
          weight: 100,
          unavailable: {
            reason: 'no-pods',
            why: 'Service default/a selects no pods: no workload has pods with the labels app=a,version=v2',
            statusCode: '503',
          },
          share: 0.2,
          workloads: [],
        },
        {
          service: { namespace: 'default', name: 'b' },
          port: 80,
          subset: { name: 'v2', labels: {} },
          weight: 50,
          share: 0.1,
          workloads: ['Deployment b'],
        },
        { target: 'ApisixUpstream default/a', weight: 100, share: 0.2 },
        { target: 'ApisixUpstream default/a', weight: 250, share: 0.5 },
      ],
      sticky: false,
    });
    expect(
      answered(router, [
        ...APPS,
        upstream,
        route('r', rule("paths: ['/*']", { backends: '[]', more: ', upstreams: [{name: a, weight: 7}]' })),
      ]),
    ).toEqual({
      kind: 'services',
      destinations: [{ target: 'ApisixUpstream default/a', weight: 1, share: 1 }],
      sticky: false,
    });
  });
});
