/** The pods of a workload during a release: the number of each version, and the pods that a Service selects. */

import { asObject, type JsonObject, partOf, type StringMap, textOf } from '../../../core/json';
import { groupKindOf, type Manifest } from '../../../core/manifest';
import { autoscaled, hashOf, type PodGroup, podManifest, type Revision, versionLabels } from '../../../release';
import type { KruiseRolloutFacts } from '../../facts';
import { percentOf, type RefSubject, type RollingStyle } from '../../subject';

/** A number of pods, or a percentage. */
export type Share = number | string;

/** The properties of a workload that determine its pods. */
export interface Workload {
  readonly kind: string;
  /** The label that distinguishes the versions. */
  readonly revisionLabel: string;
  readonly labels?: StringMap;
  readonly replicas: number;
  /** How many pods a rolling update may take away before their successors are ready. */
  readonly maxUnavailable: Share;
  /** How many pods a Deployment may have above `replicas`. */
  readonly maxSurge: Share;
  /** Whether a Deployment deletes all old pods before it creates new ones (`strategy.type: Recreate`). */
  readonly recreates: boolean;
  /** Whether pods keep their version until somebody deletes them (`updateStrategy.type: OnDelete`). */
  readonly waitsForDeletion: boolean;
  /**
   * Why the controller does not know which pods have the old version; it routes no traffic then.
   * @default - it knows
   */
  readonly lacksStableRevision?: 'by its kind' | 'by the release id alone';
  /**
   * Whether the old version is released again while no pod of it is left: the new pods have its revision then.
   * @default false
   */
  readonly releasesOldVersion?: boolean;
  /**
   * Whether somebody has written fields that the controller holds in blue-green style: it takes no further step then.
   * @default false
   */
  readonly isLoose?: boolean;
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
    kind,
    revisionLabel: HASHED.has(kind) ? 'pod-template-hash' : 'controller-revision-hash',
    ...(manifest === undefined ? {} : { labels: Object.fromEntries(known) as StringMap }),
    replicas: count ?? UNKNOWN_REPLICAS,
    ...rollingUpdateOf(kind, spec),
    recreates: typeOf(spec.strategy) === 'Recreate',
    waitsForDeletion: typeOf(spec.updateStrategy) === 'OnDelete',
    keepsBrokenPods: kind === 'StatefulSet' && spec.podManagementPolicy !== 'Parallel',
    ...(groupKindOf(kind, apiVersion) === WITHOUT_STABLE_REVISION && { lacksStableRevision: 'by its kind' }),
  };
}

const typeOf = (strategy: unknown) => asObject(strategy).type;

/**
 * Whether a release waits for pods that the controller does not recognize: it computes a hash of their template with the label
 * that Kubernetes replaces in the pods.
 */
export function waitsForPodHash(
  style: RollingStyle,
  { kind, labels = {} }: Workload,
  facts: KruiseRolloutFacts,
): boolean {
  const hasLabel = Object.hasOwn(labels, 'pod-template-hash');
  return style === 'blueGreen' && kind === 'Deployment' && hasLabel && facts.waitsForPodLabels;
}

/** How many pods a kind of workload takes away at most, where its spec says nothing. */
const MAX_UNAVAILABLE: Readonly<Record<string, string>> = { Deployment: '25%', CloneSet: '20%' };

/** What a spec says about rolling updates. */
export function rollingUpdateOf(kind: string, spec: JsonObject): Pick<Workload, 'maxUnavailable' | 'maxSurge'> {
  const strategy = asObject(spec.strategy ?? spec.updateStrategy);
  const rollingUpdate = asObject(strategy.rollingUpdate);
  const usual = Object.hasOwn(MAX_UNAVAILABLE, kind) ? MAX_UNAVAILABLE[kind]! : 1;
  // The API server sets no surge where all old pods go first.
  const surge = kind === 'Deployment' && strategy.type !== 'Recreate' ? '25%' : 0;
  return {
    maxUnavailable: shareOf(strategy.maxUnavailable ?? rollingUpdate.maxUnavailable ?? usual),
    maxSurge: shareOf(rollingUpdate.maxSurge ?? surge),
  };
}

/** A number of pods or a percentage as a manifest has it; 0 if it is neither. */
export function shareOf(value: unknown): Share {
  return typeof value === 'number' ? value : (textOf(value) ?? 0);
}

/** How many pods of a workload may be missing. A CloneSet rounds a percentage up, a Deployment rounds it down. */
export function maxUnavailableOf({ kind, maxUnavailable, maxSurge, replicas }: Workload): number {
  const pods = podsIn(maxUnavailable, replicas);
  if (kind === 'CloneSet') return pods;
  const percent = percentOf(maxUnavailable);
  const rounded = percent === undefined ? pods : Math.floor((percent * replicas) / 100);
  // Where nothing else may happen, a Deployment takes one pod away.
  return kind === 'Deployment' && rounded === 0 && podsIn(maxSurge, replicas) === 0 ? 1 : rounded;
}

