import { isJsonObject, type Json } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { anyPart } from '../../core/schema/parts';
import { type StructuralSchema, schemaOfKey } from '../../core/schema/structural';

type PartCheck = (part: Json, schema: StructuralSchema, path: Path) => readonly SchemaError[];

/**
 * A check of the parts of a value whose schema is concerned, from the outer to the inner ones. Each object of a stack comes
 * here, so parts below which nothing is concerned are not looked at.
 */
export function errorsOfParts(
  isConcerned: (schema: StructuralSchema) => boolean,
  check: PartCheck,
): (value: Json, schema: StructuralSchema) => SchemaError[] {
  const concerns = anyPart(isConcerned);
  const visit = (part: Json, schema: StructuralSchema, path: Path, errors: SchemaError[]): void => {
    if (isConcerned(schema)) for (const error of check(part, schema, path)) errors.push(error);
    if (Array.isArray(part)) {
      const { items } = schema;
      if (items === undefined || !concerns(items)) return;
      part.forEach((item, index) => void visit(item, items, [...path, index], errors));
      return;
    }
    if (!isJsonObject(part)) return;
    for (const key of Object.keys(part)) {
      const child = schemaOfKey(schema, key);
      if (child !== undefined && concerns(child)) visit(part[key]!, child, [...path, key], errors);
    }
  };
  return (value, schema) => {
    const errors: SchemaError[] = [];
    visit(value, schema, [], errors);
    return errors;
  };
}
