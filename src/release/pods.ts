/** The pods of an application during a release: how many of each version, and which of them a Service selects. */

import { sameStringMap } from '../core/go-json';
import { isJsonObject, type Json, type JsonObject, type StringMap } from '../core/json';
import { Manifest } from '../core/manifest';

/** The version of the application that a pod runs. */
export type Revision = 'stable' | 'canary';

/** The pods of one version. */
export interface PodGroup {
  readonly revision: Revision;
  /**
   * The value of the revision label.
   * @default - the revision
   */
  readonly hash?: string;
  /**
   * The labels of each pod.
   * @default - unknown, because the manifests do not contain the pod template: every selector selects these pods
   */
  readonly labels?: Readonly<Record<string, string>>;
  readonly replicas: number;
}

/** The value of the revision label of the pods of a group. */
export function hashOf({ hash, revision }: PodGroup): string {
  return hash ?? revision;
}

/** The labels that a Service selects by. */
export function selectorOf({ spec }: JsonObject): Readonly<Record<string, string>> {
  const selector = isJsonObject(spec) && isJsonObject(spec.selector) ? spec.selector : {};
  const isText = (value: Json) => typeof value === 'string';
  if (Object.values(selector).every(isText)) return selector as StringMap;
  return Object.fromEntries(Object.entries(selector).filter(([, value]) => isText(value))) as StringMap;
}

/**
 * Counts the pods of each version that a selector selects.
 * @param revisionLabel the label that distinguishes the versions
 */
export function selectedPods(
  selector: Readonly<Record<string, string>>,
  pods: readonly PodGroup[],
  revisionLabel: string,
): Readonly<Record<Revision, number>> {
  const selected = { stable: 0, canary: 0 };
  for (const group of pods) if (isSelected(group, selector, revisionLabel)) selected[group.revision] += group.replicas;
  return selected;
}

/** Whether a selector takes the pods of a group. */
export function isSelected(
  group: PodGroup,
  selector: Readonly<Record<string, string>>,
  revisionLabel: string,
): boolean {
  const { labels } = group;
  return Object.entries(selector).every(([key, value]) =>
    labels === undefined ? key !== revisionLabel || value === hashOf(group) : labels[key] === value,
  );
}

/** Whether there are as many pods of the same versions. */
export function samePods(a: readonly PodGroup[], b: readonly PodGroup[]): boolean {
  return a === b || (a.length === b.length && a.every((group, index) => sameGroup(group, b[index]!)));
}

function sameGroup(a: PodGroup, b: PodGroup): boolean {
  const { revision, hash, replicas, labels } = b;
  return a.revision === revision && a.hash === hash && a.replicas === replicas && sameStringMap(a.labels, labels);
}

/** The labels of the pods of one version. They are the same object each time, so that pods are compared by it. */
export function versionLabels(labels: StringMap, revisionLabel: string, hash: string): StringMap {
  const known = knownLabels.get(labels) ?? new Map<string, StringMap>();
  knownLabels.set(labels, known);
  const key = `${revisionLabel}=${hash}`;
  const own = known.get(key) ?? { ...labels, [revisionLabel]: hash };
  known.set(key, own);
  return own;
}

/** The labels of the pods of each version, by those of all pods. */
const knownLabels = new WeakMap<StringMap, Map<string, StringMap>>();

/** What a Pod is made of besides its version. */
export interface PodTemplate {
  /** The workload that the Pod belongs to. */
  readonly workload: Manifest;
  readonly namespace: string;
  /**
   * The spec of the pod template.
   * @default - an empty one
   */
  readonly spec: JsonObject | undefined;
}

/**
 * A Pod of one version. It is the same manifest each time, so that moments with the same pods have the same objects.
 * @param hash the value of the revision label
 */
export function podManifest(template: PodTemplate, hash: string, labels: StringMap): Manifest {
  const { workload, namespace, spec = NO_SPEC } = template;
  const known = knownPods.get(workload) ?? [];
  knownPods.set(workload, known);
  const isSame = (one: KnownPod) =>
    one.hash === hash && one.namespace === namespace && one.spec === spec && sameStringMap(one.labels, labels);
  const before = known.find(isSame);
  if (before !== undefined) return before.pod;
  const { apiVersion, kind, name } = workload;
  const metadata = { name: `${name}-${hash}`, namespace, labels, ownerReferences: [{ apiVersion, kind, name }] };
  const pod = Manifest.of({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
  known.push({ namespace, hash, labels, spec, pod });
  return pod;
}

const NO_SPEC: JsonObject = {};

interface KnownPod {
  readonly namespace: string;
  readonly hash: string;
  readonly labels: StringMap;
  readonly spec: JsonObject;
  readonly pod: Manifest;
}

/** The Pods of each workload: as many as it has versions, and other labels on them. */
const knownPods = new WeakMap<Manifest, KnownPod[]>();
