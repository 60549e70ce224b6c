import type { AnalysisTemplateRef, DryRun, FieldRef, MeasurementRetention } from './analysis-of-rollout';
import type { Int32, ObjectMeta, StringMap, Time } from './common';
import type { Metric } from './metrics';
import type { API_GROUP } from './names';

/** A key of a Secret. */
export interface SecretKeyRef {
  /** The name of the Secret. */
  readonly name: string;
  /** The key. */
  readonly key: string;
}

/** The source of an argument's value: one of the fields. */
export interface ArgumentSource {
  /** A key of a Secret in the namespace of the analysis. */
  readonly secretKeyRef?: SecretKeyRef;
  /** A field of the Rollout. */
  readonly fieldRef?: FieldRef;
}

/** An argument of an analysis, used as `{{args.<name>}}`. */
export interface Argument {
  /** The name of the argument. */
  readonly name: string;
  /**
   * The value of the argument.
   * @default - the user of the template must set it
   */
  readonly value?: string;
  /** The source of the value, instead of `value`. */
  readonly valueFrom?: ArgumentSource;
}

/** The desired state of a template: its own metrics, those of other templates, or both. */
export interface AnalysisTemplateSpec {
  /** The metrics. */
  readonly metrics?: readonly Metric[];
  /** Templates with additional metrics. */
  readonly templates?: readonly AnalysisTemplateRef[];
  /** The arguments that the metrics may use. */
  readonly args?: readonly Argument[];
  /** Metrics in dry-run mode. */
  readonly dryRun?: readonly DryRun[];
  /**
   * The number of measurements to keep.
   * @default - 10 of each metric
   */
  readonly measurementRetention?: readonly MeasurementRetention[];
}

/** An analysis for the Rollouts and Experiments of a namespace. */
export interface AnalysisTemplate {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'AnalysisTemplate';
  readonly metadata: ObjectMeta;
  /** The desired state. */
  readonly spec: AnalysisTemplateSpec;
}

/** An analysis for the Rollouts and Experiments of all namespaces. */
export interface ClusterAnalysisTemplate {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'ClusterAnalysisTemplate';
  readonly metadata: ObjectMeta;
  /** The desired state. */
  readonly spec: AnalysisTemplateSpec;
}

/** When the controller deletes an AnalysisRun. */
export interface TtlStrategy {
  /** Seconds after completion. */
  readonly secondsAfterCompletion?: Int32;
  /** Seconds after completion, if it failed. */
  readonly secondsAfterFailure?: Int32;
  /** Seconds after completion, if it succeeded. */
  readonly secondsAfterSuccess?: Int32;
}

/** The desired state of an AnalysisRun. */
export interface AnalysisRunSpec {
  /** The metrics. */
  readonly metrics: readonly Metric[];
  /** The arguments of the metrics; each needs a value. */
  readonly args?: readonly Argument[];
  /** Metrics in dry-run mode. */
  readonly dryRun?: readonly DryRun[];
  /**
   * The number of measurements to keep.
   * @default - 10 of each metric
   */
  readonly measurementRetention?: readonly MeasurementRetention[];
  /**
   * Whether to terminate it early.
   * @default - false
   */
  readonly terminate?: boolean;
  /**
   * When the controller deletes it.
   * @default - with its Rollout
   */
  readonly ttlStrategy?: TtlStrategy;
}

/** The number of measurements by result. */
export interface RunSummary {
  /** The total number. */
  readonly count?: Int32;
  /** The number of successful ones. */
  readonly successful?: Int32;
  /** The number of failed ones. */
  readonly failed?: Int32;
  /** The number of inconclusive ones. */
  readonly inconclusive?: Int32;
  /** The number of errors. */
  readonly error?: Int32;
}

/** One measurement. */
export interface Measurement {
  /** The phase of the result. */
  readonly phase: string;
  /** A message about the result. */
  readonly message?: string;
  /** When it started. */
  readonly startedAt?: Time;
  /** When it ended. */
  readonly finishedAt?: Time;
  /** When the controller queries again. */
  readonly resumeAt?: Time;
  /** The measured value. */
  readonly value?: string;
  /** Metadata of the provider. */
  readonly metadata?: StringMap;
}

/** The result of one metric. */
export interface MetricResult {
  /** The name of the metric. */
  readonly name: string;
  /** The phase of the result. */
  readonly phase: string;
  /** A message about the result. */
  readonly message?: string;
  /** Whether the metric is in dry-run mode. */
  readonly dryRun?: boolean;
  /** The latest measurements. */
  readonly measurements?: readonly Measurement[];
  /** Metadata of the provider. */
  readonly metadata?: StringMap;
  /** The total number of measurements. */
  readonly count?: Int32;
  /** The number of successful ones. */
  readonly successful?: Int32;
  /** The number of failed ones. */
  readonly failed?: Int32;
  /** The number of inconclusive ones. */
  readonly inconclusive?: Int32;
  /** The number of errors. */
  readonly error?: Int32;
  /** The number of consecutive errors. */
  readonly consecutiveError?: Int32;
  /** The number of consecutive successes. */
  readonly consecutiveSuccess?: Int32;
}

/** The observed state of an AnalysisRun. */
export interface AnalysisRunStatus {
  /** The phase of the AnalysisRun. */
  readonly phase: string;
  /** A message about the phase. */
  readonly message?: string;
  /** The result of each metric. */
  readonly metricResults?: readonly MetricResult[];
  /** When it started. */
  readonly startedAt?: Time;
  /** When it ended. */
  readonly completedAt?: Time;
  /** The summary of the metrics that are not in dry-run mode. */
  readonly runSummary?: RunSummary;
  /** The summary of the metrics in dry-run mode. */
  readonly dryRunSummary?: RunSummary;
}

/** One run of an analysis. The controller creates AnalysisRuns for Rollouts and Experiments. */
export interface AnalysisRun {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'AnalysisRun';
  readonly metadata: ObjectMeta;
  /** The desired state. */
  readonly spec: AnalysisRunSpec;
  /** The observed state. */
  readonly status?: AnalysisRunStatus;
}
