import type { AnalysisTemplateRef, DryRun, FieldRef, MeasurementRetention } from './analysis-of-rollout';
import type { Int32, ObjectMeta, StringMap, Time } from './common';
import type { Metric } from './metrics';
import type { API_GROUP } from './names';

/** A key of a Secret. */
export interface SecretKeyRef {
  /** Name of the Secret. */
  readonly name: string;
  /** The key. */
  readonly key: string;
}

/** Where the value of an argument comes from: one of the fields. */
export interface ArgumentSource {
  /** A key of a Secret in the namespace of the analysis. */
  readonly secretKeyRef?: SecretKeyRef;
  /** A field of the Rollout. */
  readonly fieldRef?: FieldRef;
}

/** An argument of an analysis, used as `{{args.<name>}}`. */
export interface Argument {
  /** Its name. */
  readonly name: string;
  /**
   * Its value.
   * @default - whoever runs the template has to give one
   */
  readonly value?: string;
  /** Where its value comes from, in place of `value`. */
  readonly valueFrom?: ArgumentSource;
}

/** What a template measures: metrics of its own, of other templates, or both. */
export interface AnalysisTemplateSpec {
  /** What is measured. */
  readonly metrics?: readonly Metric[];
  /** Templates whose metrics are measured too. */
  readonly templates?: readonly AnalysisTemplateRef[];
  /** What the metrics may use. */
  readonly args?: readonly Argument[];
  /** Metrics that do not decide. */
  readonly dryRun?: readonly DryRun[];
  /**
   * How many measurements are kept.
   * @default - 10 of each metric
   */
  readonly measurementRetention?: readonly MeasurementRetention[];
}

/** What to measure, for the Rollouts and Experiments of a namespace. */
export interface AnalysisTemplate {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'AnalysisTemplate';
  readonly metadata: ObjectMeta;
  /** What is measured. */
  readonly spec: AnalysisTemplateSpec;
}

/** What to measure, for the Rollouts and Experiments of all namespaces. */
export interface ClusterAnalysisTemplate {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'ClusterAnalysisTemplate';
  readonly metadata: ObjectMeta;
  /** What is measured. */
  readonly spec: AnalysisTemplateSpec;
}

/** When an AnalysisRun is deleted. */
export interface TtlStrategy {
  /** Seconds after its end. */
  readonly secondsAfterCompletion?: Int32;
  /** Seconds after its end where it failed. */
  readonly secondsAfterFailure?: Int32;
  /** Seconds after its end where it went well. */
  readonly secondsAfterSuccess?: Int32;
}

/** What an AnalysisRun measures. */
export interface AnalysisRunSpec {
  /** What is measured. */
  readonly metrics: readonly Metric[];
  /** What the metrics use; every argument has a value. */
  readonly args?: readonly Argument[];
  /** Metrics that do not decide. */
  readonly dryRun?: readonly DryRun[];
  /**
   * How many measurements are kept.
   * @default - 10 of each metric
   */
  readonly measurementRetention?: readonly MeasurementRetention[];
  /**
   * Ends it before its time.
   * @default - false
   */
  readonly terminate?: boolean;
  /**
   * When it is deleted.
   * @default - with its Rollout
   */
  readonly ttlStrategy?: TtlStrategy;
}

/** Counts of measurements by how they went. */
export interface RunSummary {
  /** All of them. */
  readonly count?: Int32;
  /** Those that went well. */
  readonly successful?: Int32;
  /** Those that failed. */
  readonly failed?: Int32;
  /** Those that decide nothing. */
  readonly inconclusive?: Int32;
  /** Those that could not be made. */
  readonly error?: Int32;
}

/** One measurement. */
export interface Measurement {
  /** How it went. */
  readonly phase: string;
  /** A sentence on how it went. */
  readonly message?: string;
  /** When it began. */
  readonly startedAt?: Time;
  /** When it ended. */
  readonly finishedAt?: Time;
  /** When the controller asks again. */
  readonly resumeAt?: Time;
  /** What was measured. */
  readonly value?: string;
  /** What the provider adds. */
  readonly metadata?: StringMap;
}

/** What came of one metric. */
export interface MetricResult {
  /** Name of the metric. */
  readonly name: string;
  /** How it went. */
  readonly phase: string;
  /** A sentence on how it went. */
  readonly message?: string;
  /** Whether it does not decide. */
  readonly dryRun?: boolean;
  /** The latest measurements. */
  readonly measurements?: readonly Measurement[];
  /** What the provider adds. */
  readonly metadata?: StringMap;
  /** Measurements that were made. */
  readonly count?: Int32;
  /** Those that went well. */
  readonly successful?: Int32;
  /** Those that failed. */
  readonly failed?: Int32;
  /** Those that decide nothing. */
  readonly inconclusive?: Int32;
  /** Those that could not be made. */
  readonly error?: Int32;
  /** Those that could not be made in a row. */
  readonly consecutiveError?: Int32;
  /** Those that went well in a row. */
  readonly consecutiveSuccess?: Int32;
}

/** What the controller says of an AnalysisRun. */
export interface AnalysisRunStatus {
  /** Where it is. */
  readonly phase: string;
  /** A sentence on the phase. */
  readonly message?: string;
  /** What came of each metric. */
  readonly metricResults?: readonly MetricResult[];
  /** When it began. */
  readonly startedAt?: Time;
  /** When it ended. */
  readonly completedAt?: Time;
  /** Counts of the metrics that decide. */
  readonly runSummary?: RunSummary;
  /** Counts of the metrics that do not. */
  readonly dryRunSummary?: RunSummary;
}

/** One run of an analysis. The controller makes them for Rollouts and Experiments. */
export interface AnalysisRun {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'AnalysisRun';
  readonly metadata: ObjectMeta;
  /** What is measured. */
  readonly spec: AnalysisRunSpec;
  /** What the controller found. */
  readonly status?: AnalysisRunStatus;
}
