import { type Definition, expandDefinition } from '../../core/schema/definitions';
import type { StructuralSchema } from '../../core/schema/structural';
import schemas from './schemas.json';

let expanded: StructuralSchema | undefined;

/** The schema of a VirtualEnvironment in its CRD. */
export function virtualEnvironmentSchema(): StructuralSchema {
  const definitions = schemas.definitions as unknown as { readonly [name: string]: Definition };
  expanded ??= expandDefinition(definitions, { $ref: 'VirtualEnvironment' });
  return expanded;
}
