import { type Definition, expander } from '../../core/schema/definitions';
import type { StructuralSchema } from '../../core/schema/structural';
import { API_GROUP, API_KINDS, API_VERSION, type ApiKind } from './names';
import schemas from './schemas.json';

const expand = expander(schemas.definitions as unknown as { readonly [name: string]: Definition });

const expanded = new Map<string, StructuralSchema>();

/**
 * The schema of a kind in its CRD.
 * @param lacks the fields that the CRD of the release does not have, as in `ArgoRolloutsFacts.lacksFields`
 */
export function apiSchema(kind: ApiKind, lacks: readonly string[] = []): StructuralSchema {
  const key = [kind, ...lacks].join(' ');
  const known = expanded.get(key);
  if (known !== undefined) return known;
  const whole = expand({ $ref: kind });
  const schema = lacks.reduce((rest, field) => without(rest, field.split('.')), whole);
  expanded.set(key, schema);
  return schema;
}

/** A schema without a field; the same schema where it has none of that name. */
function without(schema: StructuralSchema, [name = '', ...more]: readonly string[]): StructuralSchema {
  if (name === '*') return schema.items === undefined ? schema : { ...schema, items: without(schema.items, more) };
  const { [name]: field, ...others } = schema.properties ?? {};
  if (field === undefined) return schema;
  return { ...schema, properties: more.length === 0 ? others : { ...others, [name]: without(field, more) } };
}

/** The schema of an object by its own apiVersion and kind. */
export function apiSchemaOf(object: {
  readonly apiVersion: string;
  readonly kind: string;
}): StructuralSchema | undefined {
  const kind = API_KINDS.find((one) => one === object.kind);
  return kind !== undefined && object.apiVersion === `${API_GROUP}/${API_VERSION}` ? apiSchema(kind) : undefined;
}
