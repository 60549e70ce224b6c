import { LUA_CONFIG_MAP_NAME } from '../api';

/**
 * Why the controller cannot finish a step. It retries forever, with growing delays, and reports the error neither in the
 * Rollout's status nor in an event.
 *
 * - `panic`: the controller dereferences a nil pointer and exits; so does its replica.
 * - `script-not-found`: neither the ConfigMap nor the controller's image has the script.
 * - `lua`: the script does not parse, raises an error, reaches a limit or returns an invalid value.
 * - `original-missing`: the annotation for the original object is empty.
 * - `not-found`: an object that the Rollout refers to does not exist.
 * - `rejected`: the API server rejects the controller's write.
 * - `never-settles`: every reconcile changes the object, so the step is never done.
 * - `livelock`: two writes undo each other in turn.
 * - `waits`: the controller waits for something that never comes.
 */
export type ControllerErrorClass =
  | 'panic'
  | 'script-not-found'
  | 'lua'
  | 'original-missing'
  | 'not-found'
  | 'rejected'
  | 'never-settles'
  | 'livelock'
  | 'waits';

/** A predicted error of the controller. It is a result, never thrown. */
export interface ControllerError {
  readonly class: ControllerErrorClass;
  /** The controller's own message, if it has one. */
  readonly message: string;
  /** The text to search for in the controller's log; absent if the controller logs nothing. */
  readonly log?: string;
  /** The script's line, if the error names one. */
  readonly line?: number;
  /** The object that the controller was processing. */
  readonly object?: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** The path of the faulty field: `spec.rules[0].http`. */
  readonly path?: string;
  /** The state of the step in which the Rollout stays: `BeforeStepUpgrade`. */
  readonly state?: string;
  /** What the status of the Rollout says meanwhile. */
  readonly says?: string;
  /** What to do, if that depends on the error and not only on its class. */
  readonly fix?: string;
}

/** The error for an object that a Rollout names and that does not exist. */
export function notFound(kind: string, namespace: string, name: string): ControllerError {
  return { class: 'not-found', message: `${kind} "${name}" not found`, object: { kind, namespace, name } };
}

/** The error where nobody knows which scripts the cluster has: the rehearsal cannot go on, and the release may. */
export function scriptsUnknown(namespace: string): ControllerError {
  return notFound('ConfigMap', namespace, LUA_CONFIG_MAP_NAME);
}

/** Go's message for a nil pointer panic. */
export const NIL_POINTER = 'runtime error: invalid memory address or nil pointer dereference';

/**
 * The number of reconciles after which a step counts as never settling. A correct script settles in the second one; the
 * rest is a margin.
 */
export const MAX_PASSES = 20;
