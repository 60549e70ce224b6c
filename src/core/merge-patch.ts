import { isJsonObject, type Json, type JsonObject } from './json';

/**
 * Applies a JSON merge patch (RFC 7386): null takes a field away, objects are merged, everything else replaces.
 * @example mergePatch({ a: 1, b: 2 }, { b: null }) // { a: 1 }
 */
export function mergePatch(target: Json | undefined, patch: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...(isJsonObject(target) ? target : {}) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isJsonObject(value) ? mergePatch(result[key], value) : value;
  }
  return result;
}
