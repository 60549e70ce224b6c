import type { JsonObject } from '../core/json';
import { crdOf } from '../kubernetes/crd';
import { API_GROUP } from './api';
import { virtualEnvironmentSchema } from './api/schema';

/**
 * The CustomResourceDefinition of VirtualEnvironments, made from the types in src/ktenv/api.
 *
 * @example ktenvCrd().metadata // { name: 'virtualenvironments.env.alibaba.com' }
 */
export function ktenvCrd(): JsonObject {
  return crdOf({
    group: API_GROUP,
    kind: 'VirtualEnvironment',
    plural: 'virtualenvironments',
    versions: [{ name: 'v1alpha2', schema: virtualEnvironmentSchema() }],
  });
}
