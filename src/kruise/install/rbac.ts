import type { KubernetesObject, PolicyRule } from '../../kubernetes/api';
import { clusterRoleObjects, roleObjects, rule } from '../../kubernetes/rbac';
import type { KruiseRolloutFacts } from '../version';
import {
  CONTROLLER_NAME,
  CONVERTED_CRD_NAMES,
  LEADER_ELECTION_ID,
  MUTATING_WEBHOOKS_NAME,
  VALIDATING_WEBHOOKS_NAME,
  WEBHOOK_SECRET_NAME,
} from './names';
import type { KruiseRolloutPermissions } from './options';

const READ = ['get', 'list', 'watch'];
const CHANGE = ['get', 'list', 'patch', 'update', 'watch'];
const CREATE = ['create', ...CHANGE];
const EVERYTHING = ['create', 'delete', ...CHANGE];
const STATUS = ['get', 'patch', 'update'];

/** Options of the permissions. */
export interface RbacOptions {
  readonly facts: KruiseRolloutFacts;
  readonly permissions: KruiseRolloutPermissions;
  readonly namespace: string;
  readonly serviceAccountAnnotations: { readonly [key: string]: string };
}

/** ServiceAccount, roles and bindings. */
export function rbacObjects(options: RbacOptions): KubernetesObject[] {
  const { namespace, serviceAccountAnnotations } = options;
  const grant = { serviceAccountName: CONTROLLER_NAME, namespace };
  const manager = {
    ...grant,
    name: 'kruise-rollout-manager-role',
    bindingName: 'kruise-rollout-manager-rolebinding',
  };
  const leader = {
    ...grant,
    name: 'kruise-rollout-leader-election-role',
    bindingName: 'kruise-rollout-leader-election-rolebinding',
  };
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: CONTROLLER_NAME, namespace, annotations: serviceAccountAnnotations },
    },
    ...roleObjects({ ...manager, rules: certificateRules() }),
    ...roleObjects({ ...leader, rules: leaderElectionRules() }),
    ...clusterRoleObjects({ ...manager, rules: clusterRules(options) }),
  ];
}

/**
 * A Secret holds the certificate of the webhooks. The controller creates, reads and replaces it. It also watches all
 * Secrets of its namespace, which no rule can restrict to a name.
 */
function certificateRules(): PolicyRule[] {
  return [
    rule('', ['secrets'], ['create', 'list', 'watch']),
    { ...rule('', ['secrets'], ['get', 'update']), resourceNames: [WEBHOOK_SECRET_NAME] },
  ];
}

/** Leader election uses one Lease. The chart also grants ConfigMaps, which older releases used. */
function leaderElectionRules(): PolicyRule[] {
  return [
    rule('coordination.k8s.io', ['leases'], ['create']),
    { ...rule('coordination.k8s.io', ['leases'], ['get', 'update']), resourceNames: [LEADER_ELECTION_ID] },
    rule('', ['events'], ['create', 'patch']),
  ];
}

function clusterRules({ facts, permissions }: RbacOptions): PolicyRule[] {
  const granted = (wanted: boolean | undefined, ...rules: PolicyRule[]) => (wanted === false ? [] : rules);
  return [
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
    rule('', ['configmaps'], READ),
    rule('', ['pods'], EVERYTHING),
    rule('', ['pods/finalizers'], ['update']),
    rule('', ['pods/status'], STATUS),
    rule('', ['services'], EVERYTHING),
    rule('', ['services/status'], STATUS),
    ...configurationRules(),
    rule('apps', ['deployments', 'replicasets', 'statefulsets'], EVERYTHING),
    rule('apps', ['deployments/status', 'replicasets/status', 'statefulsets/status'], STATUS),
    ...granted(
      permissions.kruiseWorkloads,
      rule('apps.kruise.io', ['clonesets', 'statefulsets'], EVERYTHING),
      rule('apps.kruise.io', ['daemonsets'], CHANGE),
      rule('apps.kruise.io', ['clonesets/status', 'daemonsets/status', 'statefulsets/status'], STATUS),
    ),
    ...granted(
      facts.blueGreen && permissions.horizontalPodAutoscalers,
      rule('autoscaling', ['horizontalpodautoscalers'], CHANGE),
    ),
    ...granted(
      permissions.gatewayApi,
      rule('gateway.networking.k8s.io', ['httproutes'], EVERYTHING),
      rule('gateway.networking.k8s.io', ['httproutes/status'], STATUS),
    ),
    ...granted(
      facts.grantedCustomKinds.length > 0 && permissions.istio,
      rule('networking.istio.io', ['destinationrules', 'virtualservices'], CHANGE),
    ),
    ...granted(
      permissions.ingresses,
      rule('networking.k8s.io', ['ingresses'], EVERYTHING),
      rule('networking.k8s.io', ['ingresses/status'], STATUS),
    ),
    rule('rollouts.kruise.io', ['batchreleases', 'rollouthistories', 'rollouts'], EVERYTHING),
    rule('rollouts.kruise.io', ['rollouthistories/finalizers', 'rollouts/finalizers'], ['update']),
    rule('rollouts.kruise.io', ['batchreleases/status', 'rollouthistories/status', 'rollouts/status'], STATUS),
    rule('rollouts.kruise.io', ['trafficroutings'], CREATE),
    rule('rollouts.kruise.io', ['trafficroutings/finalizers'], ['update']),
    rule('rollouts.kruise.io', ['trafficroutings/status'], STATUS),
  ];
}

/** The controller writes its certificate into its own webhooks and CRDs. It watches all of them, but changes no others. */
function configurationRules(): PolicyRule[] {
  const admission = 'admissionregistration.k8s.io';
  const change = ['patch', 'update'];
  return [
    rule(admission, ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'], READ),
    { ...rule(admission, ['mutatingwebhookconfigurations'], change), resourceNames: [MUTATING_WEBHOOKS_NAME] },
    { ...rule(admission, ['validatingwebhookconfigurations'], change), resourceNames: [VALIDATING_WEBHOOKS_NAME] },
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], READ),
    { ...rule('apiextensions.k8s.io', ['customresourcedefinitions'], change), resourceNames: [...CONVERTED_CRD_NAMES] },
  ];
}
