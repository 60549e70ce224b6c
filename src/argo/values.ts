import { asObject, isJsonObject, type Json, type JsonObject, ownValue } from '../core/json';

export { asList, asObject, compact } from '../core/json';

/** The value as a string; the empty one where it is something else, as Go has it. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value as a number; undefined where it is something else. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Whether something is written: neither absent nor null. */
export function isSet(value: Json | undefined): value is Exclude<Json, null> {
  return value !== undefined && value !== null;
}

/** The strings of a map, as labels and annotations are. */
export function stringsOf(value: unknown): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(asObject(value)).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text] as const] : [])),
  );
}

/** A part of an object that is an object, or undefined where it is not written. */
export function partOf(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = ownValue(object, key);
  return isJsonObject(value) ? value : undefined;
}
