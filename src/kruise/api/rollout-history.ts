import type { Int32, ObjectMeta } from './common';
import type { API_GROUP } from './names';

/** An object as it was at the time of a release. */
export interface RecordedObject {
  /** Name of the object. */
  readonly name: string;
  /** The object itself. */
  readonly data?: unknown;
}

/** The Rollout as it was at the time of a release. */
export interface RecordedRollout extends RecordedObject {
  /** The id of the release. */
  readonly rolloutID: string;
}

/** The workload as it was at the time of a release. */
export interface RecordedWorkload extends RecordedObject {
  /** Group and version of the workload. */
  readonly apiVersion?: string;
  /** Kind of the workload. */
  readonly kind?: string;
}

/** The routing as it was at the time of a release. */
export interface RecordedTrafficRouting {
  /** The Ingress. */
  readonly ingress?: RecordedObject;
  /** The HTTPRoute. */
  readonly httpRoute?: RecordedObject;
}

/** What was released. */
export interface RolloutHistorySpec {
  /** The Rollout. */
  readonly rollout?: RecordedRollout;
  /** The workload. */
  readonly workload?: RecordedWorkload;
  /** The stable Service. */
  readonly service?: RecordedObject;
  /** The routing. */
  readonly trafficRouting?: RecordedTrafficRouting;
}

/** A pod of a step. */
export interface RecordedPod {
  /** Name of the pod. */
  readonly name?: string;
  /** Its address. */
  readonly ip?: string;
  /** The node on which it ran. */
  readonly nodeName?: string;
}

/** A step of the release. */
export interface RecordedStep {
  /** Which step, from 1. */
  readonly canaryStepIndex?: Int32;
  /** The pods that it updated. */
  readonly pods?: readonly RecordedPod[];
}

/** How the release went. */
export interface RolloutHistoryStatus {
  /** Where the release is. */
  readonly phase?: string;
  /** The steps so far. */
  readonly canarySteps?: readonly RecordedStep[];
}

/** What one release was. The controller writes it when its feature gate `RolloutHistory` is on. */
export interface RolloutHistoryV1alpha1 {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'RolloutHistory';
  readonly metadata: ObjectMeta;
  /** What was released. */
  readonly spec?: RolloutHistorySpec;
  /** How it went. */
  readonly status?: RolloutHistoryStatus;
}
