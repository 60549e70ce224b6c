import type { Argument } from './analysis';
import type { DryRun, MeasurementRetention } from './analysis-of-rollout';
import type { Condition, Duration, Int32, LabelSelector, LabelsAndAnnotations, ObjectMeta, Time } from './common';
import type { API_GROUP } from './names';
import type { PodTemplateSpec } from './pod';
import type { ExperimentService } from './steps';

/** Pods that an Experiment runs. */
export interface ExperimentTemplate {
  /** Name of the pods' ReplicaSet in the Experiment. */
  readonly name: string;
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
  /** Labels of the pods; those of two templates must differ. */
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
  /** Name of the analysis in the Experiment. */
  readonly name: string;
  /** Name of the template. */
  readonly templateName: string;
  /**
   * Whether it is a ClusterAnalysisTemplate.
   * @default - false
   */
  readonly clusterScope?: boolean;
  /** Arguments of the template. */
  readonly args?: readonly Argument[];
  /**
   * Whether the Experiment waits for it.
   * @default - false
   */
  readonly requiredForCompletion?: boolean;
}

/** What an Experiment does. */
export interface ExperimentSpec {
  /** The pods that run side by side. */
  readonly templates: readonly ExperimentTemplate[];
  /**
   * How long it runs once all pods are available.
   * @default - until its analyses are done
   */
  readonly duration?: Duration;
  /** What is measured. */
  readonly analyses?: readonly ExperimentAnalysis[];
  /** Metrics that do not decide. */
  readonly dryRun?: readonly DryRun[];
  /**
   * How many measurements are kept.
   * @default - 10 of each metric
   */
  readonly measurementRetention?: readonly MeasurementRetention[];
  /** Labels and annotations of the AnalysisRuns. */
  readonly analysisRunMetadata?: LabelsAndAnnotations;
  /**
   * Seconds in which the pods must become available.
   * @default - 600
   */
  readonly progressDeadlineSeconds?: Int32;
  /**
   * Seconds for which the pods stay after the end.
   * @default - 30
   */
  readonly scaleDownDelaySeconds?: Int32;
  /**
   * Ends it before its time.
   * @default - false
   */
  readonly terminate?: boolean;
}

/** Where the pods of one template are. */
export interface ExperimentTemplateStatus {
  /** Name of the template. */
  readonly name: string;
  /** Pods. */
  readonly replicas: Int32;
  /** Pods of the template as it is now. */
  readonly updatedReplicas: Int32;
  /** Pods that are ready. */
  readonly readyReplicas: Int32;
  /** Pods that are available. */
  readonly availableReplicas: Int32;
  /** Where they are. */
  readonly status?: string;
  /** A sentence on the status. */
  readonly message?: string;
  /** When the status last changed. */
  readonly lastTransitionTime?: Time;
  /** Hash of the pods. */
  readonly podTemplateHash?: string;
  /** Name of the Service. */
  readonly serviceName?: string;
  /** Count of collisions of hashes. */
  readonly collisionCount?: Int32;
}

/** Where an analysis of an Experiment is. */
export interface ExperimentAnalysisRunStatus {
  /** Name of the analysis. */
  readonly name: string;
  /** Name of the AnalysisRun. */
  readonly analysisRun: string;
  /** Its phase. */
  readonly phase: string;
  /** A sentence on the phase. */
  readonly message?: string;
}

/** What the controller says of an Experiment. */
export interface ExperimentStatus {
  /** Where it is. */
  readonly phase?: string;
  /** A sentence on the phase. */
  readonly message?: string;
  /** The aspects of the state. */
  readonly conditions?: readonly Condition[];
  /** When all pods were available. */
  readonly availableAt?: Time;
  /** Where the pods are. */
  readonly templateStatuses?: readonly ExperimentTemplateStatus[];
  /** Where the analyses are. */
  readonly analysisRuns?: readonly ExperimentAnalysisRunStatus[];
}

/** Pods of one or more versions that run for a time, beside a workload or alone. */
export interface Experiment {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'Experiment';
  readonly metadata: ObjectMeta;
  /** What is wanted. */
  readonly spec: ExperimentSpec;
  /** What the controller found. */
  readonly status?: ExperimentStatus;
}
