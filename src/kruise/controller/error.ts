/**
 * Why the controller did not get on with a step. After any of these it retries for ever, with growing pauses, and
 * nothing of it reaches the Rollout's status or an event.
 *
 * - `panic`: the controller's process ends on a nil pointer, and its replica after it.
 * - `script-not-found`: neither the ConfigMap nor the controller's image has a script.
 * - `lua`: the script does not parse, raises an error, runs into a limit or returns the wrong thing.
 * - `original-missing`: the annotation that should hold the object before the rollout is empty.
 * - `not-found`: an object that the Rollout names does not exist.
 * - `rejected`: the API server refuses what the controller writes.
 * - `never-settles`: every pass changes the object again, so the step is never done.
 */
export type ControllerErrorClass =
  | 'panic'
  | 'script-not-found'
  | 'lua'
  | 'original-missing'
  | 'not-found'
  | 'rejected'
  | 'never-settles';

/** An error of the controller, modelled: a result, never thrown. */
export interface ControllerError {
  readonly class: ControllerErrorClass;
  /** The controller's own words where it has any. */
  readonly message: string;
  /** What to search the controller's log for; absent where the log says nothing. */
  readonly log?: string;
  /** The script's line, where an error names one. */
  readonly line?: number;
  /** The object that was being worked on. */
  readonly object?: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** Where in the object the trouble is: `spec.rules[0].http`. */
  readonly path?: string;
}

/** The text of Go's most common end. */
export const NIL_POINTER = 'runtime error: invalid memory address or nil pointer dereference';

/**
 * How often a step is tried before it counts as never settling. A sound script settles in the second pass; the rest is
 * room for odd ones.
 */
export const MAX_PASSES = 20;
