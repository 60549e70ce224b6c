/** Sends requests to the load balancers at every moment of a release. */

import type { Manifest } from '../core';
import type { Budget } from '../core/budget';
import type { Entrance, Match, Moment, Release, ReleasePlay, ReleaseTraffic, SeenOutcome, ToldStory } from '../release';
import type { Listener, RequestCandidate, Router } from '../routers';
import { answerKey, ask, type Backends, backendsAt } from './answers';
import { declaredShare } from './expectation';
import { KnownRoutes } from './known-routes';
import type { RehearsalRequest } from './request';
import { type DerivedRequest, deriveRequests } from './requests';
import { type Answered, type State, States } from './states';
import { type LoadBalancerState, type MakeRoutes, type Table, tableKey, tableOf } from './tables';

/** A listener that leads to the stable Service. */
export interface Entry {
  readonly router: string;
  readonly name: string;
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS';
}

/** A request, and the listener that receives it. */
export interface SentRequest extends DerivedRequest {
  readonly entry: number;
}

/** Where a request went at one moment. */
export interface Cell extends Answered {
  /**
   * The declared share of the canary.
   * @default - nothing is declared
   */
  readonly expectedCanary?: number;
}

/** A moment, and the outcomes of all requests at it. */
export interface SeenMoment {
  readonly moment: Moment;
  readonly table: Table;
  readonly cells: readonly Cell[];
}

/** A play as clients see it. */
export interface Run {
  readonly release: Release;
  readonly traffic: ReleaseTraffic;
  readonly play: ReleasePlay;
  readonly routers: readonly Router[];
  readonly entries: readonly Entry[];
  readonly requests: readonly SentRequest[];
  readonly seen: readonly SeenMoment[];
  /** The stories that were asked for. */
  readonly stories: readonly SeenStory[];
}

/** A story as clients see it. */
export interface SeenStory {
  readonly story: ToldStory;
  readonly seen: readonly SeenMoment[];
}

/** The inputs of a run. */
export interface RunOptions {
  readonly release: Release;
  readonly traffic: ReleaseTraffic;
  readonly play: ReleasePlay;
  readonly routers: readonly Router[];
  readonly probes: readonly RehearsalRequest[];
  /**
   * The stories, as the controller plays them.
   * @default - none
   */
  readonly stories?: readonly ToldStory[];
  /**
   * How much may be spent; asked at each moment.
   * @default - any amount
   */
  readonly budget?: Budget;
}

/** Sends all requests at all moments. */
export function runRehearsal(options: RunOptions): Run {
  const { release, traffic, play } = options;
  const [first] = play.moments;
  const known = new KnownRoutes();
  const routesOf: MakeRoutes = (router, world) => known.of(router, world);
  const before = tableOf(first!.world, options.routers, undefined, routesOf);
  const backends = (moment: Moment): Backends => ({ ...backendsAt(moment, options), outcomes: new Map() });
  const atFirst = backends(first!);
  const { entries, requests } = requestsFor(before, atFirst, release.matches, options.probes);
  // Only routers with objects of the release are needed later.
  const involved = new Set([...before.values()].flatMap(({ router, members }) => (members.length > 0 ? [router] : [])));
  const routers = options.routers.filter(({ name }) => involved.has(name));
  const askAt = (table: Table, here: Backends): Answered[] => {
    const listeners = entries.map((entry) => listenerOf(table, entry));
    return requests.map((sent) => {
      const outcome = ask(listeners[sent.entry], sent.request, here);
      const { answer, shares, rule, manifest } = outcome;
      return { answer, shares, rule, manifest, key: answerKey(outcome) };
    });
  };
  const baseline = askAt(before, atFirst);
  const states = new States(first!, { table: before, answers: baseline });
  const see = (moment: Moment, earlier: Table | undefined): SeenMoment => {
    options.budget?.check();
    const { table, answers } = states.at(moment, (served) => {
      const build = (): State => {
        const table = tableOf(served, routers, earlier, routesOf);
        return { table, answers: askAt(table, backends(moment)) };
      };
      const state = build();
      return known.hold(served) ? state : build();
    });
    const cells = answers.map(({ answer, shares, rule, manifest, key }, at): Cell => {
      const expectedCanary = expectedShare(release, requests[at]!, moment, baseline[at]!);
      return { answer, shares, rule, manifest, key, expectedCanary };
    });
    return { moment, table, cells };
  };
  const seen: SeenMoment[] = [];
  const tables = new Map<Moment, Table>();
  for (const [index, moment] of play.moments.entries()) {
    const earlier = moment.phase === 'abort' ? abortedFrom(play.moments, moment) : play.moments[index - 1];
    const now = see(moment, tables.get(earlier!));
    tables.set(moment, now.table);
    seen.push(now);
  }
  const stories = seeStories(options.stories ?? [], see);
  return { release, traffic, play, routers: options.routers, entries, requests, seen, stories };
}

