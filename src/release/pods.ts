/** The pods of an application during a release: how many of each version, and which of them a Service selects. */
import { isJsonObject, type JsonObject } from '../core/json';

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

/** The labels that a Service selects by. */
export function selectorOf({ spec }: JsonObject): Readonly<Record<string, string>> {
  const selector = isJsonObject(spec) && isJsonObject(spec.selector) ? spec.selector : {};
  const entries = Object.entries(selector);
  return Object.fromEntries(entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])));
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
  { revision, hash, labels }: PodGroup,
  selector: Readonly<Record<string, string>>,
  revisionLabel: string,
): boolean {
  return Object.entries(selector).every(([key, value]) =>
    labels === undefined ? key !== revisionLabel || value === (hash ?? revision) : labels[key] === value,
  );
}
