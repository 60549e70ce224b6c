/** HTTPRoutes of the Gateway API at random. */
import fc from 'fast-check';
import type { KubernetesObject } from '../../cluster/api';
import { NAMESPACE } from '../backends';
import {
  HEADERS,
  PATH_PATTERNS,
  PATHS,
  QUERIES,
  type RoutesOf,
  rarely,
  routesFor,
  SERVICES,
  VALUE_PATTERNS,
} from './values';

const API = 'gateway.networking.k8s.io/v1';

/** Whose Gateways, and in which namespace they are. */
export interface HttpRouteOptions {
  readonly className: string;
  readonly namespace: string;
}

/** By the name that recorded answers have. */
export const HTTP_ROUTES: Readonly<Record<string, HttpRouteOptions>> = {
  'envoy-gw': { className: 'eg', namespace: NAMESPACE },
  'istio-gw': { className: 'istio', namespace: 'istio-system' },
  'traefik-gw': { className: 'traefik', namespace: NAMESPACE },
};

const path = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PATHS).map((value) => ({ type: 'PathPrefix', value })) },
  { weight: 2, arbitrary: fc.constantFrom(...PATHS).map((value) => ({ type: 'Exact', value })) },
  fc.constantFrom(...PATH_PATTERNS).map((value) => ({ type: 'RegularExpression', value })),
);
const pairOf = (known: typeof HEADERS) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...known).map(([name, value]) => ({ type: 'Exact', name, value })) },
    fc
      .tuple(fc.constantFrom(...known), fc.constantFrom(...VALUE_PATTERNS))
      .map(([[name], value]) => ({ type: 'RegularExpression', name, value })),
  );
const named = (known: typeof HEADERS) =>
  fc.uniqueArray(pairOf(known), { minLength: 1, maxLength: 2, selector: ({ name }) => name });
const match = fc.record(
  {
    path,
    headers: rarely(named(HEADERS)),
    queryParams: rarely(named(QUERIES)),
    method: rarely(fc.constantFrom('GET', 'POST')),
  },
  { requiredKeys: ['path'] },
);
const filter = fc.constantFrom<KubernetesObject>(
  { type: 'RequestRedirect', requestRedirect: { path: { type: 'ReplaceFullPath', replaceFullPath: '/other' } } },
  { type: 'RequestRedirect', requestRedirect: { hostname: 'other.test', statusCode: 301 } },
  { type: 'URLRewrite', urlRewrite: { path: { type: 'ReplacePrefixMatch', replacePrefixMatch: '/' } } },
  { type: 'RequestHeaderModifier', requestHeaderModifier: { set: [{ name: 'x-beta', value: 'true' }] } },
);
const rule = fc
  .record({ matches: fc.array(match, { minLength: 0, maxLength: 2 }), backendRefs: SERVICES, filter: rarely(filter) })
  .map(({ matches, backendRefs, filter: only }): KubernetesObject => {
    const isPrefix = matches.every(({ path: { type } }) => type === 'PathPrefix');
    const fits = only !== undefined && (only.type !== 'URLRewrite' || (isPrefix && matches.length === 1));
    return {
      ...(matches.length > 0 && { matches: matches.map((one) => JSON.parse(JSON.stringify(one))) }),
      ...(fits && { filters: [only] }),
      ...(!(fits && only.type === 'RequestRedirect') && { backendRefs }),
    };
  });

/** One or two HTTPRoutes, and a Gateway of their own. */
export const httpRoutes =
  ({ className, namespace }: HttpRouteOptions): RoutesOf =>
  (host, name) => {
    const hostnames = fc.constantFrom<string[]>([host], [host], [`*.${host}`], [host, `*.${host}`]);
    const route = fc.record({ hostnames, rules: fc.array(rule, { minLength: 1, maxLength: 4 }) });
    const listeners = fc.constantFrom<KubernetesObject[]>(
      [
        { name: 'http', hostname: host },
        { name: 'any', hostname: `*.${host}` },
      ],
      [
        { name: 'http', hostname: `*.${host}` },
        { name: 'exact', hostname: host },
      ],
    );
    // Traefik gives equal priorities no order.
    const routes = fc
      .array(route, { minLength: 1, maxLength: 2 })
      .filter((all) => className !== 'traefik' || !hasTies(all.flatMap(({ rules }) => rules)));
    return fc.record({ routes, listeners }).map((drawn) =>
      routesFor(host, [
        gateway(className, namespace, name, drawn.listeners),
        ...drawn.routes.map((spec, index) => ({
          apiVersion: API,
          kind: 'HTTPRoute',
          metadata: { name: `${name}-${index}`, namespace: NAMESPACE },
          spec: { parentRefs: [{ name, namespace }], ...spec },
        })),
      ]),
    );
  };

function hasTies(rules: readonly KubernetesObject[]): boolean {
  const ranks = rules.flatMap(({ matches = [{}] }) => matches.map(rankOf));
  return new Set(ranks).size < ranks.length;
}

/** What Traefik's priority of a match is made of, but for the hostnames. */
function rankOf({ path: { type, value } = { type: 'PathPrefix', value: '/' }, ...more }: KubernetesObject): string {
  const { method, headers = [], queryParams = [] } = more;
  const length = type === 'Exact' ? 0 : value.length;
  return JSON.stringify([type === 'Exact', length, method !== undefined, headers.length, queryParams.length]);
}

/** A Gateway for the stage, open to every namespace. */
export function gateway(
  gatewayClassName: string,
  namespace: string,
  name: string,
  listeners: readonly KubernetesObject[],
): KubernetesObject {
  const address = { type: 'Hostname', value: 'istio-ingressgateway.istio-system.svc.cluster.local' };
  return {
    apiVersion: API,
    kind: 'Gateway',
    metadata: { name, namespace },
    spec: {
      gatewayClassName,
      ...(gatewayClassName === 'istio' && { addresses: [address] }),
      listeners: listeners.map((one) => ({
        ...one,
        port: 80,
        protocol: 'HTTP',
        allowedRoutes: { namespaces: { from: 'All' } },
      })),
    },
  };
}
