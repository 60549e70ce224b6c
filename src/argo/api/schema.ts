import { type Definition, expandDefinition } from '../../core/schema/definitions';
import type { StructuralSchema } from '../../core/schema/structural';
import { API_GROUP, API_KINDS, API_VERSION, type ApiKind } from './names';
import schemas from './schemas.json';

const definitions = schemas.definitions as unknown as { readonly [name: string]: Definition };

const expanded = new Map<ApiKind, StructuralSchema>();

/** The schema of a kind in its CRD. */
export function apiSchema(kind: ApiKind): StructuralSchema {
  const known = expanded.get(kind);
  if (known !== undefined) return known;
  const schema = expandDefinition(definitions, { $ref: kind });
  expanded.set(kind, schema);
  return schema;
}

/** The schema of an object by its own apiVersion and kind. */
export function apiSchemaOf(object: {
  readonly apiVersion: string;
  readonly kind: string;
}): StructuralSchema | undefined {
  const kind = API_KINDS.find((one) => one === object.kind);
  return kind !== undefined && object.apiVersion === `${API_GROUP}/${API_VERSION}` ? apiSchema(kind) : undefined;
}
