/** The names of options at run time, and what no type forbids but no file can hold. */

/**
 * Every key of an interface of options. The compiler rejects a table that misses a key or has one too many. What the values
 * may be is known from the types: see `prop-shape.ts`.
 *
 * @example
 * const WEB_PROPS: PropTable<{ readonly service: object; readonly replicas?: number }> = { service: true, replicas: true };
 */
export type PropTable<Options> = { readonly [Key in keyof Options]-?: true };

/** The table of some options. */
export type AnyPropTable = Readonly<Record<string, true>>;

/** The options among the keys of an object that also holds something else. */
export function pickProps(given: object, table: AnyPropTable): object {
  const entries = Object.entries(given).filter(([key, value]) => Object.hasOwn(table, key) && value !== undefined);
  return Object.fromEntries(entries);
}

/**
 * Values that YAML cannot hold: circular data, symbols, and BigInts. An instance of a class counts as one value.
 *
 * @example dataProblems({ labels: { a: Symbol('b') } }) // ['"labels.a" is a symbol: give a string or a number']
 */
export function dataProblems(given: object | undefined | null): string[] {
  const done = new Set<unknown>();
  const visit = (value: unknown, path: string, above: readonly unknown[]): string[] => {
    if (typeof value === 'symbol' || typeof value === 'bigint') {
      return [`"${path}" is a ${typeof value}: give a string or a number`];
    }
    if (!isPlainData(value) || done.has(value)) return [];
    // cdk8s asks every object for its class in this way.
    if ('constructor' in value && value.constructor === null) return [`"${path}.constructor" is null: leave it out`];
    if (above.includes(value))
      return [`"${path}" refers back to an object that holds it: give plain data without cycles`];
    const problems = Object.entries(value).flatMap(([key, entry]) =>
      visit(entry, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, [...above, value]),
    );
    done.add(value);
    return problems;
  };
  return Object.entries(given ?? {}).flatMap(([key, value]) => visit(value, key, [given]));
}

/** A list, or an object without a class. */
function isPlainData(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** A copy in which every object has the usual prototype, which cdk8s requires. */
export function withPrototypes<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withPrototypes) as Value;
  if (!isPlainData(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withPrototypes(entry)])) as Value;
}
