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
import { allRouters, rehearse } from '../../src/rehearsal';
import { deedText, isOfAnalysis, type StoryAction } from '../../src/release';
import type { Router } from '../../src/routers';
import type { KubernetesObject } from './cluster/api';
import type { ControllerModel } from './models';
import { insteadOf, ownInstall } from './own-install';
import type { Lab } from './play';
import { filledIn, toldAt, withoutFlapsAtDeeds, withoutLastFlap } from './races';
import { type Counts, contentOf, type Event, type Recording } from './recording';
import { sorted } from './sorted';

/** What a rehearsal and a recording say of the same thing. */
export interface Comparison {
  readonly about: 'writes' | 'pods at each pause' | 'pods at the end' | 'Services without a pod' | 'where it stands';
  readonly rehearsed: unknown;
  readonly recorded: unknown;
}

/** What differs between the rehearsal of a lab and its recording; empty if nothing does. */
export function differencesOf(
  lab: Lab,
  recording: Recording,
  model: ControllerModel,
  rehearsal = rehearsalOf(lab, recording.release, model, playedOf(lab, recording)),
): Comparison[] {
  return comparisonsOf(lab, recording, model, rehearsal).filter(
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

function comparisonsOf(
  lab: Lab,
  recording: Recording,
  model: ControllerModel,
  rehearsal: Rehearsal | undefined,
): Comparison[] {
  const recorded = recordedWrites(recording.events);
  const straight = rehearsal?.moments.filter(({ phase }) => phase !== 'abort').flatMap((moment) => writesAt(moment));
  const story = rehearsal?.stories?.at(-1);
  // A TrafficRouting has no stories, and what is not rehearsed writes nothing.
  if (story === undefined) return [{ about: 'writes', recorded, rehearsed: straight ?? [] }];
  const told = storyComparisons(lab, recording, story, model);
  if (!isStraight(lab)) return told;
  // What a rehearsal shows without stories is the straight one.
  return [
    ...told,
    { about: 'writes', recorded: story.moments.flatMap((moment) => writesAt(moment)), rehearsed: straight },
  ];
}

function isStraight({ story }: Lab): boolean {
  const [begin, end, ...more] = story.filter((action) => !isLook(action));
  return JSON.stringify(begin) === '{"release":"v2"}' && end === 'finish' && more.length === 0;
}

/** Whether the release is over at the end of a story, and people only look on. */
function endsWithRelease(story: readonly StoryAction[]): boolean {
  return story.filter((action) => !isLook(action)).at(-1) === 'finish';
}

function isLook(action: StoryAction): action is Extract<StoryAction, { readonly watch: number }> {
  return typeof action !== 'string' && 'watch' in action;
}

/** The whole story, as far as it was watched. */
function storyComparisons(
  lab: Lab,
  recording: Recording,
  story: RehearsedStory,
  { unordered, firstStep, isBeside = () => false }: ControllerModel,
): Comparison[] {
  const { events, end, hangs } = recording;
  const deed = unordered && deedText(unordered);
  const seen = events.findIndex((event) => 'did' in event && event.did === deed);
  const place = story.moments.findIndex(({ did = [] }) => deed !== undefined && did.includes(deed));
  const played = besideFirst(writesInOrder(withoutLastFlap(lab, events), seen, recordedWrites), isBeside);
  const recorded = withoutFlapsAtDeeds(lab, played);
  const told = writesInOrder(story.moments, place, (moments) => moments.flatMap((moment) => toldAt(moment, writesAt)));
  const rehearsed = filledIn(withoutFlapsAtDeeds(lab, besideFirst(told, isBeside)), recorded);
  if (hangs && story.end !== 'stuck') return [{ about: 'where it stands', recorded: 'stuck', rehearsed: story.end }];
  if (story.stopped !== undefined) return [stopOf(recorded, rehearsed)];
  const others = othersOf(lab, story);
  const ended = without(end, others);
  const due = hangs || endsWithRelease(lab.story) ? story.moments : dueMoments(lab, story);
  const writes = due.flatMap((moment) => writesAt(moment)).length;
  const isOver = due === story.moments || (isLook(lab.story.at(-1)!) && recorded.length <= writes);
  return [
    { about: 'writes', recorded, rehearsed: rehearsed.slice(0, Math.max(recorded.length, writes)) },
    { about: 'pods at each pause', ...podsAtDeeds(events, story, others, firstStep) },
    { about: 'Services without a pod', ...emptyServices(recording, due) },
    ...(lab.loadBalancer === undefined ? [] : [standingComparison(lab, events, story)]),
    ...phaseComparison(recording, story),
    ...(isOver ? [{ about: 'pods at the end', recorded: ended, rehearsed: countsAtEnd(due, ended) } as const] : []),
  ];
}

/** Whether the release is over. A Rollout that is Degraded or deleted can be either, and so can one of which an edit was refused. */
function phaseComparison({ status }: Recording, { end, why = '' }: RehearsedStory): Comparison[] {
  const recorded = end === 'refused' ? undefined : PHASES[status?.phase ?? ''];
  const rehearsed = end === 'stuck' && !why.startsWith('the Rollout is Healthy') ? 'stuck' : 'over';
  return recorded === undefined ? [] : [{ about: 'where it stands', recorded, rehearsed }];
}

const PHASES: Readonly<Record<string, 'over' | 'stuck'>> = {
  Healthy: 'over',
  Paused: 'stuck',
  Progressing: 'stuck',
};

/** A Service has no pods, too, where a rehearsal no longer shows it. */
function countsAtEnd(moments: readonly RehearsedStoryMoment[], ended: object) {
  const none = Object.fromEntries(Object.keys(ended).map((service) => [service, {}]));
  return sorted({ ...none, ...countsIn(moments.at(-1)!.pods, ended) });
}

/**
 * The moments that come while the stage still watches, after the last act of a story. One without a delay takes a second or two:
 * pods start.
 */
function dueMoments({ story }: Lab, { moments }: RehearsedStory): readonly RehearsedStoryMoment[] {
  const acted = story.map(isLook).lastIndexOf(false);
  let left = story.slice(acted + 1).reduce((sum, action) => sum + (isLook(action) ? action.watch : 0), 0);
  const last = Math.max(0, moments.map(({ did = [] }) => did.length > 0).lastIndexOf(true));
  const isSeen = ({ next }: RehearsedStoryMoment) => {
    left -= SECONDS_OF_MOMENT + (next?.who === 'time' ? next.seconds : 0);
    return left >= 0 && (next?.who === 'time' || next?.who === 'controller');
  };
  const unseen = moments.slice(last).findIndex((moment) => !isSeen(moment));
  return unseen < 0 ? moments : moments.slice(0, last + unseen + 1);
}

const SECONDS_OF_MOMENT = 2;

/** The Services that lose all of their pods before anybody deletes the Rollout: nobody answers then. */
function emptyServices({ events, end }: Recording, moments: readonly RehearsedStoryMoment[]) {
  const isDeletion = (did: string) => did === deedText('delete');
  const told = upTo(moments, ({ did = [] }) => did.some(isDeletion));
  const before = upTo(events, (event) => 'did' in event && isDeletion(event.did));
  const seen = before.flatMap((event) => ('repeats' in event ? event.repeats : [event]));
  const recorded = seen.flatMap((event) => ('pods' in event ? emptyIn(event.pods) : []));
  const rehearsed = told.flatMap(({ pods }) =>
    pods.filter(({ versions }) => Object.values(versions).every((count) => count === 0)).map(({ service }) => service),
  );
  const known = new Set(moments[0]!.pods.map(({ service }) => service));
  const namesIn = (services: readonly string[]) => [...new Set(services)].filter((name) => known.has(name)).sort();
  return {
    recorded: namesIn([...recorded, ...(before === events ? emptyIn(end) : [])]),
    rehearsed: namesIn(rehearsed),
  };
}

function emptyIn(services: Pods): string[] {
  return Object.keys(services).filter((name) => Object.keys(services[name]!).length === 0);
}

function upTo<Part>(parts: readonly Part[], isEnd: (part: Part) => boolean): readonly Part[] {
  const end = parts.findIndex(isEnd);
  return end < 0 ? parts : parts.slice(0, end);
}

/** Where a release is when nobody does anything more: it may wait for its load balancer. */
function standingComparison(
  { manifests }: Lab,
  events: readonly Event[],
  { end, moments }: RehearsedStory,
): Comparison {
  const seen = events.flatMap((event) => ('rollout' in event ? [event.rollout] : [])).at(-1);
  const released = events.flatMap((event) => ('did' in event ? releasedBy(event.did) : [])).at(-1);
  // 1.10 no longer aborts a release that is over, when its deadline passes.
  const isOver = seen?.abort === true || seen?.phase === 'Healthy' || seen?.stable === released;
  const { canary } = manifests.find(({ kind }) => kind === 'Rollout')!.spec.strategy;
  const step = moments.at(-1)!.step ?? canary?.steps.length;
  return {
    about: 'where it stands',
    recorded: isOver ? 'over' : `steps[${seen === null ? canary?.steps.length : seen?.step}]`,
    rehearsed: end === 'stuck' ? `steps[${step}]` : 'over',
  };
}

/** The version of `release v2`. */
function releasedBy(deed: string): string[] {
  return /^release (\w+)/.exec(deed)?.slice(1) ?? [];
}

/** The writes of each part, sorted from the place on where they come in any order; -1 is no such place. */
function writesInOrder<Part>(parts: readonly Part[], place: number, writes: (parts: readonly Part[]) => string[]) {
  return place < 0 ? writes(parts) : [...writes(parts.slice(0, place)), ...writes(parts.slice(place)).sort()];
}

/** Writes that come at a time of their own, and then the others in their order. */
function besideFirst(writes: readonly string[], isBeside: (write: string) => boolean): string[] {
  return [...writes.filter(isBeside).sort(), ...writes.filter((write) => !isBeside(write))];
}

/** Services that the lab brings and the Rollout does not name: a rehearsal does not show their pods. */
function othersOf({ manifests }: Lab, { moments }: RehearsedStory): ReadonlySet<string> {
  const shown = new Set(moments.flatMap(({ pods }) => pods.map(({ service }) => service)));
  const names = manifests.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
  return new Set(names.filter((name) => !shown.has(name)));
}

function without<Value>(services: Readonly<Record<string, Value>>, others: ReadonlySet<string>): Record<string, Value> {
  return Object.fromEntries(Object.entries(services).filter(([name]) => !others.has(name)));
}

/** The pods of each version behind each Service when people act. Approvals that come too late end no pause. */
function podsAtDeeds(
  events: readonly Event[],
  { moments, end }: RehearsedStory,
  others: ReadonlySet<string>,
  firstStep: number,
) {
  const acts = moments.flatMap(({ did = [] }, index) =>
    did
      .filter((deed) => !deed.startsWith('release v2') && !isOfAnalysis(deed))
      .map((deed) => ({ deed, at: moments[index - 1]! })),
  );
  const recorded: Pods[] = [];
  const rehearsed: Pods[] = [];
  // An act that was seen too late to tell the pods of its moment.
  let late: (typeof acts)[number] | undefined;
  for (const { deed, rollout, pods, isCounted, isLate, isStale, isFollowed } of placesOf(events)) {
    if (deed === undefined) break;
    const isOf = ({ deed: rehearsedDeed, at }: (typeof acts)[number]) =>
      isApproval(deed)
        ? isApproval(rehearsedDeed) && (at.step === undefined || rollout?.step === at.step + firstStep)
        : !isApproval(rehearsedDeed);
    if (late === acts[0] && acts[1] !== undefined && isOf(acts[1])) acts.shift();
    const act = acts[0];
    if (act === undefined) {
      // Kruise keeps the state of a pause that nobody waits for any more.
      const isPaused = isApproval(deed) && rollout?.phase === 'Paused' && !isStale;
      // What people do next may still be noticed.
      if (isApproval(deed) && !isPaused) continue;
      const isIgnored = isFollowed && /^(fully|abort|retry)/.test(deed) && end !== 'stuck';
      if ((isPaused && end === 'released') || isIgnored) recorded.push({ [deed]: ['not rehearsed'] });
      break;
    }
    if (!isOf(act) || isFinalising(rollout)) continue;
    if (isLate) {
      late = act;
      continue;
    }
    acts.shift();
    const seen = without(pods, others);
    const counts = countsIn(act.at.pods, seen);
    recorded.push(seen);
    rehearsed.push(isCounted ? counts : versionsOf(counts));
  }
  const unseen = acts.filter((act) => act !== late);
  for (const { deed } of unseen) rehearsed.push({ [deed]: ['never seen'] });
  return { recorded, rehearsed };
}

/** A release that is over keeps `END`. */
function isFinalising(rollout: KubernetesObject | undefined): boolean {
  return rollout?.finalising !== undefined && rollout.finalising !== 'END';
}

function isApproval(deed: string): boolean {
  return deed === 'approve' || deed === 'promote';
}

/** The pods behind Services that a recording has too. */
function countsIn(pods: readonly RehearsedPods[], services: object): Record<string, Readonly<Record<string, number>>> {
  const found = pods.filter(({ service }) => Object.hasOwn(services, service));
  return sorted(Object.fromEntries(found.map(({ service, versions }) => [service, sorted({ ...versions })])));
}

/** A release that stops: its last writes may repeat as long as anybody watches. */
function stopOf(recorded: readonly string[], rehearsed: readonly string[]): Comparison {
  const isSeen = recorded.slice(rehearsed.length).every((write) => rehearsed.slice(-2).includes(write));
  return { about: 'writes', rehearsed, recorded: isSeen ? recorded.slice(0, rehearsed.length) : recorded };
}

/** The lab and the install of its controller. */
export function worldOf(lab: Lab, release: string, model: ControllerModel): World {
  return World.of([...manifestsOf(lab.manifests, `${lab.name}.yaml`), ...installOf(lab, release, model)]);
}

/** A lab as this release plays it; undefined where the library rehearses nothing. */
export function rehearsalOf(
  lab: Lab,
  release: string,
  model: ControllerModel,
  story: readonly StoryAction[] = lab.story,
): Rehearsal | undefined {
  const world = worldOf(lab, release, model);
  const stories = [{ name: lab.name, actions: story }];
  const options = { ...model.options(release), stories };
  // Nobody sends requests, since what controllers write is compared; but some releases are rehearsed only where one arrives.
  return rehearse(world, { ...options, routers: WITHOUT_ROUTES })[0] ?? rehearse(world, options)[0];
}

/** What was played of a lab: where a release hangs, nobody does the rest. */
export function playedOf({ story }: Lab, { hangs, events }: Recording): readonly StoryAction[] {
  if (hangs === undefined) return story;
  const deeds = events.flatMap((event) => ('did' in event ? [event.did] : []));
  const notPlayed = story.findIndex((action) => {
    if (action === 'finish') while (isApproval(deeds[0] ?? '')) deeds.shift();
    else if (isDeed(action)) return deeds.shift() === undefined;
    return false;
  });
  return notPlayed < 0 ? story : story.slice(0, notPlayed);
}

/** Whether somebody does something, and not only waits for the controller. */
function isDeed(action: StoryAction): boolean {
  return typeof action === 'string' || !('until' in action || 'watch' in action || 'analysis' in action);
}

/** Routers that read objects, and that no request passes. */
const WITHOUT_ROUTES = allRouters().map(
  (router): Router => Object.create(router, { routes: { value: () => ({ loadBalancers: [], unserved: [] }) } }),
);

const installs = new WeakMap<readonly KubernetesObject[], readonly Manifest[]>();

/** The manifests of an install, which nearly all labs of a release share. */
function installOf(lab: Lab, release: string, model: ControllerModel): readonly Manifest[] {
  const objects = model.install(release, lab);
  const known = installs.get(objects) ?? manifestsOf(objects, 'install.yaml');
  installs.set(objects, known);
  const own = ownInstall(lab, objects);
  if (own.length === 0) return known;
  return [...known.filter(({ object }) => !insteadOf(object, own)), ...manifestsOf(own, 'install.yaml')];
}

function manifestsOf(objects: readonly KubernetesObject[], file: string): readonly Manifest[] {
  return parseManifests(objects.map((object) => JSON.stringify(object)).join('\n---\n'), file).manifests;
}

/** Objects of other people and controllers. */
const NOT_ROUTING =
  /^(Deployment|StatefulSet|CloneSet|DaemonSet|HorizontalPodAutoscaler|TrafficRouting|ControllerRevision|AnalysisRun|AnalysisTemplate)\//;

/**
 * The writes of a recording, a cycle once, however often people act while it goes on. Those that only note the original spec
 * are left out: no user can see them.
 */
function recordedWrites(events: readonly Event[]): string[] {
  const writes: string[] = [];
  // A cycle goes on through deeds, and its first turn can come before the others.
  let [begin, isRepeating] = [0, false];
  for (const event of events) {
    if ('did' in event && !isRepeating) begin = writes.length;
    if ('repeats' in event) {
      const cycle = recordedWrites(event.repeats);
      if (!isDeepStrictEqual(writes.slice(begin).slice(-cycle.length), cycle)) writes.push(...cycle);
      isRepeating = true;
    } else if (isWrite(event)) {
      writes.push(writeOf(event.object, event.now));
      isRepeating = false;
    }
  }
  return writes;
}

/** Whether an event is a write of the controller that users can see. */
export function isWrite(event: Event): event is Extract<Event, { readonly object: string }> {
  return 'object' in event && !NOT_ROUTING.test(event.object) && !isNote(event);
}

const ORIGINAL = 'rollouts.kruise.io/original-spec-configuration';

/** True for a custom object that still is as its annotation says that it was. */
function isNote({ now }: { readonly now: KubernetesObject | null }): boolean {
  const { [ORIGINAL]: original, ...annotations } = now?.annotations ?? {};
  if (original === undefined) return false;
  const { labels = {}, spec } = now!;
  return isDeepStrictEqual({ labels: {}, annotations: {}, ...JSON.parse(original) }, { labels, annotations, spec });
}

/** A Service that keeps its selector, of a version that gave way and has another name in the rehearsal since. */
const RENAMED = /"(pod-template|controller-revision)-hash":"abandoned-/;

/** What is written at a moment. */
export function writesAt({ changes, versions }: RehearsedMoment & Partial<RehearsedStoryMoment>): string[] {
  return changes.flatMap(({ object, after }): string[] => {
    const key = `${object.kind}/${object.name}`;
    const now = after === undefined ? null : contentOf(after);
    const isSilent = NOT_ROUTING.test(`${key}/`) || isNote({ now }) || RENAMED.test(JSON.stringify(now));
    return isSilent ? [] : [writeOf(key, now, versions)];
  });
}

function writeOf(object: string, content: unknown, versions?: Readonly<Record<string, string>>): string {
  return content === null ? `${object} deleted` : `${object} ${neutral(content, versions)}`;
}

/** Fields that the API server fills in for a Service with node ports. */
const FILLED_IN: ReadonlySet<string> = new Set(['externalTrafficPolicy', 'nodePort']);

/** The matches of a rule of an HTTPRoute that declares none. */
const EVERY_PATH = [{ path: { type: 'PathPrefix', value: '/' } }];

const OF_EXPERIMENT = 'experiment.argoproj.io/name';

/** Without what the API server fills in; pods of the rehearsal are named by their side, those of a recording by version. */
function neutral(
  content: unknown,
  versions: Readonly<Record<string, string>> = { stable: 'v1', canary: 'v2' },
): string {
  return JSON.stringify(content, function (this: KubernetesObject, key, value) {
    // They name the experiment, whose name has hashes.
    if (key === 'annotations' && OF_EXPERIMENT in value) return undefined;
    if (key === 'protocol' && value === 'TCP') return undefined;
    if (FILLED_IN.has(key) || (key === 'targetPort' && value === this.port)) return undefined;
    if (key === 'parentRefs') return value.map(({ name, namespace }: KubernetesObject) => ({ name, namespace }));
    if (key === 'backendRefs')
      return value.map((ref: KubernetesObject) => ({ group: '', kind: 'Service', weight: 1, ...ref }));
    if (key === 'matches' && isDeepStrictEqual(value, EVERY_PATH)) return undefined;
    return value;
  }).replaceAll(
    /"((?:rollouts-)?pod-template-hash|controller-revision-hash)":"([^"]*)"/g,
    // The pods of an experiment: `canary-new`.
    (_all, label, side) => `"${label}":"${versions[side] ?? versions[side.split('-')[0]] ?? side}"`,
  );
}

