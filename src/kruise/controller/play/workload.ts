/** The pods of a workload during a release: the number of each version, and the pods that a Service selects. */

import { asObject, type JsonObject, partOf, type StringMap, textOf } from '../../../core/json';
import { groupKindOf, type Manifest } from '../../../core/manifest';
import { autoscaled, type PodGroup, podManifest, type Revision, versionLabels } from '../../../release';
import type { RefSubject, RollingStyle } from '../../subject';

/** The properties of a workload that determine its pods. */
export interface Workload {
  /** The label that distinguishes the versions. */
  readonly revisionLabel: string;
  readonly labels?: StringMap;
  readonly replicas: number;
  /** How many pods a rolling update may take away before their successors are ready. */
  readonly maxUnavailable: number;
  /**
   * Why the controller does not know which pods have the old version; it routes no traffic then.
   * @default - it knows
   */
  readonly lacksStableRevision?: 'by its kind' | 'by the release id alone';
  /**
   * Whether pods that never become ready stay when the old version comes back. Kubernetes and OpenKruise change the pods of a
   * StatefulSet one after the other, and wait for a broken one until somebody deletes it.
   */
  readonly keepsBrokenPods: boolean;
}

/** The assumed number of pods if the manifests don't say: enough that any percentage leaves pods of both versions. */
const UNKNOWN_REPLICAS = 100;

const NO_REF: RefSubject['ref'] = { apiVersion: 'apps/v1', kind: 'Deployment', name: '' };

/** Reads a workload. If it is not in the manifests, only its kind is known. */
export function workloadOf(
  { kind, apiVersion } = NO_REF,
  manifest: Manifest | undefined,
  autoscaler?: Manifest,
): Workload {
  const spec = asObject(manifest?.get('spec'));
  const labels = asObject(asObject(asObject(spec.template).metadata).labels);
  const known = Object.entries(labels).filter(([, value]) => typeof value === 'string');
  const { replicas } = spec;
  const declared = typeof replicas === 'number' ? replicas : 1;
  const count = manifest !== undefined && kind !== 'DaemonSet' ? autoscaled(declared, autoscaler) : undefined;
  return {
    revisionLabel: HASHED.has(kind) ? 'pod-template-hash' : 'controller-revision-hash',
    ...(manifest === undefined ? {} : { labels: Object.fromEntries(known) as StringMap }),
    replicas: count ?? UNKNOWN_REPLICAS,
    maxUnavailable: maxUnavailableOf(kind, spec, count ?? UNKNOWN_REPLICAS),
    keepsBrokenPods: kind === 'StatefulSet' && spec.podManagementPolicy !== 'Parallel',
    ...(groupKindOf(kind, apiVersion) === WITHOUT_STABLE_REVISION && { lacksStableRevision: 'by its kind' }),
  };
}

/** How many pods a kind of workload takes away at most, where its spec says nothing. */
const MAX_UNAVAILABLE: Readonly<Record<string, string>> = { Deployment: '25%', CloneSet: '20%' };

/** A StatefulSet and a DaemonSet take away one pod. A CloneSet rounds a percentage up, a Deployment rounds it down. */
function maxUnavailableOf(kind: string, spec: JsonObject, replicas: number): number {
  const strategy = asObject(spec.strategy ?? spec.updateStrategy);
  const declared = strategy.maxUnavailable ?? asObject(strategy.rollingUpdate).maxUnavailable;
  const maxUnavailable = declared ?? (Object.hasOwn(MAX_UNAVAILABLE, kind) ? MAX_UNAVAILABLE[kind] : undefined) ?? 1;
  const percent = /^(\d{1,9})%$/.exec(textOf(maxUnavailable) ?? '')?.[1];
  const round = kind === 'CloneSet' ? Math.ceil : Math.floor;
  if (percent !== undefined) return round((Number(percent) * replicas) / 100);
  return typeof maxUnavailable === 'number' ? maxUnavailable : 0;
}

const HASHED = new Set(['Deployment', 'ReplicaSet', 'CloneSet']);

