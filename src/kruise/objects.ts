/** Rollouts and TrafficRoutings from their options, the same for every shell. */

import { compact } from '../core/json';
import type { PropTable } from '../core/props';
import type { HttpHeaderFilter, HttpRouteMatch, ObjectMeta } from './api';
import {
  type RolloutManifest,
  rolloutManifest,
  type TrafficRoutingManifest,
  trafficRoutingManifest,
} from './manifests';
import {
  type NameReference,
  nameOf,
  type ObjectReference,
  objectRefOf,
  type TrafficRoutingOptions,
  trafficRoutingRef,
} from './references';
import type { KruiseRolloutStrategy } from './strategy';
import { KruiseRolloutVersion } from './version';

/** The options of a Rollout. */
export interface KruiseRolloutOptions {
  /** The workload whose releases go step by step: a Deployment, or another kind that the controller knows. */
  readonly workload: ObjectReference;

  /** How a release happens, with its steps. */
  readonly strategy: KruiseRolloutStrategy;

  /**
   * Where the traffic of the steps is split: the Service, and what routes to it.
   * @default - traffic is not routed: requests reach the new version in proportion to its pods
   */
  readonly trafficRouting?: TrafficRoutingOptions;

  /**
   * A TrafficRouting that is in force during the release, for a Service in front of the one that is released. Written as
   * the field, and as the annotation that the controllers read.
   * @default - none
   */
  readonly trafficRoutingRef?: NameReference;

  /**
   * Holds a release where it is.
   * @default false
   */
  readonly paused?: boolean;

  /**
   * Lets releases pass as if there were no Rollout.
   * @default false
   */
  readonly disabled?: boolean;
}

/** The same at run time. */
export const KRUISE_ROLLOUT_PROPS: PropTable<KruiseRolloutOptions> = {
  workload: true,
  strategy: true,
  trafficRouting: true,
  trafficRoutingRef: true,
  paused: true,
  disabled: true,
};

/** Builds a Rollout. Throws if options contradict each other. */
export function kruiseRollout(
  options: KruiseRolloutOptions,
  metadata: Partial<ObjectMeta> = {},
  version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
): RolloutManifest {
  const { workload, strategy, trafficRouting, trafficRoutingRef: named, paused, disabled } = options;
  if (version.facts.storedApiVersion !== 'v1beta1') {
    throw new Error(
      `Kruise Rollouts ${version} has no v1beta1 Rollout, which this construct writes: use v0.5.0 or newer`,
    );
  }
  return rolloutManifest(
    compact({
      metadata: { ...metadata },
      workload: objectRefOf(workload),
      strategy,
      trafficRouting: trafficRouting && trafficRoutingRef(trafficRouting),
      trafficRoutingRef: named === undefined ? undefined : nameOf(named, 'TrafficRouting', 'trafficRoutingRef'),
      paused,
      disabled,
    }),
  );
}

/** The options of a TrafficRouting. */
export interface KruiseTrafficRoutingOptions {
  /** The Service, and what routes to it. */
  readonly trafficRouting: TrafficRoutingOptions;

  /**
   * Requests that are treated, by their headers; any of the matches is enough. A TrafficRouting knows no other conditions.
   * @default - all, or the share that `weight` says
   */
  readonly matches?: readonly HttpRouteMatch[];

  /**
   * Share of the requests that are treated, in percent.
   * @default - those that match
   */
  readonly weight?: number;

  /**
   * Changes to the headers of these requests, by which Services further back know them.
   * @default - none
   */
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** The same at run time. */
export const KRUISE_TRAFFIC_ROUTING_PROPS: PropTable<KruiseTrafficRoutingOptions> = {
  trafficRouting: true,
  matches: true,
  weight: true,
  requestHeaderModifier: true,
};

/** Builds a TrafficRouting. Throws if options contradict each other. */
export function kruiseTrafficRouting(
  { trafficRouting, matches, weight, requestHeaderModifier }: KruiseTrafficRoutingOptions,
  metadata: Partial<ObjectMeta> = {},
): TrafficRoutingManifest {
  for (const match of matches ?? []) {
    if (match.path !== undefined || match.queryParams !== undefined) {
      throw new Error('a TrafficRouting matches headers only: remove path and queryParams from its matches');
    }
  }
  return trafficRoutingManifest(
    compact({
      metadata: { ...metadata },
      trafficRouting: trafficRoutingRef(trafficRouting),
      matches,
      weight,
      requestHeaderModifier,
    }),
  );
}
