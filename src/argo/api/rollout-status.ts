import type { AnyObject, Condition, Int32, Time } from './common';

/** An object of AWS. */
export interface AwsResource {
  /** Its name. */
  readonly name: string;
  /** Its ARN. */
  readonly arn: string;
  /** The last part of its ARN, as metrics name it. */
  readonly fullName?: string;
}

/** What the controller knows of a load balancer; only with verification. */
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

/** Where an analysis is. */
export interface RolloutAnalysisRunStatus {
  /** Name of the AnalysisRun. */
  readonly name: string;
  /** Its phase. */
  readonly status: string;
  /** A sentence on the phase. */
  readonly message?: string;
}

/** Where a blue-green release is. */
export interface BlueGreenStatus {
  /** Hash of the version that users reach. */
  readonly activeSelector?: string;
  /** Hash of the version of the preview Service. */
  readonly previewSelector?: string;
  /** The analysis before the promotion. */
  readonly prePromotionAnalysisRunStatus?: RolloutAnalysisRunStatus;
  /** The analysis after the promotion. */
  readonly postPromotionAnalysisRunStatus?: RolloutAnalysisRunStatus;
  /** Whether the preview has all its pods. */
  readonly scaleUpPreviewCheckPoint?: boolean;
}

/** The traffic of one Service. */
export interface TrafficWeight {
  /** Share in percent. */
  readonly weight: Int32;
  /** Hash of the version. */
  readonly podTemplateHash?: string;
  /** Name of the Service. */
  readonly serviceName?: string;
}

/** The traffic as it was last set. */
export interface TrafficWeights {
  /** That of the new version. */
  readonly canary: TrafficWeight;
  /** That of the old version. */
  readonly stable: TrafficWeight;
  /** That of experiments. */
  readonly additional?: readonly TrafficWeight[];
  /** Whether the load balancer was seen to follow. */
  readonly verified?: boolean;
}

/** Where a plugin of a step is. */
export interface StepPluginStatus {
  /** The step, from 0. */
  readonly index: Int32;
  /** Name of the plugin. */
  readonly name: string;
  /** What was asked of it. */
  readonly operation: string;
  /** Where it is. */
  readonly phase?: string;
  /** A sentence on the phase. */
  readonly message?: string;
  /** When it began. */
  readonly startedAt?: Time;
  /** When it last changed. */
  readonly updatedAt?: Time;
  /** When it ended. */
  readonly finishedAt?: Time;
  /** How long the controller waits before it asks again. */
  readonly backoff?: string;
  /** How often it was asked. */
  readonly executions?: Int32;
  /** Whether the controller has it switched off. */
  readonly disabled?: boolean;
  /** What the plugin keeps for itself. */
  readonly status?: AnyObject;
}

/** Where a canary is. */
export interface CanaryStatus {
  /** The analysis of the current step. */
  readonly currentStepAnalysisRunStatus?: RolloutAnalysisRunStatus;
  /** The analysis beside the steps. */
  readonly currentBackgroundAnalysisRunStatus?: RolloutAnalysisRunStatus;
  /** Name of the current experiment. */
  readonly currentExperiment?: string;
  /** The traffic as it was last set. */
  readonly weights?: TrafficWeights;
  /** Which of the two Services has the old version, `ping` or `pong`. */
  readonly stablePingPong?: string;
  /** Where the plugins of steps are. */
  readonly stepPluginStatuses?: readonly StepPluginStatus[];
}

/** Why a Rollout waits. */
export interface PauseCondition {
  /** One word on why. */
  readonly reason: string;
  /** Since when. */
  readonly startTime: Time;
}

/** What the controller says of a Rollout. */
export interface RolloutStatus {
  /** Where the Rollout is: `Healthy`, `Progressing`, `Paused` or `Degraded`. */
  readonly phase?: string;
  /** A sentence on the phase. */
  readonly message?: string;
  /** The aspects of the state. */
  readonly conditions?: readonly Condition[];
  /** Whether the release is aborted. */
  readonly abort?: boolean;
  /** When it was aborted. */
  readonly abortedAt?: Time;
  /** Why it waits. */
  readonly pauseConditions?: readonly PauseCondition[];
  /** Whether the controller itself made it wait. */
  readonly controllerPause?: boolean;
  /** Whether all steps are to be skipped. */
  readonly promoteFull?: boolean;
  /** The current step, from 0. */
  readonly currentStepIndex?: Int32;
  /** Hash of the steps. */
  readonly currentStepHash?: string;
  /** Hash of the new version. */
  readonly currentPodHash?: string;
  /** Hash of the old version. */
  readonly stableRS?: string;
  /** Pods. */
  readonly replicas?: Int32;
  /** Pods of the new version. */
  readonly updatedReplicas?: Int32;
  /** Pods that are ready. */
  readonly readyReplicas?: Int32;
  /** Pods that are available. */
  readonly availableReplicas?: Int32;
  /** Pods as an autoscaler counts them. */
  readonly HPAReplicas?: Int32;
  /** Selector of the pods, for an autoscaler. */
  readonly selector?: string;
  /** Count of collisions of hashes. */
  readonly collisionCount?: Int32;
  /** The generation that the controller has seen. */
  readonly observedGeneration?: string;
  /** The generation of the workload that the controller has seen. */
  readonly workloadObservedGeneration?: string;
  /** When the pods were last restarted. */
  readonly restartedAt?: Time;
  /** Where a canary is. */
  readonly canary?: CanaryStatus;
  /** Where a blue-green release is. */
  readonly blueGreen?: BlueGreenStatus;
  /** The load balancer. */
  readonly alb?: AlbStatus;
  /** The load balancers. */
  readonly albs?: readonly AlbStatus[];
}
