import type { ObjectRef } from '../../core/finding';
import type { KubernetesObject } from '../../kubernetes/api';
import { disruptionBudgetObjects } from '../../kubernetes/monitoring';
import { tidy } from '../../kubernetes/tidy';
import { KruiseRolloutVersion } from '../version';
import { deploymentObject } from './deployment';
import { monitoringObjects } from './monitoring';
import { CONTROLLER_LABELS, CONTROLLER_NAME, crdNames } from './names';
import { networkPolicyObjects } from './network-policy';
import type { KruiseInstallOptions } from './options';
import { rbacObjects } from './rbac';
import { type Settings, settingsOf } from './settings';
import { webhookObjects } from './webhooks';

export { KRUISE_INSTALL_PROPS } from './options';
export { installProblems } from './problems';

/** Makes Helm, Argo CD and Flux keep an object when the rest of the install is removed. */
const KEEP = {
  'helm.sh/resource-policy': 'keep',
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};

/** The CRDs that an install needs and does not write. */
export function crdsElsewhere({ crds, version = KruiseRolloutVersion.LATEST }: KruiseInstallOptions): ObjectRef[] {
  return crds === 'skip' ? crdNames(version.facts).map((name) => ({ kind: 'CustomResourceDefinition', name })) : [];
}

/**
 * All objects of an install, in the order to apply them: the webhooks come before the controller, which looks for them at
 * startup. `installProblems` validates the options.
 *
 * @param scriptsChecksum a digest of the routing scripts, for the pod template
 */
export function kruiseInstall(options: KruiseInstallOptions, scriptsChecksum?: string): KubernetesObject[] {
  const settings = settingsOf(options, scriptsChecksum);
  const { facts } = settings.version;
  const objects = [
    ...rbacObjects({ ...settings, facts }),
    ...webhookObjects({ ...settings, facts }),
    deploymentObject(settings),
    // While no controller runs, nobody can update a workload of a Rollout.
    ...disruptionBudgetObjects(CONTROLLER_NAME, settings, CONTROLLER_LABELS),
    ...networkPolicyObjects(settings),
    ...monitoringObjects(settings),
  ];
  const tidied = (list: readonly KubernetesObject[]) => list.map((object) => tidy(object, settings.labels));
  return [...tidied(namespaceObjects(settings)), ...crdObjects(settings), ...tidied(objects)];
}

function namespaceObjects({ createNamespace, namespace, namespaceLabels }: Settings): KubernetesObject[] {
  if (!createNamespace) return [];
  const labels = { ...CONTROLLER_LABELS, 'pod-security.kubernetes.io/enforce': 'restricted', ...namespaceLabels };
  return [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } }];
}

function crdObjects({ crds: policy, version, namespace, labels }: Settings): KubernetesObject[] {
  if (policy === 'skip') return [];
  // Loaded here because the schemas are large, and most programs write no install.
  const { kruiseCrds } = require('../crds') as typeof import('../crds');
  const metadata = {
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(policy === 'keep' ? { annotations: KEEP } : {}),
  };
  return kruiseCrds({ version, namespace, ...metadata }) as unknown as KubernetesObject[];
}
