/** A rehearsal as plain data, for reports. */
import { type Finding, type Manifest, type ObjectRef, sameJson, type World } from '../core';
import type {
  Rehearsal,
  RehearsedCell,
  RehearsedChange,
  RehearsedMoment,
  RehearsedNext,
  RehearsedStop,
  RehearsedStory,
} from '../core/rehearsal-result';
import {
  type Delay,
  hashOf,
  isOfAnalysis,
  isOfLoadBalancer,
  type Moment,
  type PodGroup,
  type Release,
  type ReleasePlay,
  type ReleaseStop,
  type ReleaseTraffic,
  selectedPods,
  selectorOf,
  type ToldStory,
} from '../release';
import { textOf } from './places';
import type { Run, SeenMoment, SeenStory } from './run';
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
    ...(run.stories.length === 0 ? {} : { stories: run.stories.map((told) => storyOf(run, told)) }),
    ...(play.stop === undefined ? {} : { stopped: stopped(play.stop) }),
    findings,
  };
}

/** Of a Rollout that was not rehearsed. */
export function notRehearsed({ manifest, style, traffic }: Release): Omit<Rehearsal, 'findings'> {
  const { stableService = '', canaryService = '' } = traffic ?? {};
  return { rollout: manifest.ref, style, stableService, canaryService, loadBalancers: [], requests: [], moments: [] };
}

function stopped({ class: kind, message, step }: ReleaseStop): RehearsedStop {
  return { class: kind, message, step };
}

function storyOf({ release, traffic, play }: Run, { story, seen }: SeenStory): RehearsedStory {
  const { name, end, why, stop } = story;
  return {
    name,
    end,
    ...(why === undefined ? {} : { why }),
    ...(stop === undefined ? {} : { stopped: stopped(stop) }),
    moments: seen.map((now, index) => {
      const from = seen[index - 1] ?? now;
      return {
        ...momentOf(now, from.moment.world, () => 'good'),
        ...(now.moment.did === undefined ? {} : { did: now.moment.did }),
        versions: now.moment.versions ?? VERSIONS,
        pods: podsBehind(now.moment, play, traffic),
        capacity: capacityOf(now.moment, seen[0]!.moment),
        ...nextPart(release, story, seen, index),
      };
    }),
  };
}

/** Who makes the next moment. */
function nextPart(
  release: Release,
  { end }: ToldStory,
  seen: readonly SeenMoment[],
  index: number,
): { readonly next?: RehearsedNext } {
  const { moment } = seen[index]!;
  const after = seen[index + 1]?.moment;
  if (after === undefined) return end === 'stuck' ? { next: { who: 'person', does: [] } } : {};
  const { did = [] } = after;
  if (did.length > 0) return { next: { who: doerOf(did), does: did } };
  const step = moment.phase === 'step' ? release.steps[moment.step ?? 0] : undefined;
  const isOver = after.phase !== 'step' || after.step !== moment.step;
  if (step?.approval !== undefined && isOver) return { next: { who: 'person', does: [step.approval] } };
  const lasts = moment.lasts ?? (moment.phase === 'step' ? step?.lasts : graceAt(release, moment));
  return { next: lasts === undefined || lasts.seconds === 0 ? { who: 'controller' } : { who: 'time', ...lasts } };
}

function doerOf(did: readonly string[]): 'analysis' | 'load balancer' | 'person' {
  if (did.some(isOfAnalysis)) return 'analysis';
  return did.every(isOfLoadBalancer) ? 'load balancer' : 'person';
}

function graceAt({ grace }: Release, { phase }: Moment): Delay | undefined {
  return phase === 'before' ? undefined : grace;
}

function versionOfPods(group: PodGroup, versions: Readonly<Record<string, string>>): string {
  return versions[hashOf(group)] ?? versions[group.revision] ?? group.revision;
}

/** The pods of each version, as a share of those before the release. */
function capacityOf({ pods, versions = VERSIONS }: Moment, before: Moment): Readonly<Record<string, number>> {
  const declared = before.pods.reduce((sum, { replicas }) => sum + replicas, 0);
  return summed(pods, (group) => [versionOfPods(group, versions), declared > 0 ? group.replicas / declared : 0]);
}

