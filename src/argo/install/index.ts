import type { KubernetesObject } from '../../kubernetes/api';
import { disruptionBudgetObjects } from '../../kubernetes/monitoring';
import { tidy } from '../../kubernetes/tidy';
import { configObjects } from './config';
import { dashboardObjects } from './dashboard';
import { deploymentObject } from './deployment';
import { monitoringObjects } from './monitoring';
import { CONTROLLER_NAME, SELECTOR_LABELS } from './names';
import type { ArgoInstallOptions } from './options';
import { rbacObjects } from './rbac';
import { type Settings, settingsOf } from './settings';

export * from './options';
export { argoInstallProblems } from './problems';

/**
 * All objects of an install, in the order to apply them. `argoInstallProblems` validates the options.
 *
 * @example argoInstall({ trafficRouters: ['alb'], aws: { verifyTargetGroup: true, region: 'eu-west-1' } })
 */
export function argoInstall(options: ArgoInstallOptions = {}): KubernetesObject[] {
  const settings = settingsOf(options);
  const objects = [
    ...rbacObjects(settings),
    ...configObjects(settings),
    deploymentObject(settings),
    ...disruptionBudgetObjects(CONTROLLER_NAME, settings, SELECTOR_LABELS),
    ...monitoringObjects(settings),
    ...dashboardObjects(settings),
  ];
  const tidied = (list: readonly KubernetesObject[]) => list.map((object) => tidy(object, settings.labels));
  return [...tidied(namespaceObjects(settings)), ...crdObjects(settings), ...tidied(objects)];
}

function namespaceObjects(settings: Settings): KubernetesObject[] {
  const { createNamespace, namespaced, namespace, namespaceLabels, namespaceAnnotations: annotations } = settings;
  if (!createNamespace) return [];
  // With `namespaced`, the pods of Rollouts run there too, and their security contexts are unknown.
  const restricted: { readonly [label: string]: string } = namespaced
    ? {}
    : { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const labels = { ...SELECTOR_LABELS, ...restricted, ...namespaceLabels };
  return [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels, annotations } }];
}

function crdObjects({ crds: policy, labels }: Settings): KubernetesObject[] {
  if (policy === 'skip') return [];
  // Loaded here because the schemas are large, and most programs write no install.
  const { argoRolloutsCrds } = require('../crds') as typeof import('../crds');
  const keep = policy === 'keep';
  return argoRolloutsCrds({
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    annotations: {
      ...(keep ? { 'helm.sh/resource-policy': 'keep' } : {}),
      // Upstream's CRDs are too large for the annotation of a client-side apply. These are not, but they replace CRDs
      // that were applied server-side.
      'argocd.argoproj.io/sync-options': `${keep ? 'Prune=false,Delete=false,' : ''}ServerSideApply=true`,
      ...(keep ? { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } : {}),
    },
  }) as unknown as KubernetesObject[];
}
