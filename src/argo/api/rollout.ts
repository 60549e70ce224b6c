import type { RolloutAnalysis, RolloutBackgroundAnalysis } from './analysis-of-rollout';
import type { Int32, IntOrString, LabelSelector, LabelsAndAnnotations, ObjectMeta, Time } from './common';
import type { API_GROUP } from './names';
import type { PodTemplateSpec } from './pod';
import type { RolloutStatus } from './rollout-status';
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

/** How many AnalysisRuns and Experiments are kept. */
export interface AnalysisHistory {
  /**
   * Of those that went well.
   * @default - 5
   */
  readonly successfulRunHistoryLimit?: Int32;
  /**
   * Of those that did not.
   * @default - 5
   */
  readonly unsuccessfulRunHistoryLimit?: Int32;
}

/** When a release back skips the steps. */
export interface RollbackWindow {
  /** How many versions back. */
  readonly revisions?: Int32;
}

/** The workload that a Rollout takes its pods from. */
export interface WorkloadRef {
  /**
   * Group and version, `apps/v1`.
   * @crdOptional
   */
  readonly apiVersion: string;
  /**
   * Kind of the workload: Deployment, ReplicaSet or PodTemplate.
   * @crdOptional
   */
  readonly kind: string;
  /**
   * Its name.
   * @crdOptional
   */
  readonly name: string;
  /**
   * What becomes of the pods of a Deployment.
   * @open
   * @default - never
   */
  readonly scaleDown?: 'never' | 'onsuccess' | 'progressively';
}

/** What a Rollout says wherever its pods come from. */
export interface RolloutSpecCommon {
  /**
   * How a release happens.
   * @crdOptional
   */
  readonly strategy: RolloutStrategy;
  /**
   * Number of pods.
   * @default - 1
   */
  readonly replicas?: Int32;
  /**
   * Seconds for which a pod must be ready to count as available.
   * @default - 0
   */
  readonly minReadySeconds?: Int32;
  /**
   * How many old versions are kept.
   * @default - 10
   */
  readonly revisionHistoryLimit?: Int32;
  /**
   * Holds the Rollout where it is.
   * @default - false
   */
  readonly paused?: boolean;
  /**
   * Seconds without progress after which the Rollout counts as stuck.
   * @default - 600
   */
  readonly progressDeadlineSeconds?: Int32;
  /**
   * Aborts a Rollout that is stuck.
   * @default - false
   */
  readonly progressDeadlineAbort?: boolean;
  /**
   * Pods that are older than this are restarted.
   * @default - none
   */
  readonly restartAt?: Time;
  /**
   * How many AnalysisRuns and Experiments are kept.
   * @default - 5 of each
   */
  readonly analysis?: AnalysisHistory;
  /**
   * When a release back skips the steps.
   * @default - never
   */
  readonly rollbackWindow?: RollbackWindow;
}

/** A Rollout with pods of its own. */
export interface RolloutSpecWithTemplate extends RolloutSpecCommon {
  /**
   * Labels by which the Rollout knows its pods; they cannot change.
   * @crdOptional
   * @validation self == oldSelf :: .spec.selector is immutable
   */
  readonly selector: LabelSelector;
  /**
   * The pods.
   * @crdOptional
   */
  readonly template: PodTemplateSpec;
  readonly workloadRef?: never;
}

/** A Rollout that takes its pods from another workload. */
export interface RolloutSpecWithWorkload extends RolloutSpecCommon {
  /**
   * Labels by which the Rollout knows its pods; they cannot change.
   * @default - those of the workload
   */
  readonly selector?: LabelSelector;
  readonly template?: never;
  /**
   * The workload that has the pods.
   * @crdOptional
   */
  readonly workloadRef: WorkloadRef;
}

/** What a Rollout does. */
export type RolloutSpec = RolloutSpecWithTemplate | RolloutSpecWithWorkload;

/**
 * A workload that is released step by step, or by blue-green.
 *
 * @example
 * const rollout: Rollout = {
 *   apiVersion: 'argoproj.io/v1alpha1',
 *   kind: 'Rollout',
 *   metadata: { name: 'shop' },
 *   spec: {
 *     selector: { matchLabels: { app: 'shop' } },
 *     template: { metadata: { labels: { app: 'shop' } }, spec: { containers: [{ name: 'web', image: 'shop:2' }] } },
 *     strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } },
 *   },
 * };
 */
export interface Rollout {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'Rollout';
  readonly metadata: ObjectMeta;
  /** What is wanted. */
  readonly spec: RolloutSpec;
  /** What the controller found. */
  readonly status?: RolloutStatus;
}
