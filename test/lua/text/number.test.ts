import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatJsonNumber, formatNumber, parseNumber, toInteger64, toNumber } from '../../../src/lua/text/number';

const SEED = { seed: 20220504, numRuns: 500 };

describe('tostring of a number', () => {
  it.each([
    [10 / 2, '5'],
    [7 / 2, '3.5'],
    [-0, '0'],
    [1 / 3, '0.3333333333333333'],
    [0.1 + 0.2, '0.30000000000000004'],
    [100 * 1.1, '110.00000000000001'],
    [123456.5, '123456.5'],
    [1234567.5, '1.2345675e+06'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [0.00001234, '1.234e-05'],
    [5e-324, '5e-324'],
    [1e16, '10000000000000000'],
    [2 ** 53, '9007199254740992'],
    [2 ** 62, '4611686018427387904'],
    [-(2 ** 63), '-9223372036854775808'],
    [2 ** 63, '9.223372036854776e+18'],
    [1e20, '1e+20'],
    [Number.MAX_VALUE, '1.7976931348623157e+308'],
    [Infinity, '+Inf'],
    [-Infinity, '-Inf'],
    [Number.NaN, 'NaN'],
  ])('%d is %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  it('reads back as the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        expect(parseNumber(formatNumber(value))).toBe(value + 0);
      }),
      SEED,
    );
  });
});

describe('a number in JSON', () => {
  it.each([
    [1.5, '1.5'],
    [-0, '-0'],
    [1e-7, '1e-7'],
    [0.000001, '0.000001'],
    [1e20, '100000000000000000000'],
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
    [4294967296, '4294967296'],
  ])('%d is %s', (value, text) => {
    expect(formatJsonNumber(value)).toBe(text);
  });

  it.each([Number.NaN, Infinity, -Infinity])('%d has none', (value) => {
    expect(formatJsonNumber(value)).toBeUndefined();
  });
});

describe('text in arithmetic', () => {
  it.each([
    ['10', 10],
    [' \t\n10 ', 10],
    ['+5', 5],
    ['010', 8],
    ['08', 8],
    ['0', 0],
    ['0x10', 16],
    ['0X_1f', 31],
    ['0b11', 3],
    ['0o17', 15],
    ['1_0', 10],
    ['1_000.5_0e1_0', 10005000000000],
    ['1e2', 100],
    ['.5', 0.5],
    ['5.', 5],
    ['0x1p4', 16],
    ['0x.8p1', 1],
    ['0x1.fffffffffffff8p0', 2],
    ['0x0.0000000000001p-1022', 5e-324],
    ['9223372036854775808', 2 ** 63],
    ['1e-400', 0],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
    ['nan', Number.NaN],
  ])('%j is %d', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it.each([
    '',
    ' ',
    '.',
    '+',
    '-',
    'x',
    '10abc',
    '1 0',
    '10\r',
    '10\0',
    '0x',
    '0b2',
    '0x1.8',
    '1e',
    '1e+',
    '1e309',
    '0x1p1024',
    '_1',
    '1_',
    '1__0',
    '1_.5',
    '+nan',
    'infinit',
    'é',
  ])('%j is no number', (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });

  it('takes bytes as well as text', () => {
    expect(parseNumber(Uint8Array.of(0x31, 0x32))).toBe(12);
  });

  it('ends in linear time on long text', () => {
    const digits = '1'.repeat(1_000_000);
    for (const text of [`${digits}x`, `${digits}_`, `0x${digits}p`, `${digits}.${digits}e`, ' '.repeat(1_000_000)]) {
      expect(parseNumber(text)).toBeUndefined();
    }
  });
});

describe('tonumber', () => {
  it.each<[string, number | undefined, number | undefined]>([
    ['10', undefined, 10],
    [' 10 ', undefined, 10],
    ['-5', undefined, -5],
    ['010', undefined, 10],
    ['.5', undefined, 0.5],
    ['1.e1', undefined, 10],
    ['1e3', undefined, undefined],
    ['1e+2.0', undefined, undefined],
    ['0x10', undefined, undefined],
    ['-0x10', undefined, undefined],
    ['inf', undefined, undefined],
    ['1_0', undefined, undefined],
    ['', undefined, undefined],
    ['10\r', undefined, undefined],
    ['9223372036854775807', undefined, 2 ** 63],
    ['9223372036854775808', undefined, undefined],
    ['-9223372036854775808', undefined, -(2 ** 63)],
    ['FF', 16, 255],
    ['zz', 36, 1295],
    ['8', 8, undefined],
    ['7.5', 16, 7.5],
    ['10', 1, undefined],
    ['10', 99, undefined],
    ['10', 0, 10],
    ['0x10', 0, 16],
    ['010', 0, 8],
    ['1_0', 0, 10],
  ])('(%j, %s) is %s', (text, base, value) => {
    expect(toNumber(text, base)).toBe(value);
  });

  it('reads every integer of a base back', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 2, max: 36 }), (value, base) => {
        expect(toNumber(value.toString(base), base)).toBe(value);
      }),
      SEED,
    );
  });
});

describe('a number as a 64-bit integer', () => {
  it.each([
    [3.7, 3n],
    [-3.7, -3n],
    [2 ** 62, 4611686018427387904n],
    [1e300, -9223372036854775808n],
    [Number.NaN, -9223372036854775808n],
    [-0.5, 0n],
  ])('%d is %s', (value, integer) => {
    expect(toInteger64(value)).toBe(integer);
  });
});
