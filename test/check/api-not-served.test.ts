import { describe, expect, it } from 'vitest';
import { checkStack } from '../../src/check';
import { checkApiNames } from '../../src/check/api-not-served';
import { parseManifests, World } from '../../src/core';

function found(apiVersion: string, kind: string) {
  const text = JSON.stringify({ apiVersion, kind, metadata: { name: 'web' } });
  const { manifests } = parseManifests(text, 'web.yaml');
  const { findings } = checkStack(World.of(manifests), { kubernetesVersion: '1.34' });
  return findings.filter(({ rule }) => rule === 'api-not-served');
}

/** The same without the rest of a check. */
function namesOf(apiVersion: string, kind: string) {
  const { manifests } = parseManifests(JSON.stringify({ apiVersion, kind, metadata: { name: 'web' } }), 'web.yaml');
  return checkApiNames(World.of(manifests)).map(({ fix }) => fix);
}

const fixOf = (apiVersion: string, kind: string) => found(apiVersion, kind).map(({ fix }) => fix);

describe('an apiVersion or kind that no API has', () => {
  it.each([
    ['rollout.kruise.io/v1beta1', 'Rollout', 'apiVersion: rollouts.kruise.io/v1beta1'],
    ['kruise.io/v1beta1', 'Rollout', 'apiVersion: rollouts.kruise.io/v1beta1'],
    ['apps.kruise.io/v1alpha1', 'Rollout', 'apiVersion: rollouts.kruise.io/v1alpha1'],
    ['rollouts.openkruise.io/v1beta1', 'Rollout', 'apiVersion: rollouts.kruise.io/v1beta1'],
    ['Rollouts.kruise.io/v1beta1', 'Rollout', 'apiVersion: rollouts.kruise.io/v1beta1'],
    ['rollouts.kruise.io', 'TrafficRouting', 'apiVersion: rollouts.kruise.io/v1alpha1'],
    ['argoproj/v1alpha1', 'AnalysisTemplate', 'apiVersion: argoproj.io/v1alpha1'],
    ['argo.io/v1alpha1', 'ClusterAnalysisTemplate', 'apiVersion: argoproj.io/v1alpha1'],
    ['argoproj.io', 'Experiment', 'apiVersion: argoproj.io/v1alpha1'],
    ['argoproj.io/v1alpha1', 'Rollouts', 'kind: Rollout'],
    ['argoproj.io/v1alpha1', 'rollout', 'kind: Rollout'],
    ['argoproj.io/v1alpha1', 'ClusterAnalysistemplate', 'kind: ClusterAnalysisTemplate'],
    ['argoproj.io/v1alpha1', 'RolloutList', 'kind: Rollout'],
    ['env.alibaba.com/v1alpha2', 'VirtualEnvironments', 'kind: VirtualEnvironment'],
    ['env.alibaba.com/v1alpha2', 'Environment', 'kind: VirtualEnvironment'],
    ['istio.io/v1', 'VirtualService', 'apiVersion: networking.istio.io/v1'],
    ['networking.istio.io/v2', 'VirtualService', 'apiVersion: networking.istio.io/v1'],
    ['networking.k8s.io/v1', 'HTTPRoute', 'apiVersion: gateway.networking.k8s.io/v1'],
    ['apps/v2', 'Deployment', 'apiVersion: apps/v1'],
    ['app/v1', 'Deployment', 'apiVersion: apps/v1'],
    ['v1', 'Deployment', 'apiVersion: apps/v1'],
    ['core/v1', 'Service', 'apiVersion: v1'],
    ['networking.k8s.io/v2', 'Ingress', 'apiVersion: networking.k8s.io/v1'],
    ['networking.k8s.io/v1', 'Igress', 'kind: Ingress'],
  ])('is an error, and the fix has the right name: %s %s', (apiVersion, kind, fix) => {
    expect(fixOf(apiVersion, kind)).toEqual([`write ${fix}`]);
  });

  it('has every API that may be meant', () => {
    expect(fixOf('v1beta1', 'Rollout')).toEqual([
      'write apiVersion: rollouts.kruise.io/v1beta1 or apiVersion: argoproj.io/v1alpha1',
    ]);
  });

  it.each([
    ['Not Valid!', 'Rollout', 'apiVersion'],
    ['argoproj.io/v1alpha1', 'Not Valid!', 'kind'],
  ])('is an error where it has a space: %s %s', (apiVersion, kind, path) => {
    expect(found(apiVersion, kind)).toMatchObject([{ severity: 'error', path }]);
  });

  it('is left to the rule of the system that knows its releases', () => {
    expect(fixOf('rollouts.kruise.io/v1', 'Rollout')).toEqual([]);
    expect(fixOf('argoproj.io/v1', 'Rollout')).toEqual([]);
    expect(fixOf('env.alibaba.com/v1alpha1', 'VirtualEnvironment')).toEqual([]);
    expect(fixOf('extensions/v1beta1', 'Ingress')).toEqual([]);
  });
});

