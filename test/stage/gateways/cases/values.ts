/** What the cases at random are made of. */
import fc from 'fast-check';
import type { KubernetesObject } from '../../cluster/api';

/** Routes for a host, and the paths, headers and parameters that they name. */
export interface Routes {
  readonly objects: readonly KubernetesObject[];
  readonly hosts: readonly string[];
  readonly paths: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly queries: readonly (readonly [name: string, value: string])[];
}

/** Routes at random, for a host and with names of their own. */
export type RoutesOf = (host: string, name: string) => fc.Arbitrary<Routes>;

/** Mostly undefined. */
export function rarely<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 2 });
}

/** Paths whose prefixes overlap. */
export const PATHS = ['/', '/a', '/a/', '/a/b', '/a/b/c', '/ab', '/A', '/cart', '/cart/pay'] as const;
export const PATH_PATTERNS = ['/a/.*', '/a.*', '/[a-z]+', '/cart/[a-z]+', '/(a|b)/[0-9]*', '.*/pay', '/a'] as const;
export const HEADERS: readonly (readonly [string, string])[] = [
  ['x-user', '42'],
  ['x-user', '4'],
  ['x-beta', 'true'],
  ['User-Agent', 'pc'],
];
export const VALUE_PATTERNS = ['[0-9]+', '4.*', 'a|b', '^4', 'true$', '.*', '.+'] as const;
export const QUERIES: readonly (readonly [string, string])[] = [
  ['v', '2'],
  ['v', '1'],
  ['q', 'a'],
];

/** One Service mostly; also one without pods, one that is missing, or two with weights. */
export const SERVICES = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('s1', 's2', 's3').map((name) => [{ name, port: 80 }]) },
  fc.constantFrom('empty', 'missing').map((name) => [{ name, port: 80 }]),
  fc.constantFrom(0, 1, 3).map((weight) => [
    { name: 's1', port: 80, weight },
    { name: 's2', port: 80, weight: 1 },
  ]),
);

/** Routes for a host, with what requests may nearly match. */
export function routesFor(host: string, objects: readonly KubernetesObject[]): Routes {
  return {
    objects,
    hosts: [host, `x.${host}`, `x.y.${host}`, host.toUpperCase()],
    paths: [...PATHS, '/a/1', '/b/2', '/cart/pay/x'],
    headers: HEADERS,
    queries: QUERIES,
  };
}

/** A Gateway of Istio for the ingress gateway of the stage. */
export function istioGateway(name: string, namespace: string, hosts: readonly string[]): KubernetesObject {
  const server = { port: { number: 80, name: 'http', protocol: 'HTTP' }, hosts };
  return {
    apiVersion: 'networking.istio.io/v1',
    kind: 'Gateway',
    metadata: { name, namespace },
    spec: { selector: { istio: 'ingressgateway' }, servers: [server] },
  };
}
