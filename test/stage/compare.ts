/** Holds a rehearsal against a recording: what is written, in which order, and which pods answer behind each Service. */
import { isDeepStrictEqual } from 'node:util';
import { type Manifest, parseManifests, World } from '../../src/core';
import type {
  Rehearsal,
  RehearsedMoment,
  RehearsedPods,
  RehearsedStory,
  RehearsedStoryMoment,
} from '../../src/core/rehearsal-result';
import { rehearse } from '../../src/rehearsal';
import { controllers } from '../../src/rehearsal/controllers';
import { type Moment, type ReleasePlay, selectedPods, selectorOf } from '../../src/release';
import type { KubernetesObject } from './cluster/api';
import type { ControllerModel } from './models';
import type { Lab } from './play';
import { contentOf, type Event, type Recording } from './recording';
import { sorted } from './sorted';

/** What a rehearsal and a recording say of the same thing. */
export interface Comparison {
  readonly about: 'writes' | 'writes of the roll-back' | 'pods at each pause' | 'pods at the end';
  readonly rehearsed: unknown;
  readonly recorded: unknown;
}

/** What differs between the rehearsal of a lab and its recording; empty if nothing does. */
export function differencesOf(lab: Lab, recording: Recording, model: ControllerModel): Comparison[] {
  return comparisonsOf(lab, recording, model).filter(
    ({ rehearsed, recorded }) => JSON.stringify(rehearsed) !== JSON.stringify(recorded),
  );
}

/**
 * The first difference between two recordings of one lab, as far as a busy machine cannot make it: the writes in their
 * order, the pods at the end, and whether the release hangs.
 */
export function differenceBetween(before: Recording, now: Recording): string | undefined {
  if (before.hangs !== now.hangs) return now.hangs ? 'it hangs now' : 'it no longer hangs';
  const [old, written] = [recordedWrites(before.events), recordedWrites(now.events)];
  const index = [...old, ...written].findIndex((_, at) => old[at] !== written[at]);
  if (index >= 0 && index < Math.max(old.length, written.length)) {
    return `write ${index + 1} was\n  ${old[index] ?? 'none'}\nand is\n  ${written[index] ?? 'none'}`;
  }
  const [ended, ends] = [before.end, now.end].map((end) => JSON.stringify(end));
  return ended === ends ? undefined : `the pods at the end were ${ended}, and are ${ends}`;
}

function comparisonsOf(lab: Lab, recording: Recording, model: ControllerModel): Comparison[] {
  const played = playedOf(lab, recording.release, model);
  const story = played?.rehearsal.stories?.at(-1);
  return story === undefined
    ? straightComparisons(lab, recording, model, played)
    : storyComparisons(lab, recording, story);
}

/** The whole story, as far as it was watched. */
function storyComparisons(lab: Lab, { events, end, hangs }: Recording, story: RehearsedStory): Comparison[] {
  const recorded = recordedWrites(events);
  const rehearsed = story.moments.flatMap(writesAt);
  const isFinished = hangs === undefined && lab.story.at(-1) === 'finish';
  if (story.stopped !== undefined) return [stopOf(recorded, rehearsed)];
  const pods = story.moments.at(-1)!.pods;
  return [
    { about: 'writes', recorded, rehearsed: isFinished ? rehearsed : rehearsed.slice(0, recorded.length) },
    { about: 'pods at each pause', ...podsAtDeeds(events, story) },
    ...(isFinished ? [{ about: 'pods at the end', recorded: end, rehearsed: countsIn(pods, end) } as const] : []),
  ];
}

/** The versions behind each Service when people act. Approvals that come too late end no pause. */
function podsAtDeeds(events: readonly Event[], { moments }: RehearsedStory) {
  const acts = moments.flatMap(({ did = [] }, index) =>
    did
      .filter((deed) => deed !== 'release v2' && !deed.startsWith('an analysis'))
      .map((deed) => ({ deed, at: moments[index - 1]! })),
  );
  const recorded: Versions[] = [];
  const rehearsed: Versions[] = [];
  for (const { deed, rollout, pods, isLate } of placesOf(events)) {
    const act = acts[0];
    if (act === undefined || deed === undefined) break;
    const isSame = isApproval(deed)
      ? isApproval(act.deed) && rollout?.step === (act.at.step ?? -1) + 1
      : !isApproval(act.deed);
    if (!isSame || isLate || rollout?.finalising !== undefined) continue;
    acts.shift();
    recorded.push(pods);
    rehearsed.push(versionsOf(countsIn(act.at.pods, pods)));
  }
  return { recorded, rehearsed };
}

function isApproval(deed: string): boolean {
  return deed === 'approve' || deed === 'promote';
}

/** The pods behind Services that a recording has too. */
function countsIn(pods: readonly RehearsedPods[], services: object): Record<string, Readonly<Record<string, number>>> {
  const found = pods.filter(({ service }) => Object.hasOwn(services, service));
  return sorted(Object.fromEntries(found.map(({ service, versions }) => [service, sorted({ ...versions })])));
}

