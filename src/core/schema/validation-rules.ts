import { isJsonObject, type Json, ownValue } from '../json';
import type { Path } from '../path';
import { EvaluationError, predicateOf, type RulePredicate } from './cel';
import type { SchemaError, SchemaErrorType } from './error';
import { anyPart } from './parts';
import { type StructuralSchema, schemaOfKey, type ValidationRule } from './structural';

/** The API server evaluates no rules after one of these errors. */
const BLOCKING: readonly SchemaErrorType[] = [
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
];

/** Whether the API server evaluates validation rules after these errors. */
export function allowsRules(errors: readonly SchemaError[]): boolean {
  return !errors.some(({ type }) => BLOCKING.includes(type));
}

const hasRules = anyPart((schema) => schema['x-kubernetes-validations'] !== undefined);

/**
 * The errors of the `x-kubernetes-validations` of a schema. A rule on a change (`oldSelf`) applies only if there is an old
 * value. A rule that cannot be read here is skipped.
 */
export function brokenRules(
  value: Json,
  schema: StructuralSchema,
  old: Json | undefined,
  path: Path = [],
): SchemaError[] {
  if (!hasRules(schema)) return [];
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
  const keeps = predicateOf(rule);
  const problem = keeps === undefined ? undefined : problemOf(keeps, value, old);
  if (problem === undefined) return [];
  const text = message ?? `failed rule: ${rule}`;
  const detail = problem === 'broken' ? text : `${problem.message} evaluating rule: ${text}`;
  return [{ path, type: 'FieldValueInvalid', detail, value }];
}

function problemOf(keeps: RulePredicate, value: Json, old: Json | undefined): 'broken' | EvaluationError | undefined {
  try {
    return keeps(value, old) ? undefined : 'broken';
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

/** An item has an old value only if its list is a map: the old item with the same keys. */
function correlated(schema: StructuralSchema, old: Json | undefined): (item: Json) => Json | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return () => undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return (item) => old.find((before) => keys.every((key) => ownValue(before, key) === ownValue(item, key)));
}
