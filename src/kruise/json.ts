export { asList, asObject, compact } from '../core/json';

/** A map of strings, as labels and annotations are. */
export type StringMap = { readonly [key: string]: string };

/** The value as a string; undefined where it is something else. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
