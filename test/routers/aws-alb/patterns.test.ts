import { describe, expect, it } from 'vitest';
import { awsAlbRouter } from '../../../src/routers';
import type { Action, Condition } from '../../../src/routers/aws-alb';
import {
  bool,
  type Decoder,
  decodeGoJson,
  ignored,
  int32,
  intOrString,
  list,
  mapOf,
  optional,
  struct,
  text,
} from '../../../src/routers/aws-alb/go-json';
import { optimize } from '../../../src/routers/aws-alb/optimizer';
import { regexPattern, wildcardPattern } from '../../../src/routers/aws-alb/pattern';
import { answered } from '../tables';
import { findingsIn } from './checks/findings';
import { ingress, SERVICES, service } from './stack';

describe('a pattern with wildcards', () => {
  it.each<[string, object, readonly string[], readonly string[]]>([
    ['ab', {}, ['ab'], ['AB', 'a', 'abc', '']],
    ['aB', { ignoreCase: true }, ['ab', 'AB'], ['abc']],
    ['', {}, [''], ['a']],
    ['a*', {}, ['a', 'ab', 'a*'], ['A', 'b', '']],
    ['A*', { ignoreCase: true }, ['a', 'AB'], ['b']],
    ['ä*', {}, ['ä', 'äb'], ['a']],
    ['\ud83d*', {}, [], ['\u{1f600}']],
    ['*a', {}, ['a', 'ba', 'aa'], ['ab', '']],
    ['a?', {}, ['ab', 'a?', 'a\u{1f600}'], ['a', 'abc']],
    ['?', {}, ['a', '\u{1f600}'], ['', 'ab']],
    ['**', {}, ['', 'a'], []],
    ['a**', {}, ['a', 'ab'], ['b']],
    ['a*b*c', {}, ['abc', 'axbxc', 'abcbc'], ['ab', 'acb']],
    ['*ab', {}, ['aab', 'abab'], ['aba']],
    ['a*?', {}, ['ab', 'abc'], ['a']],
    ['a\\*', {}, ['a\\', 'a\\x'], ['a*']],
    ['a\\*', { escapes: true }, ['a*'], ['a\\', 'ax']],
    ['a\\?b', { escapes: true }, ['a?b'], ['axb']],
    ['a\\\\*', { escapes: true }, ['a\\*'], ['a\\\\', 'a\\']],
    ['a\\x', { escapes: true }, ['a\\x'], ['ax']],
    ['a\\', { escapes: true }, ['a\\'], ['a']],
    ['a\\?*', { escapes: true }, ['a?', 'a?b'], ['ab']],
  ])('%j with %j takes %j, and not %j', (pattern, options, taken, left) => {
    const test = wildcardPattern(pattern, options);
    expect([taken.filter((each) => !test(each)), left.filter(test)]).toEqual([[], []]);
  });

  it('as an expression is found anywhere, in the case that is asked for', () => {
    expect([
      regexPattern('b')('abc'),
      regexPattern('^b')('abc'),
      regexPattern('B')('abc'),
      regexPattern('B', { ignoreCase: true })('abc'),
      regexPattern('(')('('),
    ]).toEqual([true, false, false, true, false]);
  });
});

describe('the rule of a host', () => {
  const APPS = ['a', 'b', 'c', 'd'].map((name) => service(name));
  const rule = (host: string | undefined, to: string) => ({
    ...(host === undefined ? {} : { host }),
    http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: to, port: { number: 80 } } } }] },
  });
  const winner = (host: string, ...rules: object[]) => {
    const answer = answered(
      awsAlbRouter(),
      [...SERVICES, ...APPS, ingress('i', { spec: { rules } })].map((object) => JSON.stringify(object)),
      { host },
    );
    return (answer as { readonly destinations?: readonly { readonly service: { readonly name: string } }[] })
      .destinations?.[0]?.service.name;
  };

  it('is the first, whether its host is a name, a pattern or none', () => {
    const rules = [rule('x.com', 'a'), rule('*.com', 'b'), rule(undefined, 'c'), rule('y.org', 'd')];
    expect(['x.com', 'X.COM', 'y.com', 'y.org', 'z.org'].map((host) => winner(host, ...rules))).toEqual([
      'a',
      'a',
      'b',
      'c',
      'c',
    ]);
    expect(['x.com', 'y.com', 'y.org'].map((host) => winner(host, ...[...rules].reverse()))).toEqual(['c', 'c', 'd']);
    expect(['x.com', 'y.com'].map((host) => winner(host, rule('*.com', 'b'), rule('X.com', 'a')))).toEqual(['b', 'b']);
    expect(['x.com', 'y.com'].map((host) => winner(host, rule('X.com', 'a'), rule('x.com', 'b')))).toEqual([
      'a',
      undefined,
    ]);
    expect(['x1.com', 'x.com'].map((host) => winner(host, rule('x?.com', 'a')))).toEqual(['a', undefined]);
  });
});

