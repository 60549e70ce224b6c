import { isJsonObject, type Json, type JsonObject, setOwnValue } from '../json';
import { anyPart } from './parts';
import { isDroppedNull, type StructuralSchema, schemaOfKey } from './structural';

/**
 * The value with the schema's defaults, as the API server stores it. A null counts as absent unless the schema allows
 * null. In a list a null stays. What stays as it is is not copied.
 */
export function withDefaults<T extends Json>(value: T, schema: StructuralSchema): T {
  return fill(value, schema) as T;
}

const hasDefaults = anyPart((schema) => schema.default !== undefined);

function fill(value: Json, schema: StructuralSchema): Json {
  if (!hasDefaults(schema) && !holdsNull(value)) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => fill(orDefault(item, items), items));
  }
  return isJsonObject(value) ? fillKeys(value, schema) : value;
}

function fillKeys(object: JsonObject, schema: StructuralSchema): JsonObject {
  const filled: JsonObject = {};
  for (const [key, written] of Object.entries(object)) {
    const known = schemaOfKey(schema, key);
    const value = known === undefined ? written : orDefault(written, known);
    if (!isDroppedNull(value, known)) setOwnValue(filled, key, known === undefined ? value : fill(value, known));
  }
  for (const [key, known] of Object.entries(schema.properties ?? {})) {
    if (known.default !== undefined && !Object.hasOwn(filled, key))
      setOwnValue(filled, key, fill(known.default, known));
  }
  return filled;
}

/** Whether null is in a value, or is the value. */
export function holdsNull(value: Json): boolean {
  if (typeof value !== 'object') return false;
  return value === null || Object.values(value).some(holdsNull);
}

function orDefault(value: Json, schema: StructuralSchema): Json {
  return schema.default !== undefined && isDroppedNull(value, schema) ? schema.default : value;
}
