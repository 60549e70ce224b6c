import { isJsonObject } from '../../core/json';
import { lazy } from '../../core/lazy';
import type { Definition } from '../../core/schema/definitions';
import type { StructuralSchema } from '../../core/schema/structural';
import { KUBERNETES_KINDS } from './kinds';

/** Read with the first object of such a kind. */
const schemas = lazy(() => require('./definitions') as typeof import('./definitions'));

/** The minor version of Kubernetes that the schemas are of. */
export function schemaMinor(): number {
  return schemas().SCHEMA_MINOR;
}

const expanded = new Map<string, StructuralSchema>();

/** The schema of a kind of Kubernetes; undefined for other kinds. Titles in it are the names of Kubernetes' types. */
export function kubernetesSchema(apiVersion: string, kind: string): StructuralSchema | undefined {
  const isKnown = Object.hasOwn(KUBERNETES_KINDS, apiVersion) && KUBERNETES_KINDS[apiVersion]!.includes(kind);
  return isKnown ? typed(kind) : undefined;
}

/** The schema of a type. Types are shared: a schema of all kinds is as large as its definitions. */
function typed(name: string): StructuralSchema {
  const known = expanded.get(name);
  if (known !== undefined) return known;
  const schema = { ...resolved(schemas().DEFINITIONS[name]!), title: name };
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