describe('redirects that the controller drops, and what is behind them', () => {
  const redirect = (redirectParts: object): Action[] => [
    { type: 'redirect', redirect: { statusCode: 'HTTP_301', ...redirectParts } },
  ];
  const forward: Action[] = [{ type: 'forward', targetGroups: [] }];
  const host = (...values: string[]): Condition => ({ field: 'host-header', values });
  const path = (...values: string[]): Condition => ({ field: 'path-pattern', values });
  const header: Condition = { field: 'http-header', httpHeaderName: 'h', values: ['v'] };
  const query: Condition = { field: 'query-string', values: [{ value: 'v' }] };
  const kept = (...rules: readonly (readonly [Condition[], Action[]])[]) => {
    const all = rules.map(([conditions, actions]) => ({ conditions, actions }));
    const left = optimize({ port: 80, protocol: 'HTTP' }, all as never);
    return all.flatMap((one, index) => (left.includes(one as never) ? [index] : []));
  };
  const away = redirect({ host: 'away.com' });

  it.each<[string, Condition[], object, boolean]>([
    ['to its only host', [host('a.com')], { host: 'a.com' }, false],
    ['to one of its hosts', [host('a.com', 'b.com')], { host: 'b.com' }, false],
    ['to another host', [host('a.com')], { host: 'b.com' }, true],
    ['to its path', [path('/x')], { path: '/x' }, false],
    ['to another path', [path('/x')], { path: '/y' }, true],
    ['to the path of the request', [path('/x')], { path: '/#{path}' }, false],
    ['to a path made of it', [path('/x')], { path: '/y/#{path}' }, true],
    ['to its port', [path('/x')], { port: '80' }, false],
    ['to another port', [path('/x')], { port: '443' }, true],
    ['to its protocol', [path('/x')], { protocol: 'HTTP' }, false],
    ['to another protocol', [path('/x')], { protocol: 'HTTPS' }, true],
    ['to its query', [path('/x')], { query: '#{query}' }, false],
    ['to another query', [path('/x')], { query: '' }, true],
    ['to its host and another port', [host('a.com')], { host: 'a.com', port: '81' }, true],
    ['to its host, with a condition', [host('a.com'), header], { host: 'a.com' }, false],
    ['of an expression', [{ field: 'path-pattern', regexValues: ['x'] }], {}, true],
    ['of an expression of a host', [{ field: 'host-header', regexValues: ['x'] }], {}, true],
    ['of an expression of a header', [{ field: 'http-header', httpHeaderName: 'h', regexValues: ['x'] }], {}, false],
  ])('%s', (_, conditions, parts, isKept) => expect(kept([conditions, redirect(parts)])).toEqual(isKept ? [0] : []));

  it.each<[string, Condition[], Condition[], boolean]>([
    ['everything behind everything', [path('/*')], [path('/x')], false],
    ['a host behind everything', [path('/*')], [host('a.com'), path('/x')], false],
    ['a host behind no condition', [], [host('a.com')], false],
    ['the same', [host('a.com'), path('/x')], [host('a.com'), path('/x')], false],
    ['fewer paths', [path('/x', '/y')], [path('/y')], false],
    ['more paths', [path('/x')], [path('/x', '/y')], true],
    ['fewer hosts', [host('a.com', 'b.com')], [host('b.com'), path('/x')], false],
    ['more hosts', [host('a.com')], [host('a.com', 'b.com')], true],
    ['another host', [host('a.com'), path('/*')], [host('b.com'), path('/x')], true],
    ['any host', [host('a.com'), path('/*')], [path('/x')], true],
    ['any path', [host('a.com'), path('/x')], [host('a.com')], true],
    ['a narrower path', [path('/x*')], [path('/xy')], true],
    ['with a header', [path('/*')], [path('/x'), header], false],
    ['with a query', [path('/*')], [path('/x'), query], false],
    ['behind a header', [path('/*'), header], [path('/x')], true],
    ['behind a query', [path('/*'), query], [path('/x')], true],
    ['behind an expression', [{ field: 'path-pattern', regexValues: ['x'] }], [path('/x')], true],
    ['an expression behind everything', [path('/*')], [{ field: 'path-pattern', regexValues: ['x'] }], false],
  ])('hide a rule: %s', (_, first, second, isKept) => {
    expect(kept([first, away], [second, forward])).toEqual(isKept ? [0, 1] : [0]);
    expect(kept([second, forward], [first, away])).toEqual([0, 1]);
  });

  it('hide rules together with others of their place', () => {
    expect(
      kept(
        [[host('a.com'), path('/x')], away],
        [[host('a.com', 'b.com'), path('/x')], away],
        [[host('b.com'), path('/x')], forward],
        [[host('c.com'), path('/x')], forward],
      ),
    ).toEqual([0, 1, 3]);
    expect(kept([[path('/x')], forward], [[path('/x')], forward])).toEqual([0, 1]);
  });
});

