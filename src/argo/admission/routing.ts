import type { JsonObject } from '../../core/json';
import { asObject, isSet } from '../../core/json';

/** The traffic routing of a canary; undefined where traffic follows the pods. */
export function trafficRoutingOf(canary: JsonObject): JsonObject | undefined {
  return isSet(canary.trafficRouting) ? asObject(canary.trafficRouting) : undefined;
}

/** Whether traffic goes through a router; one of plugins counts where it names any. */
export function routesThrough(routing: JsonObject | undefined, ...routers: readonly string[]): boolean {
  return routers.some((router) =>
    router === 'plugins' ? Object.keys(asObject(routing?.plugins)).length > 0 : isSet(routing?.[router]),
  );
}
