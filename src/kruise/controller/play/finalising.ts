/** What the controller does when routing ends: tasks in the order of the release. */
import type { TrafficRoutingStrategy } from '../../api';
import type { KruiseFinalising, KruiseFinalisingTask } from '../../facts';
import type { RouteSubject } from '../../subject';
import type { Play, Routing } from './play';
import { ensureRoutes, ROUTES_RESTORED, restoreRoutes } from './routes';
import { removeCanaryService, unpinStableService } from './services';
import { podsNeverReady, podsOf, podsOnly } from './workload';

/** Where a release is when its routing ends. */
export interface Ending {
  readonly phase: 'prepare' | 'finish' | 'abort';
  /** Counted from 0, as in `steps[0]`. */
  readonly step?: number;
  /** The strategy of the current step. */
  readonly strategy: TrafficRoutingStrategy;
}

/** Why routing ends. */
export type EndingReason = keyof KruiseFinalising;

/** Plays the tasks, with a moment after each that users can notice. */
export function finalise(play: Play, routing: Routing, reason: EndingReason, ending: Ending): void {
  const tasks = play.version.facts.finalising[reason];
  const isLate = reason === 'rollback' && play.rollout.style === 'partition' && !endsWithPods(tasks);
  for (const [index, task] of tasks.entries()) {
    if (isLate && POD_TASKS.has(task)) continue;
    const event = TASKS[task](play, routing, { ...ending, reason });
    const isNoticed = !POD_TASKS.has(task) || tasks.slice(index).some((later) => RESTORES_ROUTES.has(later));
    const restoresLate = isLate && task === 'RestoreStableService';
    const isMixed = ending.phase === 'prepare' || (restoresLate && podsOf(play.journal.pods, 'canary') > 0);
    if (event !== undefined && isNoticed) recordEnding(play, ending, event, isMixed);
    if (restoresLate && replaceAllPods(play, 'stable')) recordEnding(play, ending, OLD_PODS_LEFT);
  }
}

/**
 * Whether the workload is resumed last. Where it is not, a roll-back waits for none of its pods: the stable Service selects new pods
 * again until the workload has replaced them.
 */
function endsWithPods(tasks: readonly KruiseFinalisingTask[]): boolean {
  return tasks.indexOf('ReleaseWorkloadControl') > tasks.indexOf('RestoreStableService');
}

export const OLD_PODS_LEFT = 'only pods of the old version are left';

/** Plays the end of a Rollout without routes. */
export function replaceAllPods(
  { rollout, workload, journal, keepsPods = false }: Play,
  revision: 'stable' | 'canary',
): boolean {
  return !keepsPods && rollout.workload !== undefined && journal.replacePods(podsOnly(workload, revision));
}

function recordEnding({ journal }: Play, { phase, step }: Ending, event: string, isMixed = false): void {
  journal.record(phase, step, event, isMixed ? { isMixed } : {});
}

/** Tasks that change only pods: users notice them while routes lead to both versions. */
const POD_TASKS: ReadonlySet<KruiseFinalisingTask> = new Set(['ResumeWorkload', 'ReleaseWorkloadControl']);

const RESTORES_ROUTES: ReadonlySet<KruiseFinalisingTask> = new Set([
  'RestoreGateway',
  'RestoreGatewayAndRemoveCanaryService',
]);

function hasCanaryService({ journal }: Play, { canaryService, namespace }: RouteSubject): boolean {
  return journal.world.find('Service', canaryService, namespace) !== undefined;
}

/** Plays a task. Returns what happened; undefined if the task has nothing to do. */
type Task = (play: Play, routing: Routing, ending: Ending & { readonly reason: EndingReason }) => string | undefined;

const TASKS: Readonly<Record<KruiseFinalisingTask, Task>> = {
  RestoreStableService(play, { route }) {
    if (!play.version.facts.unpinsWithoutCanaryService && !hasCanaryService(play, route)) return undefined;
    return unpinStableService(play, route) ? `Service ${route.service} selects all pods again` : undefined;
  },

  RouteTrafficToNew(play, routing, { strategy, phase, step }) {
    const { matches: _matches, ...rest } = strategy;
    ensureRoutes(play, routing, { ...rest, traffic: '100%' }, { phase, step });
    return play.journal.isUnrecorded ? 'all traffic routed to the new version' : undefined;
  },

  RouteTrafficToStable(play, routing, { strategy, phase, step }) {
    // Without a canary Service nothing has been routed yet.
    if (!hasCanaryService(play, routing.route)) return undefined;
    const kept = play.version.facts.zeroWeightKeepsMatches ? strategy : {};
    ensureRoutes(play, routing, { ...kept, traffic: '0%' }, { phase, step });
    return play.journal.isUnrecorded ? 'the canary gets weight 0' : undefined;
  },

  RestoreGateway: (play, routing, at) => (restoreRoutes(play, routing, at) ? ROUTES_RESTORED : undefined),

  RemoveCanaryService: (play, { route }) =>
    removeCanaryService(play, route) ? `Service ${route.canaryService} deleted` : undefined,

  RestoreGatewayAndRemoveCanaryService(play, routing, at) {
    const { canaryService } = routing.route;
    const isRestored = restoreRoutes(play, routing, at);
    if (!removeCanaryService(play, routing.route)) return isRestored ? ROUTES_RESTORED : undefined;
    return isRestored ? `${ROUTES_RESTORED}, Service ${canaryService} deleted` : `Service ${canaryService} deleted`;
  },

  ResumeWorkload(play, _routing, { reason }) {
    const isRollback = reason === 'rollback';
    // An extra canary workload keeps its pods until it is deleted.
    if (isRollback && play.rollout.style === 'canary') return undefined;
    if (!replaceAllPods(play, isRollback ? 'stable' : 'canary')) return undefined;
    return `the workload has only pods of the ${isRollback ? 'old' : 'new'} version`;
  },

  ReleaseWorkloadControl(play, _routing, { reason }) {
    const isExtra = reason === 'continuous' && play.rollout.style === 'canary';
    const isChanged = (reason === 'rollback' || isExtra) && replaceAllPods(play, 'stable');
    return isChanged ? 'canary workload deleted' : undefined;
  },
};

/** The end of a release that leaves all pods to the workload. */
export function endRelease(play: Play, event: string): void {
  const { rollout, workload, version, keepsPods = false } = play;
  // The controller waits only until no old pod is left, and deletes the canary workload at once.
  const isAtOnce = version.facts.finalising.success.at(-2) === 'ResumeWorkload';
  if (rollout.style === 'canary' && workload.recreates && (isAtOnce || keepsPods)) deletePods(play);
  rollOut(play, event);
}

/** The workload replaces its pods by itself, without a release. */
export function rollOutAlone(play: Play, event: string): void {
  if (play.workload.recreates) deletePods(play);
  rollOut(play, event);
}

function deletePods({ journal }: Play): void {
  journal.replacePods([]);
  journal.record('finish', undefined, 'the workload has deleted its old pods, and has no new one yet');
}

/** The workload replaces all pods, or as many as may be unavailable if the new ones never become ready. */
function rollOut(play: Play, event: string): void {
  const { journal, workload, keepsPods = false } = play;
  if (keepsPods) journal.replacePods(podsNeverReady(journal.pods, workload, workload.replicas));
  else replaceAllPods(play, 'canary');
  const broken = 'the workload rolls the new version out, whose pods never become ready';
  journal.record('finish', undefined, keepsPods ? broken : event);
}
