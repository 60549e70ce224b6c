/** Plays a blue-green release, and stories of it. */
import { asObject, isSet } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { type Story, tellAll } from '../../release';
import { BlueGreenRelease } from './blue-green-release';
import { type ArgoController, type ArgoPlay, type ArgoStory, argoWorkloadOf } from './play';

/**
 * Plays a blue-green Rollout: idle, the preview Service without pods and then with them, the switch of the active Service,
 * and separately an abort after the switch. Never throws. Undefined for any other Rollout.
 */
export function playArgoBlueGreen(world: World, manifest: Manifest): ArgoPlay | undefined {
  const release = releaseOf(world, manifest);
  return release && { moments: release.played(), services: [] };
}

/** Plays stories of a blue-green Rollout. What several stories begin with is played once. */
export function tellArgoBlueGreen(
  world: World,
  manifest: Manifest,
  stories: readonly Story[],
  controller: ArgoController = {},
): ArgoStory[] | undefined {
  const release = releaseOf(world, manifest, controller.verifies);
  return release && tellAll(release, stories);
}

function releaseOf(world: World, manifest: Manifest, verifies?: boolean): BlueGreenRelease | undefined {
  const workload = argoWorkloadOf(world, manifest);
  const { strategy } = asObject(workload.object.spec);
  return isSet(asObject(strategy).blueGreen) ? new BlueGreenRelease(world, workload, verifies) : undefined;
}
