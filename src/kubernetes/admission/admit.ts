import { isJsonObject, type Json, type JsonObject, setOwnValue } from '../../core/json';
import type { Path } from '../../core/path';
import { checkObject } from '../../core/schema/check';
import type { SchemaError } from '../../core/schema/error';
import { fits } from '../../core/schema/fits';
import { duplicateItems } from '../../core/schema/list-type';
import { unknownMetadata, validateMetadata } from '../../core/schema/metadata';
import { pruneObject, type UnknownField } from '../../core/schema/prune';
import { scaleErrors } from '../../core/schema/scale';
import { type StructuralSchema, schemaOfKey } from '../../core/schema/structural';
import { validateValue } from '../../core/schema/validate';
import { hasQuantity } from '../quantity';
import { crdErrors } from './crds';
import { virtualServiceErrors } from './istio';
import { nameCheckOf } from './names';
import { errorsOfParts } from './parts';
import { customSchema, kubernetesSchema, schemaMinor } from './schema';
import { TYPE_CHECKS } from './type-checks';

/** What the API server says to an object of Kubernetes, or of a custom kind that a release touches. */
export interface KubernetesVerdict {
  /** Fields that the kind does not have: server-side apply and kubectl refuse the object, other clients lose them. */
  readonly unknown: readonly UnknownField[];
  /**
   * Fields that server-side apply refuses because they are null.
   * @default - none
   */
  readonly nulls?: readonly Path[];
  /** Why the API server refuses the object, on creation or on server-side apply; empty if it takes it. */
  readonly errors: readonly SchemaError[];
}

/**
 * Predicts what the API server says to an object; undefined for a kind that this library does not know.
 * @param minor the minor version of Kubernetes: fields and words that are newer than the schema are no mistake
 *   (by default that of the schema)
 *
 * @example admitKubernetesObject({ apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: '80' }] } }, 34)
 */
export function admitKubernetesObject(object: JsonObject, minor?: number): KubernetesVerdict | undefined {
  const known = verdicts.get(object) ?? new Map<number | undefined, KubernetesVerdict | undefined>();
  verdicts.set(object, known);
  if (!known.has(minor)) known.set(minor, verdictOn(object, minor));
  return known.get(minor);
}

/** Checks and rehearsals ask about the same objects, which nobody changes. */
const verdicts = new WeakMap<JsonObject, Map<number | undefined, KubernetesVerdict | undefined>>();

function verdictOn(object: JsonObject, minor: number | undefined): KubernetesVerdict | undefined {
  const [apiVersion, kind] = [String(object.apiVersion), String(object.kind)];
  const custom = customSchema(apiVersion, kind);
  if (custom !== undefined) return admitCustomObject(object, custom);
  if (apiVersion === 'apiextensions.k8s.io/v1' && kind === 'CustomResourceDefinition') {
    return { unknown: unknownMetadata(object), errors: crdErrors(object) };
  }
  const schema = kubernetesSchema(apiVersion, kind);
  if (schema === undefined) return undefined;
  const isNewer = minor !== undefined && minor > schemaMinor();
  const ofMetadata = validateMetadata(object, nameCheckOf(kind));
  const { written, unknown, errors } = decoded(object, schema, isNewer);
  const first = [...ofMetadata, ...errors];
  const further = typeErrors(written, schema).filter(({ path }) => !first.some((error) => overlaps(error.path, path)));
  return {
    unknown: isNewer ? [] : [...unknownMetadata(object), ...unknown],
    errors: [...first, ...further],
  };
}

/** Kinds whose number of replicas the API server checks by itself. */
const SCALED = ['CloneSet', 'StatefulSet'];

const isVirtualService = ({ apiVersion, kind }: JsonObject) =>
  kind === 'VirtualService' && String(apiVersion).startsWith('networking.istio.io/');

function admitCustomObject(object: JsonObject, schema: StructuralSchema): KubernetesVerdict {
  const { unknown, nulls, errors } = checkObject(object, schema, { dropStatus: true });
  const ofScale = SCALED.includes(String(object.kind)) ? scaleErrors(object, ['spec', 'replicas']) : [];
  const ofWebhook = isVirtualService(object) && errors.length === 0 ? virtualServiceErrors(object) : [];
  return { unknown, nulls, errors: [...errors, ...ofScale, ...ofWebhook] };
}

/** An object as the API server reads it, with what its schema says to that. */
interface Decoded extends KubernetesVerdict {
  readonly written: JsonObject;
}

function decoded(object: JsonObject, schema: StructuralSchema, isNewer: boolean): Decoded {
  // An absent spec is an empty one.
  const empty: JsonObject = schema.properties?.spec === undefined ? {} : { spec: {} };
  const { metadata, status, ...plain } = object;
  const asItIs = { ...empty, ...plain };
  if (fits(asItIs, schema)) return { written: asItIs, unknown: [], errors: quantityErrors(asItIs, schema) };
  const pruned = pruneObject({ ...plain, ...(status !== undefined && { status }) }, schema);
  const { status: _status, ...rest } = pruned.value;
  const written = { ...empty, ...(withoutNulls(rest, schema) as JsonObject) };
  const byType = validateValue(written, schema).filter(({ type, value }) => !isTolerated(type, value, isNewer));
  return {
    written,
    unknown: pruned.unknown,
    errors: [
      ...byType,
      ...quantityErrors(written, schema),
      ...sizeErrors(written, schema),
      ...duplicateItems(written, schema),
    ],
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
    // In a map of texts, null is an empty text; in one of quantities it is zero.
    if (child !== null) setOwnValue(kept, key, withoutNulls(child, known));
    else if (schema.properties === undefined && known.format === 'quantity') setOwnValue(kept, key, 0);
    else if (schema.properties === undefined && known.type === 'string') setOwnValue(kept, key, '');
  }
  return kept;
}

function emptyOf({ type }: StructuralSchema): Json {
  return type === 'string' ? '' : type === 'object' ? {} : null;
}

/** Numbers that do not fit into their type. */
const sizeErrors = errorsOfParts(
  ({ format, 'x-kubernetes-int-or-string': isIntOrString }) => format === 'int32' || isIntOrString === true,
  (part, _, path) => (typeof part !== 'number' || (part >= -(2 ** 31) && part < 2 ** 31) ? [] : [tooLarge(part, path)]),
);

const quantityErrors = errorsOfParts(
  ({ format }) => format === 'quantity',
  (part, _, path) => (hasQuantity(part) ? [] : [notQuantity(part, path)]),
);

function notQuantity(value: Json, path: Path): SchemaError {
  return { path, type: 'FieldValueInvalid', detail: 'is not a quantity such as 100m or 1Gi', value };
}

function tooLarge(value: number, path: Path): SchemaError {
  return { path, type: 'FieldValueInvalid', detail: 'does not fit into 32 bits', value };
}

/** What Kubernetes asks of its types beyond their schema. */
const typeErrors = errorsOfParts(
  ({ title }) => title !== undefined && TYPE_CHECKS[title] !== undefined,
  (part, { title = '' }, path) => (isJsonObject(part) ? TYPE_CHECKS[title]!(part, path) : []),
);

/** Whether one path contains the other. */
function overlaps(a: Path, b: Path): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.every((part, index) => part === long[index]);
}
