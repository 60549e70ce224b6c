import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { BlueGreenRelease, isBlueGreen } from './blue-green-release';
import { type ArgoPlay, argoWorkloadOf } from './play';

/**
 * Plays a blue-green Rollout: idle, the preview Service without pods and then with them, the switch of the active Service,
 * and separately an abort after the switch. Never throws. Undefined for any other Rollout.
 */
export function playArgoBlueGreen(world: World, manifest: Manifest): ArgoPlay | undefined {
  const workload = argoWorkloadOf(world, manifest);
  if (!isBlueGreen(workload)) return undefined;
  return { moments: new BlueGreenRelease(world, workload).played(), services: [] };
}
