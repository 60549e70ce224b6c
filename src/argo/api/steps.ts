import type { DryRun, RolloutAnalysis, RolloutArgument } from './analysis-of-rollout';
import type { AnyObject, Duration, Int32, IntOrString, LabelSelector, LabelsAndAnnotations } from './common';

/** A wait; an empty one waits for approval. */
export interface Pause {
  /**
   * Seconds, or a time as in `10m`.
   * @default - until somebody approves
   */
  readonly duration?: IntOrString;
}

/** How many pods the canary has, apart from its weight: one of the fields. */
export interface CanaryScale {
  /** Share of `spec.replicas` in percent. */
  readonly weight?: Int32;
  /** Number of pods. */
  readonly replicas?: Int32;
  /** Goes back to what the weight asks for. */
  readonly matchTrafficWeight?: boolean;
}

/** How a text is compared: one of the fields. */
export interface StringMatch {
  /** It must be this. With an ALB the only one. */
  readonly exact?: string;
  /** It must begin with this. */
  readonly prefix?: string;
  /** This regular expression must match it. */
  readonly regex?: string;
}

/** Texts by name, each with how it is compared. */
export interface StringMatches {
  readonly [name: string]: StringMatch;
}

/** A header that a request must have. */
export interface HeaderMatch {
  /** Name of the header. */
  readonly headerName: string;
  /** What the header must hold. */
  readonly headerValue: StringMatch;
}

/** A route for requests with certain headers to the canary. */
export interface HeaderRoute {
  /**
   * Name of the route, one of `managedRoutes`.
   * @crdOptional
   */
  readonly name: string;
  /**
   * The headers. With an ALB all of them must match, and the values of one name are alternatives.
   * @default - the route is removed
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

/** A route that sends copies of requests to the canary. An ALB cannot. */
export interface MirrorRoute {
  /** Name of the route, one of `managedRoutes`. */
  readonly name: string;
  /**
   * Requests to mirror; any match of the list will do.
   * @default - the route is removed
   */
  readonly match?: readonly RouteMatch[];
  /**
   * Share of the requests in percent.
   * @default - 100
   */
  readonly percentage?: Int32;
}

/** A Service for the pods of an experiment. */
export interface ExperimentService {
  /**
   * Its name.
   * @default - one that is made of the names of the experiment and the template
   */
  readonly name?: string;
}

/** Pods that an experiment of a Rollout runs. */
export interface RolloutExperimentTemplate {
  /** Name of the pods' ReplicaSet in the experiment. */
  readonly name: string;
  /**
   * Which version runs.
   * @open
   */
  readonly specRef: 'stable' | 'canary';
  /**
   * Number of pods.
   * @default - 1
   */
  readonly replicas?: Int32;
  /** Labels and annotations of the pods. */
  readonly metadata?: LabelsAndAnnotations;
  /**
   * Labels of the pods.
   * @default - those of the Rollout
   */
  readonly selector?: LabelSelector;
  /**
   * Share of the traffic in percent.
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
   * Whether the experiment waits for it.
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
   * @default - until its analyses are done
   */
  readonly duration?: Duration;
  /** What is measured. */
  readonly analyses?: readonly RolloutExperimentAnalysis[];
  /** Metrics that do not decide. */
  readonly dryRun?: readonly DryRun[];
  /** Labels and annotations of the AnalysisRuns. */
  readonly analysisRunMetadata?: LabelsAndAnnotations;
  /**
   * Seconds for which the pods stay after the end.
   * @default - 30
   */
  readonly scaleDownDelaySeconds?: Int32;
}

/** A step that a plugin of the controller does. */
export interface PluginStep {
  /** Name of the plugin, `company/name`. */
  readonly name: string;
  /** What the plugin is told. */
  readonly config?: AnyObject;
}

/**
 * One step of a canary: one of the fields. Only `setCanaryScale`, the routes and `plugin` may stand beside another one.
 *
 * @example { setWeight: 20 }
 */
export interface CanaryStep {
  /** Share of the traffic in percent; without traffic routing, of the pods. */
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
