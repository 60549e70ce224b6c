import type { JsonObject } from '../../core/json';
import { API_GROUP } from '../api/names';
import { OPERATOR } from './names';

const READ = ['get', 'list', 'watch'];

/**
 * The least permissions of the operator. Upstream's Role allows everything on the Secrets, Pods and Deployments of the
 * namespace, although the operator only reads labels.
 */
export const OPERATOR_RULES: readonly JsonObject[] = [
  { apiGroups: [''], resources: ['services'], verbs: READ },
  { apiGroups: ['apps'], resources: ['deployments', 'statefulsets'], verbs: READ },
  // It keeps one VirtualEnvironment, deletes the others, and makes the one the owner of its objects.
  { apiGroups: [API_GROUP], resources: ['virtualenvironments'], verbs: [...READ, 'delete'] },
  { apiGroups: [API_GROUP], resources: ['virtualenvironments/finalizers'], verbs: ['update'] },
  {
    apiGroups: ['networking.istio.io'],
    resources: ['virtualservices', 'destinationrules'],
    verbs: [...READ, 'create', 'update', 'delete'],
  },
  { apiGroups: ['networking.istio.io'], resources: ['envoyfilters'], verbs: [...READ, 'create', 'delete'] },
  // For leader election with a ConfigMap that its pod owns.
  { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['get'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
  // For the Service of its metrics, which its Deployment owns. It finds the Deployment through pod and ReplicaSet.
  { apiGroups: ['apps'], resources: ['replicasets'], verbs: ['get'] },
  { apiGroups: [''], resources: ['services'], verbs: ['create'] },
  { apiGroups: [''], resources: ['services'], resourceNames: [`${OPERATOR}-metrics`], verbs: ['update'] },
  { apiGroups: ['apps'], resources: ['deployments/finalizers'], resourceNames: [OPERATOR], verbs: ['update'] },
];
