/** What people can do to a release of Argo, and the action of a story for each. */
import { asObject, type JsonObject, numberOf } from '../../core/json';
import { mergePatch } from '../../core/merge-patch';
import {
  imageOf,
  type LoadBalancerState,
  type StoryAction,
  type StoryPatch,
  type StoryPlace,
  type VersionWrite,
  versionOf,
} from '../../release';
import { type MiddleVersion, reachesWaiting } from './middle-version';
import type { ArgoWorkload } from './play';

/** A release that acts on what people do. Each method gets the action too, where it notes what was done. */
export interface Hearing {
  /** The version for which the controller waits, whatever people do. */
  readonly middle: MiddleVersion | undefined;
  release(release: VersionWrite, action: StoryAction): void;
  until(place: StoryPlace): void;
  watch(seconds: number): void;
  scaleTo(replicas: number, action: StoryAction): void;
  /** Another object than the Rollout. */
  edit(patch: StoryPatch, action: StoryAction): void;
  /** Other fields of the Rollout. */
  editRollout(change: JsonObject, action: StoryAction): void;
  analyse(result: AnalysisResult, action: StoryAction): void;
  balance(state: LoadBalancerState, action: StoryAction): void;
  promote(): void;
  finish(): void;
  abortNow(action: StoryAction): void;
  retry(action: StoryAction): void;
  promoteFully(action: StoryAction): void;
  remove(action: StoryAction): void;
}

/** How an analysis ends that does not succeed. */
export type AnalysisResult = Extract<StoryAction, { analysis: string }>['analysis'];

/**
 * Hands an action to the release. What Argo does not know has no effect.
 * @param current the version that the Rollout names
 */
export function hear(release: Hearing, workload: ArgoWorkload, current: string, action: StoryAction): void {
  if (release.middle !== undefined && !reachesWaiting(action)) return;
  if (typeof action === 'object') {
    if ('release' in action) release.release(action, { release: action.release, replicas: action.replicas });
    else if ('until' in action) release.until(action.until);
    else if ('watch' in action) release.watch(action.watch);
    else if ('scale' in action) release.scaleTo(action.scale, action);
    else if ('patch' in action) hearPatch(release, workload, current, action);
    else if ('analysis' in action) release.analyse(action.analysis, action);
    else if ('loadBalancer' in action) release.balance(action.loadBalancer, action);
  } else if (action === 'promote' || action === 'approve') release.promote();
  else if (action === 'finish') release.finish();
  else if (action === 'abort') release.abortNow(action);
  else if (action === 'retry') release.retry(action);
  else if (action === 'promote-full') release.promoteFully(action);
  else if (action === 'delete') release.remove(action);
}

function hearPatch(
  release: Hearing,
  { manifest, object }: ArgoWorkload,
  current: string,
  action: Extract<StoryAction, { patch: StoryPatch }>,
): void {
  const { patch } = action;
  if (patch.kind !== manifest.kind || patch.name !== manifest.name) release.edit(patch, action);
  else if (patch.with === null) release.remove(action);
  else {
    const { replicas: count, template, ...others } = asObject(patch.with.spec);
    const replicas = numberOf(count);
    const version = versionIn(object, patch.with);
    if (version !== undefined && version !== current) release.release({ release: version, replicas }, action);
    else if (replicas !== undefined && template === undefined && Object.keys(others).length === 0)
      release.scaleTo(replicas, action);
    else if (release.middle === undefined) release.editRollout(patch.with, action);
  }
}

/** The version that a patch names: the image of the manifest is that of v1. */
function versionIn(object: JsonObject, change: JsonObject): string | undefined {
  const image = imageOf(mergePatch(object, change));
  if (image === undefined || asObject(change.spec).template === undefined) return undefined;
  return image === imageOf(object) ? 'v1' : versionOf(image);
}