function straightComparisons(
  lab: Lab,
  recording: Recording,
  model: ControllerModel,
  played: Played | undefined,
): Comparison[] {
  const straight = straightPart(recording, model);
  const recorded = recordedWrites(straight.events);
  const rehearsed = played === undefined ? [] : writesOf(played.rehearsal, 'release');
  if (played?.rehearsal.stopped !== undefined) return [stopOf(recorded, rehearsed)];
  // Who leaves the straight road leaves the rehearsal there, and a release that hangs or is only watched ends there.
  const isFinished = recording.hangs === undefined && lab.story.at(-1) === 'finish';
  const isWhole = straight.left === undefined && isFinished;
  const writes: Comparison = {
    about: 'writes',
    recorded,
    rehearsed: isWhole ? rehearsed : rehearsed.slice(0, recorded.length),
  };
  if (played === undefined) return [writes];
  return [
    writes,
    { about: 'pods at each pause', ...podsAtPauses(straight.events, played.play, model) },
    ...(isWhole && straight.rest.length === 0 ? [endOf(recording, played.play, 'release')] : []),
    ...rollBack(recording, straight, played, model),
  ];
}

/** A release that stops: its last writes may repeat as long as anybody watches. */
function stopOf(recorded: readonly string[], rehearsed: readonly string[]): Comparison {
  const isSeen = recorded.slice(rehearsed.length).every((write) => rehearsed.slice(-2).includes(write));
  return { about: 'writes', rehearsed, recorded: isSeen ? recorded.slice(0, rehearsed.length) : recorded };
}

interface Played {
  readonly rehearsal: Rehearsal;
  readonly play: ReleasePlay;
}

/** The rehearsal of a lab as this release plays it; undefined where the library rehearses nothing. */
function playedOf(lab: Lab, release: string, model: ControllerModel): Played | undefined {
  const world = World.of([...manifestsOf(lab.manifests, `${lab.name}.yaml`), ...installOf(release, model)]);
  const options = model.options(release);
  const [rehearsal] = rehearse(world, { ...options, stories: [{ name: lab.name, actions: lab.story }] });
  const [found] = controllers.flatMap((controller) => controller.releasesOf(world, options));
  if (rehearsal === undefined || found === undefined || found.notPlayed !== undefined) return undefined;
  const idle = controllers.reduce((before, controller) => controller.idle?.(before, options) ?? before, world);
  return { rehearsal, play: found.play(idle) };
}

const installs = new WeakMap<readonly KubernetesObject[], readonly Manifest[]>();

/** The manifests of an install, which all labs of a release share. */
function installOf(release: string, model: ControllerModel): readonly Manifest[] {
  const objects = model.install(release);
  const known = installs.get(objects) ?? manifestsOf(objects, 'install.yaml');
  installs.set(objects, known);
  return known;
}

function manifestsOf(objects: readonly KubernetesObject[], file: string): readonly Manifest[] {
  return parseManifests(objects.map((object) => JSON.stringify(object)).join('\n---\n'), file).manifests;
}

interface Straight {
  readonly events: readonly Event[];
  /** How the story leaves the road that a rehearsal plays. */
  readonly left?: string;
  /** The events after that. */
  readonly rest: readonly Event[];
}

/** The events up to the moment in which somebody, or an analysis, leaves the straight road of one release. */
function straightPart({ events }: Recording, { approval, rollBack }: ControllerModel): Straight {
  const end = events.findIndex((event) =>
    'did' in event ? event.did !== 'release v2' && event.did !== approval : 'rollout' in event && event.rollout?.abort,
  );
  const event = events[end];
  if (event === undefined) return { events, rest: [] };
  return { events: events.slice(0, end), left: 'did' in event ? event.did : rollBack, rest: events.slice(end + 1) };
}

/** What a rehearsal plays as its branch, where the story takes the same turn at the same place and nothing else follows. */
function rollBack(recording: Recording, straight: Straight, { rehearsal, play }: Played, model: ControllerModel) {
  const { events, left, rest } = straight;
  const branch = rehearsal.moments.find(({ phase }) => phase === 'abort');
  if (left !== model.rollBack || branch === undefined || recording.hangs) return [];
  const place = placesOf(events).at(-1)!;
  if (!model.isPaused(place.rollout) || place.rollout?.step !== model.pausedAt(branch)) return [];
  if (rest.some((event) => 'did' in event && event.did !== model.approval)) return [];
  const comparison: Comparison = {
    about: 'writes of the roll-back',
    recorded: recordedWrites(rest),
    rehearsed: writesOf(rehearsal, 'abort'),
  };
  return [comparison, endOf(recording, play, 'abort')];
}

/** Objects of other people and controllers. */
const NOT_ROUTING = /^(Deployment|StatefulSet|HorizontalPodAutoscaler|TrafficRouting|ControllerRevision|AnalysisRun)\//;

/** The writes of a recording, a cycle once, without those that only note the original spec, which no user can see. */
function recordedWrites(events: readonly Event[]): string[] {
  return events.flatMap((event): string[] => {
    if ('repeats' in event) return recordedWrites(event.repeats);
    if (!('object' in event) || NOT_ROUTING.test(event.object) || isNote(event)) return [];
    return [writeOf(event.object, event.now)];
  });
}

