import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, numberOf, partOf } from '../../core/json';
import { ALB_PREFIX } from '../../routers/ingress/alb-annotations';

/** Which of the two Services of a ping-pong Rollout is which. */
export type PingPong = 'ping' | 'pong';

/** What of a Rollout decides what is written to its ALB Ingresses. */
export interface AlbRollout {
  readonly name: string;
  readonly namespace?: string;
  /** The Ingresses, in the order in which they are written. */
  readonly ingresses: readonly string[];
  readonly servicePort: number;
  /** The name of the weight action: `rootService`, else `stableService`. */
  readonly actionService: string;
  /** The Service with the stable pods; with ping-pong the one that is stable now. */
  readonly stableService: string;
  /** The Service with the canary pods; with ping-pong the one that is the canary now. */
  readonly canaryService: string;
  readonly annotationPrefix: string;
  /** @default - no stickiness, or not enabled */
  readonly stickinessSeconds?: number;
  readonly managedRoutes: readonly string[];
}

/**
 * Reads a Rollout manifest; undefined where it does not route through an ALB.
 * @param stablePingPong which ping-pong Service is stable @default - as `status.canary.stablePingPong` says
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
    // An empty list does not outlive the way to the controller.
    ingresses: ingresses.length > 0 ? ingresses : [asText(alb.ingress)],
    servicePort: numberOf(alb.servicePort) ?? 0,
    actionService: asText(alb.rootService) || asText(canary.stableService),
    ...servicesOf(canary, stablePingPong ?? stablePingPongOf(manifest)),
    annotationPrefix: asText(alb.annotationPrefix) || ALB_PREFIX,
    stickinessSeconds: stickiness.enabled === true ? (numberOf(stickiness.durationSeconds) ?? 0) : undefined,
    managedRoutes: asList(routing?.managedRoutes).map((route) => asText(asObject(route).name)),
  };
}

/** Which ping-pong Service is stable; before the first promotion the status says nothing, which means pong. */
export function stablePingPongOf(rollout: unknown): PingPong {
  const status = partOf(partOf(asObject(rollout), 'status'), 'canary');
  return status?.stablePingPong === 'ping' ? 'ping' : 'pong';
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