/** The versions behind each Service, with their numbers of pods where these were recorded. */
type Pods = Readonly<Record<string, readonly string[] | Counts[string]>>;

/** What the Rollout said when people approved, or left, and the pods that answered. */
interface SeenPlace {
  readonly deed?: string;
  /** Whether objects have changed since the status did: it may still be that of the release before. */
  readonly isLate?: boolean;
  /** Whether the status has not changed since the act before. */
  readonly isStale?: boolean;
  /** Whether objects that people have not patched change before the next act. */
  readonly isFollowed?: boolean;
  readonly rollout?: KubernetesObject;
  readonly pods: Pods;
  /** Older recordings have the versions alone. */
  readonly isCounted: boolean;
}

function placesOf(events: readonly Event[]): SeenPlace[] {
  const places: SeenPlace[] = [];
  let pods: Pods = {};
  let rollout: KubernetesObject | undefined;
  let isLate = false;
  let isStale = false;
  let patched: string | undefined;
  for (const event of events) {
    if ('pods' in event) pods = event.pods;
    // What people patch is not what the controller does before it notices an approval.
    if ('object' in event && event.object !== patched) {
      isLate = true;
      const last = places.at(-1);
      if (last !== undefined) places[places.length - 1] = { ...last, isFollowed: true };
    }
    if ('rollout' in event) [rollout, isLate, isStale] = [event.rollout ?? undefined, false, false];
    if (!('did' in event) || event.did.startsWith('release v2')) continue;
    patched = /^patch (\S+)/.exec(event.did)?.[1];
    const { did: deed, running } = event;
    const isCounted = running !== undefined;
    places.push({ deed, rollout, pods: running ?? pods, isCounted, isLate: isLate && isApproval(deed), isStale });
    [isLate, isStale] = [false, true];
  }
  return [...places, { rollout, pods, isCounted: false }];
}

function versionsOf(counts: Counts): Pods {
  return Object.fromEntries(Object.entries(counts).map(([name, versions]) => [name, Object.keys(versions)]));
}
