/**
 * Why the controller did not finish a call. It tries again for ever; what it wrote before stays written.
 *
 * - `panic`: the code runs into a nil pointer, a nil map or a wrong index.
 * - `not-found`: the Rollout names an Ingress that does not exist.
 * - `service-not-in-rules`: no path of the Ingress leads to the root or stable Service.
 * - `stickiness`: the duration of `stickinessConfig` is out of range.
 * - `bookkeeping`: the annotation with the names of managed annotations cannot be read.
 */
export type AlbFailureClass = 'panic' | 'not-found' | 'service-not-in-rules' | 'stickiness' | 'bookkeeping';

/** An error of the controller, modelled: a result, never thrown. */
export interface AlbFailure {
  readonly class: AlbFailureClass;
  /** The controller's own words. */
  readonly message: string;
  /** The name of the Ingress that was being worked on. */
  readonly ingress: string;
  /** Where in the Ingress the trouble is: `spec.rules[0].http`. */
  readonly path?: string;
}

/** Thrown within this folder where the controller stops, and caught in it. */
export class Stopped extends Error {
  constructor(
    readonly kind: AlbFailureClass,
    message: string,
    readonly path?: string,
  ) {
    super(message);
  }
}

/** Go's end on a field of something that is not there. */
export function nilPointer(path: string): Stopped {
  return new Stopped('panic', 'runtime error: invalid memory address or nil pointer dereference', path);
}

/** Go's end on writing into a map that was never made. */
export function nilMap(path: string): Stopped {
  return new Stopped('panic', 'assignment to entry in nil map', path);
}

/** Go's end on a slice that reaches further than its list. */
export function outOfRange(bounds: string, path: string): Stopped {
  return new Stopped('panic', `runtime error: slice bounds out of range ${bounds}`, path);
}