describe('rules that no request reaches', () => {
  const conditions = (values: string[]) =>
    JSON.stringify([{ field: 'http-header', httpHeaderConfig: { httpHeaderName: 'h', values } }]);
  const paths = (...of: readonly (readonly [string, string, string?])[]) =>
    of.map(([path, to, pathType = 'Prefix']) => ({ path, service: to, pathType }));

  it.each<[string, object[], string[]]>([
    [
      'behind the same path',
      [ingress('i', { paths: paths(['/x', 'web'], ['/x', 'web-canary']) })],
      [
        'alb-rule-shadowed at i spec.rules[0].http.paths[1]: no request reaches the path /x of a.com: spec.rules[0].http.paths[0] of shop/i takes all of them first | related: this path of shop/i comes first (i)',
      ],
    ],
    [
      'behind a wider path of another Ingress',
      [
        ingress('a', { annotations: { 'group.name': 'g' } }),
        ingress('b', { annotations: { 'group.name': 'g' }, paths: paths(['/x', 'web-canary']) }),
      ],
      [
        'alb-rule-shadowed at b spec.rules[0].http.paths[0]: no request reaches the path /x of a.com: spec.rules[0].http.paths[0] of shop/a takes all of them first | related: this path of shop/a comes first (a)',
      ],
    ],
    [
      'behind any host',
      [
        ingress('a', { host: '', annotations: { 'group.name': 'g' } }),
        ingress('b', {
          annotations: { 'group.name': 'g' },
          paths: paths(['', 'web-canary', 'ImplementationSpecific']),
        }),
      ],
      [],
    ],
    [
      'of all hosts',
      [
        ingress('a', { host: '', annotations: { 'group.name': 'g' } }),
        ingress('b', {
          host: '',
          annotations: { 'group.name': 'g' },
          paths: paths(['', 'web-canary', 'ImplementationSpecific']),
        }),
      ],
      [
        'alb-rule-shadowed at b spec.rules[0].http.paths[0]: no request reaches the path / of all hosts: spec.rules[0].http.paths[0] of shop/a takes all of them first | related: this path of shop/a comes first (a)',
      ],
    ],
    [
      'behind a name, a pattern',
      [
        ingress('a', { annotations: { 'group.name': 'g' } }),
        ingress('b', { host: '*.com', annotations: { 'group.name': 'g' }, paths: paths(['/', 'web-canary']) }),
      ],
      [],
    ],
    [
      'behind a condition',
      [
        ingress('a', { annotations: { 'group.name': 'g', 'conditions.web': conditions(['a']) } }),
        ingress('b', { annotations: { 'group.name': 'g' }, paths: paths(['/', 'web-canary']) }),
      ],
      [],
    ],
    [
      'on one of two ports',
      [
        ingress('a', { annotations: { 'group.name': 'g' } }),
        ingress('b', {
          annotations: { 'group.name': 'g', 'listen-ports': '[{"HTTP":80},{"HTTP":81}]' },
          paths: paths(['/x', 'web-canary']),
        }),
      ],
      [],
    ],
    ['that lead to the same', [ingress('i', { paths: paths(['/', 'web'], ['/x', 'web']) })], []],
    [
      'that are rewritten',
      [
        ingress('i', {
          annotations: {
            'transforms.web': JSON.stringify([
              { type: 'url-rewrite', urlRewriteConfig: { rewrites: [{ regex: 'a', replace: 'b' }] } },
            ]),
          },
          paths: paths(['/x', 'web-canary'], ['/x', 'web']),
        }),
      ],
      [
        'alb-rule-shadowed at i spec.rules[0].http.paths[1]: no request reaches the path /x of a.com: spec.rules[0].http.paths[0] of shop/i takes all of them first | related: this path of shop/i comes first (i)',
      ],
    ],
    [
      'that redirect to themselves',
      [
        ingress('i', {
          annotations: {
            'actions.r': JSON.stringify({ type: 'redirect', redirectConfig: { statusCode: 'HTTP_301' } }),
          },
          host: '',
          paths: [{ path: '/x', service: 'r', port: 'use-annotation' }],
        }),
      ],
      [
        'alb-rule-left-out at i spec.rules[0].http.paths[0]: the path /x of all hosts gets no rule: it redirects to where its requests came from, or an earlier rule redirects all of them',
      ],
    ],
  ])('%s', (_, objects, expected) => expect(findingsIn(objects)).toEqual(expected));
});

