import type { JsonObject } from '../json';
import { withDefaults } from './defaults';
import type { SchemaError } from './error';
import { duplicateItems } from './list-type';
import { unknownMetadata, validateMetadata } from './metadata';
import { pruneObject, type UnknownField } from './prune';
import type { StructuralSchema } from './structural';
import { validateValue } from './validate';
import { allowsRules, brokenRules } from './validation-rules';

/** What the API server makes of an object. */
export interface SchemaResult {
  /** The object as it would be stored: without unknown fields and nulls, with defaults. */
  readonly object: JsonObject;
  /** The fields that were dropped; kubectl refuses them, other clients lose them without a word. */
  readonly unknown: readonly UnknownField[];
  /** Why the object is refused; empty when it is not. */
  readonly errors: readonly SchemaError[];
}

/** How an object is checked. */
export interface SchemaOptions {
  /**
   * The object before an update.
   * @default - the object is created
   */
  readonly old?: JsonObject;
  /**
   * Leaves out `status`, as the API server does on creation where the kind has a status subresource.
   * @default false
   */
  readonly dropStatus?: boolean;
}

/**
 * Does with an object what the API server does: drops what the schema does not know, fills in defaults, and checks the
 * rest in the API server's order. Never changes the object given.
 *
 * @example
 * const { errors, unknown } = checkObject(manifest.object, schema);
 */
export function checkObject(object: JsonObject, schema: StructuralSchema, options: SchemaOptions = {}): SchemaResult {
  const pruned = pruneObject(object, schema);
  const unknown = [...unknownMetadata(object), ...pruned.unknown];
  const complete = withDefaults(options.dropStatus ? withoutStatus(pruned.value) : pruned.value, schema);
  const errors = [
    ...validateMetadata(complete),
    ...validateValue(complete, schema),
    ...duplicateItems(complete, schema),
  ];
  if (!allowsRules(errors)) return { object: complete, unknown, errors };
  return { object: complete, unknown, errors: [...errors, ...brokenRules(complete, schema, options.old)] };
}

function withoutStatus({ status, ...rest }: JsonObject): JsonObject {
  return rest;
}
