/** One Rollout before its load balancers: which requests are sent, and what became of each at every moment. */

import type { Manifest } from '../core';
import type { Rehearsal } from '../core/rehearsal-result';
import type { HttpRouteMatch } from '../kruise/api';
import type { RolloutMoment, RolloutPlay } from '../kruise/controller';
import { readStrategy } from '../kruise/routing';
import type { RolloutSubject, RouteSubject } from '../kruise/rules/subject';
import type { KruiseRolloutVersion } from '../kruise/version';
import type { Listener, RequestCandidate, Router } from '../routers';
import { answerKey, ask, type Backends, type Outcome } from './answers';
import type { ArgoSubject } from './argo/subject';
import { declaredShare } from './expectation';
import type { RehearsalRequest } from './request';
import { type DerivedRequest, deriveRequests } from './requests';
import { type LoadBalancerState, type Table, tableKey, tableOf } from './tables';

/** A listener through which the stable Service is reached. */
export interface Entry {
  readonly router: string;
  readonly name: string;
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS';
}

/** A request and the listener that it is sent to. */
export interface SentRequest extends DerivedRequest {
  readonly entry: number;
}

/** What became of a request at one moment. */
export interface Cell extends Outcome {
  readonly expectedCanary?: number;
  /** Equal for equal answers. */
  readonly key: string;
}

/** A moment of a play, of whichever controller. */
export interface PlayedMoment extends RolloutMoment {
  /**
   * The declared share of the canary, from what became of the request before the release.
   * @default - what `strategy` says
   */
  readonly expects?: (request: RehearsalRequest, baseline: Outcome) => number | undefined;
  /**
   * The declared share of the canary in requests that meet no match, beside matches.
   * @default 0
   */
  readonly restShare?: number;
  /**
   * The step in a few words.
   * @default - what `strategy` says
   */
  readonly summary?: string;
}

/** A moment with everything that was seen at it. */
export interface SeenMoment {
  readonly moment: PlayedMoment;
  readonly table: Table;
  readonly cells: readonly Cell[];
}

/** A play, seen from outside of the load balancers. */
export interface Run {
  readonly rollout: RolloutSubject;
  readonly route: RouteSubject;
  readonly entries: readonly Entry[];
  readonly requests: readonly SentRequest[];
  readonly matches: readonly HttpRouteMatch[];
  readonly seen: readonly SeenMoment[];
  /** The Rollout of Argo; undefined for one of Kruise. */
  readonly argo?: ArgoSubject;
}

/** What a run is made of. */
export interface RunOptions {
  readonly play: Pick<RolloutPlay, 'revisionLabel'> & { readonly moments: readonly PlayedMoment[] };
  readonly rollout: RolloutSubject;
  readonly route: RouteSubject;
  readonly routers: readonly Router[];
  readonly probes: readonly RehearsalRequest[];
  readonly version: KruiseRolloutVersion;
  /** A TrafficRouting has one version of its pods only, so that it declares no share of a canary. */
  readonly style: Rehearsal['style'];
  /** @default - a Rollout of Kruise */
  readonly argo?: ArgoSubject;
  /**
   * Services of the Rollout beside the stable and the canary one.
   * @default - none
   */
  readonly otherServices?: readonly string[];
}

/** Sends all requests at all moments. */
export function runRehearsal(options: RunOptions): Run {
  const { play, rollout, route, argo } = options;
  const [first] = play.moments;
  const before = tableOf(first!.world, options.routers);
  const matches = argo?.matches ?? matchesOf(rollout, options.version);
  const ownRoute = { ...route, otherServices: options.otherServices };
  const backends = (moment: RolloutMoment): Backends => ({
    world: moment.world,
    pods: moment.pods,
    revisionLabel: play.revisionLabel,
    route: ownRoute,
    known: new Map(),
    outcomes: new Map(),
  });
  const { entries, requests } = requestsFor(before, backends(first!), matches, options.probes);
  // Routers that have nothing to say before the release are not asked again.
  const involved = new Set([...before.values()].flatMap(({ router, members }) => (members.length > 0 ? [router] : [])));
  const routers = options.routers.filter(({ name }) => involved.has(name));
  const seen: SeenMoment[] = [];
  const baseline: Cell[] = [];
  const tables = new Map<RolloutMoment, Table>();
  for (const [index, moment] of play.moments.entries()) {
    const earlier = moment.phase === 'abort' ? abortedFrom(play.moments, moment) : play.moments[index - 1];
    const table = index === 0 ? before : tableOf(moment.world, routers, tables.get(earlier!));
    tables.set(moment, table);
    const here = backends(moment);
    const listeners = entries.map((entry) => listenerOf(table, entry));
    const cells = requests.map((sent, at): Cell => {
      const outcome = ask(listeners[sent.entry], sent.request, here);
      const key = answerKey(outcome);
      if (index === 0) baseline[at] = { ...outcome, key };
      const declares = options.style !== 'traffic-routing';
      const expectedCanary = declares ? expectedShare(sent, moment, baseline[at]!) : undefined;
      const { answer, shares, rule, manifest } = outcome;
      return { answer, shares, rule, manifest, key, expectedCanary };
    });
    seen.push({ moment, table, cells });
  }
  return { rollout, route, entries, requests, matches, seen, ...(argo === undefined ? {} : { argo }) };
}

/** Whether requests of this class belonged to the Rollout before it began. */
export function reachedStable(baseline: Cell): boolean {
  return baseline.shares.stable > 0;
}

/** A rollback begins where its step had settled, not where the release ended. */
function abortedFrom(moments: readonly RolloutMoment[], { step }: RolloutMoment): RolloutMoment | undefined {
  return moments.find((moment) => moment.phase === 'step' && moment.step === step);
}

function expectedShare(sent: SentRequest, moment: PlayedMoment, baseline: Cell): number | undefined {
  if (!reachedStable(baseline)) return undefined;
  if (moment.expects !== undefined) return moment.expects(sent.request, baseline);
  switch (moment.phase) {
    case 'before':
      return 0;
    case 'step':
      return moment.strategy === undefined ? undefined : ofOwn(declaredShare(moment.strategy, sent.request), baseline);
    case 'prepare':
      // What is being taken back may go anywhere.
      return moment.isTakingBack === true ? undefined : 0;
    case 'abort':
      return 0;
    case 'finish':
      return undefined;
  }
}

/** A rule may send a part of its requests to Services that the release has nothing to do with: theirs stays theirs. */
function ofOwn(declared: number | undefined, { shares }: Cell): number | undefined {
  return declared === undefined ? undefined : declared * shares.stable;
}

/** The different matches of all steps, in their order. */
function matchesOf(rollout: RolloutSubject, version: KruiseRolloutVersion): HttpRouteMatch[] {
  const seen = new Set<string>();
  return rollout.steps
    .flatMap(({ object }) => readStrategy(object, { version, v1alpha1: rollout.v1alpha1 }).matches ?? [])
    .filter((match) => {
      const key = JSON.stringify(match);
      return seen.has(key) ? false : seen.add(key);
    });
}

function requestsFor(
  before: Table,
  backends: Backends,
  matches: readonly HttpRouteMatch[],
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

/** The listener of a load balancer from which the stable Service is reached: an encrypted one before a plain one. */
function entryOf(loadBalancer: LoadBalancerState, backends: Backends, matches: readonly HttpRouteMatch[]) {
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

/** Many Rollouts are behind the same load balancer. */
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

/** The listener that the URL means, of the load balancer that has a rule for it. */
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
