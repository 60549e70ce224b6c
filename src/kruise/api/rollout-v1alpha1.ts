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

/** The common fields of the steps of a v1alpha1 Rollout. */
export interface CanaryStepCommonV1alpha1 extends TrafficRoutingStrategyV1alpha1 {
  /**
   * The pods of the new version at the end of this step.
   * @default - the weight, as a percentage
   */
  readonly replicas?: IntOrString;
  /**
   * How long the step waits before the next one.
   * @default - wait for approval
   */
  readonly pause?: RolloutPause;
}

/** A step with a share of traffic for the canary. */
export interface WeightStepV1alpha1 extends CanaryStepCommonV1alpha1 {
  /** @crdOptional */
  readonly weight: Int32;
}

/** A step with a number of pods for the canary. */
export interface ReplicasStepV1alpha1 extends CanaryStepCommonV1alpha1 {
  /** @crdOptional */
  readonly replicas: IntOrString;
}

/** One step of a v1alpha1 Rollout: at least one of `weight` and `replicas`. */
export type CanaryStepV1alpha1 = WeightStepV1alpha1 | ReplicasStepV1alpha1;

/** Replaces pods step by step. */
export interface CanaryStrategyV1alpha1 {
  /**
   * The steps of a release, in order.
   * @crdOptional
   */
  readonly steps: readonly CanaryStepV1alpha1[];
  /**
   * The routes that split traffic. The controller supports at most one.
   * @default - no routing: the controller only replaces pods
   */
  readonly trafficRoutings?: readonly TrafficRoutingRef[];
  /**
   * The number or percentage of updated pods that may fail in a completed step.
   * @default - the workload's maxUnavailable
   */
  readonly failureThreshold?: IntOrString;
  /** Labels and annotations of the canary's pods. Only with an extra workload. */
  readonly patchPodTemplateMetadata?: PatchPodTemplateMetadata;
  /**
   * The conversion to v1beta1 drops this field, so it has no effect since 0.5.
   * @since 0.6
   */
  readonly disableGenerateCanaryService?: boolean;
}

/** The strategy of a release. */
export interface RolloutStrategyV1alpha1 extends RolloutStrategyCommon {
  /**
   * Replaces pods step by step.
   * @crdOptional
   */
  readonly canary: CanaryStrategyV1alpha1;
}

/** The target of a v1alpha1 Rollout. */
export interface WorkloadObjectRef {
  /**
   * The workload that the Rollout releases.
   * @crdOptional
   */
  readonly workloadRef: ObjectRef;
}

/** The desired state of a v1alpha1 Rollout. */
export interface RolloutSpecV1alpha1 {
  /** The workload that the Rollout releases. */
  readonly objectRef: WorkloadObjectRef;
  /** The strategy of a release. */
  readonly strategy: RolloutStrategyV1alpha1;
  /**
   * Whether to disable the Rollout: the workload is updated as if it had none.
   * @default false
   */
  readonly disabled?: boolean;
  /**
   * The conversion to v1beta1 drops this field: set the label `rollouts.kruise.io/rollout-id` on the workload.
   * @deprecated
   */
  readonly rolloutID?: string;
}

/** The observed state of a v1alpha1 Rollout. */
export interface RolloutStatusV1alpha1 {
  /** The latest generation of the spec that the controller observed. */
  readonly observedGeneration?: Int64;
  /** The progress of a canary release. */
  readonly canaryStatus?: CanaryStatus;
  /** The conditions. */
  readonly conditions?: readonly RolloutCondition[];
  /** `Initial`, `Healthy`, `Progressing`, `Terminating`, `Disabling` or `Disabled`. */
  readonly phase?: string;
  /** A message about the phase. */
  readonly message?: string;
}

/** A Rollout in the older API version, which the API server converts to v1beta1 since 0.5. */
export interface RolloutV1alpha1 {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'Rollout';
  readonly metadata: ObjectMeta;
  /**
   * The desired state.
   * @crdOptional
   */
  readonly spec: RolloutSpecV1alpha1;
  /** The observed state. */
  readonly status?: RolloutStatusV1alpha1;
}
