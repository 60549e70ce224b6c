import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortened } from '../../src/core/shortened';

describe('shortened', () => {
  it('leaves a text that fits as it is', () => {
    expect(shortened('abcd', 4)).toBe('abcd');
    expect(shortened('', 4)).toBe('');
  });

  it('keeps the start and the end of any other', () => {
    expect(shortened('abcdefgh', 4)).toBe('ab … gh');
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), fc.integer({ min: 2, max: 20 }), (text, most) => {
        expect(shortened(text, most).length).toBeLessThanOrEqual(Math.max(text.length, most) + 3);
        expect(shortened(text, most).length).toBeLessThanOrEqual(most + 3);
      }),
      { seed: 1 },
    );
  });
});
