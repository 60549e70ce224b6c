/** Rollouts and TrafficRoutings as plain data, from what every shell asks its users for. */
import {
  API_GROUP,
  type HttpHeaderFilter,
  type HttpRouteMatchV1alpha1,
  type ObjectMeta,
  type ObjectRef,
  type RolloutV1beta1,
  TRAFFIC_ROUTING_ANNOTATION,
  type TrafficRoutingRef,
  type TrafficRoutingV1alpha1,
} from './api';
import { compact } from './json';
import type { KruiseRolloutStrategy } from './strategy';

/** What a Rollout is made of. */
export interface RolloutManifestOptions {
  readonly metadata: Partial<ObjectMeta>;
  readonly workload: ObjectRef;
  readonly strategy: KruiseRolloutStrategy;
  readonly trafficRouting?: TrafficRoutingRef;
  /** Name of a TrafficRouting. */
  readonly trafficRoutingRef?: string;
  readonly paused?: boolean;
  readonly disabled?: boolean;
}

/** A Rollout of v1beta1, without a name where none is given. */
export type RolloutManifest = Omit<RolloutV1beta1, 'metadata' | 'status'> & { readonly metadata: Partial<ObjectMeta> };

/** A TrafficRouting, without a name where none is given. */
export type TrafficRoutingManifest = Omit<TrafficRoutingV1alpha1, 'metadata' | 'status'> & {
  readonly metadata: Partial<ObjectMeta>;
};

/**
 * The Rollout. A reference to a TrafficRouting is written twice: as the field, which only conversion reads, and as the
 * annotation, which the controllers read.
 */
export function rolloutManifest(options: RolloutManifestOptions): RolloutManifest {
  const { workload, strategy, trafficRouting, trafficRoutingRef, paused, disabled } = options;
  return {
    apiVersion: `${API_GROUP}/v1beta1`,
    kind: 'Rollout',
    metadata: withTrafficRouting(options.metadata, trafficRoutingRef),
    spec: compact({
      disabled,
      workloadRef: { apiVersion: workload.apiVersion, kind: workload.kind, name: workload.name },
      strategy: strategy.toManifest(compact({ trafficRouting, trafficRoutingRef, paused })),
    }),
  };
}

function withTrafficRouting(metadata: Partial<ObjectMeta>, name: string | undefined): Partial<ObjectMeta> {
  if (name === undefined) return metadata;
  const given = metadata.annotations?.[TRAFFIC_ROUTING_ANNOTATION];
  if (given !== undefined && given !== name) {
    throw new Error(
      `the annotation ${TRAFFIC_ROUTING_ANNOTATION} names "${given}" and trafficRoutingRef names "${name}": ` +
        'leave the annotation out, it is written from trafficRoutingRef',
    );
  }
  return { ...metadata, annotations: { ...metadata.annotations, [TRAFFIC_ROUTING_ANNOTATION]: name } };
}

/** What a TrafficRouting is made of. */
export interface TrafficRoutingManifestOptions {
  readonly metadata: Partial<ObjectMeta>;
  readonly trafficRouting: TrafficRoutingRef;
  /** Share of the requests in percent. */
  readonly weight?: number;
  readonly matches?: readonly HttpRouteMatchV1alpha1[];
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** The TrafficRouting, which exists in v1alpha1 only. */
export function trafficRoutingManifest(options: TrafficRoutingManifestOptions): TrafficRoutingManifest {
  const { metadata, trafficRouting, weight, matches, requestHeaderModifier } = options;
  return {
    apiVersion: `${API_GROUP}/v1alpha1`,
    kind: 'TrafficRouting',
    metadata,
    spec: { objectRef: [trafficRouting], strategy: compact({ weight, matches, requestHeaderModifier }) },
  };
}
