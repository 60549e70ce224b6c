/** What the controller may do in all namespaces: what a release uses, or what upstream's manifests grant. */
import type { PolicyRule } from '../../kubernetes/api';
import { rule } from '../../kubernetes/rbac';
import type { KruiseRolloutFacts } from '../facts';
import { CONVERTED_CRD_NAMES, MUTATING_WEBHOOKS_NAME, VALIDATING_WEBHOOKS_NAME } from './names';
import type { KruiseRolloutPermissions } from './options';

/** What the rules depend on. */
export interface ClusterRuleOptions {
  readonly facts: KruiseRolloutFacts;
  readonly permissions: KruiseRolloutPermissions;
  readonly featureGates: { readonly [gate: string]: boolean };
}

const READ = ['get', 'list', 'watch'];

function readsAnd(...verbs: readonly string[]): string[] {
  return [...READ, ...verbs].sort();
}

/** The rules of the ClusterRole. */
export function clusterRules(options: ClusterRuleOptions): PolicyRule[] {
  return options.permissions.upstream === true ? upstreamRules(options) : neededRules(options);
}

/** The rules for kinds that a user can leave out, and for those that not every release or process uses. */
function when(wanted: boolean | undefined, ...rules: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted === false ? [] : rules;
}

/**
 * What the code of the releases does; `test/stage/requests` has what it was seen to do. `get` comes with `list`, which shows
 * no less.
 */
function neededRules({ facts, permissions, featureGates }: ClusterRuleOptions): PolicyRule[] {
  const { AdvancedDeployment: advanced, RolloutHistory: history = false } = featureGates;
  return [
    rule('', ['configmaps'], READ),
    rule('', ['events'], ['create', 'patch']),
    rule('', ['pods'], readsAnd('patch')),
    rule('', ['services'], readsAnd('create', 'delete', 'patch')),
    ...configurationRules(facts, ['update']),
    // The garbage collector deletes a canary Deployment, with its BatchRelease.
    rule('apps', ['deployments'], readsAnd('create', 'patch', 'update')),
    rule('apps', ['statefulsets'], readsAnd('patch')),
    rule('apps', ['replicasets'], replicaSetVerbs(facts, advanced)),
    ...when(advanced, rule('apps', ['deployments/status'], ['update'])),
    ...when(permissions.kruiseWorkloads, rule('apps.kruise.io', kruiseWorkloads(facts), readsAnd('patch'))),
    ...when(
      facts.blueGreen && permissions.horizontalPodAutoscalers,
      rule('autoscaling', ['horizontalpodautoscalers'], readsAnd('patch')),
    ),
    ...when(permissions.gatewayApi, rule('gateway.networking.k8s.io', ['httproutes'], readsAnd('update'))),
    ...when(
      facts.grantedCustomKinds.length > 0 && permissions.istio,
      rule('networking.istio.io', ['destinationrules', 'virtualservices'], readsAnd('update')),
    ),
    // A Rollout can also name an Ingress in `customNetworkRefs`, which the controller then updates.
    ...when(
      permissions.ingresses,
      rule('networking.k8s.io', ['ingresses'], readsAnd('create', 'delete', 'patch', 'update')),
    ),
    rule('rollouts.kruise.io', ['batchreleases'], readsAnd('create', 'delete', 'patch', 'update')),
    rule('rollouts.kruise.io', ['rollouts'], readsAnd('patch', 'update')),
    ...when(facts.trafficRoutings, rule('rollouts.kruise.io', ['trafficroutings'], readsAnd('update'))),
    rule('rollouts.kruise.io', subresources('status', facts), ['update']),
    ...when(
      history,
      rule('rollouts.kruise.io', ['rollouthistories'], readsAnd('create', 'update')),
      rule('rollouts.kruise.io', ['rollouthistories/status'], ['update']),
    ),
    ...ownerRules(facts, advanced),
  ];
}

function kruiseWorkloads({ advancedDaemonSets }: KruiseRolloutFacts): string[] {
  return ['clonesets', ...(advancedDaemonSets ? ['daemonsets'] : []), 'statefulsets'];
}

function subresources(name: string, { trafficRoutings }: KruiseRolloutFacts): string[] {
  const kinds = ['batchreleases', 'rollouts', ...(trafficRoutings ? ['trafficroutings'] : [])];
  return kinds.map((kind) => `${kind}/${name}`);
}

