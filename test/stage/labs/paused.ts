/** What somebody does while a Rollout is paused as a whole. */
import type { StoryAction } from '../../../src/release';

/** Until the controller has done all that it does. */
export const LOOK: StoryAction = { watch: 12 };

const UNTIL_IT_IS_SEEN: StoryAction = { watch: 5 };

/**
 * Pauses the Rollout, does something, and resumes it.
 * @param pause the patch that pauses the Rollout or resumes it
 */
export function whilePaused(pause: (paused: boolean) => StoryAction, deed: StoryAction): StoryAction[] {
  return [...beginPaused(pause), deed, LOOK, pause(false), LOOK];
}

/** Pauses the Rollout, and lets the controller see it. */
export function beginPaused(pause: (paused: boolean) => StoryAction): StoryAction[] {
  return [pause(true), UNTIL_IT_IS_SEEN];
}
