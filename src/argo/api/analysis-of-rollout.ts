import type { Int32, LabelsAndAnnotations } from './common';

/** A field of an object. */
export interface FieldRef {
  /** The path of the field: `metadata.labels['region']`. */
  readonly fieldPath: string;
}

/** The source of an argument's value in a Rollout. */
export interface RolloutArgumentSource {
  /** A field of the Rollout. In `metadata`, only annotations, labels, name, namespace and uid are supported. */
  readonly fieldRef?: FieldRef;
  /**
   * The pod template hash of the old or the new version.
   * @open
   */
  readonly podTemplateHashValue?: 'Stable' | 'Latest';
}

/** An argument of an analysis in a Rollout. */
export interface RolloutArgument {
  /** The name of the argument in the template. */
  readonly name: string;
  /** The value of the argument. */
  readonly value?: string;
  /** The source of the value. */
  readonly valueFrom?: RolloutArgumentSource;
}

/** A metric in dry-run mode: the controller measures it, but it does not affect the result. */
export interface DryRun {
  /** The name of the metric, or a regular expression that matches it. */
  readonly metricName: string;
}

/** The number of measurements of a metric that the controller keeps. */
export interface MeasurementRetention {
  /** The name of the metric, or a regular expression that matches it. */
  readonly metricName: string;
  /** The number of measurements. */
  readonly limit: Int32;
}

/** A reference to an AnalysisTemplate or a ClusterAnalysisTemplate. */
export interface AnalysisTemplateRef {
  /**
   * The name of the template.
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
   * The templates, which the controller merges.
   * @crdOptional
   */
  readonly templates: readonly AnalysisTemplateRef[];
  /** The arguments of the templates. */
  readonly args?: readonly RolloutArgument[];
  /** Metrics in dry-run mode. */
  readonly dryRun?: readonly DryRun[];
  /**
   * The number of measurements to keep.
   * @default - 10 of each metric
   */
  readonly measurementRetention?: readonly MeasurementRetention[];
  /** Labels and annotations of the AnalysisRun. */
  readonly analysisRunMetadata?: LabelsAndAnnotations;
}

/** An analysis that runs in the background of the steps until the release is complete. */
export interface RolloutBackgroundAnalysis extends RolloutAnalysis {
  /**
   * The step at which it starts, counted from 0.
   * @default - 0
   */
  readonly startingStep?: Int32;
}