/** The controller reconciles the ReplicaSets of Deployments in partition style, and patches one in blue-green style. */
function replicaSetVerbs({ blueGreen }: KruiseRolloutFacts, advanced: boolean | undefined): string[] {
  const own = advanced === false ? [] : ['create', 'delete', 'update'];
  return readsAnd(...own, ...(blueGreen ? ['patch'] : []));
}

/**
 * An API server with the admission plugin OwnerReferencesPermissionEnforcement, such as that of OpenShift, asks for these
 * before it takes an object with an owner.
 */
function ownerRules(facts: KruiseRolloutFacts, advanced: boolean | undefined): readonly PolicyRule[] {
  return [
    rule('rollouts.kruise.io', subresources('finalizers', facts), ['update']),
    ...when(advanced, rule('apps', ['deployments/finalizers'], ['update'])),
  ];
}

const CHANGE = readsAnd('patch', 'update');
const CREATE = readsAnd('create', 'patch', 'update');
const EVERYTHING = readsAnd('create', 'delete', 'patch', 'update');
const STATUS = ['get', 'patch', 'update'];

/** What upstream's manifests and the Helm chart grant. */
function upstreamRules({ facts, permissions }: ClusterRuleOptions): PolicyRule[] {
  return [
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
    rule('', ['configmaps'], READ),
    rule('', ['pods'], EVERYTHING),
    rule('', ['pods/finalizers'], ['update']),
    rule('', ['pods/status'], STATUS),
    rule('', ['services'], EVERYTHING),
    rule('', ['services/status'], STATUS),
    ...configurationRules(facts, ['patch', 'update']),
    rule('apps', ['deployments', 'replicasets', 'statefulsets'], EVERYTHING),
    rule('apps', ['deployments/status', 'replicasets/status', 'statefulsets/status'], STATUS),
    ...when(
      permissions.kruiseWorkloads,
      rule('apps.kruise.io', ['clonesets', 'statefulsets'], EVERYTHING),
      ...when(facts.advancedDaemonSets, rule('apps.kruise.io', ['daemonsets'], CHANGE)),
      rule(
        'apps.kruise.io',
        kruiseWorkloads(facts).map((kind) => `${kind}/status`),
        STATUS,
      ),
    ),
    ...when(
      facts.blueGreen && permissions.horizontalPodAutoscalers,
      rule('autoscaling', ['horizontalpodautoscalers'], CHANGE),
    ),
    ...when(
      permissions.gatewayApi,
      rule('gateway.networking.k8s.io', ['httproutes'], EVERYTHING),
      rule('gateway.networking.k8s.io', ['httproutes/status'], STATUS),
    ),
    ...when(
      facts.grantedCustomKinds.length > 0 && permissions.istio,
      rule('networking.istio.io', ['destinationrules', 'virtualservices'], CHANGE),
    ),
    ...when(
      permissions.ingresses,
      rule('networking.k8s.io', ['ingresses'], EVERYTHING),
      rule('networking.k8s.io', ['ingresses/status'], STATUS),
    ),
    rule('rollouts.kruise.io', ['batchreleases', 'rollouthistories', 'rollouts'], EVERYTHING),
    rule('rollouts.kruise.io', ['rollouthistories/finalizers', 'rollouts/finalizers'], ['update']),
    rule('rollouts.kruise.io', ['batchreleases/status', 'rollouthistories/status', 'rollouts/status'], STATUS),
    ...when(
      facts.trafficRoutings,
      rule('rollouts.kruise.io', ['trafficroutings'], CREATE),
      rule('rollouts.kruise.io', ['trafficroutings/finalizers'], ['update']),
      rule('rollouts.kruise.io', ['trafficroutings/status'], STATUS),
    ),
  ];
}

/** The controller writes its certificate into its own webhooks and CRDs. It watches all of them, but changes no others. */
function configurationRules({ storedApiVersion }: KruiseRolloutFacts, change: readonly string[]): PolicyRule[] {
  const admission = 'admissionregistration.k8s.io';
  return [
    rule(admission, ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'], READ),
    { ...rule(admission, ['mutatingwebhookconfigurations'], change), resourceNames: [MUTATING_WEBHOOKS_NAME] },
    { ...rule(admission, ['validatingwebhookconfigurations'], change), resourceNames: [VALIDATING_WEBHOOKS_NAME] },
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], READ),
    // A kind with one version needs no conversion.
    ...when(storedApiVersion === 'v1beta1', {
      ...rule('apiextensions.k8s.io', ['customresourcedefinitions'], change),
      resourceNames: [...CONVERTED_CRD_NAMES],
    }),
  ];
}
