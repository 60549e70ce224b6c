import type { Int32, Int64, LabelSelector, LabelsAndAnnotations } from './common';
import type { PodTemplateSpec } from './pod';

/** Exit codes of containers. */
export interface JobExitCodes {
  /**
   * Whether the rule applies to these codes, or to all others.
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

/** A condition of a pod. */
export interface JobPodCondition {
  /** The type of the condition. */
  readonly type: string;
  /** Its status. */
  readonly status: string;
}

/** The action for certain failures. */
export interface JobPodFailureRule {
  /**
   * The action.
   * @open
   */
  readonly action: 'FailJob' | 'FailIndex' | 'Ignore' | 'Count';
  /** Failures by their exit code. */
  readonly onExitCodes?: JobExitCodes;
  /** Failures by the state of the pod. */
  readonly onPodConditions?: readonly JobPodCondition[];
}

/** The actions for failures. */
export interface JobPodFailurePolicy {
  /** The rules; the first match applies. */
  readonly rules: readonly JobPodFailureRule[];
}

/** A rule for the success of a Job. */
export interface JobSuccessRule {
  /** The number of succeeded pods. */
  readonly succeededCount?: Int32;
  /** The indexes of the succeeded pods: `0-2,5`. */
  readonly succeededIndexes?: string;
}

/** When a Job succeeds before all of its pods do. */
export interface JobSuccessPolicy {
  /** The rules; one is enough. */
  readonly rules: readonly JobSuccessRule[];
}

/** The desired state of a Job. */
export interface JobSpec {
  /** The pods. */
  readonly template: PodTemplateSpec;
  /** The deadline of the Job, in seconds. */
  readonly activeDeadlineSeconds?: Int64;
  /** The number of retries. */
  readonly backoffLimit?: Int32;
  /** The number of retries of each pod of an indexed Job. */
  readonly backoffLimitPerIndex?: Int32;
  /** `NonIndexed` or `Indexed`. */
  readonly completionMode?: string;
  /** The number of pods that must succeed. */
  readonly completions?: Int32;
  /** The controller that runs the Job instead of Kubernetes. */
  readonly managedBy?: string;
  /** Whether the user sets `selector`. */
  readonly manualSelector?: boolean;
  /** The number of pods of an indexed Job that may fail. */
  readonly maxFailedIndexes?: Int32;
  /** The number of pods that run in parallel. */
  readonly parallelism?: Int32;
  /** The actions for failures. */
  readonly podFailurePolicy?: JobPodFailurePolicy;
  /** When to replace a pod. */
  readonly podReplacementPolicy?: string;
  /** The labels of the pods. */
  readonly selector?: LabelSelector;
  /** When the Job succeeds before all of its pods do. */
  readonly successPolicy?: JobSuccessPolicy;
  /** Whether the Job is suspended. */
  readonly suspend?: boolean;
  /** The seconds from its completion to its deletion. */
  readonly ttlSecondsAfterFinished?: Int32;
}

/** A Job; its success or failure is the result. */
export interface JobMetric {
  /** Labels and annotations of the Job. */
  readonly metadata?: LabelsAndAnnotations;
  /** The desired state of the Job. */
  readonly spec: JobSpec;
}
