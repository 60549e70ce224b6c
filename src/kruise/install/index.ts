import { deploymentObject } from './deployment';
import type { KubernetesObject } from './kubernetes';
import { monitoringObjects } from './monitoring';
import { CONTROLLER_LABELS } from './names';
import type { KruiseInstallOptions } from './options';
import { disruptionBudgetObjects, networkPolicyObjects } from './protection';
import { rbacObjects } from './rbac';
import { type Settings, settingsOf } from './settings';
import { webhookObjects } from './webhooks';

export { installProblems } from './problems';

/** Tells Helm, Argo CD and Flux to leave an object when the rest of the install is removed. */
const KEEP = {
  'helm.sh/resource-policy': 'keep',
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};

/**
 * All objects of an install, in an order in which they can be applied: the webhooks come before the process that looks
 * for them at its start. What would be wrong with the options is for `installProblems` to say.
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
    ...disruptionBudgetObjects(settings),
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
  // Loaded here: the schemas are large, and not everybody who loads the library writes an install.
  const { kruiseCrds } = require('../crds') as typeof import('../crds');
  const metadata = {
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(policy === 'keep' ? { annotations: KEEP } : {}),
  };
  return kruiseCrds({ version, namespace, ...metadata }) as unknown as KubernetesObject[];
}

/** Adds the labels of every object, and leaves out what is undefined and what chooses nothing. */
function tidy(object: KubernetesObject, labels: Settings['labels']): KubernetesObject {
  const metadata = { ...object.metadata, labels: { ...labels, ...object.metadata.labels } };
  return withoutUndefined({ ...object, metadata }) as KubernetesObject;
}

/** Fields that mean the same when they are empty as when they are not there. */
const OMIT_EMPTY = new Set(['annotations', 'imagePullSecrets', 'labels', 'nodeSelector', 'tolerations']);

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, entry]) => entry !== undefined && !(OMIT_EMPTY.has(key) && isEmpty(entry)),
  );
  return Object.fromEntries(entries.map(([key, entry]) => [key, withoutUndefined(entry)]));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
