import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Mark, marksOf, movedMarks } from '../../src/playground/marks';

const finding = (line: number | undefined, column: number, severity: Mark['severity'] = 'error') => ({
  rule: 'x',
  severity,
  message: 'm',
  because: 'b',
  fix: 'f',
  subject: '',
  docs: 'docs/rules/x.md',
  ...(line !== undefined && { line, column }),
});

describe('the marks of findings', () => {
  const text = 'kind: Rollout\nspec:\n  weight: 120  # too much\n\n';

  it('reach from the column to the end of the value, without the comment', () => {
    expect(marksOf([finding(3, 11)], text)).toEqual([{ line: 2, start: 10, end: 13, severity: 'error' }]);
    expect(marksOf([finding(1, 1)], text)).toEqual([{ line: 0, start: 0, end: 13, severity: 'error' }]);
  });

  it('are one for each place, as severe as the worst finding there', () => {
    const found = [finding(3, 11, 'note'), finding(3, 11, 'error'), finding(3, 11, 'warning')];
    expect(marksOf(found, text).map(({ severity }) => severity)).toEqual(['error']);
  });

  it('are there for places beyond a line, and not for places beyond the text', () => {
    expect(marksOf([finding(2, 80)], text)).toEqual([{ line: 1, start: 4, end: 5, severity: 'error' }]);
    expect(marksOf([finding(4, 1)], text)).toEqual([{ line: 3, start: 0, end: 1, severity: 'error' }]);
    expect(marksOf([finding(99, 1), finding(undefined, 1)], text)).toEqual([]);
  });
});

describe('the marks after an edit', () => {
  const lines = fc.array(fc.constantFrom('a: 1', 'b: 2', 'c:', '', '  d: 3'), { minLength: 1, maxLength: 12 });

  it('stand in a line with the same text, or are gone', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const marks = before.map((_, line): Mark => ({ line, start: 0, end: 1, severity: 'error' }));
        const moved = movedMarks(marks, before.join('\n'), after.join('\n'));
        const places = moved.map(({ line }) => line);
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
        for (const line of places) expect(before).toContain(after[line]);
      }),
    );
  });

  it('move with the lines that are inserted and removed above them', () => {
    const mark: Mark = { line: 2, start: 0, end: 1, severity: 'note' };
    expect(movedMarks([mark], 'a\nb\nc', 'a\nx\ny\nb\nc')).toEqual([{ ...mark, line: 4 }]);
    expect(movedMarks([mark], 'a\nb\nc', 'b\nc')).toEqual([{ ...mark, line: 1 }]);
    expect(movedMarks([mark], 'a\nb\nc', 'a\nb\ncd')).toEqual([]);
    expect(movedMarks([mark], 'a\nb\nc', 'a\nb\nc')).toEqual([mark]);
  });
});