describe('an API that the cluster may have', () => {
  it.each([
    ['rollouts.kruise.io/v1beta1', 'Rollout'],
    ['apps.kruise.io/v1beta1', 'StatefulSet'],
    ['apps.kruise.io/v1alpha1', 'CloneSet'],
    ['policy.kruise.io/v1alpha1', 'PodUnavailableBudget'],
    ['argoproj.io/v1alpha1', 'Application'],
    ['argoproj.io/v1alpha1', 'WorkflowTemplate'],
    ['argoproj.io/v1alpha1', 'ImageUpdater'],
    ['promoter.argoproj.io/v1alpha1', 'PromotionStrategy'],
    ['core.oam.dev/v1beta1', 'Rollout'],
    ['standard.oam.dev/v1alpha1', 'Rollout'],
    ['serving.knative.dev/v1', 'Service'],
    ['networking.internal.knative.dev/v1alpha1', 'Ingress'],
    ['batch.volcano.sh/v1alpha1', 'Job'],
    ['policy.networking.k8s.io/v1alpha1', 'AdminNetworkPolicy'],
    ['crd.projectcalico.org/v1', 'NetworkPolicy'],
    ['projectcalico.org/v3', 'NetworkPolicy'],
    ['cilium.io/v2', 'CiliumNetworkPolicy'],
    ['security.istio.io/v1', 'AuthorizationPolicy'],
    ['networking.istio.io/v1alpha3', 'EnvoyFilter'],
    ['gateway.networking.k8s.io/v1', 'Gateway'],
    ['gateway.networking.k8s.io/v1alpha3', 'BackendTLSPolicy'],
    ['networking.x-k8s.io/v1alpha1', 'Gateway'],
    ['gateway.networking.x-k8s.io/v1alpha1', 'XListenerSet'],
    ['networking.gke.io/v1', 'ManagedCertificate'],
    ['autoscaling.k8s.io/v1', 'VerticalPodAutoscaler'],
    ['keda.sh/v1alpha1', 'ScaledObject'],
    ['events.k8s.io/v1', 'Event'],
    ['cluster.x-k8s.io/v1beta1', 'MachineDeployment'],
    ['apps.openshift.io/v1', 'DeploymentConfig'],
    ['route.openshift.io/v1', 'Route'],
    ['litmuschaos.io/v1alpha1', 'Experiment'],
    ['kubeflow.org/v1beta1', 'Experiment'],
    ['monitoring.coreos.com/v1', 'ServiceMonitor'],
    ['cert-manager.io/v1', 'Issuer'],
    ['resource.k8s.io/v1', 'ResourceClaim'],
    ['networking.k8s.io/v1beta1', 'IPAddress'],
    ['v1', 'Config'],
    ['kustomize.config.k8s.io/v1beta1', 'Kustomization'],
    ['skaffold/v4beta11', 'Config'],
    ['kind.x-k8s.io/v1alpha4', 'Cluster'],
    ['backstage.io/v1alpha1', 'Component'],
    ['v3', 'service'],
  ])('is none of our business: %s %s', (apiVersion, kind) => {
    expect(found(apiVersion, kind)).toEqual([]);
  });
});

