/** What people can do to a release of Argo, and the action of a story for each. */
import type { LoadBalancerState, StoryAction, StoryPatch, StoryPlace } from '../../release';

/** A release that acts on what people do. Each method gets the action too, where it notes what was done. */
export interface Hearing {
  release(action: Extract<StoryAction, { release: string }>): void;
  until(place: StoryPlace): void;
  watch(seconds: number): void;
  scaleTo(replicas: number, action: StoryAction): void;
  edit(patch: StoryPatch, action: StoryAction): void;
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

/** Hands an action to the release. What Argo does not know has no effect. */
export function hear(release: Hearing, action: StoryAction): void {
  if (typeof action === 'object') {
    if ('release' in action) release.release(action);
    else if ('until' in action) release.until(action.until);
    else if ('watch' in action) release.watch(action.watch);
    else if ('scale' in action) release.scaleTo(action.scale, action);
    else if ('patch' in action) release.edit(action.patch, action);
    else if ('analysis' in action) release.analyse(action.analysis, action);
    else if ('loadBalancer' in action) release.balance(action.loadBalancer, action);
  } else if (action === 'promote' || action === 'approve') release.promote();
  else if (action === 'finish') release.finish();
  else if (action === 'abort') release.abortNow(action);
  else if (action === 'retry') release.retry(action);
  else if (action === 'promote-full') release.promoteFully(action);
  else if (action === 'delete') release.remove(action);
}
