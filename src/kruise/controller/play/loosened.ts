/** What becomes of a workload when somebody writes fields that the controller holds for the time of a release. */
import { asObject, isSet, type JsonObject } from '../../../core/json';
import { repartitioned } from './division';
import type { Play } from './play';
import { divide } from './steps';
import { maxUnavailableOf, oldPodsOf, rollingUpdateOf, shareOf, twoVersions } from './workload';

/**
 * The play goes on with the pods that such a write leaves.
 * @param change the merge patch of the workload
 * @param after the workload with it
 */
export function loosened(play: Play, change: JsonObject, after: JsonObject): Play {
  const { style } = play.rollout;
  const [spec, now] = [asObject(change.spec), asObject(after.spec)];
  if (style === 'blueGreen') return withoutHold(play, spec, now);
  return style === 'partition' ? withPartition(play, spec) : play;
}

/**
 * In blue-green style, no new pod counts as available, and no old one may be missing, so that the workload keeps the pods of both
 * versions. A write of `minReadySeconds` ends that, and the controller takes no further step. One of `strategy` takes old pods away.
 */
function withoutHold(play: Play, spec: JsonObject, now: JsonObject): Play {
  const { workload, journal } = play;
  const { kind, replicas } = workload;
  if (Object.hasOwn(spec, 'minReadySeconds')) {
    divide(play, { ...journal.divided, division: twoVersions(0, replicas) });
    return { ...play, workload: { ...workload, isLoose: true } };
  }
  if (kind === 'Deployment' && Object.hasOwn(spec, 'strategy')) {
    const least = replicas - maxUnavailableOf({ ...workload, ...rollingUpdateOf(kind, now) });
    const { division } = journal.divided;
    divide(play, { ...journal.divided, division: twoVersions(Math.min(oldPodsOf(division), least), division.canary) });
  }
  return play;
}

/** The partition of a Deployment is an annotation of the controller, which nobody declares. */
function withPartition(play: Play, { updateStrategy }: JsonObject): Play {
  const { partition = asObject(asObject(updateStrategy).rollingUpdate).partition } = asObject(updateStrategy);
  if (isSet(partition)) divide(play, repartitioned(play.journal.divided, shareOf(partition), play.workload));
  return play;
}

/** Why the API server refuses an edit of a workload whose fields the controller holds. */
export function refusalOfHeld({ rollout: { style } }: Play, change: JsonObject): string | undefined {
  const { progressDeadlineSeconds, minReadySeconds } = asObject(change.spec);
  if (style !== 'blueGreen' || progressDeadlineSeconds === undefined || minReadySeconds !== undefined) return undefined;
  return 'the API server refuses the edit: spec.progressDeadlineSeconds must be greater than minReadySeconds, which is at its maximum during the release';
}
