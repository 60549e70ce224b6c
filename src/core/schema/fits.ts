import { isJsonObject, type Json, type JsonObject } from '../json';
import { duplicateItems } from './list-type';
import { ROOT_KEYS } from './prune';
import { type StructuralSchema, schemaOfKey } from './structural';
import { validateValue } from './validate';

type Test = (value: Json) => boolean;

const compiled = new WeakMap<StructuralSchema, Test>();

/**
 * Whether a value passes a schema as it is: nothing in it is unknown, null, twice, or of another type. Most values do: this
 * test makes nothing, and keeps what it compiles of a schema. `false` says that the value has to be looked at, and no more.
 */
export function fits(value: Json, schema: StructuralSchema): boolean {
  let test = compiled.get(schema);
  if (test === undefined) {
    test = compile(schema);
    compiled.set(schema, test);
  }
  return test(value);
}

const compiledObjects = new WeakMap<StructuralSchema, Test>();

/** The same for a whole object, whose `apiVersion`, `kind` and `metadata` a schema may omit. What is in `metadata` does not count. */
export function fitsObject(object: JsonObject, schema: StructuralSchema): boolean {
  let test = compiledObjects.get(schema);
  if (test === undefined) {
    const [own = () => true, fields] = [ownTest(schema), fieldsTest(schema, isPlaced)];
    test = (value) => own(value) && fields(value);
    compiledObjects.set(schema, test);
  }
  return test(object);
}

/** Whether nothing is to be said about a field that each object has. */
function isPlaced(value: Json, known: StructuralSchema | undefined): boolean {
  if (known === undefined) return true;
  return validateValue(value, known).length === 0 && duplicateItems(value, known).length === 0;
}

function compile(schema: StructuralSchema): Test {
  const tests = [typeTest(schema), ownTest(schema), itemsTest(schema), fieldsTest(schema)].filter(
    (test) => test !== undefined,
  );
  return (value) => value !== null && tests.every((test) => test(value));
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
  return (value) => !Array.isArray(value) || value.every((item) => fits(item, items));
}

/** @param ofRoot the test of the fields of every object @default - they are fields as others are */
function fieldsTest(schema: StructuralSchema, ofRoot?: typeof isPlaced): Test {
  const { required = [], additionalProperties } = schema;
  const takesAny = schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true;
  return (value) => {
    if (!isJsonObject(value)) return true;
    for (const name of required) if (!Object.hasOwn(value, name)) return false;
    for (const key of Object.keys(value)) {
      const known = schemaOfKey(schema, key);
      if (ofRoot !== undefined && ROOT_KEYS.includes(key)) {
        if (!ofRoot(value[key]!, known)) return false;
      } else if (known === undefined ? !takesAny : !fits(value[key]!, known)) return false;
    }
    return true;
  };
}
