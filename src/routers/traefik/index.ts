import { type Json, type Manifest, ownValue, type Path, type World } from '../../core';
import { type Candidate, fixedResponse, listenerOf } from '../listener';
import type { Answer, Destination, Ignored, Listener, Router, RouteTable } from '../router';
import { portsOf, Services, servicesAnswer } from '../services';
import {
  byAge,
  keyOf,
  listOf,
  nameOf,
  numberOf,
  type Placed,
  placedItems,
  portOf,
  textOf,
  textsOf,
  valueIn,
} from '../values';
import { TRAEFIK_READS } from './reads';
import { parseRule } from './rule';

/** How Traefik is set up; the defaults are those of its Helm chart. */
export interface TraefikOptions {
  /**
   * The ports of the entry points.
   * @default - `web` is port 80, `websecure` port 443
   */
  readonly entryPoints?: Readonly<Record<string, { readonly port: number; readonly protocol: 'HTTP' | 'HTTPS' }>>;
  /**
   * Whether Services without pods answer with 503. Otherwise Traefik drops the routes that name them.
   * @default true
   */
  readonly allowEmptyServices?: boolean;
  /**
   * Whether routes may name Services of other namespaces.
   * @default false
   */
  readonly allowCrossNamespace?: boolean;
}

/**
 * Traefik with IngressRoutes and TraefikServices.
 * @example traefikRouter().routes(world).loadBalancers[0].listeners[0].route({ host: 'shop.example.com', path: '/' })
 */
export function traefikRouter(options: TraefikOptions = {}): Router {
  return {
    name: 'traefik',
    reads: TRAEFIK_READS,
    shared: [],
    routes: (world) => new Traefik(world, options).routeTable(),
  };
}

const GROUPS = ['traefik.io', 'traefik.containo.us'];

const ENTRY_POINTS = {
  web: { port: 80, protocol: 'HTTP' },
  websecure: { port: 443, protocol: 'HTTPS' },
} as const;

interface TraefikRoute {
  readonly candidate: Candidate;
  readonly priority: number;
  readonly entryPoints: readonly string[];
  /** A route with TLS takes no requests without TLS. */
  readonly hasTls: boolean;
  readonly redirectScheme: RedirectScheme | undefined;
}

interface RedirectScheme {
  readonly scheme: string;
  readonly statusCode: string;
  readonly port: string | undefined;
}

/** A mistake for which Traefik drops a route. */
class RouteError extends Error {}

class Traefik {
  private readonly services: Services;
  private readonly manifests: readonly Manifest[];
  private readonly ignored: Ignored[] = [];

  constructor(
    private readonly world: World,
    private readonly options: TraefikOptions,
  ) {
    this.services = new Services(world);
    this.manifests = byAge(
      world,
      GROUPS.flatMap((group) => world.list(`IngressRoute.${group}`)),
    );
  }

  routeTable(): RouteTable {
    const routes = this.manifests.flatMap((manifest) => this.routesOf(manifest));
    const entryPoints = Object.entries(this.options.entryPoints ?? ENTRY_POINTS);
    const listeners = entryPoints
      .map(([name, { port, protocol }]) => listener(name, port, protocol, routes))
      .sort((a, b) => a.port - b.port);
    const members = this.manifests.filter((manifest) =>
      routes.some(({ candidate }) => candidate.rule.manifest === manifest),
    );
    const unserved = this.manifests.filter((manifest) => !members.includes(manifest));
    const loadBalancers = this.manifests.length === 0 ? [] : [{ name: 'traefik', members, listeners }];
    return { loadBalancers, unserved, ignored: this.ignored };
  }

  private routesOf(manifest: Manifest): readonly TraefikRoute[] {
    return placedItems(valueIn(manifest.object, 'spec', 'routes'), ['spec', 'routes']).flatMap(({ value, at }) => {
      try {
        return [this.routeOf(manifest, value, at)];
      } catch (error) {
        if (!(error instanceof RouteError)) throw error;
        this.ignored.push({ manifest, path: at, reason: 'route-dropped', why: error.message });
        return [];
      }
    });
  }

