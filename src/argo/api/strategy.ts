import type { RolloutAnalysis, RolloutBackgroundAnalysis } from './analysis-of-rollout';
import type { Int32, IntOrString, LabelsAndAnnotations } from './common';
import type { CanaryStep } from './steps';
import type { TrafficRouting } from './traffic-routing';

/** Preferably schedules pods of both versions on different nodes. */
export interface PreferredAntiAffinity {
  /** The weight of the preference, 1 to 100. */
  readonly weight: Int32;
}

/** Always schedules pods of both versions on different nodes. */
// biome-ignore lint/suspicious/noEmptyInterface: the API has an object without fields here
export interface RequiredAntiAffinity {}

/** Whether pods of both versions may run on one node: one of the fields. */
export interface AntiAffinity {
  /** Preferably not. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: PreferredAntiAffinity;
  /** Never. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: RequiredAntiAffinity;
}

/** The common fields of both strategies. */
export interface StrategyCommon {
  /**
   * Whether pods of both versions may run on one node.
   * @default - no restriction
   */
  readonly antiAffinity?: AntiAffinity;
  /**
   * The number of pods that may be unavailable.
   * @default - 25 pods of a canary, 25% of blue-green
   */
  readonly maxUnavailable?: IntOrString;
  /**
   * The seconds that the old pods stay after the end.
   * @default - 30; for a canary only with traffic routing
   */
  readonly scaleDownDelaySeconds?: Int32;
  /**
   * The number of old versions that keep their pods for that time.
   * @default - all
   */
  readonly scaleDownDelayRevisionLimit?: Int32;
  /**
   * The seconds that the new pods stay after an abort; 0 means forever.
   * @default - 30
   */
  readonly abortScaleDownDelaySeconds?: Int32;
}

/** Two Services that swap roles in every release. An ALB also needs `rootService`. */
export interface PingPong {
  /** The name of the first Service. */
  readonly pingService: string;
  /** The name of the second Service. */
  readonly pongService: string;
}

/** When a step has enough pods to continue. */
export interface ReplicaProgressThreshold {
  /**
   * The unit of `value`.
   * @open
   */
  readonly type: 'Percent' | 'Pods';
  /** The percentage or number of pods that must be available. */
  readonly value: Int32;
}

/** Replaces pods step by step. */
export interface CanaryStrategy extends StrategyCommon {
  /**
   * The Service of the new version. Required for an ALB without `pingPong`.
   * @default - none
   */
  readonly canaryService?: string;
  /**
   * The Service of the old version. Required for an ALB without `pingPong`.
   * @default - none
   */
  readonly stableService?: string;
  /**
   * Two Services that swap roles, instead of a canary and a stable Service.
   * @default - none
   */
  readonly pingPong?: PingPong;
  /**
   * The steps of a release, in order.
   * @default - replace all pods without steps
   */
  readonly steps?: readonly CanaryStep[];
  /**
   * The traffic routers.
   * @default - none: the traffic follows the number of pods
   */
  readonly trafficRouting?: TrafficRouting;
  /**
   * A background analysis.
   * @default - none
   */
  readonly analysis?: RolloutBackgroundAnalysis;
  /**
   * The number of additional pods.
   * @default - 25 pods
   */
  readonly maxSurge?: IntOrString;
  /**
   * Whether to remove pods of the old version while the new one gets traffic. Not with `scaleDownDelaySeconds`.
   * @default - false
   */
  readonly dynamicStableScale?: boolean;
  /**
   * The minimum number of pods of a version with traffic.
   * @default - 1
   */
  readonly minPodsPerReplicaSet?: Int32;
  /**
   * When a step has enough pods to continue.
   * @default - all pods of the step
   */
  readonly replicaProgressThreshold?: ReplicaProgressThreshold;
  /**
   * Labels and annotations of the new pods, until they are stable.
   * @default - none
   */
  readonly canaryMetadata?: LabelsAndAnnotations;
  /**
   * Labels and annotations of the old pods.
   * @default - none
   */
  readonly stableMetadata?: LabelsAndAnnotations;
}

/** Runs both versions, and switches a Service from one to the other. */
export interface BlueGreenStrategy extends StrategyCommon {
  /** The Service for users. */
  readonly activeService: string;
  /**
   * The Service of the new version until it is promoted.
   * @default - none
   */
  readonly previewService?: string;
  /**
   * The number of pods of the new version before its promotion.
   * @default - the same as the old version
   */
  readonly previewReplicaCount?: Int32;
  /**
   * Whether to promote the new version without approval.
   * @default - true
   */
  readonly autoPromotionEnabled?: boolean;
  /**
   * The seconds after which the new version is promoted without approval.
   * @default - never
   */
  readonly autoPromotionSeconds?: Int32;
  /**
   * An analysis before the promotion.
   * @default - none
   */
  readonly prePromotionAnalysis?: RolloutAnalysis;
  /**
   * An analysis after the promotion.
   * @default - none
   */
  readonly postPromotionAnalysis?: RolloutAnalysis;
  /**
   * Labels and annotations of the new pods until they are promoted.
   * @default - none
   */
  readonly previewMetadata?: LabelsAndAnnotations;
  /**
   * Labels and annotations of the active pods.
   * @default - none
   */
  readonly activeMetadata?: LabelsAndAnnotations;
}

/** A canary strategy. */
export interface CanaryRolloutStrategy {
  /**
   * Replaces pods step by step.
   * @crdOptional
   */
  readonly canary: CanaryStrategy;
  readonly blueGreen?: never;
}

/** A blue-green strategy. */
export interface BlueGreenRolloutStrategy {
  readonly canary?: never;
  /**
   * Runs both versions, and switches a Service from one to the other.
   * @crdOptional
   */
  readonly blueGreen: BlueGreenStrategy;
}

/** The strategy of a release: either `canary` or `blueGreen`. */
export type RolloutStrategy = CanaryRolloutStrategy | BlueGreenRolloutStrategy;
