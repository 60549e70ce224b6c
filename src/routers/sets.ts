/** The items of each key; an item with several keys is in several sets. */
export function keyedSets<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): readonly (readonly T[])[] {
  const sets = new Map<string, T[]>();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      const set = sets.get(key);
      if (set === undefined) sets.set(key, [item]);
      else set.push(item);
    }
  }
  return [...sets.values()];
}
