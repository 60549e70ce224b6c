import type {
  Int32,
  Int64,
  IntOrString,
  ObjectMeta,
  ObjectRef,
  PatchPodTemplateMetadata,
  RolloutCondition,
} from './common';
import type { API_GROUP } from './names';
import type { CanaryStatus, RolloutPause, RolloutStrategyCommon } from './rollout';
import type { TrafficRoutingRef, TrafficRoutingStrategyV1alpha1 } from './traffic-routing';

/** What a step of a v1alpha1 Rollout may say. */
export interface CanaryStepCommonV1alpha1 extends TrafficRoutingStrategyV1alpha1 {
  /**
   * Pods of the new version at the end of this step.
   * @default - the weight, as a percentage
   */
  readonly replicas?: IntOrString;
  /**
   * How long the step waits before the next one.
   * @default - until somebody approves
   */
  readonly pause?: RolloutPause;
}

/** A step that says how much traffic goes to the canary. */
export interface WeightStepV1alpha1 extends CanaryStepCommonV1alpha1 {
  /** @crdOptional */
  readonly weight: Int32;
}

/** A step that says how many pods the canary has. */
export interface ReplicasStepV1alpha1 extends CanaryStepCommonV1alpha1 {
  /** @crdOptional */
  readonly replicas: IntOrString;
}

/** One step of a v1alpha1 Rollout: at least one of `weight` and `replicas`. */
export type CanaryStepV1alpha1 = WeightStepV1alpha1 | ReplicasStepV1alpha1;

/** Pods are replaced step by step. */
export interface CanaryStrategyV1alpha1 {
  /**
   * The steps of a release, in order.
   * @crdOptional
   */
  readonly steps: readonly CanaryStepV1alpha1[];
  /**
   * Where traffic is split. At most one is used.
   * @default - traffic is not routed: only pods are replaced
   */
  readonly trafficRoutings?: readonly TrafficRoutingRef[];
  /**
   * How many updated pods may fail while a step still counts as done.
   * @default - the workload's maxUnavailable
   */
  readonly failureThreshold?: IntOrString;
  /** Labels and annotations for the canary's pods. Only with a workload of their own. */
  readonly patchPodTemplateMetadata?: PatchPodTemplateMetadata;
  /**
   * Dropped on conversion to v1beta1, so without effect from 0.5 on.
   * @since 0.6
   */
  readonly disableGenerateCanaryService?: boolean;
}

/** How a release happens. */
export interface RolloutStrategyV1alpha1 extends RolloutStrategyCommon {
  /**
   * Pods are replaced step by step.
   * @crdOptional
   */
  readonly canary: CanaryStrategyV1alpha1;
}

/** What a v1alpha1 Rollout steers. */
export interface WorkloadObjectRef {
  /**
   * The workload whose releases the Rollout steers.
   * @crdOptional
   */
  readonly workloadRef: ObjectRef;
}

/** What a v1alpha1 Rollout does. */
export interface RolloutSpecV1alpha1 {
  /** The workload whose releases this Rollout steers. */
  readonly objectRef: WorkloadObjectRef;
  /** How a release happens. */
  readonly strategy: RolloutStrategyV1alpha1;
  /**
   * Lets releases of the workload pass as if there were no Rollout.
   * @default false
   */
  readonly disabled?: boolean;
  /**
   * Dropped on conversion to v1beta1: set the annotation `rollouts.kruise.io/rollout-id` on the workload.
   * @deprecated
   */
  readonly rolloutID?: string;
}

/** What the controller says of a v1alpha1 Rollout. */
export interface RolloutStatusV1alpha1 {
  /** The generation of the spec that the controller has seen. */
  readonly observedGeneration?: Int64;
  /** Where a canary release is. */
  readonly canaryStatus?: CanaryStatus;
  /** The aspects of the state. */
  readonly conditions?: readonly RolloutCondition[];
  /** `Initial`, `Healthy`, `Progressing`, `Terminating`, `Disabling` or `Disabled`. */
  readonly phase?: string;
  /** A sentence on the phase. */
  readonly message?: string;
}

/** A Rollout of the older API, which the API server converts to v1beta1 from 0.5 on. */
export interface RolloutV1alpha1 {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'Rollout';
  readonly metadata: ObjectMeta;
  /**
   * What is wanted.
   * @crdOptional
   */
  readonly spec: RolloutSpecV1alpha1;
  /** What the controller found. */
  readonly status?: RolloutStatusV1alpha1;
}
