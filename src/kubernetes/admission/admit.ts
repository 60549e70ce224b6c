import { isJsonObject, type Json, type JsonObject, setOwnValue } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { duplicateItems } from '../../core/schema/list-type';
import { unknownMetadata, validateMetadata } from '../../core/schema/metadata';
import { pruneObject, type UnknownField } from '../../core/schema/prune';
import { type StructuralSchema, schemaOfKey } from '../../core/schema/structural';
import { validateValue } from '../../core/schema/validate';
import { hasQuantity } from '../quantity';
import { nameCheckOf } from './names';
import { kubernetesSchema, SCHEMA_MINOR } from './schema';
import { TYPE_CHECKS } from './type-checks';

/** What the API server says to an object of Kubernetes. */
export interface KubernetesVerdict {
  /** Fields that the kind does not have: server-side apply and kubectl refuse the object, other clients lose them. */
  readonly unknown: readonly UnknownField[];
  /** Why the API server refuses the object, on creation or on server-side apply; empty if it takes it. */
  readonly errors: readonly SchemaError[];
}

/**
 * Predicts what the API server says to an object of Kubernetes; undefined for a kind that this library does not know.
 * @param minor the minor version of Kubernetes: fields and words that are newer than the schema are no mistake
 *
 * @example admitKubernetesObject({ apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: '80' }] } }, 34)
 */
export function admitKubernetesObject(object: JsonObject, minor = SCHEMA_MINOR): KubernetesVerdict | undefined {
  const { apiVersion, kind } = object;
  const schema = kubernetesSchema(String(apiVersion), String(kind));
  if (schema === undefined) return undefined;
  const isNewer = minor > SCHEMA_MINOR;
  const pruned = pruneObject(object, schema);
  const { metadata, status, ...rest } = pruned.value;
  const decoded = withoutNulls(rest, schema) as JsonObject;
  // An absent spec is an empty one.
  const written = schema.properties?.spec === undefined ? decoded : { spec: {}, ...decoded };
  const byType = validateValue(written, schema).filter(({ type, value }) => !isTolerated(type, value, isNewer));
  const first = [
    ...validateMetadata(object, nameCheckOf(String(kind))),
    ...byType,
    ...valueErrors(written, schema),
    ...duplicateItems(written, schema),
  ];
  const further = typeErrors(written, schema).filter(({ path }) => !first.some((error) => overlaps(error.path, path)));
  return {
    unknown: isNewer ? [] : [...unknownMetadata(object), ...pruned.unknown],
    errors: [...first, ...further],
  };
}

/** An empty word is an absent one, and a newer release may have further words. */
function isTolerated(type: SchemaError['type'], value: Json | undefined, isNewer: boolean): boolean {
  return type === 'FieldValueNotSupported' && (value === '' || isNewer);
}

/** The object as Kubernetes' own code decodes it: null is the empty value of its type. */
function withoutNulls(value: Json, schema: StructuralSchema): Json {
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    const isMap = schema['x-kubernetes-list-type'] === 'map';
    return value.map((item) => (item === null && !isMap ? emptyOf(items) : withoutNulls(item, items)));
  }
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    const known = schemaOfKey(schema, key) ?? {};
    // In a map of texts, null is an empty text.
    if (child !== null) setOwnValue(kept, key, withoutNulls(child, known));
    else if (schema.properties === undefined && known.type === 'string') setOwnValue(kept, key, '');
  }
  return kept;
}

function emptyOf({ type }: StructuralSchema): Json {
  return type === 'string' ? '' : type === 'object' ? {} : null;
}

/** Numbers that do not fit into their type, and quantities. */
function valueErrors(value: Json, schema: StructuralSchema): SchemaError[] {
  return errorsWithin(value, schema, (part, { format, 'x-kubernetes-int-or-string': isIntOrString }, path) => {
    if (format === 'quantity') return hasQuantity(part) ? [] : [notQuantity(part, path)];
    if (typeof part !== 'number' || (format !== 'int32' && isIntOrString !== true)) return [];
    return part >= -(2 ** 31) && part < 2 ** 31 ? [] : [tooLarge(part, path)];
  });
}

function notQuantity(value: Json, path: Path): SchemaError {
  return { path, type: 'FieldValueInvalid', detail: 'is not a quantity such as 100m or 1Gi', value };
}

function tooLarge(value: number, path: Path): SchemaError {
  return { path, type: 'FieldValueInvalid', detail: 'does not fit into 32 bits', value };
}

/** What Kubernetes asks of its types beyond their schema. */
function typeErrors(value: Json, schema: StructuralSchema): SchemaError[] {
  return errorsWithin(value, schema, (part, { title }, path) => {
    const check = title === undefined ? undefined : TYPE_CHECKS[title];
    return check !== undefined && isJsonObject(part) ? check(part, path) : [];
  });
}

type PartCheck = (part: Json, schema: StructuralSchema, path: Path) => readonly SchemaError[];

/** The errors of all parts of a value, from the outer to the inner ones. Each part of each object of a stack comes here. */
function errorsWithin(value: Json, schema: StructuralSchema, check: PartCheck): SchemaError[] {
  const errors: SchemaError[] = [];
  const visit = (part: Json, known: StructuralSchema, path: Path): void => {
    for (const error of check(part, known, path)) errors.push(error);
    if (Array.isArray(part)) {
      const { items } = known;
      if (items !== undefined) part.forEach((item, index) => void visit(item, items, [...path, index]));
      return;
    }
    if (!isJsonObject(part)) return;
    for (const [key, child] of Object.entries(part)) {
      const schemaOfChild = schemaOfKey(known, key);
      if (schemaOfChild !== undefined) visit(child, schemaOfChild, [...path, key]);
    }
  };
  visit(value, schema, []);
  return errors;
}

/** Whether one path contains the other. */
function overlaps(a: Path, b: Path): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.every((part, index) => part === long[index]);
}
