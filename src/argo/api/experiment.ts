import type { Argument } from './analysis';
import type { DryRun, MeasurementRetention } from './analysis-of-rollout';
import type { Condition, Duration, Int32, LabelSelector, LabelsAndAnnotations, ObjectMeta, Time } from './common';
import type { API_GROUP } from './names';
import type { PodTemplateSpec } from './pod';
import type { ExperimentService } from './steps';

/** Pods that an Experiment runs. */
export interface ExperimentTemplate {
  /** The name of the pods' ReplicaSet in the Experiment. */
  readonly name: string;
  /**
   * The number of pods.
   * @default - 1
   */
  readonly replicas?: Int32;
  /**
   * The seconds that a pod must be ready before it is available.
   * @default - 0
   */
  readonly minReadySeconds?: Int32;
  /** The labels of the pods, which must differ between templates. */
  readonly selector: LabelSelector;
  /** The pods. */
  readonly template: PodTemplateSpec;
  /**
   * A Service for these pods.
   * @default - none
   */
  readonly service?: ExperimentService;
}

/** An analysis of an Experiment. */
export interface ExperimentAnalysis {
  /** The name of the analysis in the Experiment. */
  readonly name: string;
  /** The name of the template. */
  readonly templateName: string;
  /**
   * Whether it is a ClusterAnalysisTemplate.
   * @default - false
   */
  readonly clusterScope?: boolean;
  /** The arguments of the template. */
  readonly args?: readonly Argument[];
  /**
   * Whether the Experiment waits for the analysis.
   * @default - false
   */
  readonly requiredForCompletion?: boolean;
}

/** The desired state of an Experiment. */
export interface ExperimentSpec {
  /** The pods that run side by side. */
  readonly templates: readonly ExperimentTemplate[];
  /**
   * How long it runs after all pods are available.
   * @default - until its analyses are complete
   */
  readonly duration?: Duration;
  /** The analyses. */
  readonly analyses?: readonly ExperimentAnalysis[];
  /** Metrics in dry-run mode. */
  readonly dryRun?: readonly DryRun[];
  /**
   * The number of measurements to keep.
   * @default - 10 of each metric
   */
  readonly measurementRetention?: readonly MeasurementRetention[];
  /** Labels and annotations of the AnalysisRuns. */
  readonly analysisRunMetadata?: LabelsAndAnnotations;
  /**
   * The deadline for the pods to become available, in seconds.
   * @default - 600
   */
  readonly progressDeadlineSeconds?: Int32;
  /**
   * The seconds that the pods stay after the end.
   * @default - 30
   */
  readonly scaleDownDelaySeconds?: Int32;
  /**
   * Whether to terminate it early.
   * @default - false
   */
  readonly terminate?: boolean;
}

/** The observed state of the pods of one template. */
export interface ExperimentTemplateStatus {
  /** The name of the template. */
  readonly name: string;
  /** The number of pods. */
  readonly replicas: Int32;
  /** The number of pods of the current template. */
  readonly updatedReplicas: Int32;
  /** The number of ready pods. */
  readonly readyReplicas: Int32;
  /** The number of available pods. */
  readonly availableReplicas: Int32;
  /** The phase of the template. */
  readonly status?: string;
  /** A message about the status. */
  readonly message?: string;
  /** When the status last changed. */
  readonly lastTransitionTime?: Time;
  /** Hash of the pods. */
  readonly podTemplateHash?: string;
  /** Name of the Service. */
  readonly serviceName?: string;
  /** The number of hash collisions. */
  readonly collisionCount?: Int32;
}

/** The observed state of an analysis of an Experiment. */
export interface ExperimentAnalysisRunStatus {
  /** Name of the analysis. */
  readonly name: string;
  /** Name of the AnalysisRun. */
  readonly analysisRun: string;
  /** The phase of the AnalysisRun. */
  readonly phase: string;
  /** A message about the phase. */
  readonly message?: string;
}

/** The observed state of an Experiment. */
export interface ExperimentStatus {
  /** The phase of the Experiment. */
  readonly phase?: string;
  /** A message about the phase. */
  readonly message?: string;
  /** The conditions. */
  readonly conditions?: readonly Condition[];
  /** When all pods were available. */
  readonly availableAt?: Time;
  /** The states of the templates. */
  readonly templateStatuses?: readonly ExperimentTemplateStatus[];
  /** The states of the analyses. */
  readonly analysisRuns?: readonly ExperimentAnalysisRunStatus[];
}

/** Pods of one or more versions that run temporarily, with or without a workload. */
export interface Experiment {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'Experiment';
  readonly metadata: ObjectMeta;
  /** The desired state. */
  readonly spec: ExperimentSpec;
  /** The observed state. */
  readonly status?: ExperimentStatus;
}
