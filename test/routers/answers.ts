/** What a router answers, as recordings of real gateways have it. */
import { Manifest, World } from '../../src/core';
import type { JsonObject } from '../../src/core/json';
import { parseRequest } from '../../src/rehearsal';
import {
  type AllRouterOptions,
  type Answer,
  type Destination,
  type RouterName,
  routeOf,
  routerNamed,
} from '../../src/routers';
import { TraefikVersion } from '../../src/routers/traefik/version';

/** Who answers which share of the requests: `service/v`, or a status code. */
export type Shares = Readonly<Record<string, number>>;

const gatewayClass = (controllerName: string) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'GatewayClass',
  metadata: { name: 'x' },
  spec: { controllerName },
});

const ISTIO_1_30 = { istioVersion: '1.30' };
const BEFORE = { traefikVersion: TraefikVersion.V3_6_12 };

/** The router of each gateway, and what its operator adds to the objects. */
export const GATEWAYS: Readonly<
  Record<string, { readonly router: RouterName; readonly more?: object; readonly release?: AllRouterOptions }>
> = {
  contour: { router: 'contour' },
  'envoy-gw': { router: 'gateway-api', more: gatewayClass('gateway.envoyproxy.io/gatewayclass-controller') },
  istio: { router: 'istio' },
  'istio-gw': { router: 'gateway-api', more: gatewayClass('istio.io/gateway-controller') },
  'istio-gw@envoy-1.38.3': {
    router: 'gateway-api',
    more: gatewayClass('istio.io/gateway-controller'),
    release: ISTIO_1_30,
  },
  'istio@envoy-1.38.3': { router: 'istio', release: ISTIO_1_30 },
  nginx: { router: 'nginx' },
  traefik: { router: 'traefik' },
  'traefik-gw': { router: 'gateway-api', more: gatewayClass('traefik.io/gateway-controller') },
  'traefik-ing': { router: 'traefik' },
  'traefik-ing@3.6.12': { router: 'traefik', release: BEFORE },
  'traefik@3.6.12': { router: 'traefik', release: BEFORE },
};

/** Asks the router of a gateway: the answers of each of its load balancers. */
export function routerOf(gateway: string, objects: readonly object[]): (request: string) => Shares[] {
  const { router, more, release } = GATEWAYS[gateway]!;
  const all = [...objects, ...(more === undefined ? [] : [more])];
  const { loadBalancers } = routerNamed(router, release).routes(
    World.of(all.map((one) => Manifest.of(one as JsonObject))),
  );
  return (request) => {
    const { port = 80, ...parsed } = parseRequest(request);
    return loadBalancers.map((loadBalancer) => sharesOf(routeOf(loadBalancer, port, parsed)?.answer));
  };
}

function sharesOf(answer: Answer | undefined): Shares {
  if (answer === undefined || answer.kind === 'frozen' || answer.kind === 'unknown') return {};
  if (answer.kind !== 'services') return { [answer.statusCode]: 1 };
  const shares: Record<string, number> = {};
  for (const destination of answer.destinations) {
    const who = nameOf(destination);
    if (destination.share > 0) shares[who] = (shares[who] ?? 0) + destination.share;
  }
  return Object.keys(shares).length === 0 ? { 503: 1 } : shares;
}

function nameOf({ unavailable, workloads, service, target }: Destination): string {
  if (unavailable !== undefined) return unavailable.statusCode;
  return `${workloads?.[0]?.name ?? service?.name ?? target}/v`;
}

/** Within four standard deviations of the number of requests; nobody may answer who has no share. */
export function agree(shares: Shares, real: Shares, sent: number): boolean {
  return [...new Set([...Object.keys(shares), ...Object.keys(real)])].every((who) => {
    const [expected, seen] = [shares[who] ?? 0, real[who] ?? 0];
    return Math.abs(expected - seen) <= 4 * Math.sqrt((expected * (1 - expected)) / sent) + 1e-4;
  });
}
