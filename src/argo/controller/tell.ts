/** Plays stories of a Rollout, whatever its strategy is and becomes. */
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { type Story, type StoryAction, type Telling, tellAll } from '../../release';
import { ArgoRolloutsVersion } from '../version';
import { isBlueGreen } from './blue-green-release';
import { type ArgoController, type ArgoStory, type ArgoWorkload, argoWorkloadOf } from './play';
import { isPlayedCanary } from './routes';
import { BlueGreenTelling } from './tell-blue-green';
import { CanaryTelling } from './tell-canary';

/**
 * Plays stories. Never throws. What several stories begin with is played once. Undefined for a canary with a router that is not
 * played.
 *
 * @example
 * const actions = [{ release: 'v2' }, { until: { step: 1 } }, 'abort'] as const;
 * tellArgoRollout(world, rollout, [{ name: 'abort@1', actions }])?.[0].end; // 'rolled back'
 */
export function tellArgoRollout(
  world: World,
  manifest: Manifest,
  stories: readonly Story[],
  controller: ArgoController = {},
): ArgoStory[] | undefined {
  const workload = argoWorkloadOf(world, manifest);
  if (!isBlueGreen(workload) && !isPlayedCanary(workload.object)) return undefined;
  const release = releaseOf(world, workload, controller);
  release.idle();
  return tellAll(new RolloutTelling(release, controller), stories);
}

/** A Rollout, which people can give another kind of strategy. */
class RolloutTelling implements Telling<ArgoStory> {
  constructor(
    private release: CanaryTelling | BlueGreenTelling,
    private readonly controller: ArgoController,
  ) {}

  fork(): RolloutTelling {
    return new RolloutTelling(this.release.fork(), this.controller);
  }

  told(name: string): ArgoStory {
    return this.release.told(name);
  }

  act(action: StoryAction): void {
    this.release.act(action);
    const { handover } = this.release;
    if (handover === undefined) return;
    this.release = releaseOf(handover.world, handover.workload, this.controller);
    this.release.takeOver(handover);
  }
}

function releaseOf(
  world: World,
  workload: ArgoWorkload,
  { version = ArgoRolloutsVersion.LATEST, verifies = false }: ArgoController,
): CanaryTelling | BlueGreenTelling {
  return isBlueGreen(workload)
    ? new BlueGreenTelling(world, workload, { version, verifies })
    : new CanaryTelling(world, workload, version, verifies);
}
