/**
 * A version between the stable and the new one, when one write brings another version and another number of pods. Before 1.8, the
 * controller waits until every version with pods is scaled, and does not scale this one: it does nothing else any more.
 */
import type { StoryAction } from '../../release';

export interface MiddleVersion {
  /** The number of pods in the Rollout from before, with which the controller goes on. */
  readonly replicas: number;
  /** The hash of the version that the Rollout names. */
  readonly next: string;
}

export const MIDDLE_WAITS =
  'one write brought another version and another number of pods: the controller waits for the version in between, and does not scale it';

/** Whether an action changes anything while the controller waits. */
export function reachesWaiting(action: StoryAction): boolean {
  if (typeof action !== 'object') return action === 'delete';
  return 'release' in action || 'scale' in action || 'patch' in action || 'loadBalancer' in action;
}