  private routeOf(manifest: Manifest, route: Json, at: Path): TraefikRoute {
    const rule = textOf(ownValue(route, 'match')) ?? '';
    if (ownValue(route, 'kind') !== 'Rule' && ownValue(route, 'kind') !== undefined) {
      throw new RouteError(`kind is ${JSON.stringify(ownValue(route, 'kind'))}, and only Rule is known`);
    }
    const isV2 = ownValue(route, 'syntax') === 'v2' || manifest.group === 'traefik.containo.us';
    const parsed = parseRule(rule, isV2 ? 'v2' : 'v3');
    if ('fault' in parsed) throw new RouteError(`the rule ${rule} cannot be read: ${parsed.fault}`);
    const priority = numberOf(ownValue(route, 'priority')) || Buffer.byteLength(rule);
    return {
      priority,
      entryPoints: textsOf(valueIn(manifest.object, 'spec', 'entryPoints')),
      hasTls: ownValue(ownValue(manifest.object, 'spec'), 'tls') !== undefined,
      redirectScheme: this.redirectOf(manifest, route),
      candidate: {
        rule: {
          description: `IngressRoute ${keyOf(this.world, manifest)}, priority ${priority}: ${rule}`,
          manifest,
          path: at,
        },
        matches: parsed.test,
        answer: this.answerOf(manifest, route, at),
      },
    };
  }

  private answerOf(manifest: Manifest, route: Json, at: Path): Answer {
    const namespace = this.world.namespaceOf(manifest);
    const services = placedItems(ownValue(route, 'services'), [...at, 'services']);
    if (services.length === 0) throw new RouteError('the route has no services');
    const destinations = this.weighted(services, namespace, []);
    return servicesAnswer(destinations, { sticky: services.some(({ value }) => this.isSticky(value, namespace)) });
  }

  /** Services with their weights, multiplied by the weights of TraefikServices. */
  private weighted(
    services: readonly Placed[],
    namespace: string,
    above: readonly Manifest[],
  ): readonly Omit<Destination, 'share'>[] {
    const parts = services.map(({ value }) => ({
      // A single service gets all requests, whatever its weight.
      weight: services.length === 1 ? 1 : Math.max(numberOf(ownValue(value, 'weight')) ?? 1, 0),
      destinations: this.destinations(value, namespace, above),
    }));
    return parts.flatMap(({ weight, destinations }) => {
      const total = destinations.reduce((sum, destination) => sum + destination.weight, 0);
      return destinations.map((destination) => ({
        ...destination,
        weight: destinations.length === 1 ? weight : total === 0 ? 0 : (weight * destination.weight) / total,
      }));
    });
  }

  private destinations(
    service: Json,
    parent: string,
    above: readonly Manifest[],
  ): readonly Omit<Destination, 'share'>[] {
    const name = textOf(ownValue(service, 'name')) ?? '';
    const kind = nameOf(ownValue(service, 'kind')) ?? 'Service';
    // Services of other providers: `api@internal`, `noop@internal`.
    if (name.includes('@')) return [{ target: name, weight: 1 }];
    const namespace = nameOf(ownValue(service, 'namespace')) ?? parent;
    if (namespace !== parent && this.options.allowCrossNamespace !== true) {
      throw new RouteError(
        `service ${namespace}/${name} is in another namespace, which allowCrossNamespace would have to allow`,
      );
    }
    if (kind === 'TraefikService') return this.traefikService(name, namespace, above);
    if (kind !== 'Service') throw new RouteError(`services of kind ${kind} are not known`);
    return [this.kubernetesService(name, namespace, portOf(ownValue(service, 'port')))];
  }

