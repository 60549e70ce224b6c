import { isJsonObject, type Json } from '../json';
import { remembered } from '../remembered';
import { duplicateItems } from './list-type';
import type { StructuralSchema } from './structural';
import { validateValue } from './validate';

type Test = (value: Json) => boolean;

/**
 * Whether a value passes a schema as it is: nothing in it is unknown, null, twice, or of another type. Most values do: this
 * test makes nothing, and keeps what it compiles of a schema. `false` says that the value has to be looked at, and no more.
 */
export function fits(value: Json, schema: StructuralSchema): boolean {
  return testOf(schema)(value);
}

const testOf = remembered(compile);

/** The test of a part, compiled with the first value: a type may contain itself. */
function partTest(schema: StructuralSchema): Test {
  let test: Test | undefined;
  return (value) => {
    test ??= testOf(schema);
    return test(value);
  };
}

function compile(schema: StructuralSchema): Test {
  const tests = [typeTest(schema), ownTest(schema), itemsTest(schema), fieldsTest(schema)].filter(
    (test) => test !== undefined,
  );
  return (value) => {
    if (value === null) return false;
    for (const test of tests) if (!test(value)) return false;
    return true;
  };
}

function typeTest({ type, format, 'x-kubernetes-int-or-string': isIntOrString }: StructuralSchema): Test | undefined {
  const isInteger = format === 'int32' || isIntOrString ? is32Bit : Number.isSafeInteger;
  if (isIntOrString) return (value) => typeof value === 'string' || isInteger(value);
  switch (type) {
    case undefined:
      return undefined;
    case 'array':
      return Array.isArray;
    case 'integer':
      return isInteger;
    case 'object':
      return isJsonObject;
    default:
      return (value) => typeof value === type;
  }
}

function is32Bit(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= -(2 ** 31) && (value as number) < 2 ** 31;
}

/** What a schema asks besides its type and its parts: ranges, patterns, words. */
function ownTest({
  title: _title,
  type: _type,
  default: _default,
  properties: _properties,
  additionalProperties: _additionalProperties,
  required: _required,
  items: _items,
  // Nothing to test, or tested with the type.
  description: _description,
  nullable: _nullable,
  'x-kubernetes-int-or-string': _isIntOrString,
  'x-kubernetes-map-type': _mapType,
  'x-kubernetes-preserve-unknown-fields': _takesAny,
  'x-kubernetes-validations': _rules,
  'x-kubernetes-list-type': listType,
  'x-kubernetes-list-map-keys': keys = [],
  ...words
}: StructuralSchema): Test | undefined {
  const isDistinct: Test | undefined =
    listType === undefined || listType === 'atomic'
      ? undefined
      : (value) =>
          (value as Json[]).length < 2 ||
          duplicateItems(value, { 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys }).length ===
            0;
  if (Object.keys(words).length === 0) return isDistinct;
  return (value) => validateValue(value, words).length === 0 && (isDistinct === undefined || isDistinct(value));
}

function itemsTest({ items }: StructuralSchema): Test | undefined {
  if (items === undefined) return undefined;
  const test = partTest(items);
  return (value) => !Array.isArray(value) || value.every(test);
}

function fieldsTest(schema: StructuralSchema): Test | undefined {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (schema.type !== undefined && schema.type !== 'object') return undefined;
  const takesAny = schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true;
  const known = new Map(Object.entries(properties).map(([name, one]) => [name, partTest(one)]));
  const other = isJsonObject(additionalProperties) ? partTest(additionalProperties) : () => takesAny;
  return (value) => {
    if (!isJsonObject(value)) return true;
    for (const name of required) if (!Object.hasOwn(value, name)) return false;
    for (const key of Object.keys(value)) if (!(known.get(key) ?? other)(value[key]!)) return false;
    return true;
  };
}
