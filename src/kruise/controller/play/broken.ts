/** Releases whose new pods never become ready: how many of the others are left. */
import type { PodGroup } from '../../../release';
import { routesTraffic } from '../../routing';
import { takesPodsAsTheyAre } from './plan';
import type { Play } from './play';
import type { State } from './state';
import { beforeUpgrade, divide, leaveRoutes, readStep } from './steps';
import { abandonedHash, divisionOf, maxUnavailableOf, podsIn, podsNeverReady } from './workload';

export const NEVER_READY = 'no pod of the new version becomes ready';

/** The pods of a step never become ready, so its routes are never written. */
export function playWithoutReadyPods(play: Play, index: number): void {
  const { routing, journal, workload } = play;
  const step = readStep(play, index);
  if (routing !== undefined && routesTraffic(step.strategy)) beforeUpgrade(play, routing, step);
  else if (routing !== undefined) leaveRoutes(play, routing, step);
  journal.replacePods(podsNeverReady(journal.pods, workload, newPodsAt(play, index)));
  journal.record('prepare', index, NEVER_READY);
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

/**
 * The number of pods changes meanwhile. A StatefulSet adds none before its broken one is ready.
 * @param index the step; undefined after the release, when the workload replaces all pods
 */
export function scaleBroken(scaled: Play, from: number, index: number | undefined): void {
  const { journal, workload } = scaled;
  const more = workload.keepsBrokenPods ? 0 : Math.max(0, workload.replicas - from);
  const ready = journal.pods.map((pods, place) => (place === 0 ? { ...pods, replicas: pods.replicas + more } : pods));
  const wanted = index === undefined ? workload.replicas : newPodsAt(scaled, index);
  journal.replacePods(podsNeverReady(ready, workload, wanted));
}

/** A CloneSet in blue-green style removes its broken pods at once, so that the old version looks like another one. */
export function hidesRollBack({ isBroken = false, play: { rollout, workload } }: State): boolean {
  return isBroken && rollout.style === 'blueGreen' && workload.kind === 'CloneSet';
}

/** Whether a step to which the release jumps has as many new pods as it wants, so that the controller does not wait until they are ready. */
export function hasBrokenPodsFor(play: Play, { from, to }: { readonly from: number; readonly to: number }): boolean {
  const { rollout, version } = play;
  // The next step is no jump.
  if (to === from + 1) return false;
  return version.facts.countsPodsBeforeJump
    ? brokenPodsAt(play, from) === readStep(play, to).replicas
    : takesPodsAsTheyAre(rollout, { from, to }, version);
}

/** How many pods of the new version there are at a step. */
function brokenPodsAt(play: Play, index: number): number {
  const { rollout, workload } = play;
  const wanted = readStep(play, index).replicas;
  if (rollout.style !== 'partition') return wanted;
  if (workload.keepsBrokenPods) return Math.min(wanted, 1);
  const surge = workload.kind === 'Deployment' ? podsIn(workload.maxSurge, workload.replicas) : 0;
  return Math.min(wanted, surge + maxUnavailableOf(workload));
}

/** How many pods of the workload itself a step replaces. */
function newPodsAt(play: Play, index: number): number {
  return play.rollout.style === 'partition' ? readStep(play, index).replicas : 0;
}

/** Whether the webhook lets the next version pass: with routes, a release begins only where all pods have one version. */
export function isPassedBy({ isBroken = false, play: { routing, workload } }: State): boolean {
  return isBroken && routing !== undefined && ONE_VERSION.has(workload.kind);
}

/** The kinds of workloads whose versions the webhook counts. */
const ONE_VERSION: ReadonlySet<string> = new Set(['Deployment', 'CloneSet']);
