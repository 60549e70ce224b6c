import type { JsonObject } from '../../core/json';
import { asObject, isSet } from '../../core/json';

/** The traffic routing of a canary; undefined if traffic follows the pods. */
export function trafficRoutingOf(canary: JsonObject): JsonObject | undefined {
  return isSet(canary.trafficRouting) ? asObject(canary.trafficRouting) : undefined;
}

/** Whether traffic goes through one of these routers; `plugins` counts if it has any plugin. */
export function routesThrough(routing: JsonObject | undefined, ...routers: readonly string[]): boolean {
  return routers.some((router) =>
    router === 'plugins' ? Object.keys(asObject(routing?.plugins)).length > 0 : isSet(routing?.[router]),
  );
}
