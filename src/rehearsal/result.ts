/** A rehearsal as plain data, for reports. */
import { type Finding, type Manifest, type ObjectRef, sameJson, type World } from '../core';
import type {
  Rehearsal,
  RehearsedCell,
  RehearsedChange,
  RehearsedMoment,
  RehearsedStop,
} from '../core/rehearsal-result';
import type { ReleaseStop } from '../release';
import { textOf } from './places';
import type { Run } from './run';
import type { Verdicts } from './verdicts';
import { titleOf } from './words';

/** Everything that reports show of a rehearsal. */
export function rehearsalOf(run: Run, verdicts: Verdicts, findings: readonly Finding[]): Rehearsal {
  const { release, traffic, play } = run;
  const { manifest, style } = release;
  const source = manifest.sourceOf();
  return {
    rollout: manifest.ref,
    ...(source === undefined ? {} : { source }),
    style,
    stableService: traffic.stableService,
    canaryService: traffic.canaryService,
    loadBalancers: run.entries,
    requests: run.requests.map((sent) => ({
      class: sent.class,
      label: sent.label,
      text: textOf(run, sent),
      loadBalancer: sent.entry,
    })),
    moments: momentsOf(run, verdicts),
    ...(play.stop === undefined ? {} : { stopped: stopped(play.stop) }),
    findings,
  };
}

function stopped({ class: kind, message, step }: ReleaseStop): RehearsedStop {
  return { class: kind, message, step };
}

function momentsOf(run: Run, { wrong }: Verdicts): RehearsedMoment[] {
  return run.seen.map(({ moment, cells }, index) => {
    const isBranch = moment.phase === 'abort' && run.seen[index - 1]?.moment.phase !== 'abort';
    const from = isBranch
      ? run.seen.find((seen) => seen.moment.phase === 'step' && seen.moment.step === moment.step)
      : run.seen[index - 1];
    return {
      phase: moment.phase,
      ...(moment.step === undefined ? {} : { step: moment.step }),
      title: titleOf(moment),
      changes: from === undefined ? [] : changesBetween(from.moment.world, moment.world, moment.written),
      cells: cells.map(
        ({ answer, shares, rule, expectedCanary }, request): RehearsedCell => ({
          ...(expectedCanary === undefined ? {} : { expectedCanary }),
          shares,
          answer,
          ...(rule === undefined ? {} : { rule }),
          verdict: wrong.has(`${index}/${request}`) ? 'wrong' : 'good',
        }),
      ),
    };
  });
}

/**
 * The objects that differ between two Worlds, in the order in which they were written. Pods are left out: no controller
 * writes them here.
 */
function changesBetween(before: World, after: World, written: readonly ObjectRef[] = []): RehearsedChange[] {
  if (before === after) return [];
  const isWritten = ({ kind, group }: Manifest) => kind !== 'Pod' || group !== '';
  const old = new Map(before.manifests.filter(isWritten).map((manifest) => [idOf(manifest, before), manifest]));
  const changes = new Map<string, RehearsedChange>();
  for (const manifest of after.manifests.filter(isWritten)) {
    const id = idOf(manifest, after);
    const earlier = old.get(id);
    old.delete(id);
    if (earlier === undefined) changes.set(id, { object: manifest.ref, action: 'created', after: manifest.object });
    else if (!sameJson(earlier.object, manifest.object)) {
      changes.set(id, { object: manifest.ref, action: 'changed', before: earlier.object, after: manifest.object });
    }
  }
  for (const [id, { ref, object }] of old) changes.set(id, { object: ref, action: 'deleted', before: object });
  const places = new Map<string, number>();
  for (const [index, ref] of written.entries()) {
    const manifest = after.get(ref) ?? before.get(ref);
    if (manifest !== undefined) places.set(idOf(manifest, after), index);
  }
  const placeOf = (id: string) => places.get(id) ?? written.length;
  return [...changes].sort(([a], [b]) => placeOf(a) - placeOf(b)).map(([, change]) => change);
}

function idOf(manifest: Manifest, world: World): string {
  return `${manifest.groupKind}\n${world.namespaceOf(manifest)}\n${manifest.name}`;
}
