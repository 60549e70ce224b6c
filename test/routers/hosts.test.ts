/** Host patterns, ranges of addresses and expressions, as proxies read them. */
import { describe, expect, it } from 'vitest';
import { HostIndex, hostSpecificity, intersectHosts, patternTakes } from '../../src/routers/hosts';
import { parseCidr } from '../../src/routers/ip-address';
import { compilePcre, notModelled, quoteRegex } from '../../src/routers/pcre';
import { candidatesAt, exampleHost } from '../../src/routers/request-candidates';

describe('host patterns', () => {
  it.each([
    ['*', 'a', true],
    ['', 'a', true],
    ['a.com', 'A.com.', true],
    ['a.com', 'b.com', false],
    ['A.com', 'a.com', true],
    ['*.com', 'a.com', true],
    ['*.com', 'a.b.com', true],
    ['*.com', '.com', false],
    ['*.com', 'com', false],
    ['*.com', 'acom', false],
    ['*com', 'com', false],
    ['*com', 'acom', true],
  ])('%j takes %j: %j', (pattern, host, expected) => expect(patternTakes(pattern, host)).toBe(expected));

  it('are more specific as names, then by their length', () => {
    const sorted = ['*', '*.b.com', 'a', '', '*.com', 'abc'].sort((a, b) => hostSpecificity(b) - hostSpecificity(a));
    expect(sorted).toEqual(['abc', 'a', '*.b.com', '*.com', '*', '']);
    expect(hostSpecificity('*')).toBe(hostSpecificity(''));
  });

  it.each([
    ['a.com', 'A.com', 'a.com'],
    ['a.com', 'b.com', undefined],
    ['', '', '*'],
    ['*', '*', '*'],
    ['', '*', '*'],
    ['*', 'a.com', 'a.com'],
    ['a.com', '', 'a.com'],
    ['', 'a.com', 'a.com'],
    ['*.com', '*', '*.com'],
    ['*.com', 'a.com', 'a.com'],
    ['a.com', '*.com', 'a.com'],
    ['*.com', 'a.org', undefined],
    ['a.org', '*.com', undefined],
    ['*.b.com', '*.com', '*.b.com'],
    ['*.com', '*.b.com', '*.b.com'],
    ['*.com', '*.org', undefined],
  ])('%j and %j have %j in common', (a, b, expected) => expect(intersectHosts(a, b)).toBe(expected));

  it('are looked up from the most specific one', () => {
    const index = new HostIndex<number>();
    for (const [pattern, value] of [
      ['*', 1],
      ['*.com', 2],
      ['A.com', 3],
      ['a.com', 4],
      ['', 5],
      ['*.b.com', 6],
    ] as const)
      index.add(pattern, value);
    expect(index.matching('a.com')).toEqual([[3, 4], [2], [1, 5]]);
    expect(index.all('x.b.com')).toEqual([6, 2, 1, 5]);
    expect([index.best('a.com'), index.best('c.com'), index.best('org'), new HostIndex().best('a')]).toEqual([
      [3, 4],
      [2],
      [1, 5],
      [],
    ]);
    expect(['', '*', 'A.COM', '*.com', 'c.com', '*.org'].map((pattern) => index.has(pattern))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    index.add('*.x.com', 7);
    expect(index.best('y.x.com')).toEqual([7]);
  });

  it('have examples', () => {
    expect(['', '*', '*.a.com', 'a.com', 'a.*.com', '*.*.com'].map(exampleHost)).toEqual([
      'any.example.com',
      'any.example.com',
      'any.a.com',
      'a.com',
      'a.any.com',
      'any.any.com',
    ]);
    expect(candidatesAt([], ['x', '/x', '/y'])).toEqual([{ host: 'any.example.com', paths: ['/x', '/y'] }]);
    expect(candidatesAt(['a.com', '*'], [])).toEqual([
      { host: 'a.com', paths: [] },
      { host: 'any.example.com', paths: [] },
    ]);
  });
});

describe('ranges of addresses', () => {
  it.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['10.0.0.0/9', '10.127.0.0', true],
    ['10.0.0.0/9', '10.128.0.0', false],
    ['10.0.0.1/32', '10.0.0.1', true],
    ['10.0.0.1/32', '10.0.0.0', false],
    ['10.0.0.1/31', '10.0.0.0', true],
    ['0.0.0.0/0', '255.1.2.3', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '10.0.0.1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['2001:db8::1/128', '2001:db8::1', true],
    ['10.0.0.0/8', 'x', false],
    ['10.0.0.0/8', '', false],
  ])('%s holds %s: %j', (range, address, expected) => expect(parseCidr(range)!.contains(address)).toBe(expected));

  it.each([
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/1/2',
    '::/129',
    '::/1000',
    'x/8',
    '/8',
    '10.0.0/8',
    '10.0.0.00/8',
    'fe80::1%eth0/64',
    '',
  ])('%j is none', (text) => expect(parseCidr(text)).toBeUndefined());

  it.each(['10.0.0.0/32', '10.0.0.0/0', '::/128', '::/100', '::/9'])('%s is one', (text) =>
    expect(parseCidr(text)).toBeDefined(),
  );
});

describe('expressions of nginx', () => {
  it('may look ahead and behind, and match a part', () => {
    expect(compilePcre('^a(?=c)')!('ac')).toBe(true);
    expect(compilePcre('(?<=a)c')!('ac')).toBe(true);
    expect(compilePcre('b', { whole: true })!('abc')).toBe(false);
    expect(compilePcre('B', { ignoreCase: true })!('abc')).toBe(true);
    expect(compilePcre('(')).toBeUndefined();
  });

  it('that are not modelled are told from those that are none', () => {
    expect(notModelled('(a)\\1')).toBe(
      'the regular expression "(a)\\\\1" has a part that is not modelled, such as a back-reference',
    );
    expect([notModelled('('), notModelled('a+')]).toEqual([undefined, undefined]);
  });

  it.each([...'\\.+*?()|[]{}^$'])('quote %s', (sign) => {
    expect(quoteRegex(`a${sign}b`)).toBe(`a\\${sign}b`);
    expect(compilePcre(quoteRegex(sign), { whole: true })!(sign)).toBe(true);
  });
});
