/** What happens to the Rollouts of Kruise when a change is applied: to a release that it starts, and to one that is in progress. */
import type { MergeEffect } from '../../core/stack-diff';
import type { World } from '../../core/world';
import { ROLLOUT, type RolloutSubject, readRollout, rolloutsOf } from '../subject';
import { KruiseRolloutVersion } from '../version';
import type { RolloutChange } from './effect';
import { endEffects } from './ends';
import type { MergeOptions } from './options';
import { rolloutEffects } from './rollout';
import { workloadEffects } from './workload';

/**
 * The effects of a change, by Rollout.
 * @example mergeEffects(base, head).map(({ message }) => message)
 */
export function mergeEffects(base: World, head: World, options: MergeOptions = {}): MergeEffect[] {
  const { kruiseVersion: version = KruiseRolloutVersion.LATEST } = options;
  const ofHead = rolloutsOf(head, version).flatMap((after) => {
    const change: RolloutChange = { base, head, version, before: rolloutIn(base, after, version), after };
    const ofWorkload = workloadEffects(change);
    return [...ofWorkload, ...rolloutEffects(change, ofWorkload, options)];
  });
  const gone = rolloutsOf(base, version).filter((before) => rolloutIn(head, before, version) === undefined);
  return [...ofHead, ...gone.flatMap((before) => endEffects(before, { base, head, version }))];
}

function rolloutIn(
  world: World,
  { manifest: { name }, namespace }: RolloutSubject,
  version: KruiseRolloutVersion,
): RolloutSubject | undefined {
  const found = world.find(ROLLOUT, name, namespace);
  return found === undefined ? undefined : readRollout(found, namespace, version);
}
