import type { Int32, Int64, LabelSelector, LabelsAndAnnotations } from './common';
import type { PodTemplateSpec } from './pod';

/** Exit codes of containers. */
export interface JobExitCodes {
  /**
   * Whether the codes are those that count, or those that do not.
   * @open
   */
  readonly operator: 'In' | 'NotIn';
  /**
   * The codes.
   * @listSet
   */
  readonly values: readonly Int32[];
  /** Name of the container. */
  readonly containerName?: string;
}

/** An aspect of the state of a pod. */
export interface JobPodCondition {
  /** Which aspect. */
  readonly type: string;
  /** Its status. */
  readonly status: string;
}

/** What to do on failures of a kind. */
export interface JobPodFailureRule {
  /**
   * What to do.
   * @open
   */
  readonly action: 'FailJob' | 'FailIndex' | 'Ignore' | 'Count';
  /** Failures by their exit code. */
  readonly onExitCodes?: JobExitCodes;
  /** Failures by the state of the pod. */
  readonly onPodConditions?: readonly JobPodCondition[];
}

/** What to do on failures. */
export interface JobPodFailurePolicy {
  /** The rules; the first that fits counts. */
  readonly rules: readonly JobPodFailureRule[];
}

/** When enough pods went well. */
export interface JobSuccessRule {
  /** How many pods. */
  readonly succeededCount?: Int32;
  /** Which pods, `0-2,5`. */
  readonly succeededIndexes?: string;
}

/** When a Job went well before all pods did. */
export interface JobSuccessPolicy {
  /** The rules; any will do. */
  readonly rules: readonly JobSuccessRule[];
}

/** What a Job does. */
export interface JobSpec {
  /** The pods. */
  readonly template: PodTemplateSpec;
  /** Seconds for which it may run. */
  readonly activeDeadlineSeconds?: Int64;
  /** How often it is tried again. */
  readonly backoffLimit?: Int32;
  /** How often each pod of an indexed Job is tried again. */
  readonly backoffLimitPerIndex?: Int32;
  /** `NonIndexed` or `Indexed`. */
  readonly completionMode?: string;
  /** How many pods must go well. */
  readonly completions?: Int32;
  /** Who runs it in place of Kubernetes. */
  readonly managedBy?: string;
  /** Whether `selector` is written by hand. */
  readonly manualSelector?: boolean;
  /** How many pods of an indexed Job may fail. */
  readonly maxFailedIndexes?: Int32;
  /** How many pods run at once. */
  readonly parallelism?: Int32;
  /** What to do on failures. */
  readonly podFailurePolicy?: JobPodFailurePolicy;
  /** When a pod is replaced. */
  readonly podReplacementPolicy?: string;
  /** Labels of the pods. */
  readonly selector?: LabelSelector;
  /** When it went well before all pods did. */
  readonly successPolicy?: JobSuccessPolicy;
  /** Whether it waits. */
  readonly suspend?: boolean;
  /** Seconds after its end until it is deleted. */
  readonly ttlSecondsAfterFinished?: Int32;
}

/** A Job; its end is the result. */
export interface JobMetric {
  /** Labels and annotations of the Job. */
  readonly metadata?: LabelsAndAnnotations;
  /** What the Job does. */
  readonly spec: JobSpec;
}
