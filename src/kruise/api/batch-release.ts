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
  /** Pods of the new version at the end of this batch. */
  readonly canaryReplicas: IntOrString;
}

/** How a workload is updated, batch by batch. */
export interface ReleasePlan {
  /** The batches, in order. */
  readonly batches?: readonly ReleaseBatch[];
  /** The last batch that may be released, from 0. */
  readonly batchPartition?: Int32;
  /** The id of the release. */
  readonly rolloutID?: string;
  /** How many updated pods may fail while a batch still counts as done. */
  readonly failureThreshold?: IntOrString;
  /** When the release counts as over: `WaitResume` or `Immediate`. */
  readonly finalizingPolicy?: string;
  /** Labels and annotations for the new pods. */
  readonly patchPodTemplateMetadata?: PatchPodTemplateMetadata;
  /** `Canary`, `Partition` or `BlueGreen`. */
  readonly rollingStyle?: string;
  /**
   * New pods come from a workload of their own.
   * @requiredSince 0.6
   */
  readonly enableExtraWorkloadForCanary: boolean;
}

/** What a BatchRelease does. */
export interface BatchReleaseSpec {
  /**
   * The workload that is updated.
   * @crdOptional
   */
  readonly workloadRef: ObjectRef;
  /** How it is updated. */
  readonly releasePlan: ReleasePlan;
}

/** What a v1alpha1 BatchRelease updates. */
export interface BatchReleaseTarget {
  /**
   * The workload that is updated.
   * @crdOptional
   */
  readonly workloadRef: ObjectRef;
}

/** What a v1alpha1 BatchRelease does. */
export interface BatchReleaseSpecV1alpha1 {
  /** The workload that is updated. */
  readonly targetReference: BatchReleaseTarget;
  /** How it is updated. */
  readonly releasePlan: ReleasePlan;
}

/** Where the batches are. */
export interface BatchReleaseCanaryStatus {
  /** What the current batch does. */
  readonly batchState?: string;
  /** The current batch, from 0. */
  readonly currentBatch: Int32;
  /** When the current batch was ready. */
  readonly batchReadyTime?: Time;
  /** Pods of the new version. */
  readonly updatedReplicas?: Int32;
  /** Pods of the new version that are ready. */
  readonly updatedReadyReplicas?: Int32;
  /** Pods that need no update on a rollback in batches. */
  readonly noNeedUpdateReplicas?: Int32;
}

/** What the controller says of a v1alpha1 BatchRelease. */
export interface BatchReleaseStatusV1alpha1 {
  /** The aspects of the state. */
  readonly conditions?: readonly RolloutCondition[];
  /** Where the batches are. */
  readonly canaryStatus?: BatchReleaseCanaryStatus;
  /** Revision of the old pods. */
  readonly stableRevision?: string;
  /** Revision of the new pods. */
  readonly updateRevision?: string;
  /** The generation of the spec that the controller has seen. */
  readonly observedGeneration?: Int64;
  /** The id of the release that the controller has seen. */
  readonly observedRolloutID?: string;
  /** Replicas of the workload that the controller has seen. */
  readonly observedWorkloadReplicas?: Int32;
  /** Count of collisions of revision hashes. */
  readonly collisionCount?: Int32;
  /** Hash of the plan that the controller has seen. */
  readonly observedReleasePlanHash?: string;
  /** Where the release is. */
  readonly phase?: string;
}

/** What the controller says of a BatchRelease. */
export interface BatchReleaseStatus extends BatchReleaseStatusV1alpha1 {
  /** A sentence on the phase. */
  readonly message?: string;
}

/**
 * The update of one workload in batches. The controller writes one for every Rollout, under the Rollout's name: do not
 * write one beside a Rollout of that name.
 * @since 0.5
 */
export interface BatchReleaseV1beta1 {
  readonly apiVersion: `${typeof API_GROUP}/v1beta1`;
  readonly kind: 'BatchRelease';
  readonly metadata: ObjectMeta;
  /**
   * What is wanted.
   * @crdOptional
   */
  readonly spec: BatchReleaseSpec;
  /** What the controller found. */
  readonly status?: BatchReleaseStatus;
}

/** The update of one workload in batches, as the older API writes it. */
export interface BatchReleaseV1alpha1 {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'BatchRelease';
  readonly metadata: ObjectMeta;
  /**
   * What is wanted.
   * @crdOptional
   */
  readonly spec: BatchReleaseSpecV1alpha1;
  /** What the controller found. */
  readonly status?: BatchReleaseStatusV1alpha1;
}
