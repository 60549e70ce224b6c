import type { Json, JsonObject } from '../core/json';
import type { StructuralSchema } from '../core/schema';

/** The version of JSON Schema that editors and validators of YAML understand. */
export const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** What a CRD says in its own way, and JSON Schema in another or not at all. */
const OWN_WAY: ReadonlySet<string> = new Set([
  'nullable',
  'properties',
  'additionalProperties',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'exclusiveMinimum',
  'exclusiveMaximum',
]);

/**
 * A schema of a CRD as JSON Schema. Fields that the API server would drop are refused, so that an editor shows a typing
 * mistake. Rules in the Common Expression Language are left out: no editor evaluates them.
 */
export function jsonSchemaOf(schema: StructuralSchema): JsonObject {
  const kept = Object.entries(schema).filter(([key]) => !OWN_WAY.has(key) && !key.startsWith('x-kubernetes-'));
  return {
    ...Object.fromEntries(kept as [string, Json][]),
    ...typeOf(schema),
    ...fieldsOf(schema),
    ...(schema.items === undefined ? {} : { items: jsonSchemaOf(schema.items) }),
    ...(schema['x-kubernetes-list-type'] === 'set' ? { uniqueItems: true } : {}),
    ...branchesOf(schema),
    ...limitsOf(schema),
  };
}

function typeOf({ type, nullable, enum: values }: StructuralSchema): JsonObject {
  if (type === undefined || nullable !== true) return {};
  return { type: [type, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }) };
}

function fieldsOf(schema: StructuralSchema): JsonObject {
  const { properties, additionalProperties } = schema;
  const fields = properties && Object.entries(properties).map(([name, one]) => [name, jsonSchemaOf(one)] as const);
  const others =
    typeof additionalProperties === 'object'
      ? jsonSchemaOf(additionalProperties)
      : (additionalProperties ?? !isClosed(schema));
  return {
    ...(fields === undefined ? {} : { properties: Object.fromEntries(fields) }),
    // True is what JSON Schema takes for granted.
    ...(others === true ? {} : { additionalProperties: others }),
  };
}

/** Whether the API server drops every field that is not declared. */
function isClosed(schema: StructuralSchema): boolean {
  return schema.properties !== undefined && schema['x-kubernetes-preserve-unknown-fields'] !== true;
}

/** Parts of a schema add to it, and do not close it again. */
function branchesOf(schema: StructuralSchema): JsonObject {
  const branches = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((key) => {
    const parts = schema[key];
    return parts === undefined ? [] : [[key, parts.map(openSchema)] as const];
  });
  return { ...Object.fromEntries(branches), ...(schema.not === undefined ? {} : { not: openSchema(schema.not) }) };
}

function openSchema(schema: StructuralSchema): JsonObject {
  return jsonSchemaOf({ ...schema, 'x-kubernetes-preserve-unknown-fields': true });
}

/** In OpenAPI, an exclusive limit is a flag beside the limit; in JSON Schema, it is the limit. */
function limitsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: StructuralSchema): JsonObject {
  return {
    ...(exclusiveMinimum && minimum !== undefined ? { exclusiveMinimum: minimum } : {}),
    ...(exclusiveMaximum && maximum !== undefined ? { exclusiveMaximum: maximum } : {}),
  };
}
