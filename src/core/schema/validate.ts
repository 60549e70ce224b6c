import { isJsonObject, type Json, type JsonObject, sameJson } from '../json';
import type { Path } from '../path';
import { compilePattern } from '../regex';
import { fieldText, type SchemaError, type SchemaErrorType } from './error';
import { hasFormat } from './format';
import { type StructuralSchema, schemaOfKey } from './structural';

/** The errors of a value by types, ranges and required fields, in the order of the schema. */
export function validateValue(value: Json, schema: StructuralSchema, path: Path = []): SchemaError[] {
  const mismatch = typeMismatch(value, schema);
  if (mismatch !== undefined) return [wrong(path, 'FieldValueTypeInvalid', inBody(path, mismatch), value)];
  if (value === null) return [];
  return [...combined(value, schema, path), ...ownChecks(value, schema, path), ...enumCheck(value, schema, path)];
}

function ownChecks(value: Json, schema: StructuralSchema, path: Path): SchemaError[] {
  if (typeof value === 'string') return stringChecks(value, schema, path);
  if (typeof value === 'number') return numberChecks(value, schema, path);
  if (Array.isArray(value)) return listChecks(value, schema, path);
  return isJsonObject(value) ? objectChecks(value, schema, path) : [];
}

function typeMismatch(value: Json, schema: StructuralSchema): string | undefined {
  const types = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  if (types.length === 0) return undefined;
  if (value === null) return schema.nullable ? undefined : `must be of type ${types.join(',')}: "null"`;
  const actual = typeOf(value);
  if (types.includes(actual) || (actual === 'integer' && types.includes('number'))) return undefined;
  return `must be of type ${types.join(',')}: "${actual}"`;
}

/** The type in the API server's terms: 3.0 is an integer. 3.5 is not, and neither is what does not fit into 64 bits. */
function typeOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63 ? 'integer' : 'number';
  return typeof value;
}

function combined(value: Json, schema: StructuralSchema, path: Path): SchemaError[] {
  const passes = (one: StructuralSchema) => validateValue(value, one, path).length === 0;
  const refused = (word: string): SchemaError[] => [
    wrong(path, 'FieldValueInvalid', `"${fieldText(path)}" must validate ${word}`, value),
  ];
  return [
    ...(schema.allOf?.flatMap((one) => validateValue(value, one, path)) ?? []),
    ...(schema.anyOf === undefined || schema.anyOf.some(passes) ? [] : refused('at least one schema (anyOf)')),
    ...(schema.oneOf === undefined || schema.oneOf.filter(passes).length === 1
      ? []
      : refused('one and only one schema (oneOf)')),
    ...(schema.not === undefined || !passes(schema.not)
      ? []
      : [wrong(path, 'FieldValueInvalid', `"${fieldText(path)}" must not validate the schema (not)`, value)]),
  ];
}

function enumCheck(value: Json, { enum: allowed }: StructuralSchema, path: Path): SchemaError[] {
  if (allowed === undefined || allowed.some((one) => sameJson(one, value))) return [];
  const values = allowed.map((one) => JSON.stringify(one)).sort();
  return [wrong(path, 'FieldValueNotSupported', `supported values: ${values.join(', ')}`, value)];
}

function stringChecks(text: string, schema: StructuralSchema, path: Path): SchemaError[] {
  const errors: SchemaError[] = [];
  const invalid = (what: string) => errors.push(wrong(path, 'FieldValueInvalid', inBody(path, what), text));
  const length = schema.minLength === undefined && schema.maxLength === undefined ? 0 : [...text].length;
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  if (length > maxLength) {
    errors.push(wrong(path, 'FieldValueTooLong', `may not be longer than ${maxLength}`, text));
  }
  if (length < minLength) invalid(`should be at least ${minLength} chars long`);
  if (pattern !== undefined && expression(pattern)?.(text) === false) invalid(`should match '${pattern}'`);
  if (format !== undefined && !hasFormat(text, format)) invalid(`must be of type ${format}: ${JSON.stringify(text)}`);
  return errors;
}

function numberChecks(value: number, schema: StructuralSchema, path: Path): SchemaError[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const failures = [
    multipleOf !== undefined && value % multipleOf !== 0 && `should be a multiple of ${multipleOf}`,
    maximum !== undefined &&
      (exclusiveMaximum ? value >= maximum : value > maximum) &&
      `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`,
    minimum !== undefined &&
      (exclusiveMinimum ? value <= minimum : value < minimum) &&
      `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`,
  ];
  return failures.flatMap((what) => (what ? [wrong(path, 'FieldValueInvalid', inBody(path, what), value)] : []));
}

function listChecks(list: readonly Json[], schema: StructuralSchema, path: Path): SchemaError[] {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = schema;
  const errors = items === undefined ? [] : list.flatMap((item, index) => validateValue(item, items, [...path, index]));
  if (list.length < minItems) {
    errors.push(wrong(path, 'FieldValueInvalid', inBody(path, `should have at least ${minItems} items`), list));
  }
  if (list.length > maxItems) {
    errors.push(wrong(path, 'FieldValueTooMany', `must have at most ${maxItems} items`, list.length));
  }
  if (uniqueItems && list.some((item, index) => list.findIndex((other) => sameJson(item, other)) < index)) {
    errors.push(wrong(path, 'FieldValueInvalid', inBody(path, "shouldn't contain duplicates"), list));
  }
  return errors;
}

function objectChecks(object: JsonObject, schema: StructuralSchema, path: Path): SchemaError[] {
  const errors: SchemaError[] = [];
  const { properties = {}, required = [], minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  for (const [key, known] of Object.entries(properties)) {
    if (Object.hasOwn(object, key)) errors.push(...validateValue(object[key]!, known, [...path, key]));
  }
  for (const [key, value] of Object.entries(object)) {
    const known = Object.hasOwn(properties, key) ? undefined : schemaOfKey(schema, key);
    if (known !== undefined) errors.push(...validateValue(value, known, [...path, key]));
  }
  for (const key of required) {
    if (!Object.hasOwn(object, key)) errors.push(wrong([...path, key], 'FieldValueRequired', ''));
  }
  const count = Object.keys(object).length;
  if (count < minProperties) {
    errors.push(wrong(path, 'FieldValueInvalid', inBody(path, `should have at least ${minProperties} properties`)));
  }
  if (count > maxProperties) errors.push(wrong(path, 'FieldValueTooMany', `must have at most ${maxProperties} items`));
  return errors;
}

function wrong(path: Path, type: SchemaErrorType, detail: string, value?: Json): SchemaError {
  return value === undefined ? { path, type, detail } : { path, type, detail, value };
}

function inBody(path: Path, what: string): string {
  return `${fieldText(path)} in body ${what}`;
}

const expressions = new Map<string, ((text: string) => boolean) | undefined>();

/** The regular expression of a pattern; undefined for Go's own syntax, which JavaScript cannot check. */
function expression(pattern: string): ((text: string) => boolean) | undefined {
  if (!expressions.has(pattern)) expressions.set(pattern, compilePattern(pattern));
  return expressions.get(pattern);
}
