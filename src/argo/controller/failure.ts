/**
 * Why the controller did not finish a call. It retries forever, and keeps earlier writes.
 *
 * - `panic`: the controller panics on a nil pointer, a nil map or an invalid index.
 * - `not-found`: the Rollout refers to an Ingress that does not exist.
 * - `service-not-in-rules`: no path of the Ingress routes to the root or stable Service.
 * - `stickiness`: the duration of `stickinessConfig` is out of range.
 * - `bookkeeping`: the annotation that lists managed annotations is invalid.
 */
export type AlbFailureClass = 'panic' | 'not-found' | 'service-not-in-rules' | 'stickiness' | 'bookkeeping';

/** A predicted error of the controller. It is a result, never thrown. */
export interface AlbFailure {
  readonly class: AlbFailureClass;
  /** The controller's own message. */
  readonly message: string;
  /** The name of the Ingress that the controller was processing. */
  readonly ingress: string;
  /** The path of the faulty field: `spec.rules[0].http`. */
  readonly path?: string;
}

/** The controller stops. Thrown and caught only in this folder. */
export class Stopped extends Error {
  constructor(
    readonly kind: AlbFailureClass,
    message: string,
    readonly path?: string,
  ) {
    super(message);
  }
}

/** Go's panic on a nil pointer. */
export function nilPointer(path: string): Stopped {
  return new Stopped('panic', 'runtime error: invalid memory address or nil pointer dereference', path);
}

/** Go's panic on a write to a nil map. */
export function nilMap(path: string): Stopped {
  return new Stopped('panic', 'assignment to entry in nil map', path);
}

/** Go's panic on slice bounds out of range. */
export function outOfRange(bounds: string, path: string): Stopped {
  return new Stopped('panic', `runtime error: slice bounds out of range ${bounds}`, path);
}
