import { yaml } from '../../core/example';
import { defineRules } from '../../core/rule';

const SOURCE = 'https://github.com/openkruise/rollouts/blob/master';
const CUSTOM = `${SOURCE}/pkg/trafficrouting/network/customNetworkProvider/custom_network_provider.go`;
const CLIENT = 'https://github.com/openkruise/rollouts/blob/v0.6.2/pkg/util/client/delegating_client.go';
const CHART = 'https://github.com/openkruise/charts/tree/master/versions/kruise-rollout/0.6.2';
const RBAC = 'https://kubernetes.io/docs/reference/access-authn-authz/rbac/';

const rollout = `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: { name: web, namespace: shop }
spec:
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  strategy:
    canary:
      enableExtraWorkloadForCanary: true
      steps: [{ traffic: 20%, replicas: 20% }, { traffic: 100%, replicas: 100% }]
      trafficRoutings:
        - service: web
          customNetworkRefs: [{ apiVersion: projectcontour.io/v1, kind: HTTPProxy, name: web }]
`;

const rules = `rules:
  - { apiGroups: [projectcontour.io], resources: [httpproxies], verbs: [get, list, update, watch] }
`;

const clusterRole = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: kruise-rollout-contour }
${rules}`;

const role = (namespace: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: kruise-rollout-contour, namespace: ${namespace} }
${rules}`;

const secretsRole = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: kruise-rollout-contour, namespace: kruise-rollout }
rules: [{ apiGroups: [''], resources: [secrets], verbs: [get, list, watch] }]
`;

const clusterRoleBinding = (serviceAccount: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: kruise-rollout-contour }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: kruise-rollout-contour }
subjects: [{ kind: ServiceAccount, name: ${serviceAccount}, namespace: kruise-rollout }]
`;

const roleBinding = (metadata: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: kruise-rollout-contour${metadata} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: kruise-rollout-contour }
subjects: [{ kind: ServiceAccount, name: kruise-rollout-controller-manager, namespace: kruise-rollout }]
`;

const corrected = yaml(clusterRole, clusterRoleBinding('kruise-rollout-controller-manager'));

/** Rules on what the controller may do with the objects that route traffic. */
export const gatewayPermissionRules = defineRules({
  'kruise-gateway-not-granted': {
    severity: 'error',
    title: 'the controller may not change the kind of an object that a Rollout names',
    because:
      'releases up to 0.6.2 watch a custom kind in all namespaces after the first read. Without permission, the ' +
      'worker of the controller waits forever without an error, and three such Rollouts block all others',
    fix: 'grant it with a ClusterRole and a ClusterRoleBinding: new GatewayRoleBinding(…), or by hand',
    basis: 'read',
    sources: [CUSTOM, CLIENT],
    failing: yaml(rollout),
    corrected: yaml(rollout, clusterRole, clusterRoleBinding('kruise-rollout-controller-manager')),
  },

  'kruise-gateway-role-namespaced': {
    severity: 'error',
    title: 'a role grants the controller gateway objects in one namespace only',
    because:
      "a Role applies to its own namespace. The controller's namespace has no gateway objects, because the controller " +
      'looks for them in the namespace of the Rollout. And no Role allows the watch on all namespaces, without which ' +
      'releases up to 0.6.2 wait forever',
    fix: 'use a ClusterRole and a ClusterRoleBinding: new GatewayRoleBinding(…), or by hand',
    basis: 'read',
    sources: [CUSTOM, CLIENT, RBAC],
    failing: yaml(role('kruise-rollout'), roleBinding(', namespace: kruise-rollout')),
    corrected,
  },

  'kruise-role-subject-unknown': {
    severity: 'error',
    title: 'a binding names a ServiceAccount that no controller uses',
    because: 'Kubernetes silently accepts a name that does not exist, and the controller gets no permission',
    fix: 'name the ServiceAccount of the install: "kruise-rollout-controller-manager" with Helm and kustomize',
    basis: 'read',
    sources: [CHART, RBAC],
    failing: yaml(clusterRole, clusterRoleBinding('controller-manager')),
    corrected,
  },

  'kruise-role-binding-namespace': {
    severity: 'error',
    title: 'a RoleBinding is not in the namespace of its Role',
    because:
      'a RoleBinding refers to a Role in its own namespace, and kubectl creates one without namespace in its ' +
      'current namespace',
    fix: 'put both into one namespace; for gateway objects, use a ClusterRole and a ClusterRoleBinding',
    basis: 'documented',
    sources: [RBAC],
    failing: yaml(secretsRole, roleBinding('')),
    corrected: yaml(secretsRole, roleBinding(', namespace: kruise-rollout')),
  },
});
