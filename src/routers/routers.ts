import type { World } from '../core';
import { aliyunAlbRouter, isAliyun } from './aliyun-alb';
import { apisixRouter } from './apisix';
import { awsAlbRouter } from './aws-alb';
import { higressRouter } from './canary-ingress/higress';
import { mseRouter } from './canary-ingress/mse';
import { nginxRouter } from './canary-ingress/nginx';
import { contourRouter } from './contour';
import { gatewayApiRouter } from './gateway-api';
import { istioRouter } from './istio';
import { kumaRouter } from './kuma';
import type { Router } from './router';
import { traefikRouter } from './traefik';

const INGRESS = ['Ingress.networking.k8s.io'];

interface Entry {
  readonly make: () => Router;
  /** Objects without which the router has nothing to do. */
  readonly kinds: readonly string[];
  /** What else speaks for the router. */
  readonly sees?: (world: World) => boolean;
}

const ENTRIES = {
  'aliyun-alb': { make: aliyunAlbRouter, kinds: INGRESS, sees: isAliyun },
  apisix: { make: apisixRouter, kinds: ['ApisixRoute.apisix.apache.org'] },
  // Class and annotations are the same with both clouds: manifests of one are not those of the other.
  'aws-alb': { make: awsAlbRouter, kinds: INGRESS, sees: (world) => !isAliyun(world) },
  contour: { make: contourRouter, kinds: ['HTTPProxy.projectcontour.io'] },
  'gateway-api': { make: gatewayApiRouter, kinds: ['HTTPRoute.gateway.networking.k8s.io'] },
  higress: { make: higressRouter, kinds: INGRESS },
  istio: { make: istioRouter, kinds: ['VirtualService.networking.istio.io', 'DestinationRule.networking.istio.io'] },
  kuma: { make: kumaRouter, kinds: ['MeshHTTPRoute.kuma.io', 'TrafficRoute.kuma.io'] },
  mse: { make: mseRouter, kinds: INGRESS },
  nginx: { make: nginxRouter, kinds: INGRESS },
  traefik: { make: traefikRouter, kinds: ['IngressRoute.traefik.io', 'IngressRoute.traefik.containo.us'] },
} as const satisfies Record<string, Entry>;

/** The name of a router. */
export type RouterName = keyof typeof ENTRIES;

/** The names of all routers, sorted. */
export const ROUTER_NAMES = Object.keys(ENTRIES).sort() as readonly RouterName[];

/** The router of a name, with its defaults. */
export function routerNamed(name: RouterName): Router {
  return ENTRIES[name].make();
}

/**
 * The routers that have a load balancer to show for these manifests, or something that they pass over, in the order of
 * their names.
 * @example routersOf(world).flatMap((router) => router.routes(world).loadBalancers)
 */
export function routersOf(world: World): readonly Router[] {
  return ROUTER_NAMES.flatMap((name) => {
    const entry: Entry = ENTRIES[name];
    const hasObjects = entry.kinds.some((kind) => world.list(kind).length > 0);
    if (!hasObjects || entry.sees?.(world) === false) return [];
    const router = entry.make();
    const isForIngresses = entry.kinds === INGRESS;
    if (isForIngresses && router.routes(world).loadBalancers.length === 0) return [];
    return [router];
  });
}
