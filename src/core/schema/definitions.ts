import type { StructuralSchema } from './structural';

/** A definition of a schemas.json, which is generated from API types. Definitions refer to each other by name. */
export interface Definition {
  readonly $ref?: string;
  readonly properties?: { readonly [name: string]: Definition };
  readonly additionalProperties?: Definition;
  readonly items?: Definition;
  readonly [keyword: string]: unknown;
}

/** The schema of a definition, with all references resolved. */
export function expandDefinition(
  definitions: { readonly [name: string]: Definition },
  { $ref, properties, additionalProperties, items, ...keywords }: Definition,
): StructuralSchema {
  const expand = (one: Definition) => expandDefinition(definitions, one);
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
