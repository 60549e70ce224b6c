/** Names and ports that the controller has built in, or that upstream's manifests give. */

/** The namespace of upstream's ClusterRoleBinding. */
export const DEFAULT_NAMESPACE = 'argo-rollouts';

/** Deployment, ServiceAccount, roles and bindings. */
export const CONTROLLER_NAME = 'argo-rollouts';

/** The labels by which the Deployment finds its pods. They cannot be changed later, so they are upstream's own. */
export const SELECTOR_LABELS = { 'app.kubernetes.io/name': CONTROLLER_NAME } as const;

const PART_OF = { 'app.kubernetes.io/part-of': CONTROLLER_NAME } as const;

/** The labels of the controller's objects. */
export const CONTROLLER_LABELS = {
  'app.kubernetes.io/component': 'rollouts-controller',
  ...SELECTOR_LABELS,
  ...PART_OF,
} as const;

/** The Service of metrics. */
export const METRICS_NAME = 'argo-rollouts-metrics';

/** The labels by which a ServiceMonitor finds the Service of metrics. */
export const METRICS_LABELS = {
  'app.kubernetes.io/component': 'server',
  'app.kubernetes.io/name': METRICS_NAME,
  ...PART_OF,
} as const;

/** The dashboard: Deployment, Service, ServiceAccount, role and binding. */
export const DASHBOARD_NAME = 'argo-rollouts-dashboard';

/** The labels by which the dashboard's Deployment and Service find its pods. */
export const DASHBOARD_SELECTOR_LABELS = { 'app.kubernetes.io/name': DASHBOARD_NAME } as const;

/** The labels of the dashboard's objects. */
export const DASHBOARD_LABELS = {
  'app.kubernetes.io/component': DASHBOARD_NAME,
  ...DASHBOARD_SELECTOR_LABELS,
  ...PART_OF,
} as const;

/** The labels of a ClusterRole that adds to one of Kubernetes' own. */
export function aggregateLabels(name: string): { readonly [key: string]: string } {
  return { 'app.kubernetes.io/component': 'aggregate-cluster-role', 'app.kubernetes.io/name': name, ...PART_OF };
}

/** The ConfigMap of plugins. The process looks for it under this name and no other. */
export const CONFIG_NAME = 'argo-rollouts-config';

/** The ConfigMap of notifications. The process looks for it under this name and no other. */
export const NOTIFICATION_CONFIG_NAME = 'argo-rollouts-notification-configmap';

/** The Secret of notifications. The process looks for it under this name and no other. */
export const NOTIFICATION_SECRET_NAME = 'argo-rollouts-notification-secret';

/** Where the process keeps the plugins that it has downloaded. */
export const PLUGIN_FOLDER = '/home/argo-rollouts/plugin-bin';

/** The port of metrics, unless a flag names another one. */
export const DEFAULT_METRICS_PORT = 8090;

/** The port of liveness and readiness, unless a flag names another one. */
export const DEFAULT_HEALTH_PORT = 8080;

/** The port of the dashboard. */
export const DASHBOARD_PORT = 3100;

/** The CRDs of an install. */
export const CRD_NAMES = [
  'analysisruns.argoproj.io',
  'analysistemplates.argoproj.io',
  'clusteranalysistemplates.argoproj.io',
  'experiments.argoproj.io',
  'rollouts.argoproj.io',
] as const;
