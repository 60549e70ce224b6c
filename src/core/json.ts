/** Plain data, as YAML and JSON hold it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object of plain data. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for an object that is neither `null` nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one where it is something else. */
export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value as a list; an empty one where it is something else. */
export function asList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** An object without the entries that are undefined, so that an absent key is absent for `in` and for JSON alike. */
export function compact<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

/** The value of an object's own key; what every JavaScript object inherits (`constructor`) is not there. */
export function ownValue(object: unknown, key: string | number): Json | undefined {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, key)
    ? (object as Record<string | number, Json>)[key]
    : undefined;
}

/** Sets an own key, also one named `__proto__`. */
export function setOwnValue(object: object, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (object as Record<string, Json>)[key] = value;
  }
}

/** `a list`, `a string`, … for messages. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
