import { isJsonObject, type JsonObject } from '../core/json';

/** A map of strings, as labels and annotations are. */
export type StringMap = { readonly [key: string]: string };

/** The value as an object; an empty one where it is something else. */
export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value as a list; an empty one where it is something else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a string; undefined where it is something else. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** An object without the entries that are undefined, so that an absent key is absent for `in` and for JSON alike. */
export function compact<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