/** How many pods of each version answer behind each Service of the release. */
function podsBehind({ world, pods, versions = VERSIONS }: Moment, play: ReleasePlay, traffic: ReleaseTraffic) {
  const own = new Set([traffic.stableService, traffic.canaryService, ...(play.otherServices ?? [])]);
  return world.list('Service', traffic.namespace).flatMap(({ name: service, object }) => {
    const selector = selectorOf(object);
    if (Object.keys(selector).length === 0) return [];
    const counts = summed(pods, (group) => {
      const { stable, canary } = selectedPods(selector, [group], play.revisionLabel);
      return [versionOfPods(group, versions), stable + canary];
    });
    return own.has(service) || Object.keys(counts).length > 0 ? [{ service, versions: counts }] : [];
  });
}

/** The sum for each version that has any. */
function summed(
  pods: readonly PodGroup[],
  of: (group: PodGroup) => readonly [version: string, count: number],
): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const [version, count] of pods.map(of)) if (count > 0) counts.set(version, (counts.get(version) ?? 0) + count);
  return Object.fromEntries(counts);
}

const VERSIONS: Readonly<Record<string, string>> = { stable: 'v1', canary: 'v2' };

function momentsOf(run: Run, { wrong }: Verdicts): RehearsedMoment[] {
  return run.seen.map(({ moment }, index) => {
    const isBranch = moment.phase === 'abort' && run.seen[index - 1]?.moment.phase !== 'abort';
    const from = isBranch
      ? run.seen.find((seen) => seen.moment.phase === 'step' && seen.moment.step === moment.step)
      : run.seen[index - 1];
    return momentOf(run.seen[index]!, from?.moment.world, (request) =>
      wrong.has(`${index}/${request}`) ? 'wrong' : 'good',
    );
  });
}

function momentOf(
  { moment, cells }: SeenMoment,
  before: World | undefined,
  verdictOf: (request: number) => RehearsedCell['verdict'],
): RehearsedMoment {
  return {
    phase: moment.phase,
    ...(moment.step === undefined ? {} : { step: moment.step }),
    title: titleOf(moment),
    changes: before === undefined ? [] : changesOf(before, moment),
    cells: cells.map(
      ({ answer, shares, rule, expectedCanary }, request): RehearsedCell => ({
        ...(expectedCanary === undefined ? {} : { expectedCanary }),
        shares,
        answer,
        ...(rule === undefined ? {} : { rule }),
        verdict: verdictOf(request),
      }),
    ),
  };
}

/** What is written between the moment before and this one. */
function changesOf(before: World, { world, written, passed = [] }: Moment): RehearsedChange[] {
  const states = [...passed, { world, written }];
  return states.flatMap((state, index) =>
    changesBetween(states[index - 1]?.world ?? before, state.world, state.written),
  );
}

/**
 * The objects that differ between two Worlds, in the order in which they were written. Pods are left out: no controller
 * writes them here.
 */
function changesBetween(before: World, after: World, written: readonly ObjectRef[] = []): RehearsedChange[] {
  if (before === after) return [];
  const changes = new Map<Manifest, RehearsedChange>();
  for (const { before: was, after: is } of after.changesSince(before)) {
    const manifest = (is ?? was)!;
    const change = changeOf(was, is);
    if (change !== undefined && !isPod(manifest)) changes.set(manifest, change);
  }
  if (changes.size < 2) return [...changes.values()];
  const places = new Map(written.map((ref, index) => [after.get(ref) ?? before.get(ref), index]));
  const placeOf = (manifest: Manifest) => places.get(manifest) ?? written.length;
  // What was deleted comes last where nobody says when it was.
  const isDeleted = ({ action }: RehearsedChange) => Number(action === 'deleted');
  return [...changes]
    .sort(([a, one], [b, other]) => placeOf(a) - placeOf(b) || isDeleted(one) - isDeleted(other))
    .map(([, change]) => change);
}

function changeOf(before: Manifest | undefined, after: Manifest | undefined): RehearsedChange | undefined {
  if (after === undefined) return { object: before!.ref, action: 'deleted', before: before!.object };
  if (before === undefined) return { object: after.ref, action: 'created', after: after.object };
  if (sameJson(before.object, after.object)) return undefined;
  return { object: after.ref, action: 'changed', before: before.object, after: after.object };
}

function isPod({ kind, group }: Manifest): boolean {
  return kind === 'Pod' && group === '';
}