describe('JSON that Go refuses', () => {
  const inner = struct({
    n: int32,
    list: list(bool),
    map: mapOf(int32),
    port: intOrString,
    text: optional(text),
    skip: ignored(0),
  });

  it.each<[string, Decoder<unknown>, string]>([
    ['1', text, 'must be a string, not the number 1'],
    ['true', text, 'must be a string, not a boolean'],
    ['[]', text, 'must be a string, not a list'],
    ['{}', text, 'must be a string, not an object'],
    ['"a"', bool, 'must be true or false, not the string "a"'],
    ['1', bool, 'must be true or false, not the number 1'],
    ['"1"', int32, 'must be an integer, not the string "1"'],
    ['1.5', int32, 'must be an integer of 32 bits, without a fraction or an exponent, not 1.5'],
    ['1e2', int32, 'must be an integer of 32 bits, without a fraction or an exponent, not 1e2'],
    ['false', int32, 'must be an integer, not a boolean'],
    ['[1]', intOrString, 'must be an integer or a string, not a list'],
    ['1.0', intOrString, 'must be an integer or a string of 32 bits, without a fraction or an exponent, not 1.0'],
    ['{}', list(text), 'must be a list, not an object'],
    ['"a"', list(text), 'must be a list, not the string "a"'],
    ['[1]', list(text), 'must be a string, not the number 1'],
    ['[]', mapOf(int32), 'must be an object, not a list'],
    ['{"a":"b"}', mapOf(int32), 'must be an integer, not the string "b"'],
    ['[]', inner, 'must be an object, not a list'],
    ['{"n":"1"}', inner, 'n must be an integer, not the string "1"'],
    ['{"list":[true,1]}', inner, 'list must be true or false, not the number 1'],
    ['{"map":{"a":true}}', inner, 'map must be an integer, not a boolean'],
    ['{"port":true}', inner, 'port must be an integer or a string, not a boolean'],
    ['{"text":1}', inner, 'text must be a string, not the number 1'],
    ['{"n":1', inner, 'is no JSON: unexpected end of JSON input'],
  ])('%s', (json, decoder, expected) => {
    const complaint = () => {
      try {
        return decodeGoJson(json, decoder);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(complaint()).toEqual(expected);
  });

  it.each<[string, object]>([
    ['{}', { n: 0, list: [], port: 0, text: undefined, skip: 0, map: {} }],
    [
      '{"n":null,"list":null,"map":null,"port":null,"text":null,"skip":null}',
      { n: 0, list: [], port: 0, text: undefined, skip: 0, map: {} },
    ],
    [
      '{"N":-5,"LIST":[true,null,false],"Map":{"a":1,"A":2},"port":"80","text":"","skip":{"a":["}"]}}',
      { n: -5, list: [true, false, false], port: '80', text: '', skip: 0, map: { a: 1, A: 2 } },
    ],
    [
      '{"n":1,"n":2,"list":[true],"list":[null,true],"map":{"a":1},"map":{"b":2},"text":"a","text":null}',
      { n: 2, list: [true, true], port: 0, text: undefined, skip: 0, map: { a: 1, b: 2 } },
    ],
    [
      ' { "skip" : "a\\"b" , "n" : 3 , "skip" : -1.5e3 , "port" : 7 } ',
      { n: 3, list: [], port: 7, text: undefined, skip: 0, map: {} },
    ],
    ['{"skip":true,"n":1}', { n: 1, list: [], port: 0, text: undefined, skip: 0, map: {} }],
    ['{"skip":[[],{},[1]],"n":2}', { n: 2, list: [], port: 0, text: undefined, skip: 0, map: {} }],
  ])('is read otherwise: %s', (json, expected) => {
    const { map, ...rest } = decodeGoJson(json, inner);
    expect({ ...rest, map: Object.fromEntries(map) }).toEqual(expected);
  });
});
