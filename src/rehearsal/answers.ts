/** Sends a request to a load balancer and follows the answer to the pods. */

import { formatPath, type Manifest, ownValue, type Path, type World } from '../core';
import { addTo } from '../core/grouped';
import { lazy } from '../core/lazy';
import type { RehearsedAnswer, RehearsedDestination, RehearsedRule, RehearsedShares } from '../core/rehearsal-result';
import { remembered } from '../core/remembered';
import {
  isSelected,
  type Moment,
  type PodGroup,
  type ReleasePlay,
  type ReleaseTraffic,
  type SeenOutcome,
  selectedPods,
  selectorOf,
} from '../release';
import type { Answer, Destination, Listener, RedirectAnswer, Route, RouteRule, ServicesAnswer } from '../routers';
import type { RehearsalRequest } from './request';

/** The cluster behind the load balancer. */
export interface Backends {
  readonly world: World;
  readonly pods: readonly PodGroup[];
  readonly revisionLabel: string;
  /** The Services whose pods are counted by version. */
  readonly traffic: Pick<ReleaseTraffic, 'namespace' | 'stableService' | 'canaryService'>;
  /**
   * Services of the release in addition to the stable and the canary one.
   * @default - none
   */
  readonly otherServices?: readonly string[];
  /** The pods behind each Service and port that was already looked up. */
  readonly known: Map<string, Reached>;
  /**
   * The outcomes of earlier requests, by the answer of the rule.
   * @default - outcomes are not kept
   */
  readonly outcomes?: Map<Answer, SeenOutcome[]>;
}

/** The cluster at a moment of a play. A load balancer may still serve an earlier one. */
export function backendsAt(
  { world, served = world, pods }: Moment,
  {
    traffic,
    play: { revisionLabel, otherServices = [] },
  }: { readonly traffic: ReleaseTraffic; readonly play: ReleasePlay },
): Backends {
  return { world: served, pods, revisionLabel, traffic, otherServices, known: new Map() };
}

const NOTHING: SeenOutcome = { answer: { kind: 'nothing' }, shares: { stable: 0, canary: 0, failed: 1, other: 0 } };

/** Sends a request. Without a listener there is no answer. */
export function ask(listener: Listener | undefined, request: RehearsalRequest, backends: Backends): SeenOutcome {
  if (listener === undefined) return NOTHING;
  const route = routeOf(listener, request);
  // The target of a redirect depends on the request.
  if (backends.outcomes === undefined || route.answer.kind === 'redirect') return outcomeOf(route, request, backends);
  const rule = route.rule === undefined ? undefined : rehearsedRule(route.rule);
  const same = backends.outcomes.get(route.answer)?.find((outcome) => outcome.rule === rule);
  if (same !== undefined) return same;
  const outcome = outcomeOf(route, request, backends);
  addTo(backends.outcomes, route.answer, outcome);
  return outcome;
}

function outcomeOf(route: Route, request: RehearsalRequest, backends: Backends): SeenOutcome {
  const { answer, shares } = resolve(route.answer, request, backends);
  return { answer, shares, ...ruleOf(route) };
}

/** The latest routes of each request: releases return to a listener, and many releases send the same requests. */
const routed = new WeakMap<RehearsalRequest, { readonly listener: Listener; readonly route: Route }[]>();
const ROUTES_KEPT = 8;

function routeOf(listener: Listener, request: RehearsalRequest): Route {
  const routes = routed.get(request) ?? [];
  for (const known of routes) if (known.listener === listener) return known.route;
  const route = listener.route(request);
  if (routes.length >= ROUTES_KEPT) routes.shift();
  routes.push({ listener, route });
  routed.set(request, routes);
  return route;
}

/** A text that is equal for equal answers, whatever rules they come from. */
export function answerKey({ answer }: SeenOutcome): string {
  return keyOf(answer);
}

const keyOf = remembered((answer: RehearsedAnswer): string => {
  if (answer.kind !== 'services') return JSON.stringify(answer);
  const reached = answer.destinations.filter(({ share }) => share > 0);
  const parts = reached.map(({ name, share, failure }) => [name, Math.round(share * 1000), failure !== undefined]);
  return JSON.stringify(parts.sort());
});

function resolve(answer: Answer, request: RehearsalRequest, backends: Backends): Omit<SeenOutcome, 'rule'> {
  switch (answer.kind) {
    case 'services':
      return ofServices(answer, backends);
    case 'fixed-response': {
      const { kind, statusCode, messageBody } = answer;
      const isError = statusCode.startsWith('5');
      return {
        answer: { kind, statusCode, ...(messageBody === undefined ? {} : { messageBody }) },
        shares: { stable: 0, canary: 0, failed: isError ? 1 : 0, other: isError ? 0 : 1 },
      };
    }
    case 'redirect': {
      const location = locationOf(answer, request, 'https');
      const shares = { stable: 0, canary: 0, failed: 0, other: 1 };
      return { answer: { kind: 'redirect', statusCode: answer.statusCode, location }, shares };
    }
    case 'unknown':
      return { answer, shares: { stable: 0, canary: 0, failed: 0, other: 0 } };
    case 'frozen':
      return NOTHING;
  }
}

/** Where a redirect leads. */
export function locationOf(answer: RedirectAnswer, request: RehearsalRequest, scheme: string): string {
  const { protocol = scheme, host = request.host, port, path = request.path, location } = answer;
  return location ?? `${protocol.toLowerCase()}://${host}${port === undefined ? '' : `:${port}`}${path}`;
}

