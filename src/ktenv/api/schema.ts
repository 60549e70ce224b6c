import { lazy } from '../../core/lazy';
import { type Definition, expander } from '../../core/schema/definitions';
import schemas from './schemas.json';

/** The schema of a VirtualEnvironment in its CRD. */
export const virtualEnvironmentSchema = lazy(() => {
  const definitions = schemas.definitions as unknown as { readonly [name: string]: Definition };
  return expander(definitions)({ $ref: 'VirtualEnvironment' });
});
