/** A load balancer that takes over only a part of what the controller writes. */
import { isSet, type JsonObject } from '../../core/json';
import type { World } from '../../core/world';
import type { LoadBalancerState } from '../../release';
import type { AlbPass } from './steps';

/** A load balancer since it stopped to take over weights, or targets. */
export interface KeepingBalancer {
  readonly state: Exclude<LoadBalancerState, 'follows'>;
  /** The cluster whose weights or targets the load balancer still has. */
  readonly from: World;
  /** The weight of the canary that it has. */
  readonly weight: number;
}

/** The objects as the load balancer has them: the Ingresses of before, or the Services with the pods of before. */
export function servedBy({ state, from }: KeepingBalancer, world: World): World {
  return world.with(...from.list(state === 'keeps-weights' ? 'Ingress.networking.k8s.io' : 'Service'));
}

/** The weight of the canary that the controller writes in a reconcile. */
export function weightOfPass({ calls }: AlbPass): number {
  return calls.reduce((weight, call) => (call.call === 'setWeight' ? call.weight : weight), 0);
}

/** Why the controller does not go on after a reconcile, where the load balancer keeps another weight than it verifies. */
export function missingWeight(
  { state, weight: kept }: KeepingBalancer,
  pass: AlbPass,
  steps: readonly JsonObject[],
  service: string,
): string | undefined {
  const weight = weightOfPass(pass);
  if (state !== 'keeps-weights' || weight === kept || !isWeightVerified(pass, steps)) return undefined;
  return `it waits until the load balancer has weight ${weight} for Service "${service}", and it keeps ${kept}`;
}

/** The controller verifies the weights of steps with `setWeight`, and the one after the last step. */
function isWeightVerified({ phase, step }: AlbPass, steps: readonly JsonObject[]): boolean {
  return phase === 'finish' ? steps.length > 0 : step !== undefined && isSet(steps[step]?.setWeight);
}
