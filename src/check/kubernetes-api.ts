import type { Finding } from '../core/finding';
import { defineRules } from '../core/rule';
import type { World } from '../core/world';

const GUIDE = 'https://kubernetes.io/docs/reference/using-api/deprecation-guide/';

/** API versions that Kubernetes removed, for the kinds that a release may involve: the minor version that removed each, and its replacement. */
const REMOVED: Readonly<Record<string, { readonly since: number; readonly instead: string }>> = {
  'extensions/v1beta1 Ingress': { since: 22, instead: 'networking.k8s.io/v1' },
  'networking.k8s.io/v1beta1 Ingress': { since: 22, instead: 'networking.k8s.io/v1' },
  'networking.k8s.io/v1beta1 IngressClass': { since: 22, instead: 'networking.k8s.io/v1' },
  'extensions/v1beta1 Deployment': { since: 16, instead: 'apps/v1' },
  'apps/v1beta1 Deployment': { since: 16, instead: 'apps/v1' },
  'apps/v1beta2 Deployment': { since: 16, instead: 'apps/v1' },
  'apps/v1beta1 StatefulSet': { since: 16, instead: 'apps/v1' },
  'apps/v1beta2 StatefulSet': { since: 16, instead: 'apps/v1' },
  'extensions/v1beta1 DaemonSet': { since: 16, instead: 'apps/v1' },
  'apps/v1beta2 DaemonSet': { since: 16, instead: 'apps/v1' },
  'extensions/v1beta1 ReplicaSet': { since: 16, instead: 'apps/v1' },
  'apps/v1beta2 ReplicaSet': { since: 16, instead: 'apps/v1' },
  'policy/v1beta1 PodDisruptionBudget': { since: 25, instead: 'policy/v1' },
  'autoscaling/v2beta1 HorizontalPodAutoscaler': { since: 25, instead: 'autoscaling/v2' },
  'autoscaling/v2beta2 HorizontalPodAutoscaler': { since: 26, instead: 'autoscaling/v2' },
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': { since: 22, instead: 'apiextensions.k8s.io/v1' },
  'admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration': {
    since: 22,
    instead: 'admissionregistration.k8s.io/v1',
  },
  'admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration': {
    since: 22,
    instead: 'admissionregistration.k8s.io/v1',
  },
  'batch/v1beta1 CronJob': { since: 25, instead: 'batch/v1' },
  'rbac.authorization.k8s.io/v1alpha1 ClusterRole': { since: 22, instead: 'rbac.authorization.k8s.io/v1' },
  'rbac.authorization.k8s.io/v1beta1 ClusterRole': { since: 22, instead: 'rbac.authorization.k8s.io/v1' },
  'rbac.authorization.k8s.io/v1alpha1 ClusterRoleBinding': { since: 22, instead: 'rbac.authorization.k8s.io/v1' },
  'rbac.authorization.k8s.io/v1beta1 ClusterRoleBinding': { since: 22, instead: 'rbac.authorization.k8s.io/v1' },
  'rbac.authorization.k8s.io/v1alpha1 Role': { since: 22, instead: 'rbac.authorization.k8s.io/v1' },
  'rbac.authorization.k8s.io/v1beta1 Role': { since: 22, instead: 'rbac.authorization.k8s.io/v1' },
  'rbac.authorization.k8s.io/v1alpha1 RoleBinding': { since: 22, instead: 'rbac.authorization.k8s.io/v1' },
  'rbac.authorization.k8s.io/v1beta1 RoleBinding': { since: 22, instead: 'rbac.authorization.k8s.io/v1' },
};

const budget = (version: string) =>
  ({
    language: 'yaml',
    text: `apiVersion: ${version}\nkind: PodDisruptionBudget\nmetadata:\n  name: web\nspec:\n  maxUnavailable: 1\n  selector: {matchLabels: {app: web}}\n`,
  }) as const;

/** Rules that depend on the version of Kubernetes. */
export const kubernetesRules = defineRules({
  'kubernetes-api-removed': {
    severity: 'error',
    title: 'this release of Kubernetes does not serve the version of an API',
    because: 'the API server answers "no matches for kind", and nothing of the object comes into the cluster',
    fix: 'write the version that is served; some fields may have other names there',
    basis: 'documented',
    sources: [GUIDE],
    failing: budget('policy/v1beta1'),
    corrected: budget('policy/v1'),
  },
});

/** Finds objects of APIs that a version of Kubernetes, `1.34`, does not serve. */
export function checkKubernetesApis(world: World, release: string): Finding[] {
  const minor = Number(release.split('.')[1]);
  return world.manifests.flatMap((manifest) => {
    const { apiVersion, kind } = manifest.ref;
    const name = `${apiVersion} ${kind}`;
    const removed = Object.hasOwn(REMOVED, name) ? REMOVED[name] : undefined;
    if (removed === undefined || minor < removed.since) return [];
    return [
      manifest.finding(kubernetesRules['kubernetes-api-removed'], {
        message: `Kubernetes ${release} serves no ${kind} of ${apiVersion}, which ended with 1.${removed.since}`,
        path: ['apiVersion'],
        fix: `write apiVersion: ${removed.instead}; some fields may have other names there`,
      }),
    ];
  });
}
