/** The pods of a workload while it is being released: how many of each version, and which Service selects them. */
import { Manifest } from '../../core/manifest';
import { asObject, asString, type StringMap } from '../json';
import type { RollingStyle } from '../rules/subject';

/** Which version of the workload a pod runs. */
export type Revision = 'stable' | 'canary';

/** Pods of one version. */
export interface PodGroup {
  readonly revision: Revision;
  /**
   * The labels of each pod.
   * @default - unknown, as the manifests do not hold the workload: they fit every selector
   */
  readonly labels?: StringMap;
  readonly replicas: number;
}

/** A workload as far as its pods matter. */
export interface Workload {
  /** The label that tells versions apart. */
  readonly revisionLabel: string;
  readonly labels?: StringMap;
  readonly replicas: number;
}

/** Stands for the number of pods where the manifests do not tell: enough for any percentage to leave some on both sides. */
const UNKNOWN_REPLICAS = 100;

/** What a release needs to know of the workload; of one that is not in the manifests only its kind is known. */
export function workloadOf(kind: string, manifest: Manifest | undefined): Workload {
  const spec = asObject(manifest?.get('spec'));
  const labels = asObject(asObject(asObject(spec.template).metadata).labels);
  const known = Object.entries(labels).filter(([, value]) => typeof value === 'string');
  const { replicas } = spec;
  const count =
    manifest !== undefined && kind !== 'DaemonSet' ? (typeof replicas === 'number' ? replicas : 1) : undefined;
  return {
    revisionLabel: HASHED.has(kind) ? 'pod-template-hash' : 'controller-revision-hash',
    ...(manifest === undefined ? {} : { labels: Object.fromEntries(known) as StringMap }),
    replicas: count ?? UNKNOWN_REPLICAS,
  };
}

const HASHED = new Set(['Deployment', 'ReplicaSet', 'CloneSet']);

/** How many pods of the new version a step asks for; the controller rounds a percentage up. */
export function canaryReplicas(value: unknown, total: number): number {
  const percent = /^\+?(\d{1,9})%$/.exec(asString(value) ?? '')?.[1];
  if (percent !== undefined) return Math.ceil((Number(percent) * total) / 100);
  return typeof value === 'number' && value > 0 ? Math.floor(value) : 0;
}

/** The pods once a step has so many of the new version. */
export function podsDuring(
  workload: Workload,
  style: RollingStyle,
  canary: number,
  canaryLabels: StringMap = {},
): readonly PodGroup[] {
  const isPartition = style === 'partition';
  const updated = isPartition ? Math.min(canary, workload.replicas) : canary;
  return [
    group(workload, 'stable', isPartition ? workload.replicas - updated : workload.replicas),
    // Only a workload of its own can have labels of its own.
    group(workload, 'canary', updated, style === 'canary' ? canaryLabels : {}),
  ];
}

/** All pods of one version, as before and after a release. */
export function podsOnly(workload: Workload, revision: Revision): readonly PodGroup[] {
  return [group(workload, revision, workload.replicas)];
}

function group(workload: Workload, revision: Revision, replicas: number, more: StringMap = {}): PodGroup {
  const { labels, revisionLabel } = workload;
  const own = { ...more, [revisionLabel]: revision };
  return { revision, replicas, ...(labels === undefined ? {} : { labels: { ...labels, ...own } }) };
}

/** How many pods of each version a selector selects; none at all without a selector, whose endpoints are made by hand. */
export function selectedPods(
  selector: StringMap,
  pods: readonly PodGroup[],
  revisionLabel: string,
): Readonly<Record<Revision, number>> {
  const selected = { stable: 0, canary: 0 };
  for (const { revision, labels, replicas } of pods) {
    const fits = Object.entries(selector).every(([key, value]) =>
      labels === undefined ? key !== revisionLabel || value === revision : labels[key] === value,
    );
    if (fits) selected[revision] += replicas;
  }
  return selected;
}

/** One Pod of each version as manifests, for whoever looks for pods in a World; none where their labels are unknown. */
export function podManifests(pods: readonly PodGroup[], workload: Manifest, namespace: string): Manifest[] {
  const { apiVersion, kind, name } = workload;
  const spec = asObject(asObject(asObject(workload.get('spec')).template).spec);
  return pods
    .filter(({ replicas, labels }) => replicas > 0 && labels !== undefined)
    .map(({ revision, labels }) =>
      Manifest.of({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `${name}-${revision}`, namespace, labels, ownerReferences: [{ apiVersion, kind, name }] },
        spec,
      }),
    );
}
