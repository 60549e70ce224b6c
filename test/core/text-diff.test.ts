import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textDiff } from '../../src/core/text-diff';

describe('textDiff', () => {
  it('shows what changes with a little of what is around it', () => {
    const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    const after = ['a', 'b', 'c', 'D', 'e', 'f', 'g', 'h', 'i', 'j', 'k'];
    expect(textDiff(`${before.join('\n')}\n`, `${after.join('\n')}\n`)).toEqual([
      '  b',
      '  c',
      '- d',
      '+ D',
      '  e',
      '  f',
      '  ...',
      '  i',
      '  j',
      '+ k',
    ]);
  });

  it('is empty exactly for equal texts', () => {
    expect(textDiff('a\n', 'a\n')).toEqual([]);
    expect(textDiff('a\n', 'b\n')).toEqual(['- a', '+ b']);
  });

  it('holds both texts, where they are short', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = textDiff(before.join('\n'), after.join('\n'));
        const of = (mark: string) => diff.filter((line) => line[0] !== mark).map((line) => line.slice(2));
        expect([of('+'), of('-')]).toEqual(before.join() === after.join() ? [[], []] : [before, after]);
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});
