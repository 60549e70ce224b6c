import type { World } from '../core';
import type { ReleaseTraffic } from '../release';
import type { Router } from '../routers';

/** The routers whose load balancers may serve a release. */
export function routersFor(
  { routers: only, classTypes = [] }: ReleaseTraffic,
  world: World,
  routers: readonly Router[],
): readonly Router[] {
  if (only !== undefined) return routers.filter(({ name }) => only.includes(name));
  return routers.filter((router) => router.isUsed?.(world, { classTypes }) !== false);
}
