export { asList, asObject, compact } from '../core/json';

/** A map of strings, such as labels or annotations. */
export type StringMap = { readonly [key: string]: string };

/** The value if it is a string; otherwise undefined. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
