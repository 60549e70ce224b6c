import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Budget,
  compilePattern,
  expandReplacement,
  findFirst,
  findMatches,
  findPlain,
  replaceAll,
} from '../../../src/lua/text/pattern';

const UNLIMITED: Budget = { step: () => {} };
const SEED = { seed: 20220504, numRuns: 500 };

/** As `string.find` returns it. */
function find(subject: string, pattern: string, from = 1): (string | number)[] | undefined {
  const match = findFirst(subject, compilePattern(pattern), UNLIMITED, from - 1);
  return match && [match.start + 1, match.end, ...match.captures];
}

/** As `string.gsub` returns it. */
function gsub(subject: string, pattern: string, replacement: string, limit?: number): [string, number] {
  const matches = findMatches(subject, compilePattern(pattern), UNLIMITED, { limit });
  const replacements = matches.map((match) => ({
    start: match.start,
    end: match.end,
    text: expandReplacement(replacement, match, subject),
  }));
  return [replaceAll(subject, replacements), matches.length];
}

describe('find', () => {
  it.each<[string, string, (string | number)[] | undefined]>([
    ['hello', 'l', [3, 3]],
    ['hello', 'xyz', undefined],
    ['hello', '(h)(e)(x?)', [1, 2, 'h', 'e', '']],
    ['abc', '()b()', [2, 2, 2, 3]],
    ['a.b', '%.', [2, 2]],
    ['a\nb', 'a.b', [1, 3]],
    ['a\0b', '\0', [2, 2]],
    ['aXb', '%u', [2, 2]],
    ['a1_', '%W', [3, 3]],
    ['a1,', '%p', [3, 3]],
    ['x-y', 'x-y', [3, 3]],
    ['aaab', 'a-b', [1, 4]],
    ['aaa', '^a+$', [1, 3]],
    ['a^c', 'a^', [1, 2]],
    ['a$c', 'a$c', [1, 3]],
    ['f(a(b)c)d', '%b()', [2, 8]],
    ['f(a(b)', '%b()', [4, 6]],
    ['aa', '(a*)%1', [1, 2, 'a']],
    ['abab', '(ab)%1', [1, 4, 'ab']],
    ['a-b', '[a-]', [1, 1]],
    ['x-y', '[-x]+', [1, 2]],
    ['a]b', '[]]', [2, 2]],
    ['a]b', '[^]a]', [3, 3]],
    ['a[b', '[[]', [2, 2]],
    ['a*', 'a**', [1, 2]],
    ['*', '*', [1, 1]],
    ['a]', 'a]', [1, 2]],
    ['m', '[a-m]', [1, 1]],
    ['z', '[%a_]', [1, 1]],
    ['Z', '[^%l]', [1, 1]],
  ])('%j, %j', (subject, pattern, result) => {
    expect(find(subject, pattern)).toEqual(result);
  });

  it('starts at a position, where ^ anchors', () => {
    expect(find('abc', '^b', 2)).toEqual([2, 2]);
    expect(find('abc', '^b')).toBeUndefined();
    expect(find('abc', 'b', 9)).toBeUndefined();
  });

  describe('where it differs from Lua 5.1', () => {
    it.each<[string, string, string, (string | number)[] | undefined]>([
      ['a class at an end of a range matches nothing', 'ab', '[%a-z]', undefined],
      ['a range from high to low matches nothing', 'x', '[z-a]', undefined],
      ['a percent sign at the end matches nothing', 'abc', '%', undefined],
      ['%f is the letter f', 'THE (quick) fox', '%f[%a]%a+', [13, 15]],
      ['a capture may refer to one that only notes a position', 'abc', '()%1', [1, 0, 1]],
    ])('%s', (_, subject, pattern, result) => {
      expect(find(subject, pattern)).toEqual(result);
    });
  });

  it.each([
    ['[', 'unexpected EOS at 0'],
    ['[a', 'unexpected EOS at 1'],
    ['[^', 'unexpected EOS at 1'],
    ['[]', 'unexpected EOS at 1'],
    ['[%', 'unexpected EOS at EOS'],
    ['(a', 'unfinished capture at EOS'],
    ['(()', 'unfinished capture at EOS'],
    ['a)', "invalid ')' at 0"],
    ['ab)', "invalid ')' at 1"],
    [')', "invalid ')' at 0"],
    ['a%0', 'invalid capture index at 1'],
    ['%1', 'invalid capture index'],
    ['(a%1)', 'invalid capture index'],
  ])('%j is malformed: %s', (pattern, message) => {
    expect(() => find('abc', pattern)).toThrow(expect.objectContaining({ name: 'PatternError', message }));
  });

  it("breaks as Go's slices do where a capture refers to itself", () => {
    const panic = { name: 'GoPanic', message: 'runtime error: slice bounds out of range [1:0]' };
    expect(() => find('xabab', 'x((ab)%1)')).toThrow(expect.objectContaining(panic));
  });

  it('stops work on a catastrophic pattern when the budget is used up', () => {
    let steps = 0;
    const budget: Budget = {
      step(count) {
        steps += count;
        if (steps > 1_000_000) throw new Error('too much');
      },
    };
    const pattern = `${'a*'.repeat(20)}b`;
    expect(() => findFirst('a'.repeat(40), compilePattern(pattern), budget)).toThrow('too much');
    expect(steps).toBeLessThan(1_010_000);
  });

  it.each(['^.*$', '^.-$', '^(.-)$', `${'(a)'.repeat(30)}.*$`, '%b()', '.*.*'])('%s costs no call depth', (pattern) => {
    expect(find('a'.repeat(500_000), pattern)).toEqual(pattern === '%b()' ? undefined : expect.anything());
  });

  it('compiles patterns of any nesting', () => {
    expect(() => find('a', '('.repeat(200_000))).toThrow('unfinished capture at EOS');
  });
});

