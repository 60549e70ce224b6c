/**
 * Computes a value at its first use.
 * @example const catalogue = lazy(() => RuleCatalogue.of(coreRules));
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * An object whose values are made where they are first read. It has no prototype, so that V8 keeps it as a dictionary: one with
 * hundreds of such properties would be slow to make.
 * @example lazyRecord([['first', () => 1]]).first
 */
export function lazyRecord<T>(entries: Iterable<readonly [string, () => T]>): { readonly [name: string]: T } {
  const record = Object.create(null);
  for (const [name, make] of entries) {
    Object.defineProperty(record, name, { enumerable: true, configurable: true, get: lazy(make) });
  }
  return record;
}
