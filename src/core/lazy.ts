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
