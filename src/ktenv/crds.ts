import type { JsonObject } from '../core/json';
import { API_GROUP } from './api';
import { virtualEnvironmentSchema } from './api/schema';

/**
 * The CustomResourceDefinition of VirtualEnvironments, made from the types in src/ktenv/api.
 *
 * @example ktenvCrd().metadata // { name: 'virtualenvironments.env.alibaba.com' }
 */
export function ktenvCrd(): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `virtualenvironments.${API_GROUP}` },
    spec: {
      group: API_GROUP,
      names: {
        kind: 'VirtualEnvironment',
        listKind: 'VirtualEnvironmentList',
        plural: 'virtualenvironments',
        singular: 'virtualenvironment',
      },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1alpha2',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: virtualEnvironmentSchema() as unknown as JsonObject },
        },
      ],
    },
  };
}
