import { ApiObject, Chart, Testing, Yaml } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { apiSchema as argoSchema } from '../../src/argo/api/schema';
import { ArgoGitOps, KruiseGitOps, KruiseRolloutVersion } from '../../src/constructs';
import type { KustomizeFieldSpec } from '../../src/core/kustomize';
import type { StructuralSchema } from '../../src/core/schema';
import { apiSchema as kruiseSchema } from '../../src/kruise/api/schema';

/** Whether a path leads to a field, through every list on its way. */
function has(schema: StructuralSchema, path: string): boolean {
  let at: StructuralSchema | undefined = schema;
  for (const key of path.split('/')) {
    while (at?.items !== undefined) at = at.items;
    // The volumes of a pod are left to Kubernetes.
    const isOpen: boolean = at?.['x-kubernetes-preserve-unknown-fields'] === true;
    at = at?.properties?.[key];
    if (at === undefined && isOpen) return true;
    if (at === undefined) return false;
  }
  return true;
}

const ARGO = ArgoGitOps.kustomizeConfiguration();
const KRUISE = KruiseGitOps.kustomizeConfiguration();
const allOf = ({ nameReference, ...others }: typeof ARGO): KustomizeFieldSpec[] => [
  ...nameReference.flatMap(({ fieldSpecs }) => fieldSpecs),
  ...Object.values(others).flat(),
];

describe('the configuration of Kustomize', () => {
  it.each(allOf(ARGO).filter(({ group }) => group === 'argoproj.io'))(
    'knows a field of Argo: $kind $path',
    ({ kind, path }) => {
      expect(has(argoSchema(kind as 'Rollout'), path)).toBe(true);
    },
  );

  it.each(allOf(KRUISE).filter(({ path }) => path.startsWith('spec')))(
    'knows a field of Kruise: $kind $path',
    ({ kind, path }) => {
      const schemas = (['v1alpha1', 'v1beta1'] as const).flatMap(
        (level) => kruiseSchema(kind as 'Rollout', level, KruiseRolloutVersion.LATEST) ?? [],
      );
      expect(schemas.some((schema) => has(schema, path))).toBe(true);
    },
  );

  it('names the kinds that fields of both controllers refer to', () => {
    const kinds = ({ nameReference }: typeof ARGO) =>
      [...new Set(nameReference.map(({ group = '', kind }) => `${kind}.${group}`))].sort();
    expect(kinds(ARGO)).toEqual([
      ...['AnalysisTemplate.argoproj.io', 'ClusterAnalysisTemplate.argoproj.io', 'ConfigMap.', 'Deployment.apps'],
      ...['DestinationRule.networking.istio.io', 'Ingress.networking.k8s.io', 'PersistentVolumeClaim.'],
      ...['Rollout.argoproj.io', 'Secret.', 'Service.', 'ServiceAccount.', 'TraefikService.'],
      'VirtualService.networking.istio.io',
    ]);
    expect(kinds(KRUISE)).toEqual([
      ...['ApisixRoute.apisix.apache.org', 'CloneSet.apps.kruise.io', 'DaemonSet.apps', 'DaemonSet.apps.kruise.io'],
      ...['Deployment.apps', 'DestinationRule.networking.istio.io', 'HTTPProxy.projectcontour.io'],
      ...['HTTPRoute.gateway.networking.k8s.io', 'Ingress.networking.k8s.io', 'IngressRoute.traefik.io', 'Service.'],
      ...['StatefulSet.apps', 'StatefulSet.apps.kruise.io', 'TraefikService.traefik.io'],
      ...['TrafficRouting.rollouts.kruise.io', 'VirtualService.networking.istio.io'],
    ]);
  });

  it('would see a path that is not there', () => {
    expect(has(argoSchema('Rollout'), 'spec/strategy/canary/canaryServices')).toBe(false);
  });

  it('is plain YAML', () => {
    const chart = new Chart(Testing.app(), 'chart');
    new ApiObject(chart, 'x', { apiVersion: 'v1', kind: 'Service' });
    expect(Yaml.stringify(ARGO)).toContain('nameReference:\n  - kind: Service\n');
    expect(Yaml.stringify(KRUISE)).toMatch(/rollouts\.kruise\.io\\+\/trafficrouting/);
  });
});
