import type { Int32, LabelsAndAnnotations } from './common';

/** A field of an object. */
export interface FieldRef {
  /** Path of the field, `metadata.labels['region']`. */
  readonly fieldPath: string;
}

/** Where a Rollout takes the value of an argument from. */
export interface RolloutArgumentSource {
  /** A field of the Rollout. Of `metadata` only annotations, labels, name, namespace and uid can be read. */
  readonly fieldRef?: FieldRef;
  /**
   * The hash of the pod template of the old or of the new version.
   * @open
   */
  readonly podTemplateHashValue?: 'Stable' | 'Latest';
}

/** An argument that a Rollout gives to an analysis. */
export interface RolloutArgument {
  /** Name of the argument in the template. */
  readonly name: string;
  /** Its value. */
  readonly value?: string;
  /** Where its value comes from. */
  readonly valueFrom?: RolloutArgumentSource;
}

/** A metric that is measured and does not decide. */
export interface DryRun {
  /** Name of the metric, or a regular expression that finds something in it. */
  readonly metricName: string;
}

/** How many measurements of a metric are kept. */
export interface MeasurementRetention {
  /** Name of the metric, or a regular expression that finds something in it. */
  readonly metricName: string;
  /** The number of measurements. */
  readonly limit: Int32;
}

/** Names an AnalysisTemplate or a ClusterAnalysisTemplate. */
export interface AnalysisTemplateRef {
  /**
   * Name of the template.
   * @crdOptional
   */
  readonly templateName: string;
  /**
   * Whether it is a ClusterAnalysisTemplate.
   * @default - false
   */
  readonly clusterScope?: boolean;
}

/** An analysis that a Rollout runs. */
export interface RolloutAnalysis {
  /**
   * The templates, put together to one.
   * @crdOptional
   */
  readonly templates: readonly AnalysisTemplateRef[];
  /** Arguments of the templates. */
  readonly args?: readonly RolloutArgument[];
  /** Metrics that do not decide. */
  readonly dryRun?: readonly DryRun[];
  /**
   * How many measurements are kept.
   * @default - 10 of each metric
   */
  readonly measurementRetention?: readonly MeasurementRetention[];
  /** Labels and annotations of the AnalysisRun. */
  readonly analysisRunMetadata?: LabelsAndAnnotations;
}

/** An analysis that runs beside the steps until the Rollout is done. */
export interface RolloutBackgroundAnalysis extends RolloutAnalysis {
  /**
   * The step, from 0, with which it starts.
   * @default - 0
   */
  readonly startingStep?: Int32;
}
