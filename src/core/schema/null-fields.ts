import { isJsonObject, type Json, type JsonObject } from '../json';
import type { Path } from '../path';
import { isDroppedNull, type StructuralSchema, schemaOfKey } from './structural';

/**
 * The fields of an object that are null although their schema has a type. On creation the API server drops them; in
 * server-side apply it validates them as they are, and refuses the object. A field with a default gets it instead.
 */
export function nullFields(object: JsonObject, schema: StructuralSchema): Path[] {
  const { metadata, status, ...written } = object;
  return nullsIn(written, schema, []);
}

function nullsIn(value: Json, schema: StructuralSchema, path: Path): Path[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, index) => nullsIn(item, items, [...path, index]));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const known = schemaOfKey(schema, key);
    if (known === undefined) return [];
    return isRefusedNull(child, known) ? [[...path, key]] : nullsIn(child, known, [...path, key]);
  });
}

function isRefusedNull(value: Json, schema: StructuralSchema): boolean {
  const isTyped = schema.type !== undefined || schema['x-kubernetes-int-or-string'] === true;
  return isTyped && schema.default === undefined && isDroppedNull(value, schema);
}
