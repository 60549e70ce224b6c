import type { StructuralSchema } from '../../core/schema/structural';
import schemas from './schemas.json';

/** As schemas.json has it: definitions name each other. */
interface Definition {
  readonly $ref?: string;
  readonly properties?: { readonly [name: string]: Definition };
  readonly items?: Definition;
  readonly [keyword: string]: unknown;
}

const definitions = schemas.definitions as unknown as { readonly [name: string]: Definition };

let expanded: StructuralSchema | undefined;

/** The schema of a VirtualEnvironment as its CRD has it. */
export function virtualEnvironmentSchema(): StructuralSchema {
  expanded ??= expand({ $ref: 'VirtualEnvironment' });
  return expanded;
}

function expand({ $ref, properties, items, ...keywords }: Definition): StructuralSchema {
  return {
    ...($ref === undefined ? {} : expand(definitions[$ref]!)),
    ...keywords,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, expand(one)])) }),
    ...(items === undefined ? {} : { items: expand(items) }),
  };
}
