import type { Manifest, World } from '../../core';
import { INGRESS_CLASS } from '../ingress/kinds';
import { fixedResponse, listenerOf, once } from '../listener';
import { hostOf } from '../request';
import { type Answer, type HttpRequest, type Listener, NO_ROUTES, type Router, type RouteTable } from '../router';
import { Shortlist } from '../shortlist';
import { type BackendOptions, Backends } from './backends';
import { IngressRoutes } from './ingress-routes';
import { Ingresses, type IngressOptions } from './ingresses';
import { TRAEFIK_READS } from './reads';
import { redirected } from './redirects';
import type { TraefikRoute } from './route';
import { withTies } from './ties';
import { type TraefikFacts, TraefikVersion } from './version';

/** How Traefik is set up; the defaults are those of its Helm chart. */
export interface TraefikOptions extends BackendOptions, IngressOptions {
  /**
   * What the release does.
   * @default TraefikVersion.LATEST.facts
   */
  readonly facts?: TraefikFacts;
  /**
   * The ports of the entry points.
   * @default - `web` is port 80, `websecure` port 443
   */
  readonly entryPoints?: Readonly<Record<string, { readonly port: number; readonly protocol: 'HTTP' | 'HTTPS' }>>;
}

/**
 * Traefik with IngressRoutes, TraefikServices and Ingresses.
 * @example traefikRouter().routes(world).loadBalancers[0].listeners[0].route({ host: 'shop.example.com', path: '/' })
 */
export function traefikRouter(options: TraefikOptions = {}): Router {
  return {
    name: 'traefik',
    expressions: 'RE2',
    reads: TRAEFIK_READS,
    shared: [INGRESS_CLASS],
    routes: (world) => routeTable(world, options),
  };
}

const ENTRY_POINTS = {
  web: { port: 80, protocol: 'HTTP' },
  websecure: { port: 443, protocol: 'HTTPS' },
} as const;

function routeTable(world: World, options: TraefikOptions): RouteTable {
  const { facts = TraefikVersion.LATEST.facts } = options;
  const backends = new Backends(world, options);
  const ofRoutes = new IngressRoutes(world, backends, facts);
  const ofIngresses = new Ingresses(world, backends, facts, options);
  if (ofRoutes.manifests.length === 0 && ofIngresses.served.length === 0) return NO_ROUTES;
  const routes = [...ofRoutes.routes(), ...ofIngresses.routes()];
  const listeners = Object.entries(options.entryPoints ?? ENTRY_POINTS)
    .map(([name, { port, protocol }]) => listener(name, port, protocol, routes, facts))
    .sort((a, b) => a.port - b.port);
  const manifests: readonly Manifest[] = [...ofRoutes.manifests, ...ofIngresses.served.map(({ manifest }) => manifest)];
  const owners = new Set(routes.map(({ candidate }) => candidate.rule.manifest));
  return {
    loadBalancers:
      manifests.length === 0
        ? []
        : [{ name: 'traefik', members: manifests.filter((each) => owners.has(each)), listeners }],
    unserved: manifests.filter((each) => !owners.has(each)),
    ignored: [...ofRoutes.ignored, ...ofIngresses.ignored],
  };
}

function listener(
  name: string,
  port: number,
  protocol: 'HTTP' | 'HTTPS',
  all: readonly TraefikRoute[],
  facts: TraefikFacts,
): Listener {
  const sorted = all
    .filter(({ entryPoints }) => entryPoints.length === 0 || entryPoints.includes(name))
    .filter(({ hasTls }) => !hasTls || protocol === 'HTTPS')
    .sort((a, b) => b.priority - a.priority);
  const candidates = withTies(sorted).flatMap(({ candidate, redirects, place }) => {
    const redirecting = redirects.flatMap((redirect) => redirected(candidate, redirect, protocol, port));
    return [...redirecting, candidate].map((each) => ({ ...each, host: place.host || undefined }));
  });
  const byHost = once(() => new Shortlist(candidates, ({ host }) => host));
  const before = (request: HttpRequest) => beforeRoutes(request, facts);
  return listenerOf({
    port,
    protocol,
    candidates,
    reachable: (request) => (before(request) === undefined ? candidates : []),
    likely: (request) => (before(request) === undefined ? byHost().of(hostOf(request)) : []),
    otherwise: (request) => before(request) ?? fixedResponse(404),
  });
}

/** Dots, double slashes and escapes, which releases read in different ways. */
const UNUSUAL = /%|\/\/|\/\.{1,2}(?:\/|$)/;

/** The escapes of separators, of the zero and of the percent sign. */
const ESCAPED_SEPARATORS = /%(?:2f|5c|00|3b|25|3f|23)/i;

/** The answer that a path gets before any route is asked. */
function beforeRoutes({ path, target }: HttpRequest, { unusualPaths }: TraefikFacts): Answer | undefined {
  const sent = target?.split('?', 1)[0] ?? path;
  if (unusualPaths === 'refused' && target !== undefined && ESCAPED_SEPARATORS.test(sent)) return fixedResponse(400);
  if (unusualPaths !== 'unknown' || !UNUSUAL.test(sent)) return undefined;
  const why = `releases of Traefik before 2.11.25 and 3.4.1 read the path ${sent} in another way than later ones, which was never tried`;
  return { kind: 'unknown', why };
}
