import { remembered } from '../remembered';
import type { StructuralSchema } from './structural';

/** A definition of a schemas.json, which is generated from API types. Definitions refer to each other by name. */
export interface Definition {
  readonly $ref?: string;
  readonly properties?: { readonly [name: string]: Definition };
  readonly additionalProperties?: Definition;
  readonly items?: Definition;
  readonly [keyword: string]: unknown;
}

/**
 * Makes schemas of definitions, with all references resolved. A definition that others refer to becomes one schema, which is in all of
 * theirs: one of the Pod template alone would be made some hundred times.
 * @example const rollout = expander(definitions)({ $ref: 'Rollout' });
 */
export function expander(definitions: {
  readonly [name: string]: Definition;
}): (definition: Definition) => StructuralSchema {
  const expand = remembered((definition: Definition): StructuralSchema => {
    const { $ref, properties, additionalProperties, items, ...keywords } = definition;
    const referred = $ref === undefined ? {} : expand(definitions[$ref]!);
    if (Object.keys(definition).length === 1 && $ref !== undefined) return referred;
    return {
      ...referred,
      ...keywords,
      ...(properties === undefined
        ? {}
        : { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, expand(one)])) }),
      ...(additionalProperties === undefined ? {} : { additionalProperties: expand(additionalProperties) }),
      ...(items === undefined ? {} : { items: expand(items) }),
    };
  });
  return expand;
}
