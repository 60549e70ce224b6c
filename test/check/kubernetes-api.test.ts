import { describe, expect, it } from 'vitest';
import { checkKubernetesApis } from '../../src/check/kubernetes-api';
import { parseManifests, World } from '../../src/core';

/** The minor version of Kubernetes that ended an API, and what is served instead. */
const REMOVED: readonly (readonly [apis: string, kinds: string, since: number, instead: string])[] = [
  ['extensions/v1beta1 networking.k8s.io/v1beta1', 'Ingress', 22, 'networking.k8s.io/v1'],
  ['networking.k8s.io/v1beta1', 'IngressClass', 22, 'networking.k8s.io/v1'],
  ['extensions/v1beta1 apps/v1beta1 apps/v1beta2', 'Deployment', 16, 'apps/v1'],
  ['apps/v1beta1 apps/v1beta2', 'StatefulSet', 16, 'apps/v1'],
  ['extensions/v1beta1 apps/v1beta2', 'DaemonSet ReplicaSet', 16, 'apps/v1'],
  ['policy/v1beta1', 'PodDisruptionBudget', 25, 'policy/v1'],
  ['autoscaling/v2beta1', 'HorizontalPodAutoscaler', 25, 'autoscaling/v2'],
  ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', 26, 'autoscaling/v2'],
  ['batch/v1beta1', 'CronJob', 25, 'batch/v1'],
  ['apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', 22, 'apiextensions.k8s.io/v1'],
  [
    'admissionregistration.k8s.io/v1beta1',
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
    22,
    'admissionregistration.k8s.io/v1',
  ],
  [
    'rbac.authorization.k8s.io/v1alpha1 rbac.authorization.k8s.io/v1beta1',
    'ClusterRole ClusterRoleBinding Role RoleBinding',
    22,
    'rbac.authorization.k8s.io/v1',
  ],
];

function found(apiVersion: string, kind: string, release: string) {
  const { manifests } = parseManifests(JSON.stringify({ apiVersion, kind, metadata: { name: 'web' } }), 'web.yaml');
  return checkKubernetesApis(World.of(manifests), release);
}

describe('an API that a release of Kubernetes removed', () => {
  const cases = REMOVED.flatMap(([apis, kinds, since, instead]) =>
    apis.split(' ').flatMap((apiVersion) => kinds.split(' ').map((kind) => ({ apiVersion, kind, since, instead }))),
  );

  it.each(cases)('$apiVersion $kind is served until 1.$since', ({ apiVersion, kind, since, instead }) => {
    expect(found(apiVersion, kind, `1.${since - 1}`)).toEqual([]);
    expect(found(apiVersion, kind, `1.${since}`)).toMatchObject([
      {
        rule: 'kubernetes-api-removed',
        path: 'apiVersion',
        message: `Kubernetes 1.${since} serves no ${kind} of ${apiVersion}, which ended with 1.${since}`,
        fix: `write apiVersion: ${instead}; some fields may have other names there`,
      },
    ]);
    expect(found(instead, kind, '1.40')).toEqual([]);
  });
});
