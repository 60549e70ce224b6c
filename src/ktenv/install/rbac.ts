import type { JsonObject } from '../../core/json';
import { API_GROUP } from '../api/names';
import { OPERATOR } from './names';

const READ = ['get', 'list', 'watch'];

/**
 * What the operator does, and no more. Upstream's Role allows everything on the Secrets, Pods and Deployments of the
 * namespace, of which the operator reads labels at most.
 */
export const OPERATOR_RULES: readonly JsonObject[] = [
  { apiGroups: [''], resources: ['services'], verbs: READ },
  { apiGroups: ['apps'], resources: ['deployments', 'statefulsets'], verbs: READ },
  // Of several VirtualEnvironments it deletes all but one, and what it writes it owns by the one that stays.
  { apiGroups: [API_GROUP], resources: ['virtualenvironments'], verbs: [...READ, 'delete'] },
  { apiGroups: [API_GROUP], resources: ['virtualenvironments/finalizers'], verbs: ['update'] },
  {
    apiGroups: ['networking.istio.io'],
    resources: ['virtualservices', 'destinationrules'],
    verbs: [...READ, 'create', 'update', 'delete'],
  },
  { apiGroups: ['networking.istio.io'], resources: ['envoyfilters'], verbs: [...READ, 'create', 'delete'] },
  // It is its own leader by a ConfigMap that its pod owns.
  { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['get'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
  // The Service of its metrics, owned by its Deployment, which it finds by way of pod and ReplicaSet.
  { apiGroups: ['apps'], resources: ['replicasets'], verbs: ['get'] },
  { apiGroups: [''], resources: ['services'], verbs: ['create'] },
  { apiGroups: [''], resources: ['services'], resourceNames: [`${OPERATOR}-metrics`], verbs: ['update'] },
  { apiGroups: ['apps'], resources: ['deployments/finalizers'], resourceNames: [OPERATOR], verbs: ['update'] },
];
