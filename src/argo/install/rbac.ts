import type { KubernetesObject, PolicyRule } from '../../kubernetes/api';
import { clusterRoleObjects, RBAC_GROUP, roleObjects, rule } from '../../kubernetes/rbac';
import { aggregateLabels, CONTROLLER_LABELS, CONTROLLER_NAME } from './names';
import { routerRules, upstreamRouterRules } from './router-rules';
import type { Settings } from './settings';

const ARGO = 'argoproj.io';

const READ = ['get', 'list', 'watch'];
const CHANGE = ['get', 'list', 'patch', 'update', 'watch'];
const EVERYTHING = ['create', 'delete', ...CHANGE];
/** To create and end objects whose contents are only patched. */
const RUN = ['create', 'delete', 'get', 'list', 'patch', 'watch'];

/** The ServiceAccount, roles and bindings of the controller. */
export function rbacObjects(settings: Settings): KubernetesObject[] {
  const { namespace, namespaced, serviceAccountName } = settings;
  const grant = { name: CONTROLLER_NAME, labels: CONTROLLER_LABELS, serviceAccountName, namespace };
  const everywhere = workRules(settings);
  const own = ownNamespaceRules();
  return [
    ...serviceAccountObjects(settings),
    ...(namespaced
      ? roleObjects({ ...grant, rules: [...own, ...everywhere] })
      : [...roleObjects({ ...grant, rules: own }), ...clusterRoleObjects({ ...grant, rules: everywhere })]),
    ...(settings.aggregateRoles ? aggregateRoleObjects() : []),
  ];
}

function serviceAccountObjects(settings: Settings): KubernetesObject[] {
  const { ownServiceAccount, serviceAccountName: name, namespace, serviceAccountAnnotations: annotations } = settings;
  if (!ownServiceAccount) return [];
  const labels = { ...CONTROLLER_LABELS };
  return [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels, annotations } }];
}

/**
 * The permissions in the controller's own namespace: for the Lease of leader election, the ConfigMap of plugins, the
 * ConfigMap and Secret of notifications, and a Secret of Istio.
 */
function ownNamespaceRules(): PolicyRule[] {
  return [
    rule('coordination.k8s.io', ['leases'], ['create', 'get', 'update']),
    rule('', ['configmaps', 'secrets'], READ),
  ];
}

/** The permissions in the namespaces of Rollouts. */
function workRules(settings: Settings): PolicyRule[] {
  const { namespaced, permissions, notifications } = settings;
  return [
    ...(permissions.upstream === true ? upstreamRules(settings) : neededRules(settings)),
    ...(namespaced || permissions.analysisSecrets === false ? [] : [rule('', ['secrets'], ['get'])]),
    ...(!namespaced && notifications.selfService ? [rule('', ['configmaps', 'secrets'], ['list', 'watch'])] : []),
    ...settings.additionalRules,
  ];
}

/**
 * What the code of the releases does; `test/stage/requests` has what it was seen to do. `get` comes with `list`, which shows
 * no less.
 */
function neededRules(settings: Settings): PolicyRule[] {
  const { permissions, version } = settings;
  const pods = ['get', 'list', 'update'];
  // The controller watches all kinds at startup, even unused ones, and exits without permission.
  return [
    rule(ARGO, ['rollouts'], CHANGE),
    rule(ARGO, ['rollouts/status'], ['patch', 'update']),
    rule(ARGO, ['analysisruns', 'experiments'], RUN),
    // Where OwnerReferencesPermissionEnforcement is on: the controller makes objects that these own.
    rule(ARGO, ['analysisruns/finalizers', 'experiments/finalizers', 'rollouts/finalizers'], ['update']),
    templateRule(settings),
    rule('apps', ['replicasets'], EVERYTHING),
    // The controller reads the workload of a workloadRef, and scales down a Deployment.
    rule('apps', ['deployments'], ['get', 'list', 'update', 'watch']),
    rule('', ['podtemplates'], READ),
    rule('', ['services'], RUN),
    rule('', ['pods'], version.facts.watchesPods ? [...pods, 'watch'] : pods),
    rule('', ['pods/eviction'], ['create']),
    rule('', ['events'], ['create', 'patch']),
    rule('batch', ['jobs'], permissions.analysisJobs === false ? READ : ['create', 'delete', ...READ]),
    rule('networking.k8s.io', ['ingresses'], READ),
    ...routerRules(settings),
  ];
}

/** What upstream's manifests and the Helm chart grant. */
function upstreamRules(settings: Settings): PolicyRule[] {
  const { permissions } = settings;
  return [
    rule(ARGO, ['rollouts', 'rollouts/finalizers', 'rollouts/status'], CHANGE),
    rule(ARGO, ['analysisruns', 'analysisruns/finalizers', 'experiments', 'experiments/finalizers'], EVERYTHING),
    templateRule(settings),
    rule('apps', ['replicasets'], EVERYTHING),
    rule('apps', ['deployments'], ['get', 'list', 'update', 'watch']),
    rule('', ['podtemplates'], ['get', 'list', 'update', 'watch']),
    rule('', ['services'], RUN),
    rule('', ['pods'], ['list', 'update', 'watch']),
    rule('', ['pods/eviction'], ['create']),
    rule('', ['events'], ['create', 'patch', 'update']),
    rule('batch', ['jobs'], permissions.analysisJobs === false ? READ : EVERYTHING),
    rule('networking.k8s.io', ['ingresses'], READ),
    ...upstreamRouterRules(settings),
  ];
}

function templateRule({ namespaced }: Settings): PolicyRule {
  return rule(ARGO, ['analysistemplates', ...(namespaced ? [] : ['clusteranalysistemplates'])], READ);
}

const SHOWN = [
  'analysisruns',
  'analysistemplates',
  'clusteranalysistemplates',
  'experiments',
  'rollouts',
  'rollouts/scale',
];

/** ClusterRoles that extend the built-in user roles to Rollouts. */
function aggregateRoleObjects(): KubernetesObject[] {
  const change = rule(ARGO, [...SHOWN, 'rollouts/status'], ['create', 'delete', 'deletecollection', ...CHANGE]);
  return [
    aggregateRole('view', rule(ARGO, SHOWN, READ)),
    aggregateRole('edit', change),
    aggregateRole('admin', change),
  ];
}

function aggregateRole(to: 'admin' | 'edit' | 'view', ...rules: PolicyRule[]): KubernetesObject {
  const name = `${CONTROLLER_NAME}-aggregate-to-${to}`;
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'ClusterRole',
    metadata: { name, labels: { [`${RBAC_GROUP}/aggregate-to-${to}`]: 'true', ...aggregateLabels(name) } },
    rules,
  };
}
