/** What the controller may do: the rules of its ClusterRole, and what goes with each permission, gate and release. */
import { describe, expect, it } from 'vitest';
import { type ClusterRuleOptions, clusterRules } from '../../../src/kruise/install/cluster-rules';
import { rbacObjects } from '../../../src/kruise/install/rbac';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import type { PolicyRule } from '../../../src/kubernetes/api';

const { V0_3_0, V0_4_4, V0_5_0, V0_5_5, V0_6_2 } = KruiseRolloutVersion;

/** `apps: deployments replicasets (only this name) = get list` */
const lineOf = ({ apiGroups, resources, resourceNames, verbs, ...rest }: PolicyRule) => {
  expect(rest).toEqual({});
  const names = resourceNames === undefined ? '' : ` (${resourceNames.join(' ')})`;
  return `${apiGroups.map((group) => group || 'core').join(',')}: ${resources.join(' ')}${names} = ${verbs.join(' ')}`;
};
const rulesOf = (options: Partial<Omit<ClusterRuleOptions, 'facts'>> = {}, version = V0_6_2) =>
  clusterRules({ facts: version.facts, permissions: {}, featureGates: {}, ...options }).map(lineOf);
const without = (lines: readonly string[], others: readonly string[]) => lines.filter((line) => !others.includes(line));

const NEEDED = [
  'core: configmaps = get list watch',
  'core: events = create patch',
  'core: pods = get list patch watch',
  'core: services = create delete get list patch watch',
  'admissionregistration.k8s.io: mutatingwebhookconfigurations validatingwebhookconfigurations = get list watch',
  'admissionregistration.k8s.io: mutatingwebhookconfigurations (kruise-rollout-mutating-webhook-configuration) = update',
  'admissionregistration.k8s.io: validatingwebhookconfigurations (kruise-rollout-validating-webhook-configuration) = update',
  'apiextensions.k8s.io: customresourcedefinitions = get list watch',
  'apiextensions.k8s.io: customresourcedefinitions (batchreleases.rollouts.kruise.io rollouts.rollouts.kruise.io) = update',
  'apps: deployments = create get list patch update watch',
  'apps: statefulsets = get list patch watch',
  'apps: replicasets = create delete get list patch update watch',
  'apps: deployments/status = update',
  'apps.kruise.io: clonesets daemonsets statefulsets = get list patch watch',
  'autoscaling: horizontalpodautoscalers = get list patch watch',
  'gateway.networking.k8s.io: httproutes = get list update watch',
  'networking.istio.io: destinationrules virtualservices = get list update watch',
  'networking.k8s.io: ingresses = create delete get list patch update watch',
  'rollouts.kruise.io: batchreleases = create delete get list patch update watch',
  'rollouts.kruise.io: rollouts = get list patch update watch',
  'rollouts.kruise.io: trafficroutings = get list update watch',
  'rollouts.kruise.io: batchreleases/status rollouts/status trafficroutings/status = update',
  'rollouts.kruise.io: batchreleases/finalizers rollouts/finalizers trafficroutings/finalizers = update',
  'apps: deployments/finalizers = update',
];

const UPSTREAM = [
  'core,events.k8s.io: events = create patch update',
  'core: configmaps = get list watch',
  'core: pods = create delete get list patch update watch',
  'core: pods/finalizers = update',
  'core: pods/status = get patch update',
  'core: services = create delete get list patch update watch',
  'core: services/status = get patch update',
  'admissionregistration.k8s.io: mutatingwebhookconfigurations validatingwebhookconfigurations = get list watch',
  'admissionregistration.k8s.io: mutatingwebhookconfigurations (kruise-rollout-mutating-webhook-configuration) = patch update',
  'admissionregistration.k8s.io: validatingwebhookconfigurations (kruise-rollout-validating-webhook-configuration) = patch update',
  'apiextensions.k8s.io: customresourcedefinitions = get list watch',
  'apiextensions.k8s.io: customresourcedefinitions (batchreleases.rollouts.kruise.io rollouts.rollouts.kruise.io) = patch update',
  'apps: deployments replicasets statefulsets = create delete get list patch update watch',
  'apps: deployments/status replicasets/status statefulsets/status = get patch update',
  'apps.kruise.io: clonesets statefulsets = create delete get list patch update watch',
  'apps.kruise.io: daemonsets = get list patch update watch',
  'apps.kruise.io: clonesets/status daemonsets/status statefulsets/status = get patch update',
  'autoscaling: horizontalpodautoscalers = get list patch update watch',
  'gateway.networking.k8s.io: httproutes = create delete get list patch update watch',
  'gateway.networking.k8s.io: httproutes/status = get patch update',
  'networking.istio.io: destinationrules virtualservices = get list patch update watch',
  'networking.k8s.io: ingresses = create delete get list patch update watch',
  'networking.k8s.io: ingresses/status = get patch update',
  'rollouts.kruise.io: batchreleases rollouthistories rollouts = create delete get list patch update watch',
  'rollouts.kruise.io: rollouthistories/finalizers rollouts/finalizers = update',
  'rollouts.kruise.io: batchreleases/status rollouthistories/status rollouts/status = get patch update',
  'rollouts.kruise.io: trafficroutings = create get list patch update watch',
  'rollouts.kruise.io: trafficroutings/finalizers = update',
  'rollouts.kruise.io: trafficroutings/status = get patch update',
];

