/** Helpers that write steps and matches in the API's format in one line. */
import type { DurationLike } from '../core/duration';
import { compact } from '../core/json';
import type { CanaryStep, HttpHeaderFilter, HttpPathMatch, HttpRouteMatch, IntOrString, RolloutPause } from './api';

/** How long a step waits: a duration, `{ duration: 300 }` in seconds, or `{}` to wait for approval. */
export type Pause = RolloutPause | DurationLike;

/** Options of every step. */
export interface StepOptions {
  /**
   * How long the step waits before the next one.
   * @default - wait for approval
   */
  readonly pause?: Pause;

  /**
   * Changes to the headers of requests to the new version. Few load balancers support this.
   * @default - none
   */
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** Options of a step by percentage. */
export interface TrafficStepOptions extends StepOptions {
  /**
   * The pods of the new version at the end of the step, as a number or a percentage.
   * @default - the same percentage as the traffic
   */
  readonly replicas?: IntOrString;
}

/** Options of a step by matches. */
export interface MatchesStepOptions extends StepOptions {
  /** The pods of the new version at the end of the step, as a number or a percentage. */
  readonly replicas: IntOrString;
}

/**
 * Creates the steps of a Rollout. Each is a `CanaryStep` of the API, so a plain object works as well.
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
   * Sends a share of all requests to the new version.
   * @param share `'20%'`, or `20`
   */
  static traffic(share: string | number, options: TrafficStepOptions = {}): CanaryStep {
    const traffic = percentage(share);
    // The API requires a number of pods, but 0% does not imply a valid one; the check of the step reports that.
    const replicas = options.replicas ?? traffic;
    return step({ traffic, requestHeaderModifier: options.requestHeaderModifier, replicas }, options);
  }

  /** Sends only requests that agree with any of these matches to the new version. */
  static matches(matches: readonly HttpRouteMatch[], options: MatchesStepOptions): CanaryStep {
    const { requestHeaderModifier, replicas } = options;
    return step({ matches, requestHeaderModifier, replicas }, options);
  }

  /**
   * Replaces pods without routing: requests reach the new version in proportion to its pods.
   * @param replicas The pods of the new version at the end of the step, as a number or a percentage.
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
    throw new Error(`traffic is ${share}: use a whole percentage from 0 to 100, such as 20 or "20%"`);
  }
  return `${share}%`;
}

/** Conditions on one header of a request. */
export class HeaderMatch {
  /** The header has exactly this value. */
  static exact(name: string, value: string): HttpRouteMatch {
    return { headers: [{ type: 'Exact', name, value }] };
  }

  /** The header matches a regular expression. The load balancer defines the dialect, and whether the whole value must match. */
  static regularExpression(name: string, value: string): HttpRouteMatch {
    return { headers: [{ type: 'RegularExpression', name, value }] };
  }

  private constructor() {}
}

/** Conditions on one query parameter. Most load balancers ignore them: see docs/scripts.md. Since 0.6. */
export class QueryParamMatch {
  /** The parameter has exactly this value. */
  static exact(name: string, value: string): HttpRouteMatch {
    return { queryParams: [{ type: 'Exact', name, value }] };
  }

  /** The parameter matches a regular expression. */
  static regularExpression(name: string, value: string): HttpRouteMatch {
    return { queryParams: [{ type: 'RegularExpression', name, value }] };
  }

  private constructor() {}
}

/** Conditions on the path. Most load balancers ignore them: see docs/scripts.md. Since 0.6. */
export class PathMatch {
  /** The path is exactly this value. */
  static exact(value: string): HttpRouteMatch {
    return path('Exact', value);
  }

  /** The path is this value or below it. */
  static prefix(value: string): HttpRouteMatch {
    return path('PathPrefix', value);
  }

  /** The path matches a regular expression. */
  static regularExpression(value: string): HttpRouteMatch {
    return path('RegularExpression', value);
  }

  private constructor() {}
}

function path(type: HttpPathMatch['type'], value: string): HttpRouteMatch {
  return { path: { type, value } };
}

/** Combines conditions. */
export class RouteMatch {
  /**
   * One match that requires all of these conditions. (Of a step's matches, one is enough.)
   * @example RouteMatch.allOf(HeaderMatch.exact('user-agent', 'pc'), PathMatch.prefix('/cart'))
   */
  static allOf(...conditions: readonly HttpRouteMatch[]): HttpRouteMatch {
    const paths = conditions.flatMap((condition) => condition.path ?? []);
    if (paths.length > 1) {
      const values = paths.map(({ value }) => `"${value}"`).join(' and ');
      throw new Error(
        `a match can have one path, not ${values}: write two matches instead, because one of them is enough`,
      );
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
