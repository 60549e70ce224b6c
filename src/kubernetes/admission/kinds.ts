/** Kubernetes' own kinds whose objects are checked: what a release may involve, or what people put beside it. */
export const KUBERNETES_KINDS: Readonly<Record<string, readonly string[]>> = {
  v1: ['ConfigMap', 'Namespace', 'Pod', 'Secret', 'Service', 'ServiceAccount'],
  'apps/v1': ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'batch/v1': ['CronJob', 'Job'],
  'networking.k8s.io/v1': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
};
