/** A rehearsal as plain data, for reports. */
import type { Finding, Manifest, World } from '../core';
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
      changes: from === undefined ? [] : changesBetween(from.moment.world, moment.world),
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

/** The objects that were written between two Worlds, sorted by kind and name. Pods are left out: no controller writes them here. */
function changesBetween(before: World, after: World): RehearsedChange[] {
  if (before === after) return [];
  const isWritten = ({ kind, group }: Manifest) => kind !== 'Pod' || group !== '';
  const old = new Map(before.manifests.filter(isWritten).map((manifest) => [idOf(manifest, before), manifest]));
  const changes: RehearsedChange[] = [];
  for (const manifest of after.manifests.filter(isWritten)) {
    const id = idOf(manifest, after);
    const earlier = old.get(id);
    old.delete(id);
    if (earlier === undefined) changes.push({ object: manifest.ref, action: 'created', after: manifest.object });
    else if (earlier.object !== manifest.object) {
      changes.push({ object: manifest.ref, action: 'changed', before: earlier.object, after: manifest.object });
    }
  }
  const deleted = [...old.values()].map(
    (manifest): RehearsedChange => ({ object: manifest.ref, action: 'deleted', before: manifest.object }),
  );
  return [...changes, ...deleted];
}

function idOf(manifest: Manifest, world: World): string {
  return `${manifest.groupKind}\n${world.namespaceOf(manifest)}\n${manifest.name}`;
}
