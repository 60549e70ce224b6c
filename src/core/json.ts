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

/** The value as an object; an empty one if it is something else. */
export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value as a list; an empty one if it is something else. */
export function asList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a string; the empty one if it is something else, as Go's zero value is. */
export function asText(value: unknown): string {
  return textOf(value) ?? '';
}

/** The value as an object; undefined if it is something else. */
export function objectOf(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The value as a string; undefined if it is something else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value as a finite number; undefined if it is something else. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The strings of a list. */
export function textsOf(value: unknown): string[] {
  return asList(value).filter((item) => typeof item === 'string');
}

/** The entries of an object whose values are strings, as those of labels and annotations are. */
export function entriesOf(value: unknown): readonly (readonly [key: string, value: string])[] {
  return Object.entries(asObject(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

/** A map of strings, as labels and annotations are. */
export type StringMap = { readonly [key: string]: string };

/** The entries that are strings, in an object without a prototype, so that any key can be looked up. */
export function stringsOf(value: unknown): StringMap {
  const strings: Record<string, string> = Object.create(null);
  for (const [key, text] of entriesOf(value)) strings[key] = text;
  return strings;
}

/** The entries that are strings, as a Map. */
export function stringMapOf(value: unknown): ReadonlyMap<string, string> {
  return new Map(entriesOf(value));
}

/** Whether a value is written: neither absent nor null. */
export function isSet(value: Json | undefined): value is Exclude<Json, null> {
  return value !== undefined && value !== null;
}

/** An object without its undefined entries, so that `in` and JSON agree on which keys it has. */
export function compact<T extends object>(object: T): T {
  const kept = {} as T;
  for (const [key, value] of Object.entries(object)) if (value !== undefined) setOwnValue(kept, key, value);
  return kept;
}

/** The value of an object's own key; undefined for a key that every JavaScript object inherits, such as `constructor`. */
export function ownValue(object: unknown, key: string | number): Json | undefined {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, key)
    ? (object as Record<string | number, Json>)[key]
    : undefined;
}

/** The object under an own key; undefined if it is something else. */
export function partOf(object: JsonObject | undefined, key: string): JsonObject | undefined {
  return objectOf(ownValue(object, key));
}

/** Sets an own key, even `__proto__`. */
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

/** Whether two JSON values are equal, regardless of the order of keys. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]))
  );
}
