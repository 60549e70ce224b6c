import type { Definition } from '../../core/schema/definitions';
import schemas from './custom-schemas.json';

/** The schemas of custom kinds, by `networking.istio.io/v1 Gateway`, and the parts that they share. */
export const DEFINITIONS = { ...schemas.definitions, ...schemas.kinds } as unknown as {
  readonly [name: string]: Definition;
};
