import { type Json, type Manifest, ownValue, type Path, type World } from '../../core';
import { utf8Length } from '../../core/bytes';
import { compileRegex } from '../../core/regex';
import { type Candidate, fixedResponse, listenerOf } from '../listener';
import { methodOf, type RequestTest } from '../request';
import type { Answer, Destination, HttpRequest, Ignored, Listener, Router, RouteTable } from '../router';
import { Services, servicesAnswer } from '../services';
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
import { placeOf, type TiedRoute, withTies } from './ties';

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
    expressions: 'RE2',
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

interface TraefikRoute extends TiedRoute {
  readonly entryPoints: readonly string[];
  /** A route with TLS takes no requests without TLS. */
  readonly hasTls: boolean;
  /** The middlewares that redirect, in the order in which they see a request. */
  readonly redirects: readonly Redirect[];
}

/** A middleware that redirects requests, or some of them. */
interface Redirect {
  readonly permanent: boolean;
  /** The scheme that requests of another scheme are sent to. */
  readonly scheme?: string;
  readonly port?: string;
  /** The URLs that are redirected, with their scheme. */
  readonly urls?: (url: string) => boolean;
  /** What an expression makes of these URLs. */
  readonly location?: string;
}

const NO_ADDRESS = 'ClientIP depends on the address of the client, and the request has none: add "from 10.0.0.1"';

