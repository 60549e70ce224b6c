import type { Manifest, World } from '../core';
import { groupedBy } from '../core/grouped';
import { aliyunAlbRouter } from './aliyun-alb';
import { apisixRouter } from './apisix';
import { awsAlbRouter } from './aws-alb';
import { AwsLoadBalancerControllerVersion } from './aws-alb/version';
import { higressRouter } from './canary-ingress/higress';
import { mseRouter } from './canary-ingress/mse';
import { nginxRouter } from './canary-ingress/nginx';
import { IngressNginxVersion } from './canary-ingress/nginx-version';
import { contourRouter } from './contour';
import { gatewayApiRouter } from './gateway-api';
import { istioRouter } from './istio';
import { type IstioFacts, LATEST_ISTIO_FACTS, parseIstioVersion } from './istio-version';
import { nameOfKind, type ObjectKind, type Place, type RouteKind } from './kinds';
import { kumaRouter } from './kuma';
import { candidatesAt, type RequestCandidate } from './request-candidates';
import type { Router } from './router';
import { traefikRouter } from './traefik';
import { TraefikVersion } from './traefik/version';

/** The releases of the load balancers' controllers. */
export interface AllRouterOptions {
  /**
   * The release of the AWS Load Balancer Controller.
   * @default AwsLoadBalancerControllerVersion.LATEST
   */
  readonly awsLoadBalancerControllerVersion?: AwsLoadBalancerControllerVersion;
  /**
   * The release of ingress-nginx.
   * @default IngressNginxVersion.LATEST
   */
  readonly ingressNginxVersion?: IngressNginxVersion;
  /**
   * The release of Istio, `1.24`.
   * @default - the newest release
   */
  readonly istioVersion?: string;
  /**
   * The release of Traefik.
   * @default TraefikVersion.LATEST
   */
  readonly traefikVersion?: TraefikVersion;
}

function istioFactsOf(version: string | undefined): IstioFacts {
  return version === undefined ? LATEST_ISTIO_FACTS : parseIstioVersion(version).facts;
}

const FACTORIES = {
  'aliyun-alb': () => aliyunAlbRouter(),
  apisix: () => apisixRouter(),
  'aws-alb': ({ awsLoadBalancerControllerVersion: version = AwsLoadBalancerControllerVersion.LATEST }) =>
    awsAlbRouter({ facts: version.facts }),
  contour: () => contourRouter(),
  'gateway-api': ({ istioVersion }) => gatewayApiRouter({ istioFacts: istioFactsOf(istioVersion) }),
  higress: () => higressRouter(),
  istio: ({ istioVersion }) => istioRouter({ facts: istioFactsOf(istioVersion) }),
  kuma: () => kumaRouter(),
  mse: () => mseRouter(),
  nginx: ({ ingressNginxVersion: version = IngressNginxVersion.LATEST }) => nginxRouter({ facts: version.facts }),
  traefik: ({ traefikVersion: version = TraefikVersion.LATEST }) => traefikRouter({ facts: version.facts }),
} as const satisfies Record<string, (options: AllRouterOptions) => Router>;

/** The name of a router. */
export type RouterName = keyof typeof FACTORIES;

/** The names of all routers, sorted. */
export const ROUTER_NAMES = Object.keys(FACTORIES).sort() as readonly RouterName[];

/** The router of a name. */
export function routerNamed(name: RouterName, options: AllRouterOptions = {}): Router {
  return FACTORIES[name](options);
}

/** All routers of this library, in the order in which their answers are shown. */
export function allRouters(options: AllRouterOptions = {}): readonly Router[] {
  return ROUTER_NAMES.map((name) => routerNamed(name, options));
}

/**
 * The routers that these manifests are for: no other router reads one of the kinds, or the router serves some objects.
 * @example routersOf(world).flatMap((router) => router.routes(world).loadBalancers)
 */
export function routersOf(world: World, routers: readonly Router[] = allRouters()): readonly Router[] {
  const readers = (kind: ObjectKind) => routers.filter(({ reads }) => includesKind(reads, kind)).length;
  return routers.filter((router) => {
    const present = router.reads.filter((kind) => world.list(nameOfKind(kind)).length > 0);
    if (present.length === 0 || router.isUsed?.(world) === false) return false;
    return present.some((kind) => readers(kind) === 1) || router.routes(world).loadBalancers.length > 0;
  });
}

function includesKind(kinds: readonly ObjectKind[], { kind, group }: ObjectKind): boolean {
  return kinds.some((each) => each.kind === kind && each.group === group);
}

/** What routers read, by API group and kind. */
export class RouteKinds {
  private readonly byName: ReadonlyMap<string, readonly RouteKind[]>;

  constructor(routers: readonly Router[]) {
    this.byName = groupedBy(new Set(routers.flatMap(({ reads }) => reads)), nameOfKind);
  }

  /** `HTTPProxy.projectcontour.io`, … */
  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  /** The descriptions of a kind; several routers may read it, each in its own way. */
  of(groupKind: string): readonly RouteKind[] {
    return this.byName.get(groupKind) ?? [];
  }

  /** The host names that an object serves, in lower case; empty if it serves any. */
  hostsOf(manifest: Manifest): readonly string[] {
    const hosts = this.of(manifest.groupKind).flatMap((kind) => kind.hostsOf?.(manifest) ?? []);
    return [...new Set(hosts.map((host) => host.toLowerCase()))];
  }

  /** Whether objects of a kind may serve hosts. */
  haveHosts(groupKind: string): boolean {
    return this.of(groupKind).some(({ hostsOf }) => hostsOf !== undefined);
  }

  /** Where an object takes requests; undefined if that may be anywhere, for one of its routers. */
  placeOf(manifest: Manifest): Place | undefined {
    const places = this.of(manifest.groupKind).map((kind) => kind.placeOf?.(manifest));
    return places.includes(undefined) ? undefined : places[0];
  }

  /** The load balancer that an object names; undefined if it shares one by its hosts. */
  loadBalancerOf(manifest: Manifest, world: World): string | undefined {
    for (const kind of this.of(manifest.groupKind)) {
      const name = kind.loadBalancerOf?.(manifest, world);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /** Texts outside of `spec` that name other objects. */
  namesIn(manifest: Manifest): readonly string[] {
    return this.of(manifest.groupKind).flatMap((kind) => kind.namesIn?.(manifest) ?? []);
  }
}

/** The distinct kinds that routing scripts rewrite, and that a controller needs permission to change. */
export function scriptableKinds(routers: readonly Router[]): readonly RouteKind[] {
  return distinct(routers.flatMap(({ reads }) => reads.filter((kind) => kind.rewrittenFields !== undefined)));
}

/** The distinct kinds that these routers read. */
export function kindsOf(routers: readonly Router[]): readonly ObjectKind[] {
  return distinct(routers.flatMap(({ reads, shared }) => [...reads, ...shared]));
}

function distinct<T extends ObjectKind>(kinds: readonly T[]): readonly T[] {
  return [...new Map(kinds.map((kind) => [nameOfKind(kind), kind])).values()];
}

/** Requests that are likely to match different rules of an object, as a router reads it. */
export function candidatesOf({ reads }: Router, manifest: Manifest): readonly RequestCandidate[] {
  const kind = reads.find((each) => nameOfKind(each) === manifest.groupKind);
  if (kind === undefined) return [];
  return kind.candidatesOf?.(manifest) ?? candidatesAt(kind.hostsOf?.(manifest) ?? [], ['/']);
}
