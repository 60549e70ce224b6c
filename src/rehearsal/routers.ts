import type { World } from '../core';
import type { RouteSubject } from '../kruise/rules/subject';
import type { Router } from '../routers';

/** The routers that may serve a Rollout. */
export function routersFor(route: RouteSubject, world: World, routers: readonly Router[]): readonly Router[] {
  const classTypes = route.ingress === undefined ? [] : [route.ingress.classType];
  return routers.filter((router) => router.isUsed?.(world, { classTypes }) !== false);
}