/** The APIs that are known, the version to write first in front. */
const SERVED: readonly (readonly [group: string, versions: string, kinds: string])[] = [
  ['apps.kruise.io', 'v1alpha1 v1beta1', 'CloneSet DaemonSet'],
  ['apps.kruise.io', 'v1beta1 v1alpha1', 'StatefulSet'],
  ['apps', 'v1 v1beta2 v1beta1', 'ControllerRevision Deployment StatefulSet'],
  ['apps', 'v1 v1beta2', 'DaemonSet ReplicaSet'],
  ['apps', 'v1beta2 v1beta1', 'Scale'],
  ['', 'v1', 'Binding ConfigMap Endpoints Event LimitRange List Namespace Node PersistentVolume PersistentVolumeClaim'],
  ['', 'v1', 'Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount'],
  ['networking.k8s.io', 'v1 v1beta1', 'Ingress IngressClass'],
  ['networking.k8s.io', 'v1', 'NetworkPolicy'],
  ['batch', 'v1', 'Job'],
  ['batch', 'v1 v1beta1 v2alpha1', 'CronJob'],
  ['autoscaling', 'v2 v1 v2beta2 v2beta1', 'HorizontalPodAutoscaler'],
  ['policy', 'v1 v1beta1', 'PodDisruptionBudget'],
  ['rbac.authorization.k8s.io', 'v1 v1beta1 v1alpha1', 'ClusterRole ClusterRoleBinding Role RoleBinding'],
  ['gateway.networking.k8s.io', 'v1 v1beta1 v1alpha2 v1alpha1', 'Gateway GatewayClass HTTPRoute'],
  ['gateway.networking.k8s.io', 'v1 v1alpha2', 'GRPCRoute'],
  ['networking.istio.io', 'v1 v1beta1 v1alpha3', 'DestinationRule Gateway ServiceEntry Sidecar VirtualService'],
  ['projectcontour.io', 'v1', 'HTTPProxy TLSCertificateDelegation'],
  ['projectcontour.io', 'v1alpha1', 'ContourConfiguration ContourDeployment ExtensionService'],
  ['traefik.io', 'v1alpha1', 'IngressRoute IngressRouteTCP IngressRouteUDP Middleware MiddlewareTCP TraefikService'],
  ['traefik.containo.us', 'v1alpha1', 'ServersTransport ServersTransportTCP TLSOption TLSStore'],
  [
    'apisix.apache.org',
    'v2 v2beta3 v2beta2 v2beta1 v1',
    'ApisixConsumer ApisixPluginConfig ApisixRoute ApisixUpstream',
  ],
];

const apis = SERVED.flatMap(([group, versions, kinds]) =>
  kinds.split(' ').map((kind) => {
    const [first, ...rest] = versions.split(' ').map((version) => (group === '' ? version : `${group}/${version}`));
    return { group, kind, first: first!, versions: [first!, ...rest] };
  }),
);

describe('an API that is known', () => {
  it('is served in each of its versions', () => {
    const wrong = apis.flatMap(({ kind, versions }) => versions.filter((version) => namesOf(version, kind).length > 0));
    expect(wrong).toEqual([]);
  });

  it('is meant by its name in another case, and in the plural', () => {
    const fixes = apis.map(({ kind, first }) => [namesOf(first, kind.toLowerCase()), namesOf(first, `${kind}s`)]);
    expect(fixes).toEqual(apis.map(({ kind }) => [[`write kind: ${kind}`], [`write kind: ${kind}`]]));
  });

  it('is meant by a version that never was, and then the first is written', () => {
    const inGroups = apis.filter(({ group }) => group !== '');
    const fixes = inGroups.map(({ group, kind }) => namesOf(`${group}/v9`, kind));
    expect(fixes).toEqual(inGroups.map(({ first }) => [`write apiVersion: ${first}`]));
  });
});