/** The status of this kind has no revision of the old pods, and no release of the controller finds one. */
const WITHOUT_STABLE_REVISION = 'DaemonSet.apps.kruise.io';

/** The number of pods of the new version in a step; the controller rounds a percentage up. */
export function canaryReplicas(value: unknown, total: number): number {
  const percent = /^\+?(\d{1,9})%$/.exec(textOf(value) ?? '')?.[1];
  if (percent !== undefined) return Math.ceil((Number(percent) * total) / 100);
  return typeof value === 'number' && value > 0 ? Math.floor(value) : 0;
}

/** The value of the revision label of pods whose release gave way to a later one. */
export const ABANDONED = 'abandoned';

/** How many pods have a value of the revision label. */
export function podsOf(pods: readonly PodGroup[], revision: Revision | typeof ABANDONED): number {
  return pods.reduce((sum, group) => sum + ((group.hash ?? group.revision) === revision ? group.replicas : 0), 0);
}

/** The numbers of pods that are not of the old version. */
export interface NewPods {
  readonly canary: number;
  /** @default 0 */
  readonly abandoned?: number;
}

/** The pods when a step has `canary` pods of the new version. */
export function podsDuring(
  workload: Workload,
  style: RollingStyle,
  { canary, abandoned = 0 }: NewPods,
  canaryLabels: StringMap = {},
): readonly PodGroup[] {
  const isPartition = style === 'partition';
  const updated = isPartition ? Math.min(canary, workload.replicas) : canary;
  const kept = isPartition ? Math.min(abandoned, workload.replicas - updated) : 0;
  return [
    group(workload, 'stable', isPartition ? workload.replicas - updated - kept : workload.replicas),
    // Only a separate canary workload can have additional labels.
    group(workload, 'canary', updated, style === 'canary' ? canaryLabels : {}),
    ...(kept > 0 ? [group(workload, ABANDONED, kept)] : []),
  ];
}

/** The pods when another version is released: those of the one before give way to it. */
export function podsAbandoned(workload: Workload, pods: readonly PodGroup[]): readonly PodGroup[] {
  const [stable, canary] = [podsOf(pods, 'stable'), podsOf(pods, 'canary') + podsOf(pods, ABANDONED)];
  return [group(workload, 'stable', stable), ...(canary > 0 ? [group(workload, ABANDONED, canary)] : [])];
}

/** The ready pods while those of the new version never get ready. Partition style replaces what may be unavailable. */
export function podsNeverReady(workload: Workload, style: RollingStyle, canary: number): readonly PodGroup[] {
  const { replicas, maxUnavailable } = workload;
  return [group(workload, 'stable', style === 'partition' ? replicas - Math.min(canary, maxUnavailable) : replicas)];
}

/** All pods of one version, as before and after a release. */
export function podsOnly(workload: Workload, revision: Revision): readonly PodGroup[] {
  return [group(workload, revision, workload.replicas)];
}

function group(
  workload: Workload,
  hash: Revision | typeof ABANDONED,
  replicas: number,
  more: StringMap = {},
): PodGroup {
  const labels = labelsOf(workload, hash, more);
  const version = hash === ABANDONED ? ({ revision: 'canary', hash } as const) : { revision: hash };
  return labels === undefined ? { ...version, replicas } : { ...version, replicas, labels };
}

function labelsOf({ labels, revisionLabel }: Workload, hash: string, more: StringMap): StringMap | undefined {
  if (labels === undefined) return undefined;
  if (Object.keys(more).length > 0) return { ...labels, ...more, [revisionLabel]: hash };
  return versionLabels(labels, revisionLabel, hash);
}

/** The manifests of one Pod of each version, so that a World has pods; none if their labels are unknown. */
export function podManifests(pods: readonly PodGroup[], workload: Manifest, namespace: string): Manifest[] {
  const spec = partOf(partOf(partOf(workload.object, 'spec'), 'template'), 'spec');
  return pods.flatMap(({ revision, hash = revision, replicas, labels }) =>
    replicas > 0 && labels !== undefined ? [podManifest({ workload, namespace, spec }, hash, labels)] : [],
  );
}
