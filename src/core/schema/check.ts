import type { JsonObject } from '../json';
import type { Path } from '../path';
import { withDefaults } from './defaults';
import type { SchemaError } from './error';
import { fitsObject } from './fits';
import { duplicateItems } from './list-type';
import { unknownMetadata, validateMetadata } from './metadata';
import { nullFields } from './null-fields';
import { pruneObject, type UnknownField } from './prune';
import type { StructuralSchema } from './structural';
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
  const stored = fittingObject(object, schema, options) ?? storedObject(object, schema, options);
  const { object: complete, errors } = stored;
  return allowsRules(errors)
    ? { ...stored, errors: [...errors, ...brokenRules(complete, schema, options.old)] }
    : stored;
}

/** The result without validation rules. */
function storedObject(object: JsonObject, schema: StructuralSchema, { dropStatus }: SchemaOptions): SchemaResult {
  const pruned = pruneObject(object, schema);
  const complete = withDefaults(dropStatus ? withoutStatus(pruned.value) : pruned.value, schema);
  return {
    object: complete,
    unknown: [...unknownMetadata(object), ...pruned.unknown],
    nulls: nullFields(object, schema),
    errors: [...validateMetadata(complete), ...validateValue(complete, schema), ...duplicateItems(complete, schema)],
  };
}

/** The same for an object that the schema takes as it is, as most objects are; undefined for all others. */
function fittingObject(
  object: JsonObject,
  schema: StructuralSchema,
  { dropStatus }: SchemaOptions,
): SchemaResult | undefined {
  if (!fitsObject(object, schema)) return undefined;
  const complete = withDefaults(dropStatus ? withoutStatus(object) : object, schema);
  if (!fitsObject(complete, schema)) return undefined;
  return { object: complete, unknown: unknownMetadata(object), nulls: [], errors: validateMetadata(complete) };
}

function withoutStatus({ status, ...rest }: JsonObject): JsonObject {
  return rest;
}
