import type { Duration, IntOrString } from './common';
import type { MetricProvider } from './providers';

/** A metric that an analysis measures repeatedly. */
export interface Metric {
  /** The name of the metric, unique in the analysis. */
  readonly name: string;
  /** The provider that measures it. */
  readonly provider: MetricProvider;
  /**
   * The number of measurements. More than one requires an `interval`.
   * @default - one, or unlimited with an interval
   */
  readonly count?: IntOrString;
  /**
   * The time between two measurements.
   * @default - a single measurement
   */
  readonly interval?: Duration;
  /**
   * The time before the first measurement.
   * @default - none
   */
  readonly initialDelay?: Duration;
  /**
   * An expression over `result` that is true for a success.
   * @default - a measurement succeeds if `failureCondition` is not true
   */
  readonly successCondition?: string;
  /**
   * An expression over `result` that is true for a failure.
   * @default - a measurement fails if `successCondition` is not true
   */
  readonly failureCondition?: string;
  /**
   * The number of measurements that may fail.
   * @default - 0
   */
  readonly failureLimit?: IntOrString;
  /**
   * The number of measurements that may be inconclusive.
   * @default - 0
   */
  readonly inconclusiveLimit?: IntOrString;
  /**
   * The number of consecutive errors that are allowed.
   * @default - 4
   */
  readonly consecutiveErrorLimit?: IntOrString;
  /**
   * The number of consecutive measurements that must succeed.
   * @default - none
   */
  readonly consecutiveSuccessLimit?: IntOrString;
}
