import { isJsonObject, type JsonObject } from '../json';
import type { Path } from '../path';
import { remembered } from '../remembered';
import { holdsNull, withDefaults } from './defaults';
import type { SchemaError } from './error';
import { fits } from './fits';
import { duplicateItems } from './list-type';
import { unknownMetadata, validateMetadata } from './metadata';
import { nullFields } from './null-fields';
import { pruneObject, type UnknownField } from './prune';
import { type StructuralSchema, schemaOfKey } from './structural';
import { validateValue } from './validate';
import { allowsRules, brokenRules } from './validation-rules';

/** The API server's result for an object. */
export interface SchemaResult {
  /** The stored object: without unknown fields and nulls, with defaults. */
  readonly object: JsonObject;
  /** The dropped fields. kubectl rejects them; other clients lose them silently. */
  readonly unknown: readonly UnknownField[];
  /** Fields that are null. Server-side apply refuses the object; on creation they count as absent. */
  readonly nulls: readonly Path[];
  /** The reasons to reject the object; empty if it is accepted. */
  readonly errors: readonly SchemaError[];
}

/** The options of `checkObject`. */
export interface SchemaOptions {
  /**
   * The object before an update.
   * @default - the object is created
   */
  readonly old?: JsonObject;
  /**
   * Drops `status`, as the API server does on creation if the kind has a status subresource.
   * @default false
   */
  readonly dropStatus?: boolean;
}

/**
 * Processes an object like the API server: drops unknown fields, sets defaults, and validates in the API server's order.
 * Does not change the given object.
 *
 * @example
 * const { errors, unknown } = checkObject(manifest.object, schema);
 */
export function checkObject(object: JsonObject, schema: StructuralSchema, options: SchemaOptions = {}): SchemaResult {
  const stored = storedAsItIs(object, schema);
  if (stored === undefined) return checkEachField(object, schema, options);
  const errors = validateMetadata(stored);
  const result = { object: stored, unknown: unknownMetadata(object), nulls: [] };
  if (!allowsRules(errors)) return { ...result, errors };
  return { ...result, errors: [...errors, ...brokenRules(stored, schema, options.old)] };
}

/** Checks every field. An object needs this if the API server may drop a part of it or refuse it. */
export function checkEachField(
  object: JsonObject,
  schema: StructuralSchema,
  options: SchemaOptions = {},
): SchemaResult {
  const pruned = pruneObject(object, schema);
  const unknown = [...unknownMetadata(object), ...pruned.unknown];
  const nulls = nullFields(object, schema);
  const complete = withDefaults(options.dropStatus ? withoutStatus(pruned.value) : pruned.value, schema);
  const errors = [
    ...validateMetadata(complete),
    ...validateValue(complete, schema),
    ...duplicateItems(complete, schema),
  ];
  if (!allowsRules(errors)) return { object: complete, unknown, nulls, errors };
  return { object: complete, unknown, nulls, errors: [...errors, ...brokenRules(complete, schema, options.old)] };
}

function withoutStatus({ status, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** The object with defaults, if nothing else about it has to be changed or told, but for metadata and validation rules. */
function storedAsItIs(object: JsonObject, schema: StructuralSchema): JsonObject | undefined {
  const { metadata = {}, status, ...written } = object;
  if (status !== undefined || !isJsonObject(metadata) || !hasPlainRoot(schema) || holdsNull(written)) return undefined;
  const stored = withDefaults(object, schema);
  const { metadata: _metadata, ...filled } = stored;
  return fits(filled, schema) ? stored : undefined;
}

/** Whether a schema says of the object as a whole, and of its metadata, nothing that depends on what these hold. */
const hasPlainRoot = remembered((schema: StructuralSchema): boolean => {
  const ofMetadata = schemaOfKey(schema, 'metadata') ?? {};
  return hasOnly(schema, PLAIN_ROOT) && hasOnly(ofMetadata, PLAIN_METADATA);
});

const PLAIN_METADATA: readonly (keyof StructuralSchema)[] = [
  'type',
  'title',
  'description',
  'x-kubernetes-preserve-unknown-fields',
];
const PLAIN_ROOT: readonly (keyof StructuralSchema)[] = [
  ...PLAIN_METADATA,
  'properties',
  'required',
  'x-kubernetes-validations',
];

function hasOnly(schema: StructuralSchema, words: readonly (keyof StructuralSchema)[]): boolean {
  const { type = 'object' } = schema;
  return type === 'object' && Object.keys(schema).every((word) => words.some((one) => one === word));
}
