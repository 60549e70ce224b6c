/** Steps and matches in the API's own shape, written in one line each. */
import type { DurationLike } from '../core/duration';
import type { CanaryStep, HttpHeaderFilter, HttpPathMatch, HttpRouteMatch, IntOrString, RolloutPause } from './api';
import { compact } from './json';

/** How long a step waits: a duration, `{ duration: 300 }` in seconds, or `{}` until somebody approves. */
export type Pause = RolloutPause | DurationLike;

/** What a step may say besides where traffic goes. */
export interface StepOptions {
  /**
   * How long the step waits before the next one.
   * @default - until somebody approves
   */
  readonly pause?: Pause;

  /**
   * Changes to the headers of requests that go to the new version. Few load balancers can do that.
   * @default - none
   */
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** What a step by percentage may say. */
export interface TrafficStepOptions extends StepOptions {
  /**
   * Pods of the new version at the end of the step, as a number or a percentage.
   * @default - the same percentage as the traffic
   */
  readonly replicas?: IntOrString;
}

/** What a step by matches has to say. */
export interface MatchesStepOptions extends StepOptions {
  /** Pods of the new version at the end of the step, as a number or a percentage. */
  readonly replicas: IntOrString;
}

/**
 * The steps of a Rollout. Each is the API's own `CanaryStep`, so a plain object does as well.
 *
 * @example
 * [
 *   KruiseRolloutStep.matches([HeaderMatch.exact('user-agent', 'pc')], { replicas: 1 }),
 *   KruiseRolloutStep.traffic('20%', { pause: Duration.minutes(10) }),
 *   KruiseRolloutStep.traffic('100%'),
 * ];
 */
export class KruiseRolloutStep {
  /**
   * A share of all requests goes to the new version.
   * @param share `'20%'`, or `20`
   */
  static traffic(share: string | number, options: TrafficStepOptions = {}): CanaryStep {
    const traffic = percentage(share);
    // With 0% there is no pod count that would follow from it; the API asks for one, and so does the check of the step.
    const replicas = options.replicas ?? traffic;
    return step({ traffic, requestHeaderModifier: options.requestHeaderModifier, replicas }, options);
  }

  /** Requests that meet any of these matches go to the new version, and no others. */
  static matches(matches: readonly HttpRouteMatch[], options: MatchesStepOptions): CanaryStep {
    const { requestHeaderModifier, replicas } = options;
    return step({ matches, requestHeaderModifier, replicas }, options);
  }

  /**
   * Pods are replaced and nothing is routed: requests reach the new version in proportion to its pods.
   * @param replicas Pods of the new version at the end of the step, as a number or a percentage.
   */
  static replicas(replicas: IntOrString, options: Pick<StepOptions, 'pause'> = {}): CanaryStep {
    return step({ replicas }, options);
  }

  private constructor() {}
}

function step(fields: CanaryStep, { pause }: StepOptions): CanaryStep {
  return compact({ ...fields, pause: pause === undefined ? undefined : pauseOf(pause) });
}

function pauseOf(pause: Pause): RolloutPause {
  return isDuration(pause) ? { duration: pause.toSeconds() } : pause;
}

function isDuration(value: object): value is DurationLike {
  return 'toSeconds' in value && typeof value.toSeconds === 'function';
}

function percentage(share: string | number): string {
  if (typeof share === 'string') return share;
  if (!Number.isInteger(share) || share < 0 || share > 100) {
    throw new Error(`traffic is ${share}: give a whole percentage from 0 to 100, as 20 or "20%"`);
  }
  return `${share}%`;
}

/** Conditions on one header of a request. */
export class HeaderMatch {
  /** The header has exactly this value. */
  static exact(name: string, value: string): HttpRouteMatch {
    return { headers: [{ type: 'Exact', name, value }] };
  }

  /** The header fits a pattern. Which dialect, and whether the whole value has to fit, is up to the load balancer. */
  static regularExpression(name: string, value: string): HttpRouteMatch {
    return { headers: [{ type: 'RegularExpression', name, value }] };
  }

  private constructor() {}
}

/** Conditions on one parameter of the query. Most load balancers ignore them: see docs/scripts.md. From 0.6 on. */
export class QueryParamMatch {
  /** The parameter has exactly this value. */
  static exact(name: string, value: string): HttpRouteMatch {
    return { queryParams: [{ type: 'Exact', name, value }] };
  }

  /** The parameter fits a pattern. */
  static regularExpression(name: string, value: string): HttpRouteMatch {
    return { queryParams: [{ type: 'RegularExpression', name, value }] };
  }

  private constructor() {}
}

/** Conditions on the path. Most load balancers ignore them: see docs/scripts.md. From 0.6 on. */
export class PathMatch {
  /** The path is exactly this one. */
  static exact(value: string): HttpRouteMatch {
    return path('Exact', value);
  }

  /** The path is this one or lies below it. */
  static prefix(value: string): HttpRouteMatch {
    return path('PathPrefix', value);
  }

  /** The path fits a pattern. */
  static regularExpression(value: string): HttpRouteMatch {
    return path('RegularExpression', value);
  }

  private constructor() {}
}

function path(type: HttpPathMatch['type'], value: string): HttpRouteMatch {
  return { path: { type, value } };
}

/** Puts conditions together. */
export class RouteMatch {
  /**
   * One match in which all of these conditions must hold. (Of the matches of a step, any one is enough.)
   * @example RouteMatch.allOf(HeaderMatch.exact('user-agent', 'pc'), PathMatch.prefix('/cart'))
   */
  static allOf(...conditions: readonly HttpRouteMatch[]): HttpRouteMatch {
    const paths = conditions.flatMap((condition) => condition.path ?? []);
    if (paths.length > 1) {
      const values = paths.map(({ value }) => `"${value}"`).join(' and ');
      throw new Error(`a match can hold one path, not ${values}: give two matches, of which any one is enough`);
    }
    const headers = conditions.flatMap((condition) => condition.headers ?? []);
    const queryParams = conditions.flatMap((condition) => condition.queryParams ?? []);
    return compact({
      path: paths[0],
      headers: headers.length > 0 ? headers : undefined,
      queryParams: queryParams.length > 0 ? queryParams : undefined,
    });
  }

  private constructor() {}
}