describe('gsub', () => {
  it.each<[string, string, string, [string, number]]>([
    ['abc', 'b*', '-', ['-a--c-', 4]],
    ['hello world', '%w+', '<%0>', ['<hello> <world>', 2]],
    ['hello world', '(%w+) (%w+)', '%2 %1', ['world hello', 1]],
    ['abc', '%w', '%1', ['abc', 3]],
    ['abc', 'b', '%', ['a%c', 1]],
    ['abc', 'b', '%x', ['a%xc', 1]],
    ['abc', 'b', 'x%', ['ax%c', 1]],
    ['aXb', 'X', '%%1', ['a%1b', 1]],
    ['aXb', 'X', '%%%0', ['a%Xb', 1]],
    ['abc', '()', '%1', ['1a2b3c4', 4]],
    ['abc', '$', 'x', ['abcx', 1]],
    ['aaa', '^a', 'x', ['xaa', 1]],
    ['abc', '', '-', ['-a-b-c-', 4]],
    ['', 'x*', '-', ['-', 1]],
    ['h\xc3\xa9llo', '[\x80-\xff]', '?', ['h??llo', 2]],
  ])('(%j, %j, %j)', (subject, pattern, replacement, result) => {
    expect(gsub(subject, pattern, replacement)).toEqual(result);
  });

  it('ends at the exact number of matches', () => {
    expect(gsub('hello', 'l', 'L', 1)).toEqual(['heLlo', 1]);
    expect(gsub('hello', 'l', 'L', -1)).toEqual(['heLLo', 2]);
    expect(gsub('hello', 'l', 'L', 0)).toEqual(['hello', 0]);
    // With a match at the very start there is already one more than none.
    expect(gsub('lol', 'l', 'L', 0)).toEqual(['LoL', 2]);
  });

  it('rejects a missing capture', () => {
    expect(() => gsub('abc', 'b', '%2')).toThrow('invalid capture index');
    expect(gsub('abc', 'x', '%2')).toEqual(['abc', 0]);
  });
});

describe('plain find', () => {
  it('takes the bytes as they are', () => {
    expect(findPlain('a.b', '.', 0)).toBe(1);
    expect(findPlain('a.b', '%', 0)).toBe(-1);
    expect(findPlain('abab', 'ab', 1)).toBe(2);
  });

  it("breaks as Go's slices do beyond the end", () => {
    const message = 'runtime error: slice bounds out of range [99:5]';
    expect(() => findPlain('hello', 'l', 99)).toThrow(message);
  });
});

describe('any pattern', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab01 %[]()^$*+-?.bdwf'), maxLength: 12 });

  it('matches, fails or is rejected, within its budget', () => {
    fc.assert(
      fc.property(text, text, (subject, pattern) => {
        let steps = 0;
        const budget: Budget = {
          step(count) {
            steps += count;
            if (steps > 100_000) throw new RangeError('budget');
          },
        };
        try {
          for (const match of findMatches(subject, compilePattern(pattern), budget)) {
            expect(match.start).toBeGreaterThanOrEqual(0);
            expect(match.end).toBeLessThanOrEqual(subject.length);
          }
        } catch (error) {
          expect((error as Error).name).toMatch(/^(PatternError|GoPanic)$/);
        }
        expect(steps).toBeLessThan(102_100);
      }),
      SEED,
    );
  });

  it('made of literals finds what indexOf finds', () => {
    const literal = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 20 });
    fc.assert(
      fc.property(literal, literal, (subject, pattern) => {
        expect((find(subject, pattern)?.[0] as number | undefined) ?? 0).toBe(subject.indexOf(pattern) + 1);
      }),
      SEED,
    );
  });

  it('that JavaScript also supports finds the same', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a)', '(b)');
    const piece = fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '-')).filter(([a, q]) => !a.startsWith('(') || !q);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), text, (pieces, subject) => {
        const lua = pieces.map(([a, quantifier]) => a + quantifier).join('');
        const script = pieces.map(([a, quantifier]) => a + quantifier.replace('-', '*?')).join('');
        const wanted = new RegExp(script, 's').exec(subject);
        const result = wanted ? [wanted.index + 1, wanted.index + wanted[0].length, ...wanted.slice(1)] : undefined;
        expect(find(subject, lua)).toEqual(result);
      }),
      SEED,
    );
  });
});
