import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, numberOf, partOf } from '../../core/json';
import { ALB_PREFIX } from '../../routers/ingress/alb-annotations';

/** One of the two Services of a ping-pong Rollout. */
export type PingPong = 'ping' | 'pong';

/** The fields of a Rollout that determine what the controller writes to its ALB Ingresses. */
export interface AlbRollout {
  readonly name: string;
  readonly namespace?: string;
  /** The Ingresses, in the order of the controller's writes. */
  readonly ingresses: readonly string[];
  readonly servicePort: number;
  /** The name of the weight action: `rootService`, or `stableService`. */
  readonly actionService: string;
  /** The Service of the stable pods; with ping-pong, the currently stable one. */
  readonly stableService: string;
  /** The Service of the canary pods; with ping-pong, the current canary. */
  readonly canaryService: string;
  readonly annotationPrefix: string;
  /** @default - no stickiness, or not enabled */
  readonly stickinessSeconds?: number;
  readonly managedRoutes: readonly string[];
}

/**
 * Reads a Rollout manifest; undefined if it does not route through an ALB.
 * @param stablePingPong which ping-pong Service is stable @default - what the controller reads from the status
 */
export function readAlbRollout(rollout: unknown, stablePingPong?: PingPong): AlbRollout | undefined {
  const manifest = asObject(rollout);
  const canary = partOf(partOf(partOf(manifest, 'spec'), 'strategy'), 'canary');
  const routing = partOf(canary, 'trafficRouting');
  const alb = partOf(routing, 'alb');
  if (canary === undefined || alb === undefined) return undefined;
  const metadata = asObject(manifest.metadata);
  const stickiness = asObject(alb.stickinessConfig);
  const ingresses = asList(alb.ingresses).map(asText);
  return {
    name: asText(metadata.name),
    namespace: asText(metadata.namespace) || undefined,
    // The controller treats an empty list as absent.
    ingresses: ingresses.length > 0 ? ingresses : [asText(alb.ingress)],
    servicePort: numberOf(alb.servicePort) ?? 0,
    actionService: asText(alb.rootService) || asText(canary.stableService),
    ...servicesOf(canary, stablePingPong ?? stablePingPongOf(manifest)),
    annotationPrefix: asText(alb.annotationPrefix) || ALB_PREFIX,
    stickinessSeconds: stickiness.enabled === true ? (numberOf(stickiness.durationSeconds) ?? 0) : undefined,
    managedRoutes: asList(routing?.managedRoutes).map((route) => asText(asObject(route).name)),
  };
}

/** The stable ping-pong Service as the controller reads it: a status without one means pong. */
export function stablePingPongOf(rollout: unknown): PingPong {
  const status = partOf(partOf(asObject(rollout), 'status'), 'canary');
  return status?.stablePingPong === 'ping' ? 'ping' : 'pong';
}

/**
 * The stable ping-pong Service between two releases. The first deployment of a new Rollout swaps them, so a Rollout without
 * status rests with ping. A live canary that gets `pingPong` has a status, and rests with pong.
 */
export function restingPingPongOf(rollout: unknown): PingPong {
  return partOf(asObject(rollout), 'status') === undefined ? 'ping' : stablePingPongOf(rollout);
}

/** The Services of both versions; empty where the strategy names none. */
export function canaryServicesOf(rollout: unknown, stable: PingPong): { stableService: string; canaryService: string } {
  const strategy = partOf(partOf(asObject(rollout), 'spec'), 'strategy');
  return servicesOf(asObject(strategy?.canary), stable);
}

/** The Services of both versions in a mesh: those of ping-pong only where the strategy names no others. */
export function meshServicesOf(rollout: unknown, stable: PingPong): { stableService: string; canaryService: string } {
  const canary = asObject(partOf(partOf(asObject(rollout), 'spec'), 'strategy')?.canary);
  const named = { stableService: asText(canary.stableService), canaryService: asText(canary.canaryService) };
  return named.stableService === '' && named.canaryService === '' ? servicesOf(canary, stable) : named;
}

function servicesOf(canary: JsonObject, stable: PingPong): { stableService: string; canaryService: string } {
  const pingPong = partOf(canary, 'pingPong');
  if (pingPong === undefined) {
    return { stableService: asText(canary.stableService), canaryService: asText(canary.canaryService) };
  }
  const ping = asText(pingPong.pingService);
  const pong = asText(pingPong.pongService);
  return stable === 'ping'
    ? { stableService: ping, canaryService: pong }
    : { stableService: pong, canaryService: ping };
}
