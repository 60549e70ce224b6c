/** Releases whose new pods never become ready: how many of the others are left. */
import type { PodGroup } from '../../../release';
import type { Play } from './play';
import type { State } from './state';
import { beforeUpgrade, divide, readStep } from './steps';
import { abandonedHash, divisionOf, podsNeverReady } from './workload';

export const NEVER_READY = 'no pod of the new version becomes ready';

/** The pods of the first step never become ready, so its routes are never written. */
export function playWithoutReadyPods(play: Play): void {
  const { routing, journal, workload } = play;
  if (routing !== undefined) beforeUpgrade(play, routing, readStep(play, 0));
  journal.replacePods(podsNeverReady(journal.pods, workload, newPodsAtFirst(play)));
  journal.record('prepare', 0, NEVER_READY);
}

/**
 * In partition style, the pods of a version that gives way stay, as far as those of the next one do not take their place.
 * @param pods those before the next version
 */
export function keepAbandonedPods(play: Play, pods: readonly PodGroup[], version: string): void {
  if (play.rollout.style !== 'partition') return;
  const { old, canary } = divisionOf(pods);
  divide(play, { division: { old: [...old, { hash: abandonedHash(version), replicas: canary }], canary: 0 } });
}

/** The number of pods changes meanwhile. A StatefulSet adds none before its broken one is ready. */
export function scaleBroken(scaled: Play, from: number): void {
  const { journal, workload } = scaled;
  const more = workload.keepsBrokenPods ? 0 : Math.max(0, workload.replicas - from);
  const ready = journal.pods.map((pods, index) => (index === 0 ? { ...pods, replicas: pods.replicas + more } : pods));
  journal.replacePods(podsNeverReady(ready, workload, newPodsAtFirst(scaled)));
}

/** Without the Rollout, the workload replaces what may be unavailable, and waits. */
export function rollOutBroken({ journal, workload }: Play): void {
  journal.replacePods(podsNeverReady(journal.pods, workload, workload.replicas));
  journal.record('finish', undefined, 'the workload rolls the new version out, whose pods never become ready');
}

/** A CloneSet in blue-green style removes its broken pods at once, so that the old version looks like another one. */
export function hidesRollBack({ isBroken = false, play: { rollout, workload } }: State): boolean {
  return isBroken && rollout.style === 'blueGreen' && workload.kind === 'CloneSet';
}

/** How many pods of the workload itself the first step replaces. */
function newPodsAtFirst(play: Play): number {
  return play.rollout.style === 'partition' ? readStep(play, 0).replicas : 0;
}
