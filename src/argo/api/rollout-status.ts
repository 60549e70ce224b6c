import type { AnyObject, Condition, Int32, Time } from './common';

/** An AWS resource. */
export interface AwsResource {
  /** The name of the resource. */
  readonly name: string;
  /** The ARN of the resource. */
  readonly arn: string;
  /** The last part of the ARN, as in metrics. */
  readonly fullName?: string;
}

/** The observed state of a load balancer; only with verification. */
export interface AlbStatus {
  /** The Ingress of the load balancer. */
  readonly ingress?: string;
  /** The load balancer. */
  readonly loadBalancer?: AwsResource;
  /** The target group of the new version. */
  readonly canaryTargetGroup?: AwsResource;
  /** The target group of the old version. */
  readonly stableTargetGroup?: AwsResource;
}

/** The state of an analysis. */
export interface RolloutAnalysisRunStatus {
  /** Name of the AnalysisRun. */
  readonly name: string;
  /** The phase of the AnalysisRun. */
  readonly status: string;
  /** A message about the phase. */
  readonly message?: string;
}

/** The progress of a blue-green release. */
export interface BlueGreenStatus {
  /** The hash of the active version. */
  readonly activeSelector?: string;
  /** The hash of the version of the preview Service. */
  readonly previewSelector?: string;
  /** The analysis before the promotion. */
  readonly prePromotionAnalysisRunStatus?: RolloutAnalysisRunStatus;
  /** The analysis after the promotion. */
  readonly postPromotionAnalysisRunStatus?: RolloutAnalysisRunStatus;
  /** Whether the preview has all of its pods. */
  readonly scaleUpPreviewCheckPoint?: boolean;
}

/** The traffic of one Service. */
export interface TrafficWeight {
  /** The share in percent. */
  readonly weight: Int32;
  /** Hash of the version. */
  readonly podTemplateHash?: string;
  /** Name of the Service. */
  readonly serviceName?: string;
}

/** The latest traffic weights. */
export interface TrafficWeights {
  /** The traffic of the new version. */
  readonly canary: TrafficWeight;
  /** The traffic of the old version. */
  readonly stable: TrafficWeight;
  /** The traffic of experiments. */
  readonly additional?: readonly TrafficWeight[];
  /** Whether the controller verified the weights at the load balancer. */
  readonly verified?: boolean;
}

/** The state of a step plugin. */
export interface StepPluginStatus {
  /** The step, counted from 0. */
  readonly index: Int32;
  /** Name of the plugin. */
  readonly name: string;
  /** The requested operation. */
  readonly operation: string;
  /** The phase of the plugin. */
  readonly phase?: string;
  /** A message about the phase. */
  readonly message?: string;
  /** When it started. */
  readonly startedAt?: Time;
  /** When it last changed. */
  readonly updatedAt?: Time;
  /** When it ended. */
  readonly finishedAt?: Time;
  /** How long the controller waits before the next call. */
  readonly backoff?: string;
  /** The number of calls. */
  readonly executions?: Int32;
  /** Whether the plugin is disabled. */
  readonly disabled?: boolean;
  /** The plugin's own state. */
  readonly status?: AnyObject;
}

/** The progress of a canary. */
export interface CanaryStatus {
  /** The analysis of the current step. */
  readonly currentStepAnalysisRunStatus?: RolloutAnalysisRunStatus;
  /** The background analysis. */
  readonly currentBackgroundAnalysisRunStatus?: RolloutAnalysisRunStatus;
  /** Name of the current experiment. */
  readonly currentExperiment?: string;
  /** The latest traffic weights. */
  readonly weights?: TrafficWeights;
  /** The Service of the old version: `ping` or `pong`. */
  readonly stablePingPong?: string;
  /** The states of the step plugins. */
  readonly stepPluginStatuses?: readonly StepPluginStatus[];
}

/** A reason for a Rollout to be paused. */
export interface PauseCondition {
  /** The reason in one word. */
  readonly reason: string;
  /** When the pause started. */
  readonly startTime: Time;
}

/** The observed state of a Rollout. */
export interface RolloutStatus {
  /** The phase of the Rollout: `Healthy`, `Progressing`, `Paused` or `Degraded`. */
  readonly phase?: string;
  /** A message about the phase. */
  readonly message?: string;
  /** The conditions. */
  readonly conditions?: readonly Condition[];
  /** Whether the release is aborted. */
  readonly abort?: boolean;
  /** When it was aborted. */
  readonly abortedAt?: Time;
  /** The reasons for a pause. */
  readonly pauseConditions?: readonly PauseCondition[];
  /** Whether the controller paused the Rollout. */
  readonly controllerPause?: boolean;
  /** Whether to skip all steps. */
  readonly promoteFull?: boolean;
  /** The current step, counted from 0. */
  readonly currentStepIndex?: Int32;
  /** Hash of the steps. */
  readonly currentStepHash?: string;
  /** Hash of the new version. */
  readonly currentPodHash?: string;
  /** Hash of the old version. */
  readonly stableRS?: string;
  /** The number of pods. */
  readonly replicas?: Int32;
  /** The number of pods of the new version. */
  readonly updatedReplicas?: Int32;
  /** The number of ready pods. */
  readonly readyReplicas?: Int32;
  /** The number of available pods. */
  readonly availableReplicas?: Int32;
  /** The number of pods for an autoscaler. */
  readonly HPAReplicas?: Int32;
  /** The selector of the pods, for an autoscaler. */
  readonly selector?: string;
  /** The number of hash collisions. */
  readonly collisionCount?: Int32;
  /** The latest generation that the controller observed. */
  readonly observedGeneration?: string;
  /** The latest generation of the workload that the controller observed. */
  readonly workloadObservedGeneration?: string;
  /** When the pods were last restarted. */
  readonly restartedAt?: Time;
  /** The progress of a canary. */
  readonly canary?: CanaryStatus;
  /** The progress of a blue-green release. */
  readonly blueGreen?: BlueGreenStatus;
  /** The load balancer. */
  readonly alb?: AlbStatus;
  /** The load balancers. */
  readonly albs?: readonly AlbStatus[];
}
