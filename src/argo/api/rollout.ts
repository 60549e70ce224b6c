import type { Int32, LabelSelector, ObjectMeta, Time } from './common';
import type { API_GROUP } from './names';
import type { PodTemplateSpec } from './pod';
import type { RolloutStatus } from './rollout-status';
import type { RolloutStrategy } from './strategy';

/** The number of AnalysisRuns and Experiments to keep. */
export interface AnalysisHistory {
  /**
   * The number of successful ones.
   * @default - 5
   */
  readonly successfulRunHistoryLimit?: Int32;
  /**
   * The number of unsuccessful ones.
   * @default - 5
   */
  readonly unsuccessfulRunHistoryLimit?: Int32;
}

/** When a rollback skips the steps. */
export interface RollbackWindow {
  /** The number of revisions back. */
  readonly revisions?: Int32;
}

/** The workload that a Rollout takes its pods from. */
export interface WorkloadRef {
  /**
   * The API group and version: `apps/v1`.
   * @crdOptional
   */
  readonly apiVersion: string;
  /**
   * The kind of the workload: Deployment, ReplicaSet or PodTemplate.
   * @crdOptional
   */
  readonly kind: string;
  /**
   * The name of the workload.
   * @crdOptional
   */
  readonly name: string;
  /**
   * When to scale down the pods of a Deployment.
   * @open
   * @default - never
   */
  readonly scaleDown?: 'never' | 'onsuccess' | 'progressively';
}

/** The common fields of a Rollout. */
export interface RolloutSpecCommon {
  /**
   * The strategy of a release.
   * @crdOptional
   */
  readonly strategy: RolloutStrategy;
  /**
   * The number of pods.
   * @default - 1
   */
  readonly replicas?: Int32;
  /**
   * The seconds that a pod must be ready before it is available.
   * @default - 0
   */
  readonly minReadySeconds?: Int32;
  /**
   * The number of old versions to keep.
   * @default - 10
   */
  readonly revisionHistoryLimit?: Int32;
  /**
   * Whether to pause the Rollout.
   * @default - false
   */
  readonly paused?: boolean;
  /**
   * The seconds without progress after which the Rollout is degraded.
   * @default - 600
   */
  readonly progressDeadlineSeconds?: Int32;
  /**
   * Whether to abort a Rollout that exceeds the deadline.
   * @default - false
   */
  readonly progressDeadlineAbort?: boolean;
  /**
   * The controller restarts pods that are older than this.
   * @default - none
   */
  readonly restartAt?: Time;
  /**
   * The number of AnalysisRuns and Experiments to keep.
   * @default - 5 of each
   */
  readonly analysis?: AnalysisHistory;
  /**
   * When a rollback skips the steps.
   * @default - never
   */
  readonly rollbackWindow?: RollbackWindow;
}

/** A Rollout with its own pod template. */
export interface RolloutSpecWithTemplate extends RolloutSpecCommon {
  /**
   * The selector of the Rollout's pods. It is immutable.
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
   * The selector of the Rollout's pods. It is immutable.
   * @default - the selector of the workload
   */
  readonly selector?: LabelSelector;
  readonly template?: never;
  /**
   * The workload with the pod template.
   * @crdOptional
   */
  readonly workloadRef: WorkloadRef;
}

/** The desired state of a Rollout. */
export type RolloutSpec = RolloutSpecWithTemplate | RolloutSpecWithWorkload;

/**
 * A workload that the controller releases step by step, or by blue-green.
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
  /** The desired state. */
  readonly spec: RolloutSpec;
  /** The observed state. */
  readonly status?: RolloutStatus;
}
