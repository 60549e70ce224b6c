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

/** How long a step waits; an empty one waits for approval. */
export interface RolloutPause {
  /**
   * Seconds.
   * @default - until somebody approves
   */
  readonly duration?: Int32;
}

/** One step of a v1beta1 Rollout. */
export interface CanaryStep extends TrafficRoutingStrategy {
  /**
   * Pods of the new version at the end of this step.
   * @crdOptional
   */
  readonly replicas: IntOrString;
  /**
   * How long the step waits before the next one.
   * @default - until somebody approves
   */
  readonly pause?: RolloutPause;
}

/** What canary and blue-green have in common. */
export interface StepsStrategy {
  /**
   * The steps of a release, in order.
   * @crdOptional
   * @maxItems 50 next
   */
  readonly steps: readonly CanaryStep[];
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
  /** Read by no controller: set the annotation `rollouts.kruise.io/trafficrouting`. */
  readonly trafficRoutingRef?: string;
  /**
   * Routes to the stable Service itself, so that nothing is split by Service name.
   * @default - false
   * @since 0.6
   */
  readonly disableGenerateCanaryService?: boolean;
}

/** Pods are replaced step by step. */
export interface CanaryStrategy extends StepsStrategy {
  /**
   * With an apps/v1 Deployment: canary pods come from a workload of their own. Without, and with any other kind, the
   * pods of the workload itself are replaced step by step.
   * @default - false
   */
  readonly enableExtraWorkloadForCanary?: boolean;
  /** Labels and annotations for the canary's pods. Only with a workload of their own. */
  readonly patchPodTemplateMetadata?: PatchPodTemplateMetadata;
}

/** Both versions run side by side. */
export interface BlueGreenStrategy extends StepsStrategy {}

/** What a strategy may say whichever it is. */
export interface RolloutStrategyCommon {
  /**
   * Holds the rollout where it is.
   * @default - false
   */
  readonly paused?: boolean;
}

/** A release by canary. */
export interface CanaryRolloutStrategy extends RolloutStrategyCommon {
  /** Pods are replaced step by step. */
  readonly canary: CanaryStrategy;
  readonly blueGreen?: never;
}

/** A release by blue-green. */
export interface BlueGreenRolloutStrategy extends RolloutStrategyCommon {
  readonly canary?: never;
  /**
   * Both versions run side by side.
   * @since 0.6
   */
  readonly blueGreen: BlueGreenStrategy;
}

/** How a release happens: one of `canary` and `blueGreen`. */
export type RolloutStrategy = CanaryRolloutStrategy | BlueGreenRolloutStrategy;

/** What a Rollout does. */
export interface RolloutSpec {
  /** The workload whose releases this Rollout steers. */
  readonly workloadRef: ObjectRef;
  /** How a release happens. */
  readonly strategy: RolloutStrategy;
  /**
   * Lets releases of the workload pass as if there were no Rollout.
   * @default false
   */
  readonly disabled?: boolean;
}

/** Where a release is. */
export interface StepStatus {
  /** The generation of the workload that the controller has seen. */
  readonly observedWorkloadGeneration?: Int64;
  /** The id of the release that the controller has seen. */
  readonly observedRolloutID?: string;
  /** Hash of the Rollout's spec. */
  readonly rolloutHash?: string;
  /** Revision of the stable pods. */
  readonly stableRevision?: string;
  /** What the selector of the canary Service holds. */
  readonly podTemplateHash: string;
  /** The step that is done or under way, from 1. */
  readonly currentStepIndex?: Int32;
  /**
   * The step that comes next, from 1. To jump, write another one.
   * @requiredSince 0.6
   */
  readonly nextStepIndex: Int32;
  /** What the current step does. */
  readonly currentStepState: string;
  /**
   * What the end of the rollout does.
   * @requiredSince 0.6
   */
  readonly finalisingStep: string;
  /** A sentence on the state. */
  readonly message?: string;
  /** When the state last changed. */
  readonly lastUpdateTime?: Time;
}

/** Where a canary release is. */
export interface CanaryStatus extends StepStatus {
  /** Revision of the canary's pods. */
  readonly canaryRevision: string;
  /** Pods of the canary. */
  readonly canaryReplicas: Int32;
  /** Pods of the canary that are ready. */
  readonly canaryReadyReplicas: Int32;
}

/** Where a blue-green release is. */
export interface BlueGreenStatus extends StepStatus {
  /** Revision of the new pods. */
  readonly updatedRevision: string;
  /** Pods of the new version. */
  readonly updatedReplicas: Int32;
  /** Pods of the new version that are ready. */
  readonly updatedReadyReplicas: Int32;
}

/** What the controller says of a Rollout. */
export interface RolloutStatus {
  /** The generation of the spec that the controller has seen. */
  readonly observedGeneration?: Int64;
  /** Where a canary release is. */
  readonly canaryStatus?: CanaryStatus;
  /**
   * Where a blue-green release is.
   * @since 0.6
   */
  readonly blueGreenStatus?: BlueGreenStatus;
  /** The aspects of the state. */
  readonly conditions?: readonly RolloutCondition[];
  /** `Initial`, `Healthy`, `Progressing`, `Terminating`, `Disabling` or `Disabled`. */
  readonly phase?: string;
  /** A sentence on the phase. */
  readonly message?: string;
  /**
   * The step that is done or under way, from 1.
   * @requiredSince 0.6
   */
  readonly currentStepIndex: Int32;
  /**
   * What the current step does.
   * @requiredSince 0.6
   */
  readonly currentStepState: string;
}

/**
 * A Rollout as it is stored from 0.5 on.
 * @since 0.5
 */
export interface RolloutV1beta1 {
  readonly apiVersion: `${typeof API_GROUP}/v1beta1`;
  readonly kind: 'Rollout';
  readonly metadata: ObjectMeta;
  /**
   * What is wanted.
   * @crdOptional
   */
  readonly spec: RolloutSpec;
  /** What the controller found. */
  readonly status?: RolloutStatus;
}
