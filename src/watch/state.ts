/** The state of a release of any controller, as far as it can be followed. */
import type { Manifest } from '../core';
import type { LiveCluster } from '../doctor';
import type { KruiseRolloutVersion } from '../kruise/version';
import { argoLiveState } from './argo';
import { kruiseLiveState } from './kruise';
import type { LiveState } from './live-state';

/** A controller whose releases can be followed. */
export interface FollowedSystem {
  /** `Rollout.argoproj.io` */
  readonly groupKind: string;
  /** As its users call it. */
  readonly controller: string;
  stateOf(manifest: Manifest, cluster: LiveCluster, version: KruiseRolloutVersion): LiveState;
}

/** All controllers whose releases can be followed. */
export const FOLLOWED_SYSTEMS: readonly FollowedSystem[] = [
  { groupKind: 'Rollout.rollouts.kruise.io', controller: 'Kruise Rollouts', stateOf: kruiseLiveState },
  { groupKind: 'Rollout.argoproj.io', controller: 'Argo Rollouts', stateOf: argoLiveState },
];

/** The controller of a Rollout; undefined if it is no Rollout. */
export function systemOf({ groupKind }: Manifest): FollowedSystem | undefined {
  return FOLLOWED_SYSTEMS.find((system) => system.groupKind === groupKind);
}
