/** Helpers that write steps of a canary in the API's format in one line. */
import { checkPackageCall } from '../core/checked-calls';
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

/** The number of canary pods, independent of its traffic: one of the three. */
export type ArgoCanaryScale =
  | Only<CanaryScale, 'weight'>
  | Only<CanaryScale, 'replicas'>
  | { readonly matchTrafficWeight: true };

/** A header of requests for the canary. An ALB supports only `exact`, with `*` and `?` as wildcards. */
export interface ArgoHeaderMatch extends HeaderMatch {
  readonly headerValue: Only<StringMatch, 'exact'>;
}

/** A header route; without `match`, the controller removes it. */
export interface ArgoHeaderRoute extends HeaderRoute {
  /**
   * The headers. A request needs all names, with one of the values of each.
   * @default - remove the route
   */
  readonly match?: readonly ArgoHeaderMatch[];
}

/** Measurements that decide whether a release continues. */
export type ArgoAnalysis = RolloutAnalysis;

/** Versions that run temporarily in addition to the release, and their measurements. */
export type ArgoExperiment = RolloutExperiment;

/**
 * A step of a canary through an ALB, in the API's format. There is no `setMirrorRoute`: Argo mirrors requests only through
 * Istio and plugins.
 */
export type ArgoCanaryStep =
  | Only<CanaryStep, 'setWeight'>
  | Only<CanaryStep, 'pause'>
  | { readonly setCanaryScale: ArgoCanaryScale }
  | { readonly setHeaderRoute: ArgoHeaderRoute }
  | Only<CanaryStep, 'experiment'>
  | Only<CanaryStep, 'analysis'>
  | Only<CanaryStep, 'plugin'>;

/** Exactly one field of a type, which is required. */
type Only<T, K extends keyof T> = { readonly [Field in K]-?: NonNullable<T[Field]> };

/** Templates by name, or in the API's format. */
export type ArgoAnalysisTemplates = readonly (string | AnalysisTemplateRef)[];

/** Options of an analysis in addition to its templates. */
export interface ArgoAnalysisOptions extends Omit<ArgoAnalysis, 'templates' | 'args'> {
  /**
   * Arguments, as values by name or in the API's format.
   * @default - none
   */
  readonly args?: Readonly<Record<string, string>> | readonly RolloutArgument[];
}

/**
 * Creates the steps of a canary. Each is an object of the API, so a plain object works as well.
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
   * Sends a share of all requests to the new version, with the same share of pods.
   * @param percent from 0 to 100
   */
  static setWeight(percent: number): ArgoCanaryStep {
    return { setWeight: percent };
  }

  /**
   * Waits.
   * @param duration a Duration, seconds, or text such as `10m`; by default, waits for approval
   */
  static pause(duration?: DurationLike | number | string): ArgoCanaryStep {
    if (duration === undefined) return { pause: {} };
    return { pause: { duration: typeof duration === 'object' ? duration.toSeconds() : duration } };
  }

  /** Sets the number of canary pods, independent of its weight. */
  static setCanaryScale(scale: ArgoCanaryScale): ArgoCanaryStep {
    return { setCanaryScale: scale };
  }

  /**
   * Sends requests with headers to the new version. Argo removes the route while the canary has no pods, so an earlier step
   * must create pods.
   *
   * @param name of the route, which becomes the name of a backend in the Ingress
   * @param headers values by header name: a request needs all headers, with one of the values of each
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

  /** Removes a header route before the end of the release. */
  static removeHeaderRoute(name: string): ArgoCanaryStep {
    return { setHeaderRoute: { name } };
  }

  /** Runs versions in addition to the release, and measures them. */
  static experiment(experiment: ArgoExperiment): ArgoCanaryStep {
    return { experiment };
  }

  /** Measures, and continues only if the result is successful. */
  static analysis(templates: ArgoAnalysisTemplates, options: ArgoAnalysisOptions = {}): ArgoCanaryStep {
    return { analysis: argoAnalysis(templates, options) };
  }

  /** Runs a step of a plugin of the controller. */
  static plugin(name: string, config?: PluginStep['config']): ArgoCanaryStep {
    return { plugin: config === undefined ? { name } : { name, config } };
  }

  private constructor() {}
}

/**
 * An analysis in the API's format: in a step, in the background of a canary, before or after a promotion.
 * @example argoAnalysis(['success-rate', { templateName: 'latency', clusterScope: true }], { args: { service: 'web' } })
 */
export function argoAnalysis(templates: ArgoAnalysisTemplates, options: ArgoAnalysisOptions = {}): ArgoAnalysis {
  checkPackageCall('argoAnalysis', [templates, options], argoAnalysis);
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