function ofServices(answer: ServicesAnswer, backends: Backends): Omit<SeenOutcome, 'rule'> {
  const { sticky } = answer;
  const shares = { stable: 0, canary: 0, failed: 0, other: 0 };
  const counted = answer.countsPodsOnce
    ? podsCountedOnce(answer.destinations, backends)
    : answer.destinations.map((destination) => ({ destination, reached: reachedBy(destination, backends) }));
  const shown = counted.map(({ destination, reached }): RehearsedDestination => {
    for (const part of ['stable', 'canary', 'failed', 'other'] as const)
      shares[part] += destination.share * reached[part];
    return {
      name: nameOf(destination),
      ...(destination.port === undefined ? {} : { port: destination.port }),
      share: destination.share,
      ...(reached.failure === undefined ? {} : { failure: reached.failure }),
    };
  });
  // Requests fail if no destination has a weight.
  const total = shares.stable + shares.canary + shares.failed + shares.other;
  if (total < 1) shares.failed += 1 - total;
  return { answer: { kind: 'services', destinations: shown, sticky }, shares };
}

interface Counted {
  readonly destination: Destination;
  readonly reached: Reached;
}

/** Each destination with the pods that no destination before it has. One whose pods all have another leaves its share to the rest. */
function podsCountedOnce(destinations: readonly Destination[], backends: Backends): readonly Counted[] {
  const { world, revisionLabel } = backends;
  let { pods } = backends;
  const counted = destinations.map((destination) => {
    const { service, share } = destination;
    const own = reachedBy(destination, backends);
    if (share === 0 || service === undefined || !isRouted(service, backends) || own.failed > 0) {
      return { destination, reached: own, isLeft: true };
    }
    const selector = selectorOf(world.find('Service', service.name, service.namespace)!.object);
    const left = { ...backends, pods, known: new Map() };
    const reached = reachedBy(destination, left);
    pods = pods.filter((group) => !isSelected(group, selector, revisionLabel));
    return { destination, reached, isLeft: reached.failed === 0 };
  });
  const total = counted.reduce((sum, { destination, isLeft }) => sum + (isLeft ? destination.share : 0), 0);
  return counted.map(({ destination, reached, isLeft }) => ({
    destination: { ...destination, share: isLeft ? destination.share / total : 0 },
    reached: isLeft ? reached : { stable: 0, canary: 0, failed: 0, other: 0 },
  }));
}

/** The pods that a share of the requests reaches. */
export interface Reached extends RehearsedShares {
  readonly failure?: string;
}

function reachedBy(destination: Destination, backends: Backends): Reached {
  const { service, unavailable } = destination;
  const failed = (failure: string): Reached => ({ stable: 0, canary: 0, failed: 1, other: 0, failure });
  const isOwn = service !== undefined && isRouted(service, backends);
  if (!isOwn) {
    // The scope of a release does not contain the pods of other Services.
    const isKnown = unavailable !== undefined && unavailable.reason !== 'no-pods';
    return isKnown ? failed(unavailable.why) : { stable: 0, canary: 0, failed: 0, other: 1 };
  }
  if (unavailable !== undefined && unavailable.reason !== 'no-pods') return failed(unavailable.why);
  const key = `${service.name}:${destination.port}:${destination.subset?.name}`;
  const known = backends.known.get(key) ?? behind(destination, service, backends);
  backends.known.set(key, known);
  return known;
}

/** The pods behind a port of one of the release's own Services. */
function behind(
  destination: Destination,
  service: { readonly namespace: string; readonly name: string },
  backends: Backends,
): Reached {
  const failed = (failure: string): Reached => ({ stable: 0, canary: 0, failed: 1, other: 0, failure });
  const manifest = backends.world.find('Service', service.name, service.namespace);
  const name = `Service ${service.namespace}/${service.name}`;
  if (manifest === undefined) return failed(`${name} does not exist`);
  if (destination.port !== undefined && !hasPort(manifest, destination.port)) {
    return failed(`${name} has no port ${destination.port}`);
  }
  const selector = { ...selectorOf(manifest.object), ...destination.subset?.labels };
  const { stable, canary } = selectedPods(selector, backends.pods, backends.revisionLabel);
  const total = stable + canary;
  if (total === 0) return failed(`${name} selects no pod`);
  return { stable: stable / total, canary: canary / total, failed: 0, other: 0 };
}

function isRouted(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { traffic, otherServices = [] }: Backends,
): boolean {
  if (namespace !== traffic.namespace) return false;
  return name === traffic.stableService || name === traffic.canaryService || otherServices.includes(name);
}

function hasPort(service: Manifest, port: number | string): boolean {
  const ports = service.get('spec.ports');
  return (
    Array.isArray(ports) && ports.some((item) => ownValue(item, 'port') === port || ownValue(item, 'name') === port)
  );
}

function nameOf({ service, target = 'nothing' }: Destination): string {
  return service === undefined ? target : `${service.namespace}/${service.name}`;
}

function ruleOf({ rule }: Route): { readonly rule?: RehearsedRule; readonly manifest?: Manifest } {
  return rule === undefined ? {} : { rule: rehearsedRule(rule), manifest: rule.manifest };
}

/** Kept because many requests meet the same rule. */
const rehearsedRule = remembered(({ description, manifest, path }: RouteRule): RehearsedRule => {
  const made = { description, object: manifest.ref, path: formatPath(path) };
  return manifest.origin === undefined ? made : withSource(made, manifest, path);
});

/** Most rules are in no report: their places in files are looked up when they are read. */
function withSource(rule: RehearsedRule, manifest: Manifest, path: Path): RehearsedRule {
  const source = lazy(() => manifest.sourceOf(path));
  return Object.defineProperty({ ...rule }, 'source', { enumerable: true, get: source });
}
