/** The number of context lines around a change. */
const CONTEXT = 2;

/** A line of a diff: unchanged, removed (`-`) or added (`+`). */
export interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * The changes between two texts by line, with a few context lines; empty if the texts are equal.
 * @example textDiff('a\nb\n', 'a\nc\n') // ['  a', '- b', '+ c']
 */
export function textDiff(before: string, after: string): string[] {
  if (before === after) return [];
  const lines = compareLines(linesOf(before), linesOf(after));
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== ' '),
  );
  return lines.flatMap(({ mark, text }, index) => {
    if (near[index]) return [`${mark} ${text}`.trimEnd()];
    return near[index - 1] && near.indexOf(true, index) >= 0 ? ['  ...'] : [];
  });
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** The lines of both texts; equal lines once. */
export function compareLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let [left, right] = [before.length, after.length];
  while (left > start && right > start && before[left - 1] === after[right - 1]) {
    left--;
    right--;
  }
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ mark: ' ', text }));
  return [
    ...same(before.slice(0, start)),
    ...changes(before.slice(start, left), after.slice(start, right)),
    ...same(before.slice(left)),
  ];
}

/** Keeps the longest common subsequence. Above a certain size, the whole middle counts as changed. */
function changes(before: readonly string[], after: readonly string[]): DiffLine[] {
  const all: DiffLine[] = [
    ...before.map((text): DiffLine => ({ mark: '-', text })),
    ...after.map((text): DiffLine => ({ mark: '+', text })),
  ];
  if (before.length * after.length > 4_000_000) return all;
  const longest = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      longest[i]![j] =
        before[i] === after[j] ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ mark: ' ', text: before[i]! });
      i++;
      j++;
    } else if (j >= after.length || (i < before.length && longest[i + 1]![j]! >= longest[i]![j + 1]!)) {
      lines.push({ mark: '-', text: before[i++]! });
    } else {
      lines.push({ mark: '+', text: after[j++]! });
    }
  }
  return lines;
}
