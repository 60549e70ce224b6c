import { isJsonObject, type Json, type JsonObject, setOwnValue } from '../json';
import type { Path } from '../path';
import { type StructuralSchema, schemaOfKey } from './structural';

/** A field that the API server drops because the schema does not have it. */
export interface UnknownField {
  readonly path: Path;
  /** The fields that the schema has at this place. */
  readonly known: readonly string[];
}

/** An object without the dropped fields, and these fields. */
export interface Pruned<T extends Json = Json> {
  readonly value: T;
  readonly unknown: readonly UnknownField[];
}

/** The fields of every object. A schema may omit them. */
const ROOT_KEYS = ['apiVersion', 'kind', 'metadata'];

/** Drops the fields that the schema does not have, as the API server does for custom objects. */
export function pruneObject(object: JsonObject, schema: StructuralSchema): Pruned<JsonObject> {
  const unknown: UnknownField[] = [];
  return { value: pruneKeys(object, schema, [], unknown, true), unknown };
}

function prune(value: Json, schema: StructuralSchema, path: Path, unknown: UnknownField[]): Json {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item, index) => prune(item, items, [...path, index], unknown));
  }
  if (!isJsonObject(value)) return value;
  return pruneKeys(value, schema, path, unknown, schema['x-kubernetes-embedded-resource'] === true);
}

function pruneKeys(
  object: JsonObject,
  schema: StructuralSchema,
  path: Path,
  unknown: UnknownField[],
  isObject: boolean,
) {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const known = schemaOfKey(schema, key);
    if (isObject && ROOT_KEYS.includes(key)) setOwnValue(kept, key, value);
    else if (known !== undefined) setOwnValue(kept, key, prune(value, known, [...path, key], unknown));
    else if (keepsUnknown(schema)) setOwnValue(kept, key, value);
    // Of an object without fields, server-side apply leaves nulls out before it looks for unknown fields.
    else if (value === null && schema.properties === undefined) continue;
    else unknown.push({ path: [...path, key], known: knownKeys(schema, isObject) });
  }
  return kept;
}

function keepsUnknown(schema: StructuralSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
}

function knownKeys(schema: StructuralSchema, isObject: boolean): string[] {
  return [...new Set([...(isObject ? ROOT_KEYS : []), ...Object.keys(schema.properties ?? {})])];
}
