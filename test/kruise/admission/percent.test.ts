import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scaledValue } from '../../../src/kruise/admission';

describe('scaledValue', () => {
  it.each<[unknown, number | undefined]>([
    [3, 3],
    [-1, -1],
    [2147483647, 2147483647],
    ['50%', 50],
    ['+50%', 50],
    ['050%', 50],
    ['-5%', -5],
    ['-0%', 0],
    ['0%', 0],
    ['9223372036854775807%', 2 ** 63],
    ['-9223372036854775808%', -(2 ** 63)],
    ['9223372036854775808%', undefined],
    ['50', undefined],
    ['%', undefined],
    ['', undefined],
    [' 50%', undefined],
    ['50 %', undefined],
    ['50%%', undefined],
    ['50_%', undefined],
    ['5_0%', undefined],
    ['20.5%', undefined],
    ['1e1%', undefined],
    ['0x10%', undefined],
    ['++5%', undefined],
    ['٥%', undefined],
    [undefined, undefined],
    [null, undefined],
    [true, undefined],
  ])('reads %j as %j', (value, expected) => {
    const found = scaledValue(value);
    expect(found === 0 ? 0 : found).toBe(expected);
  });

  it('reads every whole percentage, and rejects any other character', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string(), (number, text) => {
        expect(scaledValue(`${number}%`)).toBe(number);
        if (!/^[+-]?[0-9]+%$/.test(text)) expect(scaledValue(text)).toBeUndefined();
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
