import { compareLines } from '../core/text-diff';

/** Two items of the same key, or one that only one side has. */
export interface Aligned<Item> {
  readonly from?: Item;
  readonly to?: Item;
}

/** The items of two lists side by side, in the order of both: as many as possible have a partner with the same key. */
export function aligned<Item>(
  from: readonly Item[],
  to: readonly Item[],
  keyOf: (item: Item) => string,
): Aligned<Item>[] {
  let [before, after] = [0, 0];
  return compareLines(from.map(keyOf), to.map(keyOf)).map(({ mark }) => ({
    ...(mark !== '+' && { from: from[before++]! }),
    ...(mark !== '-' && { to: to[after++]! }),
  }));
}
