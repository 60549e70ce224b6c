import { isJsonObject } from '../../core/json';
import type { Definition } from '../../core/schema/definitions';
import type { StructuralSchema } from '../../core/schema/structural';
import schemas from './schemas.json';

const definitions = schemas.definitions as unknown as { readonly [name: string]: Definition };

/** The minor version of Kubernetes that the schemas are of. */
export const SCHEMA_MINOR = Number(schemas.kubernetes.split('.')[1]);

const expanded = new Map<string, StructuralSchema>();

/** The schema of a kind of Kubernetes; undefined for other kinds. Titles in it are the names of Kubernetes' types. */
export function kubernetesSchema(apiVersion: string, kind: string): StructuralSchema | undefined {
  if (!schemas.kinds.some((one) => one.apiVersion === apiVersion && one.kind === kind)) return undefined;
  return typed(kind);
}

/** The schema of a type. Types are shared: a schema of all kinds is as large as its definitions. */
function typed(name: string): StructuralSchema {
  const known = expanded.get(name);
  if (known !== undefined) return known;
  const schema = { ...resolved(definitions[name]!), title: name };
  expanded.set(name, schema);
  return schema;
}

function resolved({ $ref, properties, items, additionalProperties, ...keywords }: Definition): StructuralSchema {
  if ($ref !== undefined) return typed($ref);
  return {
    ...keywords,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, resolved(one)])),
    }),
    ...(items && { items: resolved(items) }),
    ...(isJsonObject(additionalProperties) && { additionalProperties: resolved(additionalProperties) }),
  };
}
