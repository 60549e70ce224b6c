import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrafficRoutingStrategy } from '../../src/kruise/api';
import { declaredBy } from '../../src/kruise/release';
import { formatRequest, parseRequest } from '../../src/rehearsal';
import { declaredShare } from '../../src/rehearsal/expectation';
import { compileRegex, nearRegex, sampleOf } from '../../src/routers';

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
      headers: fc.dictionary(fc.constantFrom('x-user', 'cookie', 'user-agent'), text, { minKeys: 1 }),
      query: fc.dictionary(fc.constantFrom('v', 'a-b'), text, { minKeys: 1 }),
    });
    fc.assert(
      fc.property(request, (each) => {
        expect(parseRequest(formatRequest(each))).toEqual({
          ...each,
          headers: { ...each.headers },
          query: { ...each.query },
        });
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('needs neither method nor scheme', () => {
    expect(parseRequest('shop.example.com/cart')).toEqual({ scheme: 'https', host: 'shop.example.com', path: '/cart' });
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
