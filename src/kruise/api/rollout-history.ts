import type { Int32, ObjectMeta } from './common';
import type { API_GROUP } from './names';

/** An object at the time of a release. */
export interface RecordedObject {
  /** The name of the object. */
  readonly name: string;
  /** The object itself. */
  readonly data?: unknown;
}

/** The Rollout at the time of a release. */
export interface RecordedRollout extends RecordedObject {
  /** The id of the release. */
  readonly rolloutID: string;
}

/** The workload at the time of a release. */
export interface RecordedWorkload extends RecordedObject {
  /** The API group and version of the workload. */
  readonly apiVersion?: string;
  /** The kind of the workload. */
  readonly kind?: string;
}

/** The routing at the time of a release. */
export interface RecordedTrafficRouting {
  /** The Ingress. */
  readonly ingress?: RecordedObject;
  /** The HTTPRoute. */
  readonly httpRoute?: RecordedObject;
}

/** The objects of a release. */
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
  /** The name of the pod. */
  readonly name?: string;
  /** The IP address of the pod. */
  readonly ip?: string;
  /** The node that the pod ran on. */
  readonly nodeName?: string;
}

/** A step of the release. */
export interface RecordedStep {
  /** The step, counted from 1. */
  readonly canaryStepIndex?: Int32;
  /** The pods that the step updated. */
  readonly pods?: readonly RecordedPod[];
}

/** The progress of a release. */
export interface RolloutHistoryStatus {
  /** The phase of the release. */
  readonly phase?: string;
  /** The steps so far. */
  readonly canarySteps?: readonly RecordedStep[];
}

/** The record of one release. The controller writes it if its feature gate `RolloutHistory` is on. */
export interface RolloutHistoryV1alpha1 {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'RolloutHistory';
  readonly metadata: ObjectMeta;
  /** The objects of the release. */
  readonly spec?: RolloutHistorySpec;
  /** The progress of the release. */
  readonly status?: RolloutHistoryStatus;
}
