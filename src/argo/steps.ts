/** Steps of a canary in the API's own shape, written in one line each. */
import type { DurationLike } from '../core/duration';
import { compact } from '../core/json';
import type {
  AnalysisTemplateRef,
  CanaryScale,
  CanaryStep,
  HeaderMatch,
  HeaderRoute,
  PluginStep,
  RolloutAnalysis,
  RolloutArgument,
  RolloutExperiment,
  StringMatch,
} from './api';

/** How many pods the canary has, whatever its share of the traffic is: one of the three. */
export type ArgoCanaryScale =
  | Only<CanaryScale, 'weight'>
  | Only<CanaryScale, 'replicas'>
  | { readonly matchTrafficWeight: true };

/** A header that requests to the canary carry. An ALB takes `exact` alone, and takes `*` and `?` in it for wildcards. */
export interface ArgoHeaderMatch extends HeaderMatch {
  readonly headerValue: Only<StringMatch, 'exact'>;
}

/** A header route; one without `match` is taken away. */
export interface ArgoHeaderRoute extends HeaderRoute {
  /**
   * Entries with the same name are alternatives, all the names are needed.
   * @default - the route is taken away
   */
  readonly match?: readonly ArgoHeaderMatch[];
}

/** Measurements that decide whether a release goes on. */
export type ArgoAnalysis = RolloutAnalysis;

/** Versions that run beside the release for a while, and what is measured in them. */
export type ArgoExperiment = RolloutExperiment;

/**
 * A step of a canary through an ALB, as the API has it. `setMirrorRoute` is none of them: Argo mirrors requests through
 * Istio and plugins alone.
 */
export type ArgoCanaryStep =
  | Only<CanaryStep, 'setWeight'>
  | Only<CanaryStep, 'pause'>
  | { readonly setCanaryScale: ArgoCanaryScale }
  | { readonly setHeaderRoute: ArgoHeaderRoute }
  | Only<CanaryStep, 'experiment'>
  | Only<CanaryStep, 'analysis'>
  | Only<CanaryStep, 'plugin'>;

/** One field of many, which has to be there. */
type Only<T, K extends keyof T> = { readonly [Field in K]-?: NonNullable<T[Field]> };

/** Templates by their names, or as the API has them. */
export type ArgoAnalysisTemplates = readonly (string | AnalysisTemplateRef)[];

/** What an analysis may say beside its templates. */
export interface ArgoAnalysisOptions extends Omit<ArgoAnalysis, 'templates' | 'args'> {
  /**
   * Arguments, as values by name or as the API has them.
   * @default - none
   */
  readonly args?: Readonly<Record<string, string>> | readonly RolloutArgument[];
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
  static pause(duration?: DurationLike | number | string): ArgoCanaryStep {
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
    const match = Object.entries(headers).flatMap(([headerName, given]) => {
      const values = typeof given === 'string' ? [given] : given;
      if (values.length === 0) throw new Error(`the header "${headerName}" of the route "${name}" has no value`);
      return values.map((exact) => ({ headerName, headerValue: { exact } }));
    });
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
  static plugin(name: string, config?: PluginStep['config']): ArgoCanaryStep {
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

function isList(args: NonNullable<ArgoAnalysisOptions['args']>): args is readonly RolloutArgument[] {
  return Array.isArray(args);
}
