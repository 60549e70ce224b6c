import { type Manifest, ownValue, type World } from '../../core';
import { groupedBy } from '../../core/grouped';
import { HostIndex } from '../hosts';
import { nameOfKind } from '../kinds';
import { type Candidate, fixedResponse, listenerOf } from '../listener';
import { hostOf } from '../request';
import type { Answer, HttpRequest, Listener, LoadBalancer, Router, RouteTable } from '../router';
import { Services, servicesAnswer } from '../services';
import { compareText, listOf, nameOf, numberOf, textOf, valueIn } from '../values';
import { MESH, MESH_GATEWAY, MESH_HTTP_ROUTE, TRAFFIC_ROUTE } from './kinds';
import {
  gatewayTargets,
  hostnamesOf,
  type RouteTarget,
  routeCandidates,
  routeTargets,
  TargetIndex,
  targetKind,
} from './mesh-http-route';
import { KUMA_READS } from './reads';
import { destinationOf, type MeshService, meshPorts, requestedMeshService } from './services';
import { trafficRouteCandidates, trafficRouteFor } from './traffic-route';

/**
 * Kuma: `mesh`, which stands for the proxies of clients, and the MeshGateways that routes target.
 * @example
 * const mesh = kumaRouter().routes(world).loadBalancers.find(({ name }) => name === 'mesh');
 * mesh?.listeners[0]?.route({ host: 'web', path: '/' });
 */
export function kumaRouter(): Router {
  return {
    name: 'kuma',
    expressions: 'RE2',
    reads: KUMA_READS,
    shared: [MESH, MESH_GATEWAY],
    routes: (world) => new Kuma(world).routeTable(),
  };
}

class Kuma {
  private readonly services: Services;
  private readonly targets: readonly RouteTarget[];
  private readonly byService: TargetIndex;
  private readonly byManifest: ReadonlyMap<Manifest, readonly RouteTarget[]>;
  private readonly candidates = new Map<string, readonly Candidate[]>();

  constructor(private readonly world: World) {
    this.services = new Services(world);
    this.targets = routeTargets(world).filter(({ manifest }) => targetKind(manifest) !== 'MeshGateway');
    this.byService = new TargetIndex(world, this.targets);
    this.byManifest = groupedBy(this.targets, ({ manifest }) => manifest);
  }

  routeTable(): RouteTable {
    const gateways = gatewayTargets(this.world);
    const loadBalancers = [...gateways]
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, targets]) => this.gateway(name, targets));
    const members = this.meshMembers();
    return { loadBalancers: [...loadBalancers, this.mesh(members)], unserved: [] };
  }

  private meshMembers(): readonly Manifest[] {
    const routes = this.world
      .list(nameOfKind(MESH_HTTP_ROUTE))
      .filter((manifest) => targetKind(manifest) !== 'MeshGateway');
    return [...routes, ...this.world.list(nameOfKind(TRAFFIC_ROUTE))];
  }

  private mesh(members: readonly Manifest[]): LoadBalancer {
    return { name: 'mesh', members, listeners: meshPorts(this.world).map((port) => this.meshListener(port, members)) };
  }

  private meshListener(port: number, members: readonly Manifest[]): Listener {
    return listenerOf({
      port,
      protocol: 'HTTP',
      candidates: () => members.flatMap((manifest) => this.rulesOf(manifest)),
      reachable: (request) => {
        const asked = requestedMeshService(this.world, request, port);
        return asked === undefined ? [] : this.candidatesFor(asked);
      },
      otherwise: (request) => this.withoutRoute(request, port),
    });
  }

  /** The rules of a policy, for reports only: they do not depend on the requested service. */
  private rulesOf(manifest: Manifest): readonly Candidate[] {
    if (manifest.kind !== 'MeshHTTPRoute') {
      const nowhere = { ref: { namespace: this.world.namespaceOf(manifest), name: '' }, port: undefined };
      return trafficRouteCandidates(this.world, this.services, manifest, nowhere);
    }
    const targets = this.byManifest.get(manifest) ?? [];
    return targets.flatMap((target) => routeCandidates(this.world, this.services, [target], undefined));
  }

  /** MeshHTTPRoutes take precedence over TrafficRoutes. */
  private candidatesFor(asked: MeshService): readonly Candidate[] {
    const key = JSON.stringify(asked);
    const known = this.candidates.get(key);
    if (known !== undefined) return known;
    const targets = this.byService.for(asked);
    const route = trafficRouteFor(this.world, asked);
    const candidates =
      targets.length > 0
        ? routeCandidates(this.world, this.services, targets, asked)
        : route === undefined
          ? []
          : trafficRouteCandidates(this.world, this.services, route, asked);
    this.candidates.set(key, candidates);
    return candidates;
  }

  /** Requests that match no rule go to the service itself; requests to unknown hosts leave the mesh. */
  private withoutRoute(request: HttpRequest, port: number): Answer {
    const asked = requestedMeshService(this.world, request, port);
    if (asked === undefined) return servicesAnswer([{ target: hostOf(request), port, weight: 1 }]);
    return servicesAnswer([destinationOf(this.services, asked, 1, undefined)]);
  }

  private gateway(name: string, targets: readonly RouteTarget[]): LoadBalancer {
    const found = this.world.list(nameOfKind(MESH_GATEWAY)).find((manifest) => manifest.name === name);
    const listed = listOf(valueIn(found?.object, 'spec', 'conf', 'listeners'));
    const listeners = listed.length === 0 ? ASSUMED_LISTENERS : listed;
    const members = [...new Set(targets.map(({ manifest }) => manifest))];
    const ports = [...new Set(listeners.flatMap((listener) => numberOf(ownValue(listener, 'port')) ?? []))];
    return {
      name,
      members,
      listeners: ports
        .sort((a, b) => a - b)
        .map((port) => {
          const here = listeners.filter((listener) => ownValue(listener, 'port') === port);
          const isSecure = here.some((listener) => textOf(ownValue(listener, 'protocol')) === 'HTTPS');
          const hostnames = here.map((listener) => nameOf(ownValue(listener, 'hostname')) ?? '*');
          return this.gatewayListener(port, isSecure ? 'HTTPS' : 'HTTP', hostnames, targets);
        }),
    };
  }

  private gatewayListener(
    port: number,
    protocol: 'HTTP' | 'HTTPS',
    hostnames: readonly string[],
    targets: readonly RouteTarget[],
  ): Listener {
    const open = new HostIndex<true>();
    for (const hostname of hostnames) open.add(hostname, true);
    const byHost = new HostIndex<RouteTarget>();
    const hosts = new Set(targets.flatMap(hostnamesOf).map((host) => host.toLowerCase()));
    for (const target of targets) for (const host of hostnamesOf(target)) byHost.add(host, target);
    const compiled = new Map<readonly RouteTarget[], readonly Candidate[]>();
    const candidatesOf = (here: readonly RouteTarget[]): readonly Candidate[] => {
      const known = compiled.get(here) ?? routeCandidates(this.world, this.services, here, undefined);
      compiled.set(here, known);
      return known;
    };
    return listenerOf({
      port,
      protocol,
      // Each host merges the rules of its own routes.
      candidates: () => [...hosts].flatMap((host) => candidatesOf(byHost.best(host))),
      reachable: (request) => (open.best(hostOf(request)).length > 0 ? candidatesOf(byHost.best(hostOf(request))) : []),
      otherwise: fixedResponse(404),
    });
  }
}

/** The listeners of a MeshGateway that is not in the manifests: the operators of the mesh own it. */
const ASSUMED_LISTENERS = [{ port: 80, protocol: 'HTTP' }];
