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
      /** The step's `setHeaderRoute`, as the manifest has it. */
      readonly route: unknown;
    }
  | {
      readonly call: 'setWeight';
      readonly weight: number;
      /** @default - no experiment takes traffic */
      readonly experiments?: readonly WeightDestination[];
    };

/** What `applyAlb` needs to know. */
export interface AlbInput {
  /** A Rollout manifest. */
  readonly rollout: unknown;
  /** Ingress manifests; what is not listed does not exist. */
  readonly ingresses: readonly unknown[];
  /**
   * First, as after promotion, on abort and while the canary has no pods.
   * @default false
   */
  readonly removeManagedRoutes?: boolean;
  /**
   * Second, the `setHeaderRoute` of the step.
   * @default - the step has none
   */
  readonly headerRoute?: unknown;
  /**
   * Third, the percentage for the canary.
   * @default - the weight is not set
   */
  readonly desiredWeight?: number;
  /** @default - no experiment takes traffic */
  readonly experiments?: readonly WeightDestination[];
  /**
   * Last, what the controller does once the Rollout is gone.
   * @default false
   */
  readonly rolloutDeleted?: boolean;
}

/**
 * What one reconcile of a Rollout makes of its ALB Ingresses.
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

/** Makes calls in order, each on what the one before left, until the first that fails. */
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
