/** Builds manifests of Rollouts and TrafficRoutings, the same for every shell. */

import { compact } from '../core/json';
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
import type { KruiseRolloutStrategy } from './strategy';

/** The parts of a Rollout. */
export interface RolloutManifestOptions {
  readonly metadata: Partial<ObjectMeta>;
  readonly workload: ObjectRef;
  readonly strategy: KruiseRolloutStrategy;
  readonly trafficRouting?: TrafficRoutingRef;
  /** The name of a TrafficRouting. */
  readonly trafficRoutingRef?: string;
  readonly paused?: boolean;
  readonly disabled?: boolean;
}

/** A v1beta1 Rollout; the name is optional. */
export type RolloutManifest = Omit<RolloutV1beta1, 'metadata' | 'status'> & { readonly metadata: Partial<ObjectMeta> };

/** A TrafficRouting; the name is optional. */
export type TrafficRoutingManifest = Omit<TrafficRoutingV1alpha1, 'metadata' | 'status'> & {
  readonly metadata: Partial<ObjectMeta>;
};

/**
 * Builds a Rollout. Writes a reference to a TrafficRouting twice: as the field, which only the conversion reads, and as
 * the annotation, which the controllers read.
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
      `the annotation ${TRAFFIC_ROUTING_ANNOTATION} names "${given}", but trafficRoutingRef names "${name}": ` +
        'remove the annotation, trafficRoutingRef sets it',
    );
  }
  return { ...metadata, annotations: { ...metadata.annotations, [TRAFFIC_ROUTING_ANNOTATION]: name } };
}

/** The parts of a TrafficRouting. */
export interface TrafficRoutingManifestOptions {
  readonly metadata: Partial<ObjectMeta>;
  readonly trafficRouting: TrafficRoutingRef;
  /** The share of the requests in percent. */
  readonly weight?: number;
  readonly matches?: readonly HttpRouteMatchV1alpha1[];
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** Builds a TrafficRouting, which exists in v1alpha1 only. */
export function trafficRoutingManifest(options: TrafficRoutingManifestOptions): TrafficRoutingManifest {
  const { metadata, trafficRouting, weight, matches, requestHeaderModifier } = options;
  return {
    apiVersion: `${API_GROUP}/v1alpha1`,
    kind: 'TrafficRouting',
    metadata,
    spec: { objectRef: [trafficRouting], strategy: compact({ weight, matches, requestHeaderModifier }) },
  };
}
