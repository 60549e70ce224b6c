/** A duration that converts itself to seconds, such as the `Duration` of cdk8s. */
export interface DurationLike {
  /** The duration in seconds. */
  toSeconds(): number;
}

/** A duration in seconds. A number already counts seconds. */
export function secondsOf(time: number | DurationLike): number {
  return typeof time === 'number' ? time : time.toSeconds();
}
