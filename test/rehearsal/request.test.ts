import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrafficRoutingStrategy } from '../../src/kruise/api';
import { declaredBy } from '../../src/kruise/release';
import { formatRequest, parseRequest } from '../../src/rehearsal';
import { declaredShare } from '../../src/rehearsal/expectation';
import { compileRegex, nearRegex, sampleOf } from '../../src/routers';

/** Names that every object seems to have. */
const OF_PROTOTYPES = ['__proto__', 'constructor', 'toString'];

describe('parseRequest', () => {
  it('reads what formatRequest writes', () => {
    const text = fc
      .string({ minLength: 1, maxLength: 12 })
      .map((value) => value.trim())
      .filter((value) => value !== '');
    const request = fc.record({
      scheme: fc.constantFrom('http' as const, 'https' as const),
      host: fc.constantFrom('shop.example.com', 'a.b'),
      path: fc.constantFrom('/', '/cart', '/a b/c', '/ü'),
      method: fc.constantFrom('GET', 'POST'),
      headers: fc.dictionary(fc.constantFrom('x-user', 'cookie', 'user-agent', ...OF_PROTOTYPES), text, { minKeys: 1 }),
      query: fc.dictionary(fc.constantFrom('v', 'a-b', ...OF_PROTOTYPES), text, { minKeys: 1 }),
    });
    fc.assert(
      fc.property(request, (each) => {
        const { headers = {}, query = {}, ...rest } = parseRequest(formatRequest(each));
        expect(rest).toEqual({ scheme: each.scheme, host: each.host, path: each.path, method: each.method });
        expect(Object.entries(headers)).toEqual(Object.entries(each.headers));
        expect(Object.entries(query)).toEqual(Object.entries(each.query));
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('needs neither method nor scheme', () => {
    expect(parseRequest('shop.example.com/cart')).toEqual({ scheme: 'https', host: 'shop.example.com', path: '/cart' });
  });
});

describe('a request on a command line', () => {
  const base = { scheme: 'https', host: 'a.com', path: '/' };
  it.each<[string, object]>([
    ['post http://a.com', { ...base, scheme: 'http', method: 'POST' }],
    ['HTTPS://a.com', base],
    ['a.com:8443', { ...base, port: 8443 }],
    ['a.com from 10.0.0.1', { ...base, sourceIp: '10.0.0.1' }],
    ['a.com from ::1 -H a:b', { ...base, sourceIp: '::1', headers: { a: 'b' } }],
    ['a.com --header "X-A:  b c "', { ...base, headers: { 'X-A': 'b c' } }],
    [`a.com -H 'a: "b"' -H "c: \\"d\\\\"`, { ...base, headers: { a: '"b"', c: '"d\\' } }],
    ['a.com -H a:1 -H A:2', { ...base, headers: { a: '1, 2' }, repeatedHeaders: { a: ['1', '2'] } }],
    [
      'a.com -H Cookie:a=1 -H cookie:b=2 -H x:1',
      { ...base, headers: { Cookie: 'a=1; b=2', x: '1' }, repeatedHeaders: { Cookie: ['a=1', 'b=2'] } },
    ],
    ['a.com/?v=1&v=2&w=3', { ...base, query: { v: '1', w: '3' }, target: '/?v=1&v=2&w=3' }],
    ['a.com/x%20y', { ...base, path: '/x y' }],
    ['a.com/x%2Fy', { ...base, path: '/x/y', target: '/x%2Fy' }],
    ['a.com/%ff', { ...base, path: '/%ff', target: '/%ff' }],
    ['a.com/a/../b', { ...base, path: '/b', target: '/a/../b' }],
    ['a.com/a/%2e/b?v=1', { ...base, path: '/a/b', query: { v: '1' }, target: '/a/%2e/b?v=1' }],
    ["a.com/a'b'?c='d'", { ...base, path: '/ab', query: { c: 'd' } }],
    ['a.com/%27?c=%27', { ...base, path: "/'", query: { c: "'" } }],
    ['a.com/?a=b,c/d:e@f', { ...base, query: { a: 'b,c/d:e@f' } }],
  ])('%s', (text, request) => {
    expect(parseRequest(text)).toEqual(request);
    expect(parseRequest(formatRequest(parseRequest(text)))).toEqual({ ...request, method: 'GET', ...request });
  });

  it.each([
    ['', 'the request "" has no URL: write it as GET https://shop.example.com/cart -H "user-agent: pc"'],
    ['GET', 'the request "GET" has no URL'],
    ['GET ftp://a.com', 'the URL "ftp://a.com" is neither http nor https'],
    ['http://', '"http://" is not a URL'],
    ['a.com from nowhere', '"from nowhere" in the request "a.com from nowhere" names no IP address of a client'],
    ['a.com from', '"from " in the request "a.com from" names no IP address'],
    ['a.com -X POST', '"-X" in the request "a.com -X POST" is not understood'],
    ['a.com -H', '"" is not a header: write it as in GET'],
    ['a.com -H "a b: c"', '"a b: c" is not a header'],
    ['a.com -H "a: b', 'a quote in the request "a.com -H "a: b" is not closed'],
  ])('%j is refused', (text, message) => {
    expect(() => parseRequest(text)).toThrow(message);
    expect(() => parseRequest(text)).toThrow(expect.objectContaining({ name: 'RequestSyntaxError' }));
  });

  it('is written with what it needs, and a GET over HTTPS by default', () => {
    const request = { host: 'a.com', path: '/a?b#c', query: { q: 'x y' } };
    expect(formatRequest(request)).toBe('GET https://a.com/a%3Fb%23c?q=x%20y');
    expect(formatRequest(request, 'http')).toBe('GET http://a.com/a%3Fb%23c?q=x%20y');
    expect(formatRequest({ ...request, scheme: 'https', method: 'PUT', sourceIp: '10.0.0.1' }, 'http')).toBe(
      'PUT https://a.com/a%3Fb%23c?q=x%20y from 10.0.0.1',
    );
    expect(formatRequest({ host: 'a', path: '/\ud800' })).toBe('GET https://a/%EF%BF%BD');
    expect(formatRequest({ host: 'a', path: '/', headers: { b: 'c"\\' } })).toBe('GET https://a/ -H "b: c\\"\\\\"');
  });
});

describe('sampleOf', () => {
  it.each([
    'user-[0-9]+',
    '^(user-[0-9]+)$',
    'a|b',
    '(?:x|y){2,3}z?',
    '[^a-z]+',
    '\\d{4}-\\w+',
    '.*beta.*',
    '/v[12]/.+',
    'a\\.b',
  ])('finds a text for %s, and near misses that it does not match', (expression) => {
    const sample = sampleOf(expression)!;

    expect(compileRegex(expression, { whole: true })!(sample)).toBe(true);
    for (const near of nearRegex(expression, sample)) expect(compileRegex(expression)!(near)).toBe(false);
  });

  it('gives up on what no load balancer understands', () => {
    expect(sampleOf('(?=a)b')).toBeUndefined();
    expect(sampleOf('(')).toBeUndefined();
  });

  it('ends on any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (expression) => {
        const sample = sampleOf(expression);
        if (sample !== undefined) expect(compileRegex(expression, { whole: true })!(sample)).toBe(true);
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});

describe('declaredShare', () => {
  const request = {
    host: 'a.b',
    path: '/v2/cart',
    headers: { 'User-Agent': 'pc', Cookie: 'a=1; grey=always' },
    query: { v: '2' },
  };
  const share = (strategy: TrafficRoutingStrategy, changes: object = {}) => {
    const declared = declaredBy(strategy);
    return declared && declaredShare(declared, { ...request, ...changes });
  };
  const header = (name: string, value: string, type: 'Exact' | 'RegularExpression' = 'Exact') => [
    { headers: [{ type, name, value }] },
  ];

  it('is the percentage where there are no matches', () => {
    expect(share({ traffic: '20%' })).toBe(0.2);
    expect(share({ traffic: '20%', matches: [] })).toBe(0.2);
    expect(share({})).toBeUndefined();
  });

  it('is all or nothing where there are, whatever the percentage', () => {
    expect(share({ traffic: '20%', matches: header('user-agent', 'pc') })).toBe(1);
    expect(share({ traffic: '20%', matches: header('user-agent', 'mobile') })).toBe(0);
  });

  it('knows paths by their parts, cookies among others, and query parameters', () => {
    expect(share({ matches: [{ path: { type: 'PathPrefix', value: '/v2' } }] })).toBe(1);
    expect(share({ matches: [{ path: { type: 'PathPrefix', value: '/v2' } }] }, { path: '/v22' })).toBe(0);
    expect(share({ matches: header('canary-by-cookie', 'grey') })).toBe(1);
    expect(share({ matches: header('cookie', 'grey=always') })).toBe(1);
    expect(share({ matches: [{ queryParams: [{ type: 'Exact', name: 'v', value: '3' }] }] })).toBe(0);
  });

  it('is open where load balancers rightly differ', () => {
    expect(share({ matches: header('user-agent', 'PC') })).toBeUndefined();
    expect(share({ matches: header('user-agent', 'p', 'RegularExpression') })).toBeUndefined();
    expect(share({ matches: header('user-agent', 'p.', 'RegularExpression') })).toBe(1);
  });
});