const CRDS =
  'apiextensions.k8s.io: customresourcedefinitions (batchreleases.rollouts.kruise.io rollouts.rollouts.kruise.io)';

describe('the rules of the ClusterRole', () => {
  it('are what a release uses', () => {
    expect(rulesOf()).toEqual(NEEDED);
    const all = {
      ingresses: true,
      gatewayApi: true,
      istio: true,
      kruiseWorkloads: true,
      horizontalPodAutoscalers: true,
    };
    expect(rulesOf({ permissions: all })).toEqual(NEEDED);
    expect(rulesOf({ permissions: { upstream: false } })).toEqual(NEEDED);
    expect(rulesOf({ featureGates: { AdvancedDeployment: true, RolloutHistory: false } })).toEqual(NEEDED);
  });

  it('are those of upstream on request, whatever the feature gates', () => {
    const permissions = { upstream: true };
    expect(rulesOf({ permissions })).toEqual(UPSTREAM);
    expect(rulesOf({ permissions, featureGates: { AdvancedDeployment: false, RolloutHistory: true } })).toEqual(
      UPSTREAM,
    );
  });

  it.each([
    ['ingresses', /^networking\.k8s\.io: ingresses/, 1, 2],
    ['gatewayApi', /^gateway\.networking\.k8s\.io: /, 1, 2],
    ['istio', /^networking\.istio\.io: /, 1, 1],
    ['kruiseWorkloads', /^apps\.kruise\.io: /, 1, 3],
    ['horizontalPodAutoscalers', /^autoscaling: /, 1, 1],
  ])('without the permission %s have none of its rules, and all others', (name, pattern, needed, upstream) => {
    const others = (lines: readonly string[]) => lines.filter((line) => !pattern.test(line));
    expect(rulesOf({ permissions: { [name]: false } })).toEqual(others(NEEDED));
    expect(rulesOf({ permissions: { [name]: false, upstream: true } })).toEqual(others(UPSTREAM));
    expect([NEEDED.length - others(NEEDED).length, UPSTREAM.length - others(UPSTREAM).length]).toEqual([
      needed,
      upstream,
    ]);
  });

  it.each<
    [what: string, gates: object, version: KruiseRolloutVersion, less: readonly string[], more: readonly string[]]
  >([
    [
      'AdvancedDeployment off',
      { AdvancedDeployment: false },
      V0_6_2,
      [
        'apps: replicasets = create delete get list patch update watch',
        'apps: deployments/status = update',
        'apps: deployments/finalizers = update',
      ],
      ['apps: replicasets = get list patch watch'],
    ],
    [
      'RolloutHistory on',
      { RolloutHistory: true },
      V0_6_2,
      [],
      [
        'rollouts.kruise.io: rollouthistories = create get list update watch',
        'rollouts.kruise.io: rollouthistories/status = update',
      ],
    ],
    [
      'no blue-green style',
      {},
      V0_5_5,
      [
        'apps: replicasets = create delete get list patch update watch',
        'autoscaling: horizontalpodautoscalers = get list patch watch',
      ],
      ['apps: replicasets = create delete get list update watch'],
    ],
    [
      'no blue-green style, and AdvancedDeployment off',
      { AdvancedDeployment: false },
      V0_5_5,
      [
        'apps: replicasets = create delete get list patch update watch',
        'apps: deployments/status = update',
        'autoscaling: horizontalpodautoscalers = get list patch watch',
        'apps: deployments/finalizers = update',
      ],
      ['apps: replicasets = get list watch'],
    ],
    [
      'one version of the API, and no custom kinds',
      {},
      V0_4_4,
      [
        `${CRDS} = update`,
        'apps: replicasets = create delete get list patch update watch',
        'autoscaling: horizontalpodautoscalers = get list patch watch',
        'networking.istio.io: destinationrules virtualservices = get list update watch',
      ],
      ['apps: replicasets = create delete get list update watch'],
    ],
    [
      'no TrafficRoutings, and no DaemonSets',
      {},
      V0_3_0,
      [
        `${CRDS} = update`,
        'apps: replicasets = create delete get list patch update watch',
        'apps.kruise.io: clonesets daemonsets statefulsets = get list patch watch',
        'autoscaling: horizontalpodautoscalers = get list patch watch',
        'networking.istio.io: destinationrules virtualservices = get list update watch',
        'rollouts.kruise.io: trafficroutings = get list update watch',
        'rollouts.kruise.io: batchreleases/status rollouts/status trafficroutings/status = update',
        'rollouts.kruise.io: batchreleases/finalizers rollouts/finalizers trafficroutings/finalizers = update',
      ],
      [
        'apps: replicasets = create delete get list update watch',
        'apps.kruise.io: clonesets statefulsets = get list patch watch',
        'rollouts.kruise.io: batchreleases/status rollouts/status = update',
        'rollouts.kruise.io: batchreleases/finalizers rollouts/finalizers = update',
      ],
    ],
  ])('with %s have less, and more', (_, featureGates, version, less, more) => {
    const rules = rulesOf({ featureGates: featureGates as ClusterRuleOptions['featureGates'] }, version);
    expect(without(NEEDED, rules)).toEqual(less);
    expect(without(rules, NEEDED)).toEqual(more);
  });

  it.each<[version: KruiseRolloutVersion, less: readonly string[], more: readonly string[]]>([
    [V0_5_0, ['autoscaling: horizontalpodautoscalers = get list patch update watch'], []],
    [
      V0_4_4,
      [
        `${CRDS} = patch update`,
        'autoscaling: horizontalpodautoscalers = get list patch update watch',
        'networking.istio.io: destinationrules virtualservices = get list patch update watch',
      ],
      [],
    ],
    [
      V0_3_0,
      [
        `${CRDS} = patch update`,
        'apps.kruise.io: daemonsets = get list patch update watch',
        'apps.kruise.io: clonesets/status daemonsets/status statefulsets/status = get patch update',
        'autoscaling: horizontalpodautoscalers = get list patch update watch',
        'networking.istio.io: destinationrules virtualservices = get list patch update watch',
        'rollouts.kruise.io: trafficroutings = create get list patch update watch',
        'rollouts.kruise.io: trafficroutings/finalizers = update',
        'rollouts.kruise.io: trafficroutings/status = get patch update',
      ],
      ['apps.kruise.io: clonesets/status statefulsets/status = get patch update'],
    ],
  ])('of upstream for %s have less', (version, less, more) => {
    const rules = rulesOf({ permissions: { upstream: true } }, version);
    expect(without(UPSTREAM, rules)).toEqual(less);
    expect(without(rules, UPSTREAM)).toEqual(more);
  });
});

