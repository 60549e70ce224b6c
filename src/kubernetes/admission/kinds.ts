/** The built-in kinds that are checked: what a release touches, and what people keep in the same files. */
export const KUBERNETES_KINDS: Readonly<Record<string, readonly string[]>> = {
  v1: ['ConfigMap', 'Namespace', 'Pod', 'ResourceQuota', 'Secret', 'Service', 'ServiceAccount'],
  'apps/v1': ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'batch/v1': ['CronJob', 'Job'],
  'networking.k8s.io/v1': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
};

/** Custom kinds that a release touches, by group and version. */
export const CUSTOM_KINDS: Readonly<Record<string, readonly string[]>> = {
  'apps.kruise.io/v1alpha1': ['CloneSet', 'DaemonSet', 'StatefulSet'],
  'apps.kruise.io/v1beta1': ['StatefulSet'],
  'gateway.networking.k8s.io/v1': ['Gateway', 'GatewayClass', 'HTTPRoute'],
  'gateway.networking.k8s.io/v1beta1': ['Gateway', 'GatewayClass', 'HTTPRoute'],
  'networking.istio.io/v1': ['DestinationRule', 'Gateway', 'VirtualService'],
  'networking.istio.io/v1alpha3': ['DestinationRule', 'Gateway', 'VirtualService'],
  'networking.istio.io/v1beta1': ['DestinationRule', 'Gateway', 'VirtualService'],
};
