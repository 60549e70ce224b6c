import type { RolloutAnalysis, RolloutBackgroundAnalysis } from './analysis-of-rollout';
import type { Int32, IntOrString, LabelsAndAnnotations } from './common';
import type { CanaryStep } from './steps';
import type { TrafficRouting } from './traffic-routing';

/** Pods of both versions rather not on one node. */
export interface PreferredAntiAffinity {
  /** How much it counts, 1 to 100. */
  readonly weight: Int32;
}

/** Pods of both versions never on one node. */
// biome-ignore lint/suspicious/noEmptyInterface: the API has an object without fields here
export interface RequiredAntiAffinity {}

/** Whether pods of both versions may be on one node: one of the fields. */
export interface AntiAffinity {
  /** Rather not. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: PreferredAntiAffinity;
  /** Never. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: RequiredAntiAffinity;
}

/** What both strategies have. */
export interface StrategyCommon {
  /**
   * Whether pods of both versions may be on one node.
   * @default - they may
   */
  readonly antiAffinity?: AntiAffinity;
  /**
   * How many pods may be missing.
   * @default - 25 pods of a canary, 25% of blue-green
   */
  readonly maxUnavailable?: IntOrString;
  /**
   * Seconds for which the old pods stay after the end.
   * @default - 30; of a canary only with traffic routing
   */
  readonly scaleDownDelaySeconds?: Int32;
  /**
   * How many old versions keep their pods for that time.
   * @default - all
   */
  readonly scaleDownDelayRevisionLimit?: Int32;
  /**
   * Seconds for which the new pods stay after an abort; 0 is for ever.
   * @default - 30
   */
  readonly abortScaleDownDelaySeconds?: Int32;
}

/** Two Services of which each gets every other version. With an ALB `rootService` is needed. */
export interface PingPong {
  /** Name of the one Service. */
  readonly pingService: string;
  /** Name of the other Service. */
  readonly pongService: string;
}

/** When the pods of a step are enough for the next one. */
export interface ReplicaProgressThreshold {
  /**
   * How `value` counts.
   * @open
   */
  readonly type: 'Percent' | 'Pods';
  /** The share or number of pods that must be available. */
  readonly value: Int32;
}

/** Pods are replaced step by step. */
export interface CanaryStrategy extends StrategyCommon {
  /**
   * The Service of the new version. With an ALB it is needed, unless there is `pingPong`.
   * @default - none
   */
  readonly canaryService?: string;
  /**
   * The Service of the old version. With an ALB it is needed, unless there is `pingPong`.
   * @default - none
   */
  readonly stableService?: string;
  /**
   * Two Services that take turns, in place of a canary and a stable one.
   * @default - none
   */
  readonly pingPong?: PingPong;
  /**
   * The steps of a release, in order.
   * @default - all pods are replaced at once
   */
  readonly steps?: readonly CanaryStep[];
  /**
   * Who splits the traffic.
   * @default - nobody: the number of pods does
   */
  readonly trafficRouting?: TrafficRouting;
  /**
   * An analysis beside the steps.
   * @default - none
   */
  readonly analysis?: RolloutBackgroundAnalysis;
  /**
   * How many pods may be there on top.
   * @default - 25 pods
   */
  readonly maxSurge?: IntOrString;
  /**
   * Takes pods of the old version away while the new one gets traffic. Not with `scaleDownDelaySeconds`.
   * @default - false
   */
  readonly dynamicStableScale?: boolean;
  /**
   * How many pods a version has at least that gets traffic.
   * @default - 1
   */
  readonly minPodsPerReplicaSet?: Int32;
  /**
   * When the pods of a step are enough.
   * @default - all of them
   */
  readonly replicaProgressThreshold?: ReplicaProgressThreshold;
  /**
   * Labels and annotations of the new pods, for as long as they are new.
   * @default - none
   */
  readonly canaryMetadata?: LabelsAndAnnotations;
  /**
   * Labels and annotations of the old pods.
   * @default - none
   */
  readonly stableMetadata?: LabelsAndAnnotations;
}

/** Both versions run side by side, and a Service changes from one to the other. */
export interface BlueGreenStrategy extends StrategyCommon {
  /** The Service that users reach. */
  readonly activeService: string;
  /**
   * The Service of the new version until it is promoted.
   * @default - none
   */
  readonly previewService?: string;
  /**
   * How many pods the new version has until it is promoted.
   * @default - as many as the old one
   */
  readonly previewReplicaCount?: Int32;
  /**
   * Whether the new version is promoted without approval.
   * @default - true
   */
  readonly autoPromotionEnabled?: boolean;
  /**
   * Seconds after which the new version is promoted without approval.
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

/** A release by canary. */
export interface CanaryRolloutStrategy {
  /**
   * Pods are replaced step by step.
   * @crdOptional
   */
  readonly canary: CanaryStrategy;
  readonly blueGreen?: never;
}

/** A release by blue-green. */
export interface BlueGreenRolloutStrategy {
  readonly canary?: never;
  /**
   * Both versions run side by side, and a Service changes from one to the other.
   * @crdOptional
   */
  readonly blueGreen: BlueGreenStrategy;
}

/** How a release happens: one of `canary` and `blueGreen`. */
export type RolloutStrategy = CanaryRolloutStrategy | BlueGreenRolloutStrategy;
