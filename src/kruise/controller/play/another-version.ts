/** What another version in the middle of a release does to the pods, and to the names of the versions. */
import { hashOf } from '../../../release';
import { dividerOf, type Rewriting, rewritten } from './division';
import { replaceAllPods } from './finalising';
import type { Play } from './play';
import { renamePin } from './services';
import { divide, readStep } from './steps';
import {
  abandonedHash,
  type Division,
  newPodsOf,
  oldPodsOf,
  podsIn,
  podsOf,
  twoVersions,
  type Workload,
} from './workload';

/** The versions that the pods of each revision run; those of a release that gave way are named by their revision label. */
export interface Versions extends Readonly<Record<string, string>> {
  readonly stable: string;
  readonly canary: string;
}

/** A release in the middle. */
interface Release {
  readonly play: Play;
  /** The step that has settled; -1 before the first one. */
  readonly step: number;
  readonly versions: Versions;
}

/**
 * Whether the controller finds the old version among the pods; otherwise it takes it for another new one. Canary style
 * always has old pods.
 */
export function knowsOldVersion({ play, versions, step }: Release): boolean {
  const { journal, rollout, workload } = play;
  if (workload.lacksStableRevision === 'by its kind') return false;
  if (rollout.style === 'canary' || step < 0) return true;
  return journal.pods.some((group) => group.replicas > 0 && versions[hashOf(group)] === versions.stable);
}

/**
 * The pods when another version comes with another number of them, before the controller has noticed it; undefined where
 * only the next release resizes the workload.
 */
export function divisionResized(release: Release, to: Workload): Division | undefined {
  const { journal, rollout, workload } = release.play;
  const { isByAge, scale } = dividerOf(rollout.style, to);
  return isByAge === true ? undefined : scale({ division: journal.divided.division }, 0, workload, to).division;
}

/** The pods when the old version comes back with another number of them, before the roll-back. */
export function divisionTakenBack(release: Release, workload: Workload): Division {
  const { replicas } = workload;
  const { division: now, written } = release.play.journal.divided;
  if (keepsPartition(release)) {
    // The partition now protects the pods of the release that ends.
    const canary = Math.min(newPodsOf(now), replicas, podsIn(written, replicas));
    return twoVersions(replicas - canary, canary);
  }
  const from = abandonedHash(release.versions.canary);
  const division = podsOfAnother(release, workload, { from, to: 'stable' });
  const others = division.old.filter(({ hash }) => hash !== from && hash !== 'canary');
  return { old: [{ hash: 'stable', replicas: newPodsOf(division) }, ...others], canary: oldPodsOf(division, from) };
}

/**
 * Gives way to another version: the release begins again.
 * @param play the release with the number of pods that comes with the version
 */
export function beginAgain(release: Release, version: string, play: Play): Pick<Release, 'play' | 'versions'> {
  const { versions, step } = release;
  const { rollout, workload, journal } = play;
  const isPartition = rollout.style === 'partition';
  const isWithoutOldPods = isPartition && step >= 0 && podsOf(journal.pods, 'stable') === 0;
  const isRenamed = isWithoutOldPods && NAMES_NEW_PODS_OLD.has(workload.kind);
  const from = isRenamed || workload.releasesOldVersion === true ? 'stable' : abandonedHash(versions.canary);
  const to = version === versions.stable && !isRenamed ? 'stable' : abandonedHash(version);
  if (rollout.style === 'canary') replaceAllPods(play, 'stable');
  // The next release writes a partition of its own.
  else divide(play, { division: podsOfAnother(release, workload, { from, to }) });
  if (isRenamed) {
    const renamed = { stable: versions.canary, canary: version };
    const hash = abandonedHash(versions.stable);
    if (play.routing === undefined || !renamePin(play, play.routing.route, hash)) return { play, versions: renamed };
    const named = { ...renamed, [hash]: versions.stable };
    journal.name(named);
    const event = `Service ${play.routing.route.service} selects pods of a version that has none`;
    journal.record('prepare', step, event, { isMixed: true, goesOn: true });
    return { play, versions: named };
  }
  const releasesOldVersion = isWithoutOldPods && version === versions.stable;
  return {
    play: { ...play, workload: { ...workload, releasesOldVersion } },
    versions: { ...versions, canary: version, [abandonedHash(versions.canary)]: versions.canary },
  };
}

/**
 * A third version that passes the webhook in blue-green style. Nobody pauses the Deployment, which gives it the pods that it has
 * above its number, and takes as many of the oldest ones away.
 */
export function takeUnpaused({ play, versions, step }: Release, version: string): void {
  const { rollout, workload, journal } = play;
  if (rollout.style !== 'blueGreen' || workload.kind !== 'Deployment' || step < 0) return;
  if (version === versions.stable || version === versions.canary) return;
  const { division } = journal.divided;
  const old = oldPodsOf(division);
  const surplus = Math.min(old, Math.max(0, old + division.canary - workload.replicas));
  const kept = { hash: 'stable', replicas: old - surplus };
  const third = { hash: abandonedHash(version), replicas: surplus };
  journal.name({ ...versions, [third.hash]: version });
  divide(play, { ...journal.divided, division: { ...division, old: [kept, third] } });
}

/** Kinds whose status says that the new pods are the old ones, as soon as there are no others. */
const NAMES_NEW_PODS_OLD: ReadonlySet<string> = new Set(['CloneSet', 'StatefulSet']);

const isRouted = ({ play: { rollout, routing }, step }: Release) =>
  routing !== undefined && step >= 0 && rollout.steps[step]!.routes;

/** Whether the webhook leaves the partition alone: for a CloneSet with routes, while it has pods of two versions. */
function keepsPartition(release: Release): boolean {
  const { workload, journal } = release.play;
  return isRouted(release) && workload.kind === 'CloneSet' && oldPodsOf(journal.divided.division) > 0;
}

/**
 * The pods after another version has been written, maybe with another number of pods. The controller gives them to a release
 * that is about to end only as long as it restores routes.
 */
function podsOfAnother(release: Release, to: Workload, labels: Rewriting['labels']): Division {
  const { play, step } = release;
  const { journal, rollout, workload: from } = play;
  const { division } = journal.divided;
  if (step < 0) return division;
  const isKept = keepsPartition(release);
  const share = isRouted(release) && !isKept ? readStep(play, step).share : 0;
  const now = isKept ? journal.divided : { division };
  return rewritten(dividerOf(rollout.style, to), now, { step: share, from, to, labels });
}