/** A mistake for which Traefik drops a route. */
class RouteError extends Error {
  constructor(
    message: string,
    readonly reason: string = 'route-dropped',
  ) {
    super(message);
  }
}

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
    // Traefik names its routers by their rules, so the last of equal rules replaces the earlier ones.
    const byRule = new Map<string, TraefikRoute>();
    for (const { value, at } of placedItems(valueIn(manifest.object, 'spec', 'routes'), ['spec', 'routes'])) {
      try {
        const route = this.routeOf(manifest, value, at);
        const rule = textOf(ownValue(value, 'match')) ?? '';
        const replaced = byRule.get(rule);
        if (replaced !== undefined) this.replace(replaced, at);
        byRule.set(rule, route);
      } catch (error) {
        if (!(error instanceof RouteError)) throw error;
        this.ignored.push({ manifest, path: at, reason: error.reason, why: error.message });
      }
    }
    return [...byRule.values()];
  }

  private replace({ candidate: { rule } }: TraefikRoute, by: Path): void {
    const why = `routes[${by.at(-1)}] has the same match and replaces it`;
    this.ignored.push({ manifest: rule.manifest, path: rule.path, reason: 'route-replaced', why });
  }

  private routeOf(manifest: Manifest, route: Json, at: Path): TraefikRoute {
    const rule = textOf(ownValue(route, 'match')) ?? '';
    if (ownValue(route, 'kind') !== 'Rule' && ownValue(route, 'kind') !== undefined) {
      throw new RouteError(`kind is ${JSON.stringify(ownValue(route, 'kind'))}, and only Rule is known`);
    }
    const isV2 = ownValue(route, 'syntax') === 'v2' || manifest.group === 'traefik.containo.us';
    const parsed = parseRule(rule, isV2 ? 'v2' : 'v3');
    if ('fault' in parsed) throw new RouteError(`the rule ${rule} cannot be read: ${parsed.fault}`);
    const priority = numberOf(ownValue(route, 'priority')) || utf8Length(rule);
    return {
      place: placeOf(rule),
      priority,
      entryPoints: textsOf(valueIn(manifest.object, 'spec', 'entryPoints')),
      hasTls: ownValue(ownValue(manifest.object, 'spec'), 'tls') !== undefined,
      redirects: this.redirectsOf(manifest, route),
      candidate: {
        rule: {
          description: `IngressRoute ${keyOf(this.world, manifest)}, priority ${priority}: ${rule}`,
          manifest,
          path: at,
        },
        matches: (request) => parsed.test(request) || parsed.needsAddress(request),
        unknown: (request) => (parsed.needsAddress(request) ? NO_ADDRESS : undefined),
        answer: this.answerOf(manifest, route, at),
      },
    };
  }

  private answerOf(manifest: Manifest, route: Json, at: Path): Answer {
    const namespace = this.world.namespaceOf(manifest);
    const services = placedItems(ownValue(route, 'services'), [...at, 'services']);
    if (services.length === 0) throw new RouteError('the route has no services');
    const destinations = this.weighted(services, namespace, [], { onlyGetsAll: true });
    return servicesAnswer(destinations, { sticky: services.some(({ value }) => this.isSticky(value, namespace)) });
  }

  /** Services with their weights, multiplied by the weights of TraefikServices. */
  private weighted(
    services: readonly Placed[],
    namespace: string,
    above: readonly Manifest[],
    { onlyGetsAll = false } = {},
  ): readonly Omit<Destination, 'share'>[] {
    const parts = services.map(({ value }) => ({
      // The only service of an IngressRoute's route gets all requests, whatever its weight.
      weight: onlyGetsAll && services.length === 1 ? 1 : Math.max(numberOf(ownValue(value, 'weight')) ?? 1, 0),
      destinations: this.destinations(value, namespace, above),
    }));
    return parts.flatMap(({ weight, destinations }) => {
      const total = destinations.reduce((sum, destination) => sum + destination.weight, 0);
      return destinations.map((destination) => ({
        ...destination,
        weight: total === 0 ? 0 : (weight * destination.weight) / total,
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
    if (port === undefined)
      throw new RouteError(`the service ${name} has no port, and Traefik takes none from the Service`);
    const destination = this.services.destination(ref, port, 1);
    const { unavailable } = destination;
    const isKept = unavailable?.reason === 'no-pods' && this.options.allowEmptyServices !== false;
    if (unavailable !== undefined && !isKept) throw new RouteError(unavailable.why, unavailable.reason);
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

  private redirectsOf(manifest: Manifest, route: Json): readonly Redirect[] {
    return listOf(ownValue(route, 'middlewares')).flatMap((middleware): readonly Redirect[] => {
      const name = textOf(ownValue(middleware, 'name')) ?? '';
      const namespace = nameOf(ownValue(middleware, 'namespace')) ?? this.world.namespaceOf(manifest);
      const found = this.findIn('Middleware', name, namespace);
      if (found === undefined) {
        if (!name.includes('@') && this.knowsMiddlewares(namespace)) {
          throw new RouteError(`Middleware ${namespace}/${name} does not exist`);
        }
        return [];
      }
      const byScheme = valueIn(found.object, 'spec', 'redirectScheme');
      const scheme = nameOf(ownValue(byScheme, 'scheme'));
      const port = nameOf(ownValue(byScheme, 'port'));
      if (scheme !== undefined) {
        const permanent = ownValue(byScheme, 'permanent') === true;
        return [{ permanent, scheme: scheme.toUpperCase(), ...(port === undefined ? {} : { port }) }];
      }
      const byRegex = valueIn(found.object, 'spec', 'redirectRegex');
      const regex = textOf(ownValue(byRegex, 'regex')) ?? '';
      const urls = compileRegex(regex);
      if (byRegex === undefined || urls === undefined) return [];
      const location = replaced(regex, textOf(ownValue(byRegex, 'replacement')) ?? '');
      return [{ permanent: ownValue(byRegex, 'permanent') === true, urls, location }];
    });
  }

  /** A stack without Middlewares of a namespace says nothing about them: others may own them. */
  private knowsMiddlewares(namespace: string): boolean {
    return GROUPS.some((group) => this.world.list(`Middleware.${group}`, namespace).length > 0);
  }

  private findIn(kind: string, name: string, namespace: string): Manifest | undefined {
    return GROUPS.map((group) => this.world.find(`${kind}.${group}`, name, namespace)).find(
      (found) => found !== undefined,
    );
  }
}

function listener(name: string, port: number, protocol: 'HTTP' | 'HTTPS', all: readonly TraefikRoute[]): Listener {
  const sorted = all
    .filter(({ entryPoints }) => entryPoints.length === 0 || entryPoints.includes(name))
    .filter(({ hasTls }) => !hasTls || protocol === 'HTTPS')
    .sort((a, b) => b.priority - a.priority);
  const candidates = withTies(sorted).flatMap(({ candidate, redirects }) => [
    ...redirects.flatMap((redirect) => redirected(candidate, redirect, protocol, port)),
    candidate,
  ]);
  return listenerOf({ port, protocol, candidates, otherwise: fixedResponse(404) });
}

/** The requests of a route that a middleware redirects; those with a body keep their method. */
function redirected(
  candidate: Candidate,
  { permanent, scheme, port: target, urls, location }: Redirect,
  protocol: 'HTTP' | 'HTTPS',
  port: number,
): readonly Candidate[] {
  if (scheme === protocol) return [];
  const isMeant: RequestTest = (request) => urls?.(urlOf(request, protocol, port)) ?? true;
  const answers: readonly (readonly [isGet: boolean, statusCode: string])[] = [
    [true, permanent ? '301' : '302'],
    [false, permanent ? '308' : '307'],
  ];
  return answers.map(([isGet, statusCode]) => ({
    ...candidate,
    matches: (request) => candidate.matches(request) && (methodOf(request) === 'GET') === isGet && isMeant(request),
    answer: {
      kind: 'redirect',
      statusCode,
      ...(scheme === undefined ? {} : { protocol: scheme }),
      ...(target === undefined ? {} : { port: target }),
      ...(location === undefined ? {} : { location }),
    },
  }));
}

/** The new URL. Groups of the expression, and what it leaves of the URL, are not modelled: the text says what makes it. */
function replaced(regex: string, replacement: string): string {
  const takesAll = regex.startsWith('^') && /(\$|\.\*)$/.test(regex);
  return takesAll && !replacement.includes('$') ? replacement : `what redirectRegex makes of the URL: ${replacement}`;
}

function urlOf(request: HttpRequest, protocol: 'HTTP' | 'HTTPS', port: number): string {
  const isUsual = port === (protocol === 'HTTP' ? 80 : 443);
  const search = Object.entries(request.query ?? {}).map((pair) => pair.map(encodeURIComponent).join('='));
  const target = request.target ?? `${encodeURI(request.path)}${search.length === 0 ? '' : `?${search.join('&')}`}`;
  return `${protocol.toLowerCase()}://${request.host}${isUsual ? '' : `:${port}`}${target}`;
}
