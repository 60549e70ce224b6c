import type { Duration, IntOrString } from './common';
import type { MetricProvider } from './providers';

/** One thing that an analysis measures, again and again. */
export interface Metric {
  /** Its name; no two metrics of an analysis have the same. */
  readonly name: string;
  /** Who measures it. */
  readonly provider: MetricProvider;
  /**
   * How often it is measured. With more than one measurement there must be an `interval`.
   * @default - once, and without end where there is an interval
   */
  readonly count?: IntOrString;
  /**
   * The time from one measurement to the next.
   * @default - measured once
   */
  readonly interval?: Duration;
  /**
   * The time before the first measurement.
   * @default - none
   */
  readonly initialDelay?: Duration;
  /**
   * An expression on `result` that is true where it went well.
   * @default - it went well where `failureCondition` is not true
   */
  readonly successCondition?: string;
  /**
   * An expression on `result` that is true where it failed.
   * @default - it failed where `successCondition` is not true
   */
  readonly failureCondition?: string;
  /**
   * How many measurements may fail.
   * @default - 0
   */
  readonly failureLimit?: IntOrString;
  /**
   * How many measurements may decide nothing.
   * @default - 0
   */
  readonly inconclusiveLimit?: IntOrString;
  /**
   * How many measurements in a row may be impossible.
   * @default - 4
   */
  readonly consecutiveErrorLimit?: IntOrString;
  /**
   * How many measurements in a row must go well.
   * @default - it does not matter
   */
  readonly consecutiveSuccessLimit?: IntOrString;
}
