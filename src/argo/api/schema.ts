import type { StructuralSchema } from '../../core/schema/structural';
import { API_GROUP, API_KINDS, API_VERSION, type ApiKind } from './names';
import schemas from './schemas.json';

/** As schemas.json has it: definitions name each other. */
interface Definition {
  readonly $ref?: string;
  readonly properties?: { readonly [name: string]: Definition };
  readonly additionalProperties?: Definition;
  readonly items?: Definition;
  readonly [keyword: string]: unknown;
}

const definitions = schemas.definitions as unknown as { readonly [name: string]: Definition };

const expanded = new Map<ApiKind, StructuralSchema>();

/** The schema of a kind as its CRD has it. */
export function apiSchema(kind: ApiKind): StructuralSchema {
  const known = expanded.get(kind);
  if (known !== undefined) return known;
  const schema = expand({ $ref: kind });
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

function expand({ $ref, properties, additionalProperties, items, ...keywords }: Definition): StructuralSchema {
  return {
    ...($ref === undefined ? {} : expand(definitions[$ref]!)),
    ...keywords,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, expand(one)])) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: expand(additionalProperties) }),
    ...(items === undefined ? {} : { items: expand(items) }),
  };
}
