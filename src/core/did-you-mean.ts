/**
 * The known name that is nearest to an unknown one; undefined if none is near.
 * @example didYouMean('orignal', ['original', 'expected']) // 'original'
 */
export function didYouMean(
  wrong: string,
  known: readonly string[],
  allowed = Math.max(1, Math.floor(wrong.length / 3)),
): string | undefined {
  const word = wrong.toLowerCase();
  return known
    .map((name) => ({ name, lower: name.toLowerCase() }))
    .filter(({ lower }) => Math.abs(lower.length - word.length) <= allowed)
    .map(({ name, lower }) => ({ name, distance: editDistance(word, lower) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((left, right) => left.distance - right.distance)[0]?.name;
}

/** The edit distance of two words: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1);
      }
    }
    [beforeLast, last] = [last, row];
  }
  return last[right.length]!;
}
