import type {
  Int32,
  Int64,
  IntOrString,
  ObjectMeta,
  ObjectRef,
  PatchPodTemplateMetadata,
  RolloutCondition,
  Time,
} from './common';
import type { API_GROUP } from './names';

/** One batch of pods. */
export interface ReleaseBatch {
  /** The pods of the new version at the end of this batch. */
  readonly canaryReplicas: IntOrString;
}

/** How the controller updates a workload, batch by batch. */
export interface ReleasePlan {
  /** The batches, in order. */
  readonly batches?: readonly ReleaseBatch[];
  /** The last batch to release, counted from 0. */
  readonly batchPartition?: Int32;
  /** The id of the release. */
  readonly rolloutID?: string;
  /** The number or percentage of updated pods that may fail in a completed batch. */
  readonly failureThreshold?: IntOrString;
  /** When the release is complete: `WaitResume` or `Immediate`. */
  readonly finalizingPolicy?: string;
  /** Labels and annotations of the new pods. */
  readonly patchPodTemplateMetadata?: PatchPodTemplateMetadata;
  /** `Canary`, `Partition` or `BlueGreen`. */
  readonly rollingStyle?: string;
  /**
   * Whether new pods belong to an extra workload.
   * @requiredSince 0.6
   */
  readonly enableExtraWorkloadForCanary: boolean;
}

/** The desired state of a BatchRelease. */
export interface BatchReleaseSpec {
  /**
   * The workload to update.
   * @crdOptional
   */
  readonly workloadRef: ObjectRef;
  /** How to update it. */
  readonly releasePlan: ReleasePlan;
}

/** The target of a v1alpha1 BatchRelease. */
export interface BatchReleaseTarget {
  /**
   * The workload to update.
   * @crdOptional
   */
  readonly workloadRef: ObjectRef;
}

/** The desired state of a v1alpha1 BatchRelease. */
export interface BatchReleaseSpecV1alpha1 {
  /** The workload to update. */
  readonly targetReference: BatchReleaseTarget;
  /** How to update it. */
  readonly releasePlan: ReleasePlan;
}

/** The progress of the batches. */
export interface BatchReleaseCanaryStatus {
  /** The state of the current batch. */
  readonly batchState?: string;
  /** The current batch, counted from 0. */
  readonly currentBatch: Int32;
  /** When the current batch was ready. */
  readonly batchReadyTime?: Time;
  /** The number of pods of the new version. */
  readonly updatedReplicas?: Int32;
  /** The number of ready pods of the new version. */
  readonly updatedReadyReplicas?: Int32;
  /** The number of pods that need no update in a rollback in batches. */
  readonly noNeedUpdateReplicas?: Int32;
}

/** The observed state of a v1alpha1 BatchRelease. */
export interface BatchReleaseStatusV1alpha1 {
  /** The conditions. */
  readonly conditions?: readonly RolloutCondition[];
  /** The progress of the batches. */
  readonly canaryStatus?: BatchReleaseCanaryStatus;
  /** The revision of the old pods. */
  readonly stableRevision?: string;
  /** The revision of the new pods. */
  readonly updateRevision?: string;
  /** The latest generation of the spec that the controller observed. */
  readonly observedGeneration?: Int64;
  /** The latest release id that the controller observed. */
  readonly observedRolloutID?: string;
  /** The replicas of the workload that the controller observed. */
  readonly observedWorkloadReplicas?: Int32;
  /** The number of collisions of revision hashes. */
  readonly collisionCount?: Int32;
  /** The hash of the plan that the controller observed. */
  readonly observedReleasePlanHash?: string;
  /** The phase of the release. */
  readonly phase?: string;
}

/** The observed state of a BatchRelease. */
export interface BatchReleaseStatus extends BatchReleaseStatusV1alpha1 {
  /** A message about the phase. */
  readonly message?: string;
}

/**
 * The update of one workload in batches. The controller creates one for every Rollout, with the Rollout's name: do not
 * create one with the name of a Rollout.
 * @since 0.5
 */
export interface BatchReleaseV1beta1 {
  readonly apiVersion: `${typeof API_GROUP}/v1beta1`;
  readonly kind: 'BatchRelease';
  readonly metadata: ObjectMeta;
  /**
   * The desired state.
   * @crdOptional
   */
  readonly spec: BatchReleaseSpec;
  /** The observed state. */
  readonly status?: BatchReleaseStatus;
}

/** The update of one workload in batches, in the older API version. */
export interface BatchReleaseV1alpha1 {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'BatchRelease';
  readonly metadata: ObjectMeta;
  /**
   * The desired state.
   * @crdOptional
   */
  readonly spec: BatchReleaseSpecV1alpha1;
  /** The observed state. */
  readonly status?: BatchReleaseStatusV1alpha1;
}
