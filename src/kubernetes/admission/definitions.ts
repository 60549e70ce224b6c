import type { Definition } from '../../core/schema/definitions';
import schemas from './schemas.json';

/** The minor version of Kubernetes that the schemas are of. */
export const SCHEMA_MINOR = Number(schemas.kubernetes.split('.')[1]);

/** The types of Kubernetes' own kinds. They refer to each other by name. */
export const DEFINITIONS = schemas.definitions as unknown as { readonly [name: string]: Definition };
