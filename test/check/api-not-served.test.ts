import { describe, expect, it } from 'vitest';
import { checkStack } from '../../src/check';
import { parseManifests, World } from '../../src/core';

function found(apiVersion: string, kind: string) {
  const text = JSON.stringify({ apiVersion, kind, metadata: { name: 'web' } });
  const { manifests } = parseManifests(text, 'web.yaml');
  const { findings } = checkStack(World.of(manifests), { kubernetesVersion: '1.34' });
  return findings.filter(({ rule }) => rule === 'api-not-served');
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
