/** Names and ports that are built into the controller or upstream's manifests. */

/** The namespace in upstream's ClusterRoleBinding. */
export const DEFAULT_NAMESPACE = 'argo-rollouts';

/** The name of the Deployment, ServiceAccount, roles and bindings. */
export const CONTROLLER_NAME = 'argo-rollouts';

/** The selector of the Deployment. It is immutable, so it equals upstream's. */
export const SELECTOR_LABELS = { 'app.kubernetes.io/name': CONTROLLER_NAME } as const;

const PART_OF = { 'app.kubernetes.io/part-of': CONTROLLER_NAME } as const;

/** The labels of the controller's objects. */
export const CONTROLLER_LABELS = {
  'app.kubernetes.io/component': 'rollouts-controller',
  ...SELECTOR_LABELS,
  ...PART_OF,
} as const;

/** The Service of the metrics. */
export const METRICS_NAME = 'argo-rollouts-metrics';

/** The labels of the metrics Service, which a ServiceMonitor selects. */
export const METRICS_LABELS = {
  'app.kubernetes.io/component': 'server',
  'app.kubernetes.io/name': METRICS_NAME,
  ...PART_OF,
} as const;

/** The name of the dashboard's Deployment, Service, ServiceAccount, role and binding. */
export const DASHBOARD_NAME = 'argo-rollouts-dashboard';

/** The selector of the dashboard's Deployment and Service. */
export const DASHBOARD_SELECTOR_LABELS = { 'app.kubernetes.io/name': DASHBOARD_NAME } as const;

/** The labels of the dashboard's objects. */
export const DASHBOARD_LABELS = {
  'app.kubernetes.io/component': DASHBOARD_NAME,
  ...DASHBOARD_SELECTOR_LABELS,
  ...PART_OF,
} as const;

/** The labels of a ClusterRole that is aggregated into a built-in one. */
export function aggregateLabels(name: string): { readonly [key: string]: string } {
  return { 'app.kubernetes.io/component': 'aggregate-cluster-role', 'app.kubernetes.io/name': name, ...PART_OF };
}

/** The ConfigMap of plugins. The name is built into the controller. */
export const CONFIG_NAME = 'argo-rollouts-config';

/** The ConfigMap of notifications. The name is built into the controller. */
export const NOTIFICATION_CONFIG_NAME = 'argo-rollouts-notification-configmap';

/** The Secret of notifications. The name is built into the controller. */
export const NOTIFICATION_SECRET_NAME = 'argo-rollouts-notification-secret';

/** The folder of downloaded plugins. */
export const PLUGIN_FOLDER = '/home/argo-rollouts/plugin-bin';

/** The default port of the metrics. */
export const DEFAULT_METRICS_PORT = 8090;

/** The default port of the liveness and readiness probes. */
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
