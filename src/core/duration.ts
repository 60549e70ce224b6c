/** A length of time that can say how many seconds it has, such as the `Duration` of cdk8s. */
export interface DurationLike {
  /** The length in seconds. */
  toSeconds(): number;
}

/** The seconds of a length of time, which is a number of seconds or a duration. */
export function secondsOf(time: number | DurationLike): number {
  return typeof time === 'number' ? time : time.toSeconds();
}
