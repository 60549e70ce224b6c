import type { Int32, LabelSelector, ObjectMeta, Time } from './common';
import type { API_GROUP } from './names';
import type { PodTemplateSpec } from './pod';
import type { RolloutStatus } from './rollout-status';
import type { RolloutStrategy } from './strategy';

/** How many AnalysisRuns and Experiments are kept. */
export interface AnalysisHistory {
  /**
   * Of those that went well.
   * @default - 5
   */
  readonly successfulRunHistoryLimit?: Int32;
  /**
   * Of those that did not.
   * @default - 5
   */
  readonly unsuccessfulRunHistoryLimit?: Int32;
}

/** When a release back skips the steps. */
export interface RollbackWindow {
  /** How many versions back. */
  readonly revisions?: Int32;
}

/** The workload that a Rollout takes its pods from. */
export interface WorkloadRef {
  /**
   * Group and version, `apps/v1`.
   * @crdOptional
   */
  readonly apiVersion: string;
  /**
   * Kind of the workload: Deployment, ReplicaSet or PodTemplate.
   * @crdOptional
   */
  readonly kind: string;
  /**
   * Its name.
   * @crdOptional
   */
  readonly name: string;
  /**
   * What becomes of the pods of a Deployment.
   * @open
   * @default - never
   */
  readonly scaleDown?: 'never' | 'onsuccess' | 'progressively';
}

/** What a Rollout says wherever its pods come from. */
export interface RolloutSpecCommon {
  /**
   * How a release happens.
   * @crdOptional
   */
  readonly strategy: RolloutStrategy;
  /**
   * Number of pods.
   * @default - 1
   */
  readonly replicas?: Int32;
  /**
   * Seconds for which a pod must be ready to count as available.
   * @default - 0
   */
  readonly minReadySeconds?: Int32;
  /**
   * How many old versions are kept.
   * @default - 10
   */
  readonly revisionHistoryLimit?: Int32;
  /**
   * Holds the Rollout where it is.
   * @default - false
   */
  readonly paused?: boolean;
  /**
   * Seconds without progress after which the Rollout counts as stuck.
   * @default - 600
   */
  readonly progressDeadlineSeconds?: Int32;
  /**
   * Aborts a Rollout that is stuck.
   * @default - false
   */
  readonly progressDeadlineAbort?: boolean;
  /**
   * Pods that are older than this are restarted.
   * @default - none
   */
  readonly restartAt?: Time;
  /**
   * How many AnalysisRuns and Experiments are kept.
   * @default - 5 of each
   */
  readonly analysis?: AnalysisHistory;
  /**
   * When a release back skips the steps.
   * @default - never
   */
  readonly rollbackWindow?: RollbackWindow;
}

/** A Rollout with pods of its own. */
export interface RolloutSpecWithTemplate extends RolloutSpecCommon {
  /**
   * Labels by which the Rollout knows its pods; they cannot change.
   * @crdOptional
   * @validation self == oldSelf :: .spec.selector is immutable
   */
  readonly selector: LabelSelector;
  /**
   * The pods.
   * @crdOptional
   */
  readonly template: PodTemplateSpec;
  readonly workloadRef?: never;
}

/** A Rollout that takes its pods from another workload. */
export interface RolloutSpecWithWorkload extends RolloutSpecCommon {
  /**
   * Labels by which the Rollout knows its pods; they cannot change.
   * @default - those of the workload
   */
  readonly selector?: LabelSelector;
  readonly template?: never;
  /**
   * The workload that has the pods.
   * @crdOptional
   */
  readonly workloadRef: WorkloadRef;
}

/** What a Rollout does. */
export type RolloutSpec = RolloutSpecWithTemplate | RolloutSpecWithWorkload;

/**
 * A workload that is released step by step, or by blue-green.
 *
 * @example
 * const rollout: Rollout = {
 *   apiVersion: 'argoproj.io/v1alpha1',
 *   kind: 'Rollout',
 *   metadata: { name: 'shop' },
 *   spec: {
 *     selector: { matchLabels: { app: 'shop' } },
 *     template: { metadata: { labels: { app: 'shop' } }, spec: { containers: [{ name: 'web', image: 'shop:2' }] } },
 *     strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } },
 *   },
 * };
 */
export interface Rollout {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'Rollout';
  readonly metadata: ObjectMeta;
  /** What is wanted. */
  readonly spec: RolloutSpec;
  /** What the controller found. */
  readonly status?: RolloutStatus;
}