/** Stories share moments. */
function seeStories(
  stories: readonly ToldStory[],
  see: (moment: Moment, earlier: Table | undefined) => SeenMoment,
): SeenStory[] {
  const known = new Map<Moment, SeenMoment>();
  return stories.map((story) => {
    const seen: SeenMoment[] = [];
    for (const moment of story.moments) {
      const now = known.get(moment) ?? see(moment, seen.at(-1)?.table);
      known.set(moment, now);
      seen.push(now);
    }
    return { story, seen };
  });
}

/** Whether a request reached the application before the release. */
export function reachedStable(baseline: SeenOutcome): boolean {
  return baseline.shares.stable > 0;
}

/** The moment that a rollback starts from: its step, not the end of the release. */
function abortedFrom(moments: readonly Moment[], { step }: Moment): Moment | undefined {
  return moments.find((moment) => moment.phase === 'step' && moment.step === step);
}

function expectedShare(
  release: Release,
  { request }: SentRequest,
  { declared }: Moment,
  baseline: SeenOutcome,
): number | undefined {
  if (declared === undefined || !reachedStable(baseline)) return undefined;
  switch (entranceOf(release, baseline)) {
    case 'split':
      return ofOwn(declaredShare(declared, request), baseline);
    case 'preview':
      return declared.preview;
    case 'canary':
    case 'unmanaged':
      return undefined;
  }
}

/** How a request entered the application before the release. */
export function entranceOf(release: Release, baseline: SeenOutcome): Entrance {
  return release.entranceOf?.(baseline) ?? 'split';
}

/** Scales the declared share: a rule may send some of its requests to Services outside of the release. */
function ofOwn(declared: number | undefined, { shares }: SeenOutcome): number | undefined {
  return declared === undefined ? undefined : declared * shares.stable;
}

function requestsFor(
  before: Table,
  backends: Backends,
  matches: readonly Match[],
  probes: readonly RehearsalRequest[],
): { readonly entries: readonly Entry[]; readonly requests: readonly SentRequest[] } {
  const entries: Entry[] = [];
  const requests: SentRequest[] = [];
  for (const loadBalancer of before.values()) {
    const found = entryOf(loadBalancer, backends, matches);
    if (found === undefined) continue;
    const entry = entries.push(entryFor(loadBalancer, found.listener)) - 1;
    requests.push(...found.requests.map((request) => ({ ...request, entry })));
  }
  for (const request of probes) {
    const target = listenerForProbe(before, request);
    if (target === undefined) continue;
    const { router, name, port } = target;
    const known = entries.findIndex((entry) => entry.router === router && entry.name === name && entry.port === port);
    const entry = known >= 0 ? known : entries.push(target) - 1;
    requests.push({ class: 'probe', label: 'probe', request, entry });
  }
  return { entries, requests };
}

/** The listener of a load balancer that leads to the stable Service. Prefers HTTPS. */
function entryOf(loadBalancer: LoadBalancerState, backends: Backends, matches: readonly Match[]) {
  const candidates = candidatesOfAll(loadBalancer);
  const listeners = [...loadBalancer.listeners].sort(
    (a, b) => Number(b.protocol === 'HTTPS') - Number(a.protocol === 'HTTPS'),
  );
  for (const listener of listeners) {
    const reachesStable = (request: RehearsalRequest) => ask(listener, request, backends).shares.stable > 0;
    const requests = deriveRequests({ candidates, matches, reachesStable });
    if (requests.length > 0) return { listener, requests };
  }
  return undefined;
}

/** Releases behind the same load balancer share its candidates. */
const candidatesOfMembers = new WeakMap<readonly Manifest[], readonly RequestCandidate[]>();

function candidatesOfAll({ members, candidatesOf }: LoadBalancerState): readonly RequestCandidate[] {
  const known = candidatesOfMembers.get(members);
  if (known !== undefined) return known;
  const candidates = members.flatMap(candidatesOf);
  candidatesOfMembers.set(members, candidates);
  return candidates;
}

function entryFor({ router, name }: LoadBalancerState, { port, protocol }: Listener): Entry {
  return { router, name, port, protocol };
}

/** The listener that receives a probe. Prefers the load balancer with a rule for it. */
function listenerForProbe(table: Table, request: RehearsalRequest): Entry | undefined {
  const wanted = request.scheme === 'http' ? 'HTTP' : 'HTTPS';
  const all = [...table.values()].flatMap((state) => state.listeners.map((listener) => ({ state, listener })));
  const fitting = all.filter(({ listener }) =>
    request.port === undefined ? listener.protocol === wanted : listener.port === request.port,
  );
  const possible = fitting.length > 0 ? fitting : all;
  const found = possible.find(({ listener }) => !listener.route(request).isDefault) ?? possible[0];
  return found === undefined ? undefined : entryFor(found.state, found.listener);
}

function listenerOf(table: Table, entry: Entry | undefined): Listener | undefined {
  if (entry === undefined) return undefined;
  return table.get(tableKey(entry))?.listeners.find(({ port }) => port === entry.port);
}
