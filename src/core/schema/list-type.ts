import { isJsonObject, type Json, ownValue, sameJson } from '../json';
import type { Path } from '../path';
import type { SchemaError } from './error';
import { type StructuralSchema, schemaOfKey } from './structural';

/** The duplicate items of a list that the schema declares a set or a map. */
export function duplicateItems(value: Json, schema: StructuralSchema, path: Path = []): SchemaError[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    const below = items === undefined ? [] : value.flatMap((item, at) => duplicateItems(item, items, [...path, at]));
    return [...ownDuplicates(value, schema, path), ...below];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const known = schemaOfKey(schema, key);
    return known === undefined ? [] : duplicateItems(child, known, [...path, key]);
  });
}

function ownDuplicates(list: readonly Json[], schema: StructuralSchema, path: Path): SchemaError[] {
  const keyOf = keyFunction(schema);
  if (keyOf === undefined) return [];
  const keys = list.map(keyOf);
  return keys.flatMap((key, index) =>
    key !== undefined && keys.findIndex((other) => sameJson(other, key)) < index
      ? [{ path: [...path, index], type: 'FieldValueDuplicate' as const, detail: '', value: key }]
      : [],
  );
}

function keyFunction(schema: StructuralSchema): ((item: Json) => Json | undefined) | undefined {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return (item) => item;
    case 'map': {
      const names = schema['x-kubernetes-list-map-keys'] ?? [];
      return (item) =>
        isJsonObject(item) ? Object.fromEntries(names.map((name) => [name, ownValue(item, name) ?? null])) : undefined;
    }
    default:
      return undefined;
  }
}
