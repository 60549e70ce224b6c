import { type Manifest, ownValue, type Path, type World } from '../../core';
import { addTo, groupedBy } from '../../core/grouped';
import { remembered } from '../../core/remembered';
import { HostIndex, hostSpecificity, intersectHosts } from '../hosts';
import {
  compareRanks,
  compileMatches,
  type MatchOptions,
  type MatchRank,
  type RouteMatch,
  segmentAsked,
} from '../http-route/matches';
import { type IstioFacts, LATEST_ISTIO_FACTS } from '../istio-version';
import { nameOfKind } from '../kinds';
import { type Candidate, fixedResponse, listenerOf, once } from '../listener';
import { dottedHostOf, hasEscapedSlash, hostOf } from '../request';
import { requestedService } from '../requested-service';
import {
  type HttpRequest,
  type Ignored,
  type Listener,
  type LoadBalancer,
  NO_ROUTES,
  type Router,
  type RouteTable,
} from '../router';
import { portsOf } from '../services';
import { Shortlist } from '../shortlist';
import { byAge, compareText, keyOf, listOf, nameOf, numberOf, placedItems, textOf, textsOf, valueIn } from '../values';
import { whereAllAgree } from './agreement';
import { Backends, unknownFilterOf } from './backends';
import { DESCRIBED, type Implementation, implementationOf, OTHERS } from './implementation';
import { GATEWAY, GATEWAY_CLASS, HTTP_ROUTE, LISTENER_SET, REFERENCE_GRANT, X_LISTENER_SET } from './kinds';
import { type GatewayListener, gatewayOfParent, LISTENER_KINDS, listenersBehind, parentKey } from './listeners';
import { GATEWAY_API_READS, routesByParent } from './reads';

/** How implementations of the Gateway API are set up. */
export interface GatewayApiOptions {
  /**
   * What the release of Istio does.
   * @default - the facts of the newest release
   */
  readonly istioFacts?: IstioFacts;
}

/**
 * Gateways of the Gateway API with their HTTPRoutes, for every implementation, and HTTPRoutes of Services in a mesh.
 * @example
 * const [gateway] = gatewayApiRouter().routes(world).loadBalancers;
 * gateway?.listeners[0]?.route({ host: 'shop.example.com', path: '/cart' });
 */
export function gatewayApiRouter({ istioFacts = LATEST_ISTIO_FACTS }: GatewayApiOptions = {}): Router {
  return {
    name: 'gateway-api',
    expressions: 'RE2',
    reads: GATEWAY_API_READS,
    shared: [GATEWAY_CLASS, GATEWAY, LISTENER_SET, X_LISTENER_SET, REFERENCE_GRANT],
    readTogether: routesByParent,
    routes(world) {
      const isUsed = [HTTP_ROUTE, GATEWAY].some((kind) => world.list(nameOfKind(kind)).length > 0);
      return isUsed ? new GatewayApi(world, istioFacts).routeTable() : NO_ROUTES;
    },
  };
}

/** A reference from a route to its parent. */
interface ParentRef {
  readonly route: Manifest;
  readonly at: Path;
  /** `Gateway shop/edge` */
  readonly parent: string;
  /** The Gateway, or another parent, whose address leads to the listeners of `parent`. */
  readonly servedBy: string;
  readonly sectionName: string | undefined;
  readonly port: number | undefined;
}

interface RankedCandidate extends Candidate, Pick<RouteMatch, 'segment'> {
  readonly rank: MatchRank;
  /** How many rules of its route there are from its own rule on. */
  readonly rulesLeft: number;
}

/** Selects among candidates in order. */
type Select = (candidates: readonly RankedCandidate[]) => readonly RankedCandidate[];

class GatewayApi {
  private readonly backends: Backends;
  private readonly routes: readonly Manifest[];
  private readonly ignored: Ignored[] = [];
  private readonly compiled = new Map<Implementation, Map<Manifest, readonly RankedCandidate[]>>();
  private readonly listeners = new Map<string, readonly GatewayListener[]>();

