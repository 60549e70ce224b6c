import type { JsonObject } from '../../core/json';
import { asObject } from '../../core/json';
import type { WeightDestination } from './actions';
import { type AlbResult, removeManagedRoutes, setHeaderRoute, setWeight } from './alb';
import { type AlbRollout, readAlbRollout } from './alb-rollout';
import { resetAfterDeletion } from './reset';

/** One call of the controller to the traffic router. */
export type AlbCall =
  | { readonly call: 'removeManagedRoutes' }
  | {
      readonly call: 'setHeaderRoute';
      /** The step's `setHeaderRoute` in the manifest. */
      readonly route: unknown;
    }
  | {
      readonly call: 'setMirrorRoute';
      /** The step's `setMirrorRoute` in the manifest. */
      readonly route: unknown;
    }
  | {
      readonly call: 'setWeight';
      readonly weight: number;
      /** @default - no experiments with traffic */
      readonly experiments?: readonly WeightDestination[];
    };

/** The input of `applyAlb`. */
export interface AlbInput {
  /** A Rollout manifest. */
  readonly rollout: unknown;
  /** The manifests of all existing Ingresses. */
  readonly ingresses: readonly unknown[];
  /**
   * First call: remove managed routes, as after promotion, on abort and while the canary has no pods.
   * @default false
   */
  readonly removeManagedRoutes?: boolean;
  /**
   * Second call: the `setHeaderRoute` of the step.
   * @default - none
   */
  readonly headerRoute?: unknown;
  /**
   * Third call: the weight of the canary in percent.
   * @default - none
   */
  readonly desiredWeight?: number;
  /** @default - no experiments with traffic */
  readonly experiments?: readonly WeightDestination[];
  /**
   * Last call: reset the Ingresses, as after deletion of the Rollout.
   * @default false
   */
  readonly rolloutDeleted?: boolean;
}

/**
 * Applies one reconcile of a Rollout to its ALB Ingresses.
 *
 * @example
 * const { ingresses, error } = applyAlb({ rollout, ingresses: [ingress], desiredWeight: 20 });
 */
export function applyAlb(input: AlbInput): AlbResult {
  const rollout = readAlbRollout(input.rollout);
  const called =
    rollout === undefined ? nothing(input.ingresses) : applyCalls(rollout, input.ingresses, callsOf(input));
  if (called.error !== undefined || !input.rolloutDeleted) return called;
  const { ingresses, written } = resetAfterDeletion(called.ingresses);
  return { ingresses, written: [...new Set([...called.written, ...written])] };
}

/** Applies calls in order, each to the result of the previous one, until the first error. */
export function applyCalls(rollout: AlbRollout, ingresses: readonly unknown[], calls: readonly AlbCall[]): AlbResult {
  let result = nothing(ingresses);
  for (const call of calls) {
    const { written, ...next } = applyCall(rollout, result.ingresses, call);
    result = { ...next, written: [...new Set([...result.written, ...written])] };
    if (result.error !== undefined) break;
  }
  return result;
}

function applyCall(rollout: AlbRollout, ingresses: readonly JsonObject[], call: AlbCall): AlbResult {
  switch (call.call) {
    case 'removeManagedRoutes':
      return removeManagedRoutes(rollout, ingresses);
    case 'setHeaderRoute':
      return setHeaderRoute(rollout, ingresses, call.route);
    // An ALB does not mirror requests.
    case 'setMirrorRoute':
      return nothing(ingresses);
    case 'setWeight':
      return setWeight(rollout, ingresses, call.weight, call.experiments);
  }
}

function callsOf({ removeManagedRoutes, headerRoute, desiredWeight, experiments }: AlbInput): AlbCall[] {
  const calls: AlbCall[] = [];
  if (removeManagedRoutes === true) calls.push({ call: 'removeManagedRoutes' });
  if (headerRoute !== undefined && headerRoute !== null) calls.push({ call: 'setHeaderRoute', route: headerRoute });
  if (desiredWeight !== undefined) calls.push({ call: 'setWeight', weight: desiredWeight, experiments });
  return calls;
}

function nothing(ingresses: readonly unknown[]): AlbResult {
  return { ingresses: ingresses.map(asObject), written: [] };
}