describe('the objects of the permissions', () => {
  const NAME = 'kruise-rollout-controller-manager';
  const objectsOf = (version: KruiseRolloutVersion) =>
    rbacObjects({
      facts: version.facts,
      permissions: {},
      featureGates: {},
      namespace: 'rollouts',
      serviceAccountAnnotations: { a: 'b' },
    }) as readonly (Record<string, unknown> & {
      readonly metadata: { readonly name: string; readonly namespace?: string };
    })[];

  it('are an account with three roles', () => {
    const objects = objectsOf(V0_6_2);
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? '-'}/${metadata.name}`)).toEqual([
      `ServiceAccount rollouts/${NAME}`,
      'Role rollouts/kruise-rollout-manager-role',
      'RoleBinding rollouts/kruise-rollout-manager-rolebinding',
      'Role rollouts/kruise-rollout-leader-election-role',
      'RoleBinding rollouts/kruise-rollout-leader-election-rolebinding',
      'ClusterRole -/kruise-rollout-manager-role',
      'ClusterRoleBinding -/kruise-rollout-manager-rolebinding',
    ]);
    expect(objects[0]).toEqual({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: NAME, namespace: 'rollouts', annotations: { a: 'b' } },
    });
    for (const binding of objects.filter(({ kind }) => String(kind).endsWith('Binding'))) {
      expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: NAME, namespace: 'rollouts' }]);
    }
  });

  it.each([
    [V0_5_0, []],
    [V0_4_4, ['core: configmaps = create', 'core: configmaps (71ddec2c.kruise.io) = get update']],
  ])('elect a leader in %s', (version, configMaps) => {
    const rules = (index: number) => (objectsOf(version)[index]!.rules as readonly PolicyRule[]).map(lineOf);
    expect(rules(1)).toEqual([
      'core: secrets = create list watch',
      'core: secrets (kruise-rollout-webhook-certs) = get update',
    ]);
    expect(rules(3)).toEqual([
      'coordination.k8s.io: leases = create',
      'coordination.k8s.io: leases (71ddec2c.kruise.io) = get update',
      ...configMaps,
      'core: events = create patch',
    ]);
    expect(rules(5)).toEqual(rulesOf({}, version));
  });
});