  constructor(
    private readonly world: World,
    private readonly istioFacts: IstioFacts,
  ) {
    this.backends = new Backends(world);
    this.routes = byAge(world, world.list(nameOfKind(HTTP_ROUTE)));
  }

  routeTable(): RouteTable {
    const refs = this.routes.flatMap((route) => this.parentRefs(route));
    const parents = new Map<string, ParentRef[]>();
    for (const gateway of this.world.list(nameOfKind(GATEWAY)))
      parents.set(parentKey(GATEWAY.kind, keyOf(this.world, gateway)), []);
    for (const ref of refs) addTo(parents, ref.servedBy, ref);
    const loadBalancers = [...parents]
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, attached]) => this.loadBalancer(key, attached));
    const served = new Set(loadBalancers.flatMap(({ members }) => members));
    return { loadBalancers, unserved: this.routes.filter((route) => !served.has(route)), ignored: this.ignored };
  }

  private parentRefs(route: Manifest): readonly ParentRef[] {
    const home = this.world.namespaceOf(route);
    return placedItems(valueIn(route.object, 'spec', 'parentRefs'), ['spec', 'parentRefs']).flatMap(({ value, at }) => {
      const kind = nameOf(ownValue(value, 'kind')) ?? GATEWAY.kind;
      if (!LISTENER_KINDS.includes(kind) && kind !== 'Service') return [];
      const namespace = nameOf(ownValue(value, 'namespace')) ?? home;
      const name = textOf(ownValue(value, 'name')) ?? '';
      return [
        {
          route,
          at,
          parent: parentKey(kind, `${namespace}/${name}`),
          servedBy: gatewayOfParent(this.world, kind, namespace, name),
          sectionName: nameOf(ownValue(value, 'sectionName')),
          port: numberOf(ownValue(value, 'port')),
        },
      ];
    });
  }

  private loadBalancer(parent: string, attached: readonly ParentRef[]): LoadBalancer {
    const [kind, key] = parent.split(' ') as [string, string];
    return kind === 'Service' ? this.serviceParent(key, attached) : this.gateway(parent, attached);
  }

  private gateway(parent: string, attached: readonly ParentRef[]): LoadBalancer {
    const implementation = implementationOf(this.world, parent, this.istioFacts);
    if (implementation !== undefined) return this.gatewayAs(implementation, parent, attached, this.ignored);
    const described = this.gatewayAs(DESCRIBED, parent, attached, this.ignored);
    const others = once(() =>
      Object.entries(OTHERS).map(([name, other]) => ({ name, gateway: this.gatewayAs(other, parent, attached, []) })),
    );
    const listeners = described.listeners.map((listener, index) =>
      whereAllAgree(listener, () =>
        others().map(({ name, gateway }) => ({ name, listener: gateway.listeners[index]! })),
      ),
    );
    return { ...described, listeners };
  }

  private gatewayAs(
    implementation: Implementation,
    parent: string,
    attached: readonly ParentRef[],
    ignored: Ignored[],
  ): LoadBalancer {
    const members = new Set<Manifest>();
    const accepted = attached.filter(({ route }) => droppedFor(route, implementation) === undefined);
    const result = [...groupedBy(this.listenersBehind(parent), ({ port }) => port)]
      .sort(([a], [b]) => a - b)
      .map(([port, here]) => this.listener(port, here, accepted, members, implementation));
    for (const { route, at, parent: named } of attached) {
      if (members.has(route)) continue;
      const allowed = named === parent ? '' : `, and allowedListeners of ${parent}`;
      const why =
        droppedFor(route, implementation) ??
        `no listener of ${named} takes the route: see its hostname, port, sectionName and allowedRoutes${allowed}`;
      ignored.push({ manifest: route, path: at, reason: 'not-attached', why });
    }
    return { name: parent.replace('Gateway ', ''), members: [...members], listeners: result };
  }

  private listenersBehind(parent: string): readonly GatewayListener[] {
    const listeners = this.listeners.get(parent) ?? listenersBehind(this.world, parent);
    this.listeners.set(parent, listeners);
    return listeners;
  }

  /** Most gateways let the listener with the most specific hostname take a request, and no other listener. */
  private listener(
    port: number,
    listeners: readonly GatewayListener[],
    attached: readonly ParentRef[],
    members: Set<Manifest>,
    implementation: Implementation,
  ): Listener {
    const hostFrom = implementation.keepsDot ? dottedHostOf : hostOf;
    const index = new HostIndex<(request: HttpRequest, select: Select) => readonly RankedCandidate[]>();
    const all = new Set<RankedCandidate>();
    for (const listener of listeners) {
      const routes = new HostIndex<RankedCandidate>();
      for (const ref of attached) {
        const hosts = attachedHosts(ref, listener, this.world);
        if (hosts.length === 0) continue;
        members.add(ref.route);
        const own = this.candidatesOf(ref.route, implementation);
        const candidates = implementation.addsHostToRank ? own.map((one) => withHost(one, hosts)) : own;
        for (const candidate of candidates) {
          all.add(candidate);
          for (const host of hosts) routes.add(host, candidate);
        }
      }
      index.add(listener.hostname, (request, select) => {
        const matching = routes.matching(hostFrom(request));
        return (implementation.fallsThrough ? matching : matching.slice(0, 1)).flatMap((own) => select(inOrder(own)));
      });
    }
    const inPrecedence = implementation.addsHostToRank ? inOrder : (found: readonly RankedCandidate[]) => found;
    const listenersFor = (host: string) => (implementation.isolatesListeners ? index.best(host) : index.all(host));
    const isRedirected = (request: HttpRequest) => implementation.redirectsEscapedSlashes && hasEscapedSlash(request);
    const reached = (request: HttpRequest, select: Select) =>
      isRedirected(request)
        ? []
        : inPrecedence(listenersFor(hostFrom(request)).flatMap((candidatesFor) => candidatesFor(request, select)));
    return listenerOf({
      port,
      protocol: listeners[0]!.protocol,
      candidates: () => inOrder([...all]),
      reachable: (request) => reached(request, (candidates) => candidates),
      likely: (request) => reached(request, (candidates) => likelyFor(request, candidates, implementation)),
      otherwise: (request) =>
        isRedirected(request)
          ? fixedResponse(307, 'the gateway redirects to the path without escapes')
          : fixedResponse(404),
    });
  }

  /** Within a mesh, routes take the requests for their parent Service; hostnames are ignored. */
  private serviceParent(name: string, attached: readonly ParentRef[]): LoadBalancer {
    const [namespace, serviceName] = name.split('/') as [string, string];
    const service = this.world.find('Service', serviceName, namespace);
    const ports = portsOf(service).flatMap((port) => numberOf(port.port) ?? []);
    const listeners = [...new Set(ports.length === 0 ? [80] : ports)]
      .sort((a, b) => a - b)
      .map((port) => {
        const here = attached.filter((ref) => ref.port === undefined || ref.port === port);
        const candidates = inOrder(here.flatMap(({ route }) => this.candidatesOf(route, DESCRIBED)));
        const isMeant = (request: HttpRequest) => {
          const meant = requestedService(this.world, hostOf(request), request.source?.namespace ?? namespace);
          return meant?.name === serviceName && meant.namespace === namespace;
        };
        return listenerOf({
          port,
          protocol: 'HTTP',
          candidates,
          reachable: (request) => (isMeant(request) ? candidates : []),
          otherwise: (request) => {
            if (!isMeant(request) || candidates.length > 0) return fixedResponse(404);
            return this.backends.serviceAnswer(namespace, serviceName, port);
          },
        });
      });
    return { name: `service ${name}`, members: [...new Set(attached.map(({ route }) => route))], listeners };
  }

  private candidatesOf(route: Manifest, implementation: Implementation): readonly RankedCandidate[] {
    const compiled = this.compiled.get(implementation) ?? new Map<Manifest, readonly RankedCandidate[]>();
    this.compiled.set(implementation, compiled);
    const known = compiled.get(route);
    if (known !== undefined) return known;
    const rules = placedItems(valueIn(route.object, 'spec', 'rules'), ['spec', 'rules']);
    const candidates = (rules.length === 0 ? [{ value: {}, at: ['spec'] }] : rules).flatMap(({ value, at }, index) => {
      const answer = once(() => this.backends.answerOf(route, value, implementation));
      return compileMatches(ownValue(value, 'matches'), matchOptions(implementation)).map(
        ({ words, test, conditions, rank, segment }) => ({
          rule: {
            description: `HTTPRoute ${keyOf(this.world, route)} ${rules.length === 0 ? 'without rules' : `rules[${index}]`}: ${words}`,
            manifest: route,
            path: at,
          },
          matches: test,
          conditions,
          answer,
          rank,
          ...(segment === undefined ? {} : { segment }),
          rulesLeft: rules.length - index,
        }),
      );
    });
    compiled.set(route, candidates);
    return candidates;
  }
}

