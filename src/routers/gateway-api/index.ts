import { type Json, type Manifest, ownValue, type Path, type World } from '../../core';
import { HostIndex, hostSpecificity, intersectHosts } from '../hosts';
import { compareRanks, compileMatches, type MatchRank } from '../http-route/matches';
import { nameOfKind } from '../kinds';
import { type Candidate, fixedResponse, listenerOf } from '../listener';
import { hostOf } from '../request';
import { requestedService } from '../requested-service';
import type { HttpRequest, Ignored, Listener, LoadBalancer, Router, RouteTable } from '../router';
import { portsOf } from '../services';
import {
  byAge,
  compareText,
  entriesOf,
  keyOf,
  listOf,
  nameOf,
  numberOf,
  placedItems,
  textOf,
  textsOf,
  valueIn,
} from '../values';
import { Backends } from './backends';
import { GATEWAY, GATEWAY_CLASS, HTTP_ROUTE, REFERENCE_GRANT } from './kinds';
import { GATEWAY_API_READS, routesByParent } from './reads';

/**
 * Gateways of the Gateway API with their HTTPRoutes, for every implementation, and HTTPRoutes of Services in a mesh.
 * @example
 * const [gateway] = gatewayApiRouter().routes(world).loadBalancers;
 * gateway?.listeners[0]?.route({ host: 'shop.example.com', path: '/cart' });
 */
export function gatewayApiRouter(): Router {
  return {
    name: 'gateway-api',
    reads: GATEWAY_API_READS,
    shared: [GATEWAY_CLASS, GATEWAY, REFERENCE_GRANT],
    readTogether: routesByParent,
    routes: (world) => new GatewayApi(world).routeTable(),
  };
}

/** A listener of a Gateway. */
interface GatewayListener {
  readonly name: string;
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS';
  readonly hostname: string;
  readonly allows: (namespace: string) => boolean;
}

/** A reference from a route to its parent. */
interface ParentRef {
  readonly route: Manifest;
  readonly at: Path;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly sectionName: string | undefined;
  readonly port: number | undefined;
}

interface RankedCandidate extends Candidate {
  readonly rank: MatchRank;
}

class GatewayApi {
  private readonly backends: Backends;
  private readonly routes: readonly Manifest[];
  private readonly ignored: Ignored[] = [];
  private readonly compiled = new Map<Manifest, readonly RankedCandidate[]>();

  constructor(private readonly world: World) {
    this.backends = new Backends(world);
    this.routes = byAge(world, world.list(nameOfKind(HTTP_ROUTE)));
  }

