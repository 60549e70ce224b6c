import { describe, expect, it } from 'vitest';
import { declaredShare, meets } from '../../src/rehearsal/expectation';
import type { Match } from '../../src/release';
import type { HttpRequest } from '../../src/routers';

const BASE: HttpRequest = { host: 'a.com', path: '/' };

describe('whether a request meets a match', () => {
  const header = (value: string, more: object = {}): Match => ({ headers: [{ name: 'X-U', value, ...more }] });
  const query = (value: string, more: object = {}): Match => ({ queryParams: [{ name: 'v', value, ...more }] });
  const path = (value: string | undefined, type?: 'Exact' | 'PathPrefix' | 'RegularExpression'): Match => ({
    path: { ...(value !== undefined && { value }), ...(type && { type }) },
  });
  const regex = { type: 'RegularExpression' };
  const x = (value: string) => ({ headers: { 'x-u': value } });
  const cookie = (value: string) => ({ headers: { Cookie: value } });

  it.each<[Match, Partial<HttpRequest>, boolean | undefined]>([
    [{}, {}, true],
    [path('/a', 'Exact'), { path: '/a' }, true],
    [path('/a', 'Exact'), { path: '/a/' }, false],
    [path('/a'), { path: '/a' }, true],
    [path('/a'), { path: '/a/b' }, true],
    [path('/a'), { path: '/ab' }, false],
    [path('/a//'), { path: '/a/b' }, true],
    [path('/a/'), { path: '/a' }, true],
    [path(undefined), { path: '/any' }, true],
    [path('/a.', 'RegularExpression'), { path: '/ab' }, true],
    // Some search for the expression, others compare the whole path.
    [path('/a.', 'RegularExpression'), { path: '/abc' }, undefined],
    [path('/a.', 'RegularExpression'), { path: '/b' }, false],
    [path('(', 'RegularExpression'), { path: '/b' }, undefined],
    [header('a'), x('a'), true],
    [header('a'), x('b'), false],
    [header('a'), {}, false],
    // AWS ignores case, others do not.
    [header('a'), x('A'), undefined],
    [header('a', { otherValues: ['b'] }), x('b'), true],
    [header('a', { otherValues: ['b'] }), x('c'), false],
    [header('a', { otherValues: ['b'] }), x('B'), undefined],
    [header('a', { otherValues: ['A'] }), x('A'), true],
    [header('a+', regex), x('aa'), true],
    [header('a+', regex), x('xaa'), undefined],
    [header('a+', regex), x('b'), false],
    [header('a+', regex), {}, false],
    [query('a'), { query: { v: 'a' } }, true],
    [query('a'), { query: { v: 'b' } }, false],
    [query('a'), { query: { w: 'a' } }, false],
    [query('a'), {}, false],
    [{ queryParams: [{ name: 'toString', value: 'a' }] }, { query: {} }, false],
    [query('a+', regex), { query: { v: 'aa' } }, true],
    [{ headers: [{ name: 'canary-by-cookie', value: 'g' }] }, cookie('f=1; g=always'), true],
    [{ headers: [{ name: 'Canary-By-Cookie', value: 'g' }] }, cookie('g=never'), false],
    [{ headers: [{ name: 'canary-by-cookie', value: 'g' }] }, cookie('G=Always'), undefined],
    [{ headers: [{ name: 'canary-by-cookie', value: 'g' }] }, {}, false],
    [{ headers: [{ name: 'Cookie', value: 'g=1' }] }, cookie('f=1;g=1'), true],
    [{ headers: [{ name: 'cookie', value: 'g=1' }] }, cookie('g=12'), false],
    [{ headers: [{ name: 'cookie', value: 'g' }] }, cookie('g'), true],
    [{ headers: [{ name: 'cookie', value: 'g' }] }, cookie('g; f=1'), false],
    [{ headers: [{ name: 'cookie', type: 'RegularExpression', value: 'g=1.*' }] }, cookie('g=1; f=2'), true],
    [{ ...path('/a'), ...header('a'), ...query('b') }, { path: '/a', ...x('a'), query: { v: 'b' } }, true],
    [{ ...path('/a'), ...header('a'), ...query('b') }, { path: '/a', ...x('a'), query: { v: 'c' } }, false],
    [{ ...path('/a'), ...header('a'), ...query('b') }, { path: '/b', ...x('a'), query: { v: 'b' } }, false],
    [{ ...path('/a'), ...header('a'), ...query('b') }, { path: '/a', ...x('A'), query: { v: 'b' } }, undefined],
    [{ ...path('/b'), ...header('a') }, { path: '/a', ...x('A') }, false],
  ])('%j, for %j: %j', (match, request, met) => expect(meets({ ...BASE, ...request }, match)).toBe(met));

  it('decides its share', () => {
    const declared = { share: 0.2, matches: [header('a'), header('b')] };
    expect(declaredShare(declared, { ...BASE, ...x('b') })).toBe(1);
    expect(declaredShare(declared, { ...BASE, ...x('c') })).toBe(0.2);
    expect(declaredShare(declared, { ...BASE, ...x('B') })).toBeUndefined();
    expect(declaredShare({ share: 0.2, matches: [header('A'), header('a')] }, { ...BASE, ...x('a') })).toBe(1);
    expect(declaredShare({ share: 0.2, matches: [] }, BASE)).toBe(0.2);
  });
});