const matchOptions = remembered(({ dialect }: Implementation): MatchOptions => ({ dialect }));

/** Why the implementation takes no rule of a route. */
function droppedFor(route: Manifest, implementation: Implementation): string | undefined {
  if (implementation.unknownFilter !== 'route is dropped') return undefined;
  for (const rule of listOf(valueIn(route.object, 'spec', 'rules'))) {
    const unknown = unknownFilterOf(rule, implementation);
    if (unknown !== undefined) return `${unknown}, and takes no rule of the route`;
  }
  return undefined;
}

/** The hosts for which a listener accepts a route. */
function attachedHosts(ref: ParentRef, listener: GatewayListener, world: World): readonly string[] {
  if (ref.parent !== listener.parent) return [];
  if (ref.sectionName !== undefined && ref.sectionName !== listener.name && !listener.isAssumed) return [];
  if (ref.port !== undefined && ref.port !== listener.port) return [];
  if (!listener.allows(world.namespaceOf(ref.route))) return [];
  const hostnames = textsOf(valueIn(ref.route.object, 'spec', 'hostnames'));
  if (hostnames.length === 0) return [listener.hostname];
  const hosts = hostnames.flatMap((hostname) => intersectHosts(hostname, listener.hostname) ?? []);
  return [...new Set(hosts)].sort((a, b) => hostSpecificity(b) - hostSpecificity(a));
}

/** A match whose rank is a single priority, to which the longest hostname adds its length, and each rule that is left in the route adds 1. */
function withHost(candidate: RankedCandidate, hosts: readonly string[]): RankedCandidate {
  const [priority = 0] = candidate.rank;
  return { ...candidate, rank: [priority - candidate.rulesLeft - Math.max(...hosts.map(({ length }) => length))] };
}

/**
 * The most specific match first; equal matches by the age of the route, then by the order of the rules. The lists of an index do
 * not change after it is built.
 */
const inOrder = remembered((candidates: readonly RankedCandidate[]): readonly RankedCandidate[] =>
  [...candidates].sort((a, b) => compareRanks(a.rank, b.rank)),
);

const byPath = remembered(
  (candidates: readonly RankedCandidate[]) => new Shortlist(candidates, ({ segment }) => segment),
);

/** To look through a few is faster than to index them. */
const MANY = 16;

/** The candidates that the path of a request may meet. */
function likelyFor(
  request: HttpRequest,
  candidates: readonly RankedCandidate[],
  implementation: Implementation,
): readonly RankedCandidate[] {
  return candidates.length < MANY
    ? candidates
    : byPath(candidates).of(segmentAsked(request, matchOptions(implementation)));
}