/** How many pods a Deployment may have during a rolling update. */
export function maxPodsOf({ maxSurge, replicas }: Workload): number {
  return replicas + podsIn(maxSurge, replicas);
}

const HASHED = new Set(['Deployment', 'ReplicaSet', 'CloneSet']);

/** The status of this kind has no revision of the old pods, and no release of the controller finds one. */
const WITHOUT_STABLE_REVISION = 'DaemonSet.apps.kruise.io';

/** The number of pods that a share is; the controller rounds a percentage up. */
export function podsIn(share: unknown, replicas: number): number {
  const percent = percentOf(share);
  if (percent !== undefined) return Math.ceil((percent * replicas) / 100);
  return typeof share === 'number' && share > 0 ? Math.floor(share) : 0;
}

/** The value of the revision label of pods whose release gave way to a later one. */
export const abandonedHash = (version: string): string => `abandoned-${version}`;

/** How many pods have a value of the revision label. */
export function podsOf(pods: readonly PodGroup[], revision: string): number {
  return pods.reduce((sum, group) => sum + (hashOf(group) === revision ? group.replicas : 0), 0);
}

/** A number of pods with one value of the revision label. */
export interface PodCount {
  readonly hash: string;
  readonly replicas: number;
}

/** How many pods have which version. */
export interface Division {
  /** The pods that give way to new ones; the last go first. Some can have the new version since an earlier release. */
  readonly old: readonly PodCount[];
  readonly canary: number;
}

/** A division of the pods of the old version, and of those of the new one. */
export function twoVersions(stable: number, canary = 0): Division {
  return { old: [{ hash: 'stable', replicas: stable }], canary };
}

/** The pods of all versions; the new ones are last. */
export function allPodsOf({ old, canary }: Division): readonly PodCount[] {
  return [...old, { hash: 'canary', replicas: canary }];
}

/** How many of the old pods have a version; without one, how many there are. */
export function oldPodsOf({ old }: Division, version?: string): number {
  return old.reduce((sum, { hash, replicas }) => sum + (version === undefined || hash === version ? replicas : 0), 0);
}

/** How many pods have the new version. */
export function newPodsOf(division: Division): number {
  return division.canary + oldPodsOf(division, 'canary');
}

/** The pods of a division. */
export function podsDivided(workload: Workload, division: Division, canaryLabels: StringMap = {}): readonly PodGroup[] {
  const counts = new Map([
    ['stable', 0],
    ['canary', 0],
  ]);
  for (const { hash, replicas } of allPodsOf(division)) counts.set(hash, (counts.get(hash) ?? 0) + replicas);
  const shown = [...counts].filter(([hash, replicas]) => hash === 'stable' || replicas > 0);
  return shown.map(([hash, replicas]) => group(workload, hash, replicas, hash === 'canary' ? canaryLabels : {}));
}

/** How many of the pods have which version. */
export function divisionOf(pods: readonly PodGroup[]): Division {
  const old = pods.map((group) => ({ hash: hashOf(group), replicas: group.replicas }));
  return { old: old.filter(({ hash }) => hash !== 'canary'), canary: podsOf(pods, 'canary') };
}

/**
 * The ready pods where the workload wants some new ones, which never get ready: these take the place of as many others as may be
 * unavailable, of those of the newest version first.
 * @param ready the pods of other versions that are ready now
 */
export function podsNeverReady(ready: readonly PodGroup[], workload: Workload, wanted: number): readonly PodGroup[] {
  let left = workload.replicas - Math.min(wanted, maxUnavailableOf(workload));
  return ready
    .filter((group) => hashOf(group) !== 'canary')
    .map((pods) => {
      const replicas = Math.min(pods.replicas, left);
      left -= replicas;
      return { ...pods, replicas };
    });
}

/** All pods of one version, as before and after a release. */
export function podsOnly(workload: Workload, revision: Revision): readonly PodGroup[] {
  return [group(workload, revision, workload.replicas)];
}

/** The revision of the pods of the new version. */
export function newRevision({ releasesOldVersion }: Workload): Revision {
  return releasesOldVersion === true ? 'stable' : 'canary';
}

function group(workload: Workload, hash: string, replicas: number, more: StringMap = {}): PodGroup {
  const labels = labelsOf(workload, hash === 'canary' ? newRevision(workload) : hash, more);
  const isKnown = hash === 'stable' || hash === 'canary';
  const version: Pick<PodGroup, 'revision' | 'hash'> = isKnown ? { revision: hash } : { revision: 'canary', hash };
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
  return pods.flatMap((group) =>
    group.replicas > 0 && group.labels !== undefined
      ? [podManifest({ workload, namespace, spec }, hashOf(group), group.labels)]
      : [],
  );
}