describe('a kind of a known group that is not read', () => {
  it.each([
    ['argoproj.io', 'AppProject ApplicationSet ArgoCD ArgoCDExport ClusterWorkflowTemplate CronWorkflow EventBus'],
    ['argoproj.io', 'EventSource Gateway NotificationsConfiguration RolloutManager Sensor Workflow WorkflowTaskSet'],
    ['argoproj.io', 'WorkflowArtifactGCTask WorkflowEventBinding WorkflowTaskResult'],
    ['apps.kruise.io', 'AdvancedCronJob BroadcastJob ContainerRecreateRequest EphemeralJob ImageListPullJob NodeImage'],
    ['apps.kruise.io', 'ImagePullJob NodePodProbe PersistentPodState PodProbeMarker ResourceDistribution SidecarSet'],
    ['apps.kruise.io', 'UnitedDeployment WorkloadSpread'],
    ['networking.k8s.io', 'ClusterCIDR IPAddress ServiceCIDR'],
    ['autoscaling', 'Scale'],
    ['policy', 'Eviction PodSecurityPolicy'],
    [
      'gateway.networking.k8s.io',
      'BackendLBPolicy ListenerSet ReferenceGrant ReferencePolicy TCPRoute TLSRoute UDPRoute',
    ],
    ['networking.istio.io', 'EnvoyFilter ProxyConfig WorkloadEntry WorkloadGroup'],
  ])('is not taken for one that is read: %s %s', (group, kinds) => {
    const wrong = kinds.split(' ').filter((kind) => namesOf(`${group}/v1alpha1`, kind).length > 0);
    expect(wrong).toEqual([]);
  });

  it('is neither in the group of the core', () => {
    const kinds = ['APIGroup', 'ComponentStatus', 'Config', 'RangeAllocation', 'SerializedReference', 'Status'];
    expect(kinds.flatMap((kind) => namesOf('v1', kind))).toEqual([]);
  });
});

describe('a group that resembles a known one', () => {
  it.each([
    ['rollouts.kruise.oi/v1beta1', 'Rollout', ['write apiVersion: rollouts.kruise.io/v1beta1']],
    ['argoproj.dev/v1alpha1', 'Rollout', ['write apiVersion: argoproj.io/v1alpha1']],
    ['argoproj.com/v1alpha1', 'rollouts', ['write apiVersion: argoproj.io/v1alpha1, kind: Rollout']],
    ['argo-proj.io/v1alpha1', 'Rollout', ['write apiVersion: argoproj.io/v1alpha1']],
    ['env.alibaba/v1alpha2', 'VirtualEnvironment', ['write apiVersion: env.alibaba.com/v1alpha2']],
    ['k8s.io/v1', 'Ingress', ['write apiVersion: networking.k8s.io/v1']],
    ['networking.k8s.io', 'Ingress', ['write apiVersion: networking.k8s.io/v1']],
    ['ingress.networking.k8s.io/v1', 'HTTPRoute', ['write apiVersion: gateway.networking.k8s.io/v1']],
    [' apps/v1', 'Deployment', ['write apiVersion: apps/v1']],
    ['deployment/v1', 'Deployment', ['write apiVersion: apps/v1']],
    ['apps/V1', 'Deployment', ['write apiVersion: apps/v1']],
    ['autoscale/v2', 'HorizontalPodAutoscaler', ['write apiVersion: autoscaling/v2']],
    ['autoscale/v2', 'horizontalpodautoscaler', []],
    ['extensions/v1beta1', 'Sidecar', []],
    ['io/v1', 'Rollout', ['write apiVersion: rollouts.kruise.io/v1beta1 or apiVersion: argoproj.io/v1alpha1']],
    ['policy.example.com/v1', 'PodDisruptionBudget', []],
    ['a.b.io/v1beta1', 'Rollout', []],
    ['v2', 'Rollouts', []],
    ['superargoproj.io/v1alpha1', 'Rollout', []],
    ['argopro.io/v1alpha1', 'Experiment', ['write apiVersion: argoproj.io/v1alpha1']],
    ['rolouts.kruse.io/v1beta1', 'Rollout', ['write apiVersion: rollouts.kruise.io/v1beta1']],
    ['rolots.kruse.io/v1beta1', 'Rollout', []],
    ['v1', 'Pods', ['write kind: Pod']],
    ['v1', 'Srevice', ['write kind: Service']],
    ['v1', 'PersistentVolumeClam', ['write kind: PersistentVolumeClaim']],
    ['v1', 'Thing', []],
  ])('%s %s', (apiVersion, kind, fixes) => {
    expect(namesOf(apiVersion, kind)).toEqual(fixes);
  });
});
