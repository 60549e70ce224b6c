import type { DryRun, RolloutAnalysis, RolloutArgument } from './analysis-of-rollout';
import type { AnyObject, Duration, Int32, IntOrString, LabelSelector, LabelsAndAnnotations } from './common';

/** A pause; an empty one waits for approval. */
export interface Pause {
  /**
   * Seconds, or a duration such as `10m`.
   * @default - wait for approval
   */
  readonly duration?: IntOrString;
}

/** The number of canary pods, independent of its weight: one of the fields. */
export interface CanaryScale {
  /** The share of `spec.replicas` in percent. */
  readonly weight?: Int32;
  /** The number of pods. */
  readonly replicas?: Int32;
  /** Uses the number of pods for the weight again. */
  readonly matchTrafficWeight?: boolean;
}

/** How to compare a text: one of the fields. */
export interface StringMatch {
  /** The text must equal this. An ALB supports only this field. */
  readonly exact?: string;
  /** The text must start with this. */
  readonly prefix?: string;
  /** The text must match this regular expression. */
  readonly regex?: string;
}

/** String matches by name. */
export interface StringMatches {
  readonly [name: string]: StringMatch;
}

/** A header that a request must have. */
export interface HeaderMatch {
  /** Name of the header. */
  readonly headerName: string;
  /** The value of the header. */
  readonly headerValue: StringMatch;
}

/** A route for requests with certain headers to the canary. */
export interface HeaderRoute {
  /**
   * The name of the route, one of `managedRoutes`.
   * @crdOptional
   */
  readonly name: string;
  /**
   * The headers. With an ALB, a request needs all names, with one of the values of each.
   * @default - remove the route
   */
  readonly match?: readonly HeaderMatch[];
}

/** Requests to mirror: all conditions must hold. */
export interface RouteMatch {
  /** A condition on the method. */
  readonly method?: StringMatch;
  /** A condition on the path. */
  readonly path?: StringMatch;
  /** Conditions on headers, by their names. */
  readonly headers?: StringMatches;
}

/** A route that sends copies of requests to the canary. An ALB does not support this. */
export interface MirrorRoute {
  /** The name of the route, one of `managedRoutes`. */
  readonly name: string;
  /**
   * Requests to mirror; one match of the list is enough.
   * @default - remove the route
   */
  readonly match?: readonly RouteMatch[];
  /**
   * The share of the requests in percent.
   * @default - 100
   */
  readonly percentage?: Int32;
}

/** A Service for the pods of an experiment. */
export interface ExperimentService {
  /**
   * The name of the Service.
   * @default - the names of the experiment and the template
   */
  readonly name?: string;
}

/** Pods that an experiment of a Rollout runs. */
export interface RolloutExperimentTemplate {
  /** Name of the pods' ReplicaSet in the experiment. */
  readonly name: string;
  /**
   * The version to run.
   * @open
   */
  readonly specRef: 'stable' | 'canary';
  /**
   * The number of pods.
   * @default - 1
   */
  readonly replicas?: Int32;
  /** Labels and annotations of the pods. */
  readonly metadata?: LabelsAndAnnotations;
  /**
   * The labels of the pods.
   * @default - the labels of the Rollout's pods
   */
  readonly selector?: LabelSelector;
  /**
   * The share of the traffic in percent.
   * @default - no traffic
   */
  readonly weight?: Int32;
  /**
   * A Service for these pods.
   * @default - only with a weight
   */
  readonly service?: ExperimentService;
}

/** An analysis in an experiment of a Rollout. */
export interface RolloutExperimentAnalysis {
  /** Name of the analysis in the experiment. */
  readonly name: string;
  /** Name of the template. */
  readonly templateName: string;
  /**
   * Whether it is a ClusterAnalysisTemplate.
   * @default - false
   */
  readonly clusterScope?: boolean;
  /** Arguments of the template. */
  readonly args?: readonly RolloutArgument[];
  /**
   * Whether the experiment waits for the analysis.
   * @default - false
   */
  readonly requiredForCompletion?: boolean;
}

/** An experiment that a Rollout runs as a step. */
export interface RolloutExperiment {
  /** The pods that run side by side. */
  readonly templates: readonly RolloutExperimentTemplate[];
  /**
   * How long it runs.
   * @default - until its analyses are complete
   */
  readonly duration?: Duration;
  /** The analyses. */
  readonly analyses?: readonly RolloutExperimentAnalysis[];
  /** Metrics in dry-run mode. */
  readonly dryRun?: readonly DryRun[];
  /** Labels and annotations of the AnalysisRuns. */
  readonly analysisRunMetadata?: LabelsAndAnnotations;
  /**
   * The seconds that the pods stay after the end.
   * @default - 30
   */
  readonly scaleDownDelaySeconds?: Int32;
}

/** A step that a plugin of the controller runs. */
export interface PluginStep {
  /** The name of the plugin: `company/name`. */
  readonly name: string;
  /** The configuration of the plugin. */
  readonly config?: AnyObject;
}

/**
 * One step of a canary: one of the fields. Only `setCanaryScale`, the routes and `plugin` may be combined with another one.
 *
 * @example { setWeight: 20 }
 */
export interface CanaryStep {
  /** The share of the traffic in percent; without traffic routing, the share of the pods. */
  readonly setWeight?: Int32;
  /** Waits. */
  readonly pause?: Pause;
  /** Sets the number of the canary's pods. Only with traffic routing. */
  readonly setCanaryScale?: CanaryScale;
  /** Sends requests with certain headers to the canary. */
  readonly setHeaderRoute?: HeaderRoute;
  /** Sends copies of requests to the canary. */
  readonly setMirrorRoute?: MirrorRoute;
  /** Runs an experiment and waits for it. */
  readonly experiment?: RolloutExperiment;
  /** Runs an analysis and waits for it. */
  readonly analysis?: RolloutAnalysis;
  /** Runs a plugin and waits for it. */
  readonly plugin?: PluginStep;
}
