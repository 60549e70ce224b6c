/**
 * Makes a pure function compute its result once for each object; the object must never change. A rehearsal asks about the same
 * objects at every moment of a release.
 */
export function remembered<Key extends object, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const known = new WeakMap<Key, Result>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as Result;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

/** As `remembered`, for a function of a list: lists of the same objects have one result. A few of those that begin alike are kept. */
export function rememberedList<Item extends object, Result>(
  make: (items: readonly Item[]) => Result,
): (items: readonly Item[]) => Result {
  const latestOf = remembered((_first: Item): { items: readonly Item[]; result: Result }[] => []);
  return (items) => {
    const [first] = items;
    if (first === undefined) return make(items);
    const latest = latestOf(first);
    const known = latest.find((each) => sameItems(each.items, items));
    if (known !== undefined) return known.result;
    const result = make(items);
    if (latest.length >= KEPT) latest.shift();
    latest.push({ items, result });
    return result;
  };
}

const KEPT = 4;

/** Whether two lists have the same objects in the same order. */
export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((item, index) => item === b[index]));
}
