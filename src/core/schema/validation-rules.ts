import { isJsonObject, type Json, ownValue } from '../json';
import type { Path } from '../path';
import { CelError, evaluateCel } from './cel/evaluate';
import type { SchemaError, SchemaErrorType } from './error';
import { type StructuralSchema, schemaOfKey, type ValidationRule } from './structural';

/** With one of these the API server does not evaluate rules any more. */
const BLOCKING: readonly SchemaErrorType[] = [
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
];

/** Whether the API server still evaluates validation rules after these errors. */
export function allowsRules(errors: readonly SchemaError[]): boolean {
  return !errors.some(({ type }) => BLOCKING.includes(type));
}

/**
 * What the `x-kubernetes-validations` of a schema refuse. A rule on a change (`oldSelf`) counts only where there is an
 * old value. A rule that uses more of CEL than is known here is passed over.
 */
export function brokenRules(
  value: Json,
  schema: StructuralSchema,
  old: Json | undefined,
  path: Path = [],
): SchemaError[] {
  const own = (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => brokenRule(rule, value, old, path));
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return own;
    const oldOf = correlated(schema, old);
    return [...own, ...value.flatMap((item, at) => brokenRules(item, items, oldOf(item), [...path, at]))];
  }
  if (!isJsonObject(value)) return own;
  const below = Object.entries(value).flatMap(([key, child]) => {
    const known = schemaOfKey(schema, key);
    return known === undefined ? [] : brokenRules(child, known, ownValue(old, key), [...path, key]);
  });
  return [...own, ...below];
}

function brokenRule({ rule, message }: ValidationRule, value: Json, old: Json | undefined, path: Path): SchemaError[] {
  if (/\boldSelf\b/.test(rule) && old === undefined) return [];
  const detail = failure(rule, message ?? `failed rule: ${rule}`, value, old);
  return detail === undefined ? [] : [{ path, type: 'FieldValueInvalid', detail, value }];
}

function failure(rule: string, message: string, self: Json, oldSelf: Json | undefined): string | undefined {
  try {
    return evaluateCel(rule, oldSelf === undefined ? { self } : { self, oldSelf }) === false ? message : undefined;
  } catch (error) {
    if (error instanceof CelError) return `rule evaluation error: ${error.message}: evaluating rule: ${rule}`;
    throw error;
  }
}

/** Only items of a list that is a map have an old self: the item with the same keys. */
function correlated(schema: StructuralSchema, old: Json | undefined): (item: Json) => Json | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return () => undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return (item) => old.find((before) => keys.every((key) => ownValue(before, key) === ownValue(item, key)));
}
