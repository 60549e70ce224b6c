/** Rollouts and TrafficRoutings from what users write, the same for every shell. */
import type { HttpHeaderFilter, HttpRouteMatch, ObjectMeta } from './api';
import { compact } from './json';
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

/** What a user says of a Rollout. */
export interface KruiseRolloutOptions {
  readonly metadata?: Partial<ObjectMeta>;
  readonly workload: ObjectReference;
  readonly strategy: KruiseRolloutStrategy;
  readonly trafficRouting?: TrafficRoutingOptions;
  readonly trafficRoutingRef?: NameReference;
  readonly paused?: boolean;
  readonly disabled?: boolean;
  readonly version?: KruiseRolloutVersion;
}

/** The Rollout. Throws where options contradict each other. */
export function kruiseRollout(options: KruiseRolloutOptions): RolloutManifest {
  const { metadata = {}, workload, strategy, trafficRouting, trafficRoutingRef: named, paused, disabled } = options;
  const { version = KruiseRolloutVersion.LATEST } = options;
  if (version.facts.storedApiVersion !== 'v1beta1') {
    throw new Error(
      `Kruise Rollouts ${version} has no v1beta1 Rollout, which this construct writes: use v0.5.0 or newer`,
    );
  }
  return rolloutManifest({
    metadata: { ...metadata },
    workload: objectRefOf(workload),
    strategy,
    ...(trafficRouting === undefined ? {} : { trafficRouting: trafficRoutingRef(trafficRouting) }),
    ...(named === undefined ? {} : { trafficRoutingRef: nameOf(named, 'TrafficRouting', 'trafficRoutingRef') }),
    ...(paused === undefined ? {} : { paused }),
    ...(disabled === undefined ? {} : { disabled }),
  });
}

/** What a user says of a TrafficRouting. */
export interface KruiseTrafficRoutingOptions {
  readonly metadata?: Partial<ObjectMeta>;
  readonly trafficRouting: TrafficRoutingOptions;
  readonly matches?: readonly HttpRouteMatch[];
  readonly weight?: number;
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** The TrafficRouting. Throws where options contradict each other. */
export function kruiseTrafficRouting(options: KruiseTrafficRoutingOptions): TrafficRoutingManifest {
  const { metadata = {}, trafficRouting, matches, weight, requestHeaderModifier } = options;
  for (const match of matches ?? []) {
    if (match.path !== undefined || match.queryParams !== undefined) {
      throw new Error('a TrafficRouting matches headers only: take path and queryParams out of its matches');
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