const ORIGINAL = 'rollouts.kruise.io/original-spec-configuration';

/** True for a custom object that still is as its annotation says that it was. */
function isNote({ now }: { readonly now: KubernetesObject | null }): boolean {
  const { [ORIGINAL]: original, ...annotations } = now?.annotations ?? {};
  if (original === undefined) return false;
  const { labels = {}, spec } = now!;
  return isDeepStrictEqual({ labels: {}, annotations: {}, ...JSON.parse(original) }, { labels, annotations, spec });
}

function writesOf({ moments }: Rehearsal, part: 'release' | 'abort'): string[] {
  return moments.filter(({ phase }) => (phase === 'abort') === (part === 'abort')).flatMap(writesAt);
}

function writesAt({ changes, versions }: RehearsedMoment & Partial<RehearsedStoryMoment>): string[] {
  return changes.flatMap(({ object, after }): string[] => {
    const key = `${object.kind}/${object.name}`;
    return NOT_ROUTING.test(`${key}/`) ? [] : [writeOf(key, after === undefined ? null : contentOf(after), versions)];
  });
}

function writeOf(object: string, content: unknown, versions?: Readonly<Record<string, string>>): string {
  return content === null ? `${object} deleted` : `${object} ${neutral(content, versions)}`;
}

/** Without what the API server fills in; pods of the rehearsal are named by their side, those of a recording by version. */
function neutral(
  content: unknown,
  versions: Readonly<Record<string, string>> = { stable: 'v1', canary: 'v2' },
): string {
  return JSON.stringify(content, (key, value) => {
    if (key === 'protocol' && value === 'TCP') return undefined;
    if (key === 'parentRefs') return value.map(({ name, namespace }: KubernetesObject) => ({ name, namespace }));
    return value;
  }).replaceAll(
    /"((?:rollouts-)?pod-template-hash|controller-revision-hash)":"([^"]*)"/g,
    (_all, label, side) => `"${label}":"${versions[side] ?? side}"`,
  );
}

/** The versions behind each Service. */
type Versions = Readonly<Record<string, readonly string[]>>;

/** What the Rollout said when people approved, or left, and the pods that answered. */
interface SeenPlace {
  readonly deed?: string;
  /** Whether objects have changed since the status did: it may still be that of the release before. */
  readonly isLate?: boolean;
  readonly rollout?: KubernetesObject;
  readonly pods: Versions;
}

function placesOf(events: readonly Event[]): SeenPlace[] {
  const places: SeenPlace[] = [];
  let pods: Versions = {};
  let rollout: KubernetesObject | undefined;
  let isLate = false;
  for (const event of events) {
    if ('pods' in event) pods = event.pods;
    if ('object' in event) isLate = true;
    if ('rollout' in event) [rollout, isLate] = [event.rollout ?? undefined, false];
    if (!('did' in event) || event.did === 'release v2') continue;
    places.push({ deed: event.did, rollout, pods, isLate: isLate && isApproval(event.did) });
    isLate = false;
  }
  return [...places, { rollout, pods }];
}

function podsAtPauses(events: readonly Event[], play: ReleasePlay, model: ControllerModel) {
  const pauses = placesOf(events)
    .slice(0, -1)
    .filter(({ rollout }) => model.isPaused(rollout));
  const pairs = pauses.flatMap(({ rollout, pods }) => {
    const moment = play.moments.filter((each) => model.isPausedAt(each, rollout?.step)).at(-1);
    return moment === undefined ? [] : [{ recorded: pods, rehearsed: versionsOf(countsOf(moment, play, pods)) }];
  });
  return { recorded: pairs.map(({ recorded }) => recorded), rehearsed: pairs.map(({ rehearsed }) => rehearsed) };
}

function endOf({ end }: Recording, play: ReleasePlay, part: 'release' | 'abort'): Comparison {
  const last = play.moments.filter(({ phase }) => (phase === 'abort') === (part === 'abort')).at(-1)!;
  return { about: 'pods at the end', recorded: end, rehearsed: countsOf(last, play, end) };
}

/** The pods of each version behind each of these Services; the rehearsal has no Services of other people. */
function countsOf(
  { world, pods }: Moment,
  { revisionLabel }: ReleasePlay,
  services: object,
): Record<string, Record<string, number>> {
  const found = world.list('Service').filter(({ name }) => Object.hasOwn(services, name));
  const entries = found.map((service): [string, Record<string, number>] => {
    const { stable, canary } = selectedPods(selectorOf(service.object), pods, revisionLabel);
    return [service.name, { ...(stable > 0 && { v1: stable }), ...(canary > 0 && { v2: canary }) }];
  });
  return sorted(Object.fromEntries(entries));
}

function versionsOf(counts: Readonly<Record<string, Readonly<Record<string, number>>>>): Versions {
  return Object.fromEntries(Object.entries(counts).map(([name, versions]) => [name, Object.keys(versions)]));
}

/** A moment by what both the rehearsal and its play know of it. */
export type PlacedMoment = Pick<RehearsedMoment | Moment, 'phase' | 'step'>;