  private kubernetesService(name: string, namespace: string, port: number | string | undefined) {
    const ref = { namespace, name };
    const ports = portsOf(this.services.find(ref));
    // The port may be omitted if the Service has only one.
    const asked = port ?? (ports.length === 1 ? portOf(ports[0]!.port) : undefined) ?? 0;
    const destination = this.services.destination(ref, asked, 1);
    const { unavailable } = destination;
    const isKept = unavailable?.reason === 'no-pods' && this.options.allowEmptyServices !== false;
    if (unavailable !== undefined && !isKept) throw new RouteError(unavailable.why);
    return destination;
  }

  private traefikService(
    name: string,
    namespace: string,
    above: readonly Manifest[],
  ): readonly Omit<Destination, 'share'>[] {
    const found = this.findIn('TraefikService', name, namespace);
    if (found === undefined) throw new RouteError(`TraefikService ${namespace}/${name} does not exist`);
    if (above.includes(found)) throw new RouteError(`TraefikService ${namespace}/${name} leads to itself`);
    const spec = ownValue(found.object, 'spec');
    const weighted = ownValue(spec, 'weighted');
    const chain = [...above, found];
    if (weighted !== undefined) {
      const services = placedItems(ownValue(weighted, 'services'), ['spec', 'weighted', 'services']);
      return this.weighted(services, namespace, chain);
    }
    const mirroring = ownValue(spec, 'mirroring');
    if (mirroring !== undefined) return this.destinations(mirroring, namespace, chain);
    throw new RouteError(`TraefikService ${namespace}/${name} has neither weighted nor mirroring`);
  }

  private isSticky(service: Json, namespace: string): boolean {
    if (valueIn(service, 'sticky', 'cookie') !== undefined) return true;
    if (ownValue(service, 'kind') !== 'TraefikService') return false;
    const home = nameOf(ownValue(service, 'namespace')) ?? namespace;
    const found = this.findIn('TraefikService', textOf(ownValue(service, 'name')) ?? '', home);
    return valueIn(found?.object, 'spec', 'weighted', 'sticky', 'cookie') !== undefined;
  }

  private redirectOf(manifest: Manifest, route: Json): RedirectScheme | undefined {
    for (const middleware of listOf(ownValue(route, 'middlewares'))) {
      const namespace = nameOf(ownValue(middleware, 'namespace')) ?? this.world.namespaceOf(manifest);
      const found = this.findIn('Middleware', textOf(ownValue(middleware, 'name')) ?? '', namespace);
      const redirect = valueIn(found?.object, 'spec', 'redirectScheme');
      const scheme = nameOf(ownValue(redirect, 'scheme'));
      if (scheme === undefined) continue;
      const statusCode = ownValue(redirect, 'permanent') === true ? '301' : '302';
      return { scheme: scheme.toUpperCase(), statusCode, port: nameOf(ownValue(redirect, 'port')) };
    }
    return undefined;
  }

  private findIn(kind: string, name: string, namespace: string): Manifest | undefined {
    return GROUPS.map((group) => this.world.find(`${kind}.${group}`, name, namespace)).find(
      (found) => found !== undefined,
    );
  }
}

function listener(name: string, port: number, protocol: 'HTTP' | 'HTTPS', all: readonly TraefikRoute[]): Listener {
  const candidates = all
    .filter(({ entryPoints }) => entryPoints.length === 0 || entryPoints.includes(name))
    .filter(({ hasTls }) => !hasTls || protocol === 'HTTPS')
    .sort((a, b) => b.priority - a.priority)
    .map(({ candidate, redirectScheme }): Candidate => {
      if (redirectScheme === undefined || redirectScheme.scheme === protocol) return candidate;
      const { scheme, statusCode, port: target } = redirectScheme;
      const answer = {
        kind: 'redirect',
        statusCode,
        protocol: scheme,
        ...(target === undefined ? {} : { port: target }),
      } as const;
      return { ...candidate, answer };
    });
  return listenerOf({ port, protocol, candidates, otherwise: fixedResponse(404) });
}
