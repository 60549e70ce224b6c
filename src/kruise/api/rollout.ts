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
import type { TrafficRoutingRef, TrafficRoutingStrategy } from './traffic-routing';

/** How long a step waits; an empty pause waits for approval. */
export interface RolloutPause {
  /**
   * Seconds.
   * @default - wait for approval
   */
  readonly duration?: Int32;
}

/** One step of a v1beta1 Rollout. */
export interface CanaryStep extends TrafficRoutingStrategy {
  /**
   * The pods of the new version at the end of this step.
   * @crdOptional
   */
  readonly replicas: IntOrString;
  /**
   * How long the step waits before the next one.
   * @default - wait for approval
   */
  readonly pause?: RolloutPause;
}

/** The common fields of canary and blue-green strategies. */
export interface StepsStrategy {
  /**
   * The steps of a release, in order.
   * @crdOptional
   * @maxItems 50 next
   */
  readonly steps: readonly CanaryStep[];
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
  /** No controller reads this field: set the annotation `rollouts.kruise.io/trafficrouting`. */
  readonly trafficRoutingRef?: string;
  /**
   * Whether to route to the stable Service only, so that no route can split traffic by Service.
   * @default - false
   * @since 0.6
   */
  readonly disableGenerateCanaryService?: boolean;
}

/** Replaces pods step by step. */
export interface CanaryStrategy extends StepsStrategy {
  /**
   * Whether canary pods belong to an extra workload. Only for apps/v1 Deployments. Otherwise the controller replaces the
   * pods of the workload step by step.
   * @default - false
   */
  readonly enableExtraWorkloadForCanary?: boolean;
  /** Labels and annotations of the canary's pods. Only with an extra workload. */
  readonly patchPodTemplateMetadata?: PatchPodTemplateMetadata;
}

/** Runs both versions side by side. */
export interface BlueGreenStrategy extends StepsStrategy {}

/** The common fields of all strategies. */
export interface RolloutStrategyCommon {
  /**
   * Whether to pause the rollout.
   * @default - false
   */
  readonly paused?: boolean;
}

/** A canary strategy. */
export interface CanaryRolloutStrategy extends RolloutStrategyCommon {
  /** Replaces pods step by step. */
  readonly canary: CanaryStrategy;
  readonly blueGreen?: never;
}

/** A blue-green strategy. */
export interface BlueGreenRolloutStrategy extends RolloutStrategyCommon {
  readonly canary?: never;
  /**
   * Runs both versions side by side.
   * @since 0.6
   */
  readonly blueGreen: BlueGreenStrategy;
}

/** The strategy of a release: either `canary` or `blueGreen`. */
export type RolloutStrategy = CanaryRolloutStrategy | BlueGreenRolloutStrategy;

/** The desired state of a Rollout. */
export interface RolloutSpec {
  /** The workload that the Rollout releases. */
  readonly workloadRef: ObjectRef;
  /** The strategy of a release. */
  readonly strategy: RolloutStrategy;
  /**
   * Whether to disable the Rollout: the workload is updated as if it had none.
   * @default false
   */
  readonly disabled?: boolean;
}

/** The progress of a release. */
export interface StepStatus {
  /** The latest generation of the workload that the controller observed. */
  readonly observedWorkloadGeneration?: Int64;
  /** The latest release id that the controller observed. */
  readonly observedRolloutID?: string;
  /** The hash of the Rollout's spec. */
  readonly rolloutHash?: string;
  /** The revision of the stable pods. */
  readonly stableRevision?: string;
  /** The revision in the selector of the canary Service. */
  readonly podTemplateHash: string;
  /** The current or completed step, counted from 1. */
  readonly currentStepIndex?: Int32;
  /**
   * The next step, counted from 1. To jump to another step, write its number.
   * @requiredSince 0.6
   */
  readonly nextStepIndex: Int32;
  /** The state of the current step. */
  readonly currentStepState: string;
  /**
   * The state of the end of the rollout.
   * @requiredSince 0.6
   */
  readonly finalisingStep: string;
  /** A message about the state. */
  readonly message?: string;
  /** When the state last changed. */
  readonly lastUpdateTime?: Time;
}

/** The progress of a canary release. */
export interface CanaryStatus extends StepStatus {
  /** The revision of the canary's pods. */
  readonly canaryRevision: string;
  /** The number of pods of the canary. */
  readonly canaryReplicas: Int32;
  /** The number of ready pods of the canary. */
  readonly canaryReadyReplicas: Int32;
}

/** The progress of a blue-green release. */
export interface BlueGreenStatus extends StepStatus {
  /** The revision of the new pods. */
  readonly updatedRevision: string;
  /** The number of pods of the new version. */
  readonly updatedReplicas: Int32;
  /** The number of ready pods of the new version. */
  readonly updatedReadyReplicas: Int32;
}

/** The observed state of a Rollout. */
export interface RolloutStatus {
  /** The latest generation of the spec that the controller observed. */
  readonly observedGeneration?: Int64;
  /** The progress of a canary release. */
  readonly canaryStatus?: CanaryStatus;
  /**
   * The progress of a blue-green release.
   * @since 0.6
   */
  readonly blueGreenStatus?: BlueGreenStatus;
  /** The conditions. */
  readonly conditions?: readonly RolloutCondition[];
  /** `Initial`, `Healthy`, `Progressing`, `Terminating`, `Disabling` or `Disabled`. */
  readonly phase?: string;
  /** A message about the phase. */
  readonly message?: string;
  /**
   * The current or completed step, counted from 1.
   * @requiredSince 0.6
   */
  readonly currentStepIndex: Int32;
  /**
   * The state of the current step.
   * @requiredSince 0.6
   */
  readonly currentStepState: string;
}

/**
 * A Rollout in the storage version since 0.5.
 * @since 0.5
 */
export interface RolloutV1beta1 {
  readonly apiVersion: `${typeof API_GROUP}/v1beta1`;
  readonly kind: 'Rollout';
  readonly metadata: ObjectMeta;
  /**
   * The desired state.
   * @crdOptional
   */
  readonly spec: RolloutSpec;
  /** The observed state. */
  readonly status?: RolloutStatus;
}
