/** The names and types of options at run time, for callers whose compiler did not check them. */

type KindOf<Value> = Value extends string
  ? 'string'
  : Value extends number
    ? 'number'
    : Value extends boolean
      ? 'boolean'
      : Value extends readonly unknown[]
        ? 'list'
        : 'object';

/** `'number' | 'object'` as `'number or object'`, in any order. */
type Joined<Kinds extends string> = {
  [Kind in Kinds]: [Exclude<Kinds, Kind>] extends [never] ? Kind : `${Kind} or ${Joined<Exclude<Kinds, Kind>>}`;
}[Kinds];

type PropOf<Options, Key extends keyof Options> =
  Record<never, never> extends Pick<Options, Key>
    ? Joined<KindOf<NonNullable<Options[Key]>>>
    : `${Joined<KindOf<NonNullable<Options[Key]>>>}, required`;

/**
 * Every key of an interface of options, with the type of its values. The compiler rejects a table that misses a key, has
 * one too many, or differs from the interface in a type or in what is required.
 *
 * @example
 * const WEB_PROPS: PropTable<{ readonly service: object; readonly replicas?: number }> = {
 *   service: 'object, required',
 *   replicas: 'number',
 * };
 */
export type PropTable<Options> = { readonly [Key in keyof Options]-?: PropOf<Options, Key> };

/** The table of some options. */
export type AnyPropTable = Readonly<Record<string, string>>;

/** The options among the keys of an object that also holds something else. */
export function pickProps(given: object, table: AnyPropTable): object {
  const entries = Object.entries(given).filter(([key, value]) => Object.hasOwn(table, key) && value !== undefined);
  return Object.fromEntries(entries);
}

/**
 * The required options that are missing, and those of a wrong type.
 *
 * @example propProblems({ service: 'web' }, WEB_PROPS) // ['"service" is the string "web": give an object']
 */
export function propProblems(given: object | undefined | null, table: AnyPropTable): string[] {
  const props = (given ?? {}) as Readonly<Record<string, unknown>>;
  const rows = Object.entries(table).map(([key, row]) => {
    const [kinds = '', required] = row.split(', ');
    return { key, kinds, isMissing: required !== undefined && (props[key] ?? undefined) === undefined };
  });
  const missing = rows.filter(({ isMissing }) => isMissing).map(({ key }) => `"${key}"`);
  const wrong = rows.filter(
    ({ key, kinds, isMissing }) =>
      !isMissing && props[key] !== undefined && !kinds.split(' or ').includes(kindOf(props[key])),
  );
  const verb = missing.length === 1 ? 'is' : 'are';
  return [
    ...(missing.length === 0 ? [] : [`${missing.join(' and ')} ${verb} missing from the properties`]),
    ...wrong.map(({ key, kinds }) => `"${key}" is ${shown(props[key])}: give ${withArticles(kinds)}`),
  ];
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `the string "${value}"`;
  return ['number', 'boolean'].includes(kindOf(value))
    ? `the ${kindOf(value)} ${String(value)}`
    : withArticles(kindOf(value));
}

function withArticles(kinds: string): string {
  return kinds
    .split(' or ')
    .map((kind) => (kind === 'null' || kind === 'undefined' ? kind : `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`))
    .join(' or ');
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
