/** Steps of a canary in the API's own shape, written in one line each. */
import { compact } from './values';

/** A length of time, as the Duration of cdk8s has it. */
export interface ArgoDuration {
  toSeconds(): number;
}

/** How many pods the canary has, whatever its share of the traffic is: one of the three. */
export type ArgoCanaryScale =
  | {
      /** Percent of the replicas. */
      readonly weight: number;
    }
  | {
      /** Pods. */
      readonly replicas: number;
    }
  | {
      /** As many as the weight asks for again. */
      readonly matchTrafficWeight: true;
    };

/** A header that requests to the canary carry. An ALB takes `exact` alone, and takes `*` and `?` in it for wildcards. */
export interface ArgoHeaderMatch {
  readonly headerName: string;
  readonly headerValue: { readonly exact: string };
}

/** A header route; one without `match` is taken away. */
export interface ArgoHeaderRoute {
  readonly name: string;
  /**
   * Entries with the same name are alternatives, all the names are needed.
   * @default - the route is taken away
   */
  readonly match?: readonly ArgoHeaderMatch[];
}

/** Names an AnalysisTemplate, or a ClusterAnalysisTemplate. */
export interface ArgoAnalysisTemplateRef {
  readonly templateName: string;
  /**
   * Whether it is a ClusterAnalysisTemplate.
   * @default false
   */
  readonly clusterScope?: boolean;
}

