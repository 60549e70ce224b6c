/** A load balancer that takes over only a part of what the controller writes. */
import type { World } from '../../core/world';
import type { LoadBalancerState } from '../../release';

/** A load balancer since it stopped to take over weights, or targets. */
export interface KeepingBalancer {
  readonly state: Exclude<LoadBalancerState, 'follows'>;
  /** The cluster of which it has these still. */
  readonly from: World;
  /** The weight of the canary that it has. */
  readonly weight: number;
}

/** The objects as the load balancer has them: the Ingresses of before, or the Services with the pods of before. */
export function servedBy({ state, from }: KeepingBalancer, world: World): World {
  return world.with(...from.list(state === 'keeps-weights' ? 'Ingress.networking.k8s.io' : 'Service'));
}
