import { describe, expect, it } from 'vitest';
import { compareBytes } from '../../src/core/bytes';
import {
  parseBool,
  parseInt32,
  parseIntOrString,
  parseStringMap,
  printSet,
  splitList,
  trimSpace,
} from '../../src/routers/go-values';

describe('values in text as Go reads them', () => {
  it.each([
    ['5', 5],
    ['+5', 5],
    ['-5', -5],
    ['007', 7],
    ['-0', 0],
    ['2147483647', 2147483647],
    ['-2147483648', -2147483648],
  ])('reads the integer %j', (text, value) => expect(parseInt32(text)).toBe(value));

  it.each(['', ' 5', '5 ', '1.5', '0x10', '1_000', '+', '--1', 'abc', '2147483648', '-2147483649', '\u0665'])(
    'refuses the integer %j',
    (text) => expect(parseInt32(text)).toBeUndefined(),
  );

  it('knows the booleans of strconv.ParseBool and no others', () => {
    for (const text of ['1', 't', 'T', 'TRUE', 'true', 'True']) expect(parseBool(text)).toBe(true);
    for (const text of ['0', 'f', 'F', 'FALSE', 'false', 'False']) expect(parseBool(text)).toBe(false);
    for (const text of ['', 'yes', 'on', 'tRUE', ' true']) expect(parseBool(text)).toBeUndefined();
  });

  it('reads a port in quotes as a number if it is one', () => {
    expect(['080', '+80', ' 80', 'http', '80.0'].map(parseIntOrString)).toEqual([80, 80, ' 80', 'http', '80.0']);
  });

  it('trims Unicode white space', () => {
    expect(trimSpace('\u0085\u00a0 \t x y \u2003')).toBe('x y');
    expect(trimSpace('\ufeffx')).toBe('\ufeffx');
  });

  it('splits lists', () => expect(splitList(' a, ,b,,')).toEqual(['a', 'b']));

  it.each([
    ['team=a, env = prod', { team: 'a', env: 'prod' }],
    ['team=a=b', { team: 'a=b' }],
    ['team=a\\,b', { team: 'a,b' }],
    ['team=a,', { team: 'a,' }],
    ['team=', { team: '' }],
    ['', {}],
  ])('reads the map %j', (text, map) => expect(Object.fromEntries(parseStringMap(text)!)).toEqual(map));

  it.each(['team', 'team=a,b', '=a'])('rejects the map %j', (text) => expect(parseStringMap(text)).toBeUndefined());

  it('compares byte by byte, so that a hyphen comes before a slash', () => {
    expect(['a/z', 'a-b/c', 'a/b'].sort(compareBytes)).toEqual(['a-b/c', 'a/b', 'a/z']);
    expect(compareBytes('\uff5e', '\u{1f600}')).toBe(-1);
  });

  it('prints sets as Go does', () => expect(printSet(['b', 'a'])).toBe('map[a:{} b:{}]'));
});
