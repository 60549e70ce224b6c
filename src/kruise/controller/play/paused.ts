/** A Rollout that people pause as a whole, with `spec.strategy.paused`. */
import type { StoryAction } from '../../../release';
import type { RolloutSubject } from '../../subject';

/** What the controller finds when they resume it. */
export interface Held {
  /** The Rollout that the controller has seen last. */
  readonly rollout: RolloutSubject;
  readonly actions: readonly StoryAction[];
}

/** What the controller does not look at while the Rollout is paused. */
export function isForController(action: StoryAction): boolean {
  if (typeof action === 'string') return ['approve', 'promote', 'promote-full', 'finish'].includes(action);
  return ('release' in action && action.creates === undefined) || 'jump' in action;
}