  routeTable(): RouteTable {
    const refs = this.routes.flatMap((route) => this.parentRefs(route));
    const parents = new Map<string, ParentRef[]>();
    for (const gateway of this.world.list(nameOfKind(GATEWAY)))
      parents.set(`Gateway ${keyOf(this.world, gateway)}`, []);
    for (const ref of refs) {
      const key = `${ref.kind} ${ref.namespace}/${ref.name}`;
      parents.set(key, [...(parents.get(key) ?? []), ref]);
    }
    const loadBalancers = [...parents]
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, attached]) =>
        this.loadBalancer(key.slice(key.indexOf(' ') + 1), key.startsWith('Service'), attached),
      );
    const served = new Set(loadBalancers.flatMap(({ members }) => members));
    return { loadBalancers, unserved: this.routes.filter((route) => !served.has(route)), ignored: this.ignored };
  }

  private parentRefs(route: Manifest): readonly ParentRef[] {
    const home = this.world.namespaceOf(route);
    return placedItems(valueIn(route.object, 'spec', 'parentRefs'), ['spec', 'parentRefs']).flatMap(({ value, at }) => {
      const kind = nameOf(ownValue(value, 'kind')) ?? 'Gateway';
      if (kind !== 'Gateway' && kind !== 'Service') return [];
      return [
        {
          route,
          at,
          kind,
          namespace: nameOf(ownValue(value, 'namespace')) ?? home,
          name: textOf(ownValue(value, 'name')) ?? '',
          sectionName: nameOf(ownValue(value, 'sectionName')),
          port: numberOf(ownValue(value, 'port')),
        },
      ];
    });
  }

  private loadBalancer(name: string, isService: boolean, attached: readonly ParentRef[]): LoadBalancer {
    return isService ? this.serviceParent(name, attached) : this.gateway(name, attached);
  }

  private gateway(name: string, attached: readonly ParentRef[]): LoadBalancer {
    const [namespace, gatewayName] = name.split('/') as [string, string];
    const manifest = this.world.find(nameOfKind(GATEWAY), gatewayName, namespace);
    const listeners = manifest === undefined ? ASSUMED_LISTENERS : this.listenersOf(manifest);
    const members = new Set<Manifest>();
    const byPort = new Map<number, GatewayListener[]>();
    for (const listener of listeners) byPort.set(listener.port, [...(byPort.get(listener.port) ?? []), listener]);
    const result = [...byPort]
      .sort(([a], [b]) => a - b)
      .map(([port, here]) => this.listener(port, here, attached, members));
    for (const { route, at } of attached) {
      if (members.has(route)) continue;
      const why = `no listener of Gateway ${name} takes the route: see its hostname, port, sectionName and allowedRoutes`;
      this.ignored.push({ manifest: route, path: at, reason: 'not-attached', why });
    }
    return { name, members: [...members], listeners: result };
  }

  /** A request goes to the listener with the most specific hostname, and to no other listener. */
  private listener(
    port: number,
    listeners: readonly GatewayListener[],
    attached: readonly ParentRef[],
    members: Set<Manifest>,
  ): Listener {
    const index = new HostIndex<(request: HttpRequest) => readonly Candidate[]>();
    const all = new Set<RankedCandidate>();
    for (const listener of listeners) {
      const routes = new HostIndex<RankedCandidate>();
      for (const ref of attached) {
        const hosts = attachedHosts(ref, listener, this.world);
        if (hosts.length === 0) continue;
        members.add(ref.route);
        const candidates = this.candidatesOf(ref.route);
        for (const candidate of candidates) {
          all.add(candidate);
          for (const host of hosts) routes.add(host, candidate);
        }
      }
      index.add(listener.hostname, (request) => routes.matching(hostOf(request)).flatMap(inOrder));
    }
    return listenerOf({
      port,
      protocol: listeners[0]!.protocol,
      candidates: inOrder([...all]),
      reachable: (request) => index.best(hostOf(request))[0]?.(request) ?? [],
      otherwise: fixedResponse(404),
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
        const candidates = inOrder(here.flatMap(({ route }) => this.candidatesOf(route)));
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

  private candidatesOf(route: Manifest): readonly RankedCandidate[] {
    const known = this.compiled.get(route);
    if (known !== undefined) return known;
    const rules = placedItems(valueIn(route.object, 'spec', 'rules'), ['spec', 'rules']);
    const candidates = (rules.length === 0 ? [{ value: {}, at: ['spec'] }] : rules).flatMap(({ value, at }) => {
      const answer = this.backends.answerOf(route, value);
      return compileMatches(ownValue(value, 'matches')).map(({ words, test, rank }) => ({
        rule: {
          description: `HTTPRoute ${keyOf(this.world, route)} rules[${at.at(-1)}]: ${words}`,
          manifest: route,
          path: at,
        },
        matches: test,
        answer,
        rank,
      }));
    });
    this.compiled.set(route, candidates);
    return candidates;
  }

  private listenersOf(gateway: Manifest): readonly GatewayListener[] {
    return listOf(valueIn(gateway.object, 'spec', 'listeners')).flatMap((listener) => {
      const protocol = textOf(ownValue(listener, 'protocol'));
      const port = numberOf(ownValue(listener, 'port'));
      if (port === undefined || (protocol !== 'HTTP' && protocol !== 'HTTPS')) return [];
      const name = textOf(ownValue(listener, 'name')) ?? '';
      const hostname = nameOf(ownValue(listener, 'hostname')) ?? '*';
      return [{ name, port, protocol, hostname, allows: this.allowed(gateway, listener) }];
    });
  }

  private allowed(gateway: Manifest, listener: Json): (namespace: string) => boolean {
    const namespaces = valueIn(listener, 'allowedRoutes', 'namespaces');
    const from = textOf(ownValue(namespaces, 'from')) ?? 'Same';
    if (from === 'All') return () => true;
    if (from !== 'Selector') return (namespace) => namespace === this.world.namespaceOf(gateway);
    const labels = entriesOf(valueIn(namespaces, 'selector', 'matchLabels'));
    return (namespace) => {
      const own = { ...this.world.find('Namespace', namespace)?.labels, 'kubernetes.io/metadata.name': namespace };
      return labels.every(([key, value]) => ownValue(own, key) === value);
    };
  }
}

/** The listeners of a Gateway that is not in the manifests: the operators of the cluster own it. */
const ASSUMED_LISTENERS: readonly GatewayListener[] = [
  { name: 'http', port: 80, protocol: 'HTTP', hostname: '*', allows: () => true },
  { name: 'https', port: 443, protocol: 'HTTPS', hostname: '*', allows: () => true },
];

/** The hosts for which a listener accepts a route. */
function attachedHosts(ref: ParentRef, listener: GatewayListener, world: World): readonly string[] {
  const isAssumed = ASSUMED_LISTENERS.includes(listener);
  if (ref.sectionName !== undefined && ref.sectionName !== listener.name && !isAssumed) return [];
  if (ref.port !== undefined && ref.port !== listener.port) return [];
  if (!listener.allows(world.namespaceOf(ref.route))) return [];
  const hostnames = textsOf(valueIn(ref.route.object, 'spec', 'hostnames'));
  if (hostnames.length === 0) return [listener.hostname];
  const hosts = hostnames.flatMap((hostname) => intersectHosts(hostname, listener.hostname) ?? []);
  return [...new Set(hosts)].sort((a, b) => hostSpecificity(b) - hostSpecificity(a));
}

/** Sorts each list once. The lists of an index do not change after it is built. */
const sortedLists = new WeakMap<readonly RankedCandidate[], readonly RankedCandidate[]>();

/** The most specific match first; equal matches by the age of the route, then by the order of the rules. */
function inOrder(candidates: readonly RankedCandidate[]): readonly RankedCandidate[] {
  const known = sortedLists.get(candidates);
  if (known !== undefined) return known;
  const sorted = [...candidates].sort((a, b) => compareRanks(a.rank, b.rank));
  sortedLists.set(candidates, sorted);
  return sorted;
}
