import type { KubernetesObject, PolicyRule, ResourceRequirements } from '../../kubernetes/api';
import { pullSecrets, RESTRICTED_CONTAINER, RESTRICTED_POD } from '../../kubernetes/pods';
import { clusterRoleObjects, roleObjects, rule } from '../../kubernetes/rbac';
import { DASHBOARD_LABELS, DASHBOARD_NAME, DASHBOARD_PORT, DASHBOARD_SELECTOR_LABELS } from './names';
import type { ArgoRolloutsDashboard } from './options';
import { imageName, type Settings } from './settings';

const RESOURCES: ResourceRequirements = { requests: { cpu: '10m', memory: '64Mi' } };

/** The dashboard, its permissions and its Service. */
export function dashboardObjects(settings: Settings): KubernetesObject[] {
  const { dashboard, namespace, namespaced } = settings;
  if (dashboard === undefined) return [];
  const metadata = { name: DASHBOARD_NAME, namespace, labels: { ...DASHBOARD_LABELS } };
  const grant = {
    name: DASHBOARD_NAME,
    labels: DASHBOARD_LABELS,
    serviceAccountName: DASHBOARD_NAME,
    namespace,
    rules: dashboardRules(dashboard, namespaced),
  };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    ...(namespaced ? roleObjects(grant) : clusterRoleObjects(grant)),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, annotations: { ...dashboard.serviceAnnotations } },
      spec: {
        ports: [{ name: 'dashboard', port: DASHBOARD_PORT, protocol: 'TCP', targetPort: 'dashboard' }],
        selector: { ...DASHBOARD_SELECTOR_LABELS },
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: dashboard.replicas ?? 1,
        selector: { matchLabels: { ...DASHBOARD_SELECTOR_LABELS } },
        template: { metadata: { labels: { ...DASHBOARD_LABELS } }, spec: podSpec(dashboard, settings) },
      },
    },
  ];
}

function podSpec(dashboard: ArgoRolloutsDashboard, settings: Settings) {
  const { rootPath } = dashboard;
  return {
    serviceAccountName: DASHBOARD_NAME,
    imagePullSecrets: pullSecrets(settings),
    securityContext: RESTRICTED_POD,
    nodeSelector: dashboard.nodeSelector ?? settings.nodeSelector,
    tolerations: dashboard.tolerations ?? settings.tolerations,
    affinity: dashboard.affinity,
    containers: [
      {
        name: DASHBOARD_NAME,
        image: imageName('argoproj/kubectl-argo-rollouts', dashboard.image, settings.version),
        imagePullPolicy: settings.imagePullPolicy,
        args: ['dashboard', ...(rootPath === undefined ? [] : [`--root-path=${rootPath}`])],
        ports: [{ name: 'dashboard', containerPort: DASHBOARD_PORT, protocol: 'TCP' }],
        resources: dashboard.resources ?? RESOURCES,
        securityContext: RESTRICTED_CONTAINER,
      },
    ],
  };
}

function dashboardRules({ readOnly = false }: ArgoRolloutsDashboard, namespaced: boolean): PolicyRule[] {
  const read = ['get', 'list', 'watch'];
  const shown = [
    'analysisruns',
    'analysistemplates',
    ...(namespaced ? [] : ['clusteranalysistemplates']),
    'experiments',
    'rollouts',
  ];
  return [
    rule('argoproj.io', shown, read),
    rule('apps', ['replicasets'], read),
    rule('', ['pods'], ['list', 'watch']),
    ...(readOnly
      ? []
      : [
          rule('argoproj.io', ['rollouts', 'rollouts/status'], ['patch', 'update']),
          // For a Rollout with a workloadRef, the dashboard sets a new image in the Deployment.
          rule('apps', ['deployments'], ['get', 'update']),
        ]),
  ];
}
