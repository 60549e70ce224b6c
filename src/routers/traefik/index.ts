import type { Manifest, World } from '../../core';
import { INGRESS_CLASS } from '../ingress/kinds';
import { fixedResponse, listenerOf } from '../listener';
import type { Listener, Router, RouteTable } from '../router';
import { type BackendOptions, Backends } from './backends';
import { IngressRoutes } from './ingress-routes';
import { Ingresses, type IngressOptions } from './ingresses';
import { TRAEFIK_READS } from './reads';
import { redirected } from './redirects';
import type { TraefikRoute } from './route';
import { withTies } from './ties';

/** How Traefik is set up; the defaults are those of its Helm chart. */
export interface TraefikOptions extends BackendOptions, IngressOptions {
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
  const backends = new Backends(world, options);
  const ofRoutes = new IngressRoutes(world, backends);
  const ofIngresses = new Ingresses(world, backends, options);
  const routes = [...ofRoutes.routes(), ...ofIngresses.routes()];
  const listeners = Object.entries(options.entryPoints ?? ENTRY_POINTS)
    .map(([name, { port, protocol }]) => listener(name, port, protocol, routes))
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