/** An argument of an analysis: a value, or where it is taken from. */
export interface ArgoAnalysisArgument {
  readonly name: string;
  /** @default - `valueFrom` says it */
  readonly value?: string;
  /** @default - `value` says it */
  readonly valueFrom?: {
    readonly podTemplateHashValue?: 'Latest' | 'Stable';
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

/** Measurements that decide whether a release goes on. */
export interface ArgoAnalysis {
  readonly templates: readonly ArgoAnalysisTemplateRef[];
  /** @default - none */
  readonly args?: readonly ArgoAnalysisArgument[];
  /**
   * Metrics whose result does not count.
   * @default - none
   */
  readonly dryRun?: readonly { readonly metricName: string }[];
  /** @default - the last 10 of each metric */
  readonly measurementRetention?: readonly { readonly metricName: string; readonly limit: number }[];
  /** @default - none */
  readonly analysisRunMetadata?: ArgoLabelsAndAnnotations;
}

/** Labels and annotations that are given to objects. */
export interface ArgoLabelsAndAnnotations {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** One version that an experiment runs. */
export interface ArgoExperimentTemplate {
  readonly name: string;
  /** Whose pods they are. */
  readonly specRef: 'canary' | 'stable';
  /** @default 1 */
  readonly replicas?: number;
  /**
   * Percent of the traffic. It gets a Service with the ports of the containers, so that the port of the Rollout has to be
   * one of these.
   * @default - none, and no Service
   */
  readonly weight?: number;
  /** @default - a Service with a name made by the controller, where there is a weight */
  readonly service?: { readonly name?: string };
  /** @default - none */
  readonly metadata?: ArgoLabelsAndAnnotations;
  /** @default - made by the controller */
  readonly selector?: object;
}

/** Versions that run beside the release for a while, and what is measured in them. */
export interface ArgoExperiment {
  readonly templates: readonly ArgoExperimentTemplate[];
  /**
   * As in `30s`, `5m` or `1h`.
   * @default - until its analyses are done
   */
  readonly duration?: string;
  /** @default - none */
  readonly analyses?: readonly {
    readonly name: string;
    readonly templateName: string;
    readonly clusterScope?: boolean;
    readonly requiredForCompletion?: boolean;
    readonly args?: readonly ArgoAnalysisArgument[];
  }[];
  /** @default - none */
  readonly dryRun?: readonly { readonly metricName: string }[];
  /** @default - none */
  readonly analysisRunMetadata?: ArgoLabelsAndAnnotations;
  /** @default 30 */
  readonly scaleDownDelaySeconds?: number;
}

/**
 * A step of a canary through an ALB, as the API has it. `setMirrorRoute` is none of them: Argo mirrors requests through
 * Istio and plugins alone.
 */
export type ArgoCanaryStep =
  | { readonly setWeight: number }
  | { readonly pause: { readonly duration?: number | string } }
  | { readonly setCanaryScale: ArgoCanaryScale }
  | { readonly setHeaderRoute: ArgoHeaderRoute }
  | { readonly experiment: ArgoExperiment }
  | { readonly analysis: ArgoAnalysis }
  | { readonly plugin: { readonly name: string; readonly config?: object } };

/** Templates by their names, or as the API has them. */
export type ArgoAnalysisTemplates = readonly (string | ArgoAnalysisTemplateRef)[];

/** What an analysis may say beside its templates. */
export interface ArgoAnalysisOptions extends Omit<ArgoAnalysis, 'templates' | 'args'> {
  /**
   * Arguments, as values by name or as the API has them.
   * @default - none
   */
  readonly args?: Readonly<Record<string, string>> | readonly ArgoAnalysisArgument[];
}

/**
 * The steps of a canary. Each is what the API has, so a plain object does as well.
 *
 * @example
 * [
 *   ArgoStep.setCanaryScale({ replicas: 1 }),
 *   ArgoStep.setHeaderRoute('beta', { 'x-beta': '1' }),
 *   ArgoStep.pause(),
 *   ArgoStep.setWeight(20),
 *   ArgoStep.pause(Duration.minutes(10)),
 *   ArgoStep.analysis(['success-rate'], { args: { service: 'web' } }),
 * ];
 */
export class ArgoStep {
  /**
   * A share of all requests goes to the new version, and as many pods.
   * @param percent from 0 to 100
   */
  static setWeight(percent: number): ArgoCanaryStep {
    return { setWeight: percent };
  }

  /**
   * Waits.
   * @param duration a Duration, seconds, or as in `10m`; without it until somebody approves
   */
  static pause(duration?: ArgoDuration | number | string): ArgoCanaryStep {
    if (duration === undefined) return { pause: {} };
    return { pause: { duration: typeof duration === 'object' ? duration.toSeconds() : duration } };
  }

  /** Sets how many pods the canary has, apart from its weight. */
  static setCanaryScale(scale: ArgoCanaryScale): ArgoCanaryStep {
    return { setCanaryScale: scale };
  }

  /**
   * Requests with headers go to the new version. Argo takes the route away whenever the canary has no pods, so that a
   * step with pods has to come before.
   *
   * @param name of the route, which becomes the name of a backend in the Ingress
   * @param headers values by the name of their header: the values of one header are alternatives, all headers are needed
   * @example ArgoStep.setHeaderRoute('beta', { 'x-beta': '1', 'x-region': ['eu', 'us'] })
   */
  static setHeaderRoute(name: string, headers: Readonly<Record<string, string | readonly string[]>>): ArgoCanaryStep {
    const match = Object.entries(headers).flatMap(([headerName, values]) =>
      (typeof values === 'string' ? [values] : values).map((exact) => ({ headerName, headerValue: { exact } })),
    );
    return { setHeaderRoute: { name, match } };
  }

  /** Takes a header route away, before the end of the release does. */
  static removeHeaderRoute(name: string): ArgoCanaryStep {
    return { setHeaderRoute: { name } };
  }

  /** Runs versions beside the release, and measures them. */
  static experiment(experiment: ArgoExperiment): ArgoCanaryStep {
    return { experiment };
  }

  /** Measures, and goes on only if the result is good. */
  static analysis(templates: ArgoAnalysisTemplates, options: ArgoAnalysisOptions = {}): ArgoCanaryStep {
    return { analysis: argoAnalysis(templates, options) };
  }

  /** A step of a plugin that the controller was given. */
  static plugin(name: string, config?: object): ArgoCanaryStep {
    return { plugin: config === undefined ? { name } : { name, config } };
  }

  private constructor() {}
}

/**
 * An analysis as the API has it: of a step, in the background of a canary, before or after a promotion.
 * @example argoAnalysis(['success-rate', { templateName: 'latency', clusterScope: true }], { args: { service: 'web' } })
 */
export function argoAnalysis(templates: ArgoAnalysisTemplates, options: ArgoAnalysisOptions = {}): ArgoAnalysis {
  const { args, ...rest } = options;
  return compact({
    templates: templates.map((one) => (typeof one === 'string' ? { templateName: one } : one)),
    args: args === undefined || isList(args) ? args : Object.entries(args).map(([name, value]) => ({ name, value })),
    ...rest,
  });
}

function isList(args: NonNullable<ArgoAnalysisOptions['args']>): args is readonly ArgoAnalysisArgument[] {
  return Array.isArray(args);
}
