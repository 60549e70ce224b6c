/** What the controller writes for `trafficRouting.istio`: weights and header routes of VirtualServices, labels of subsets. */
import { asList, asObject, asText, isSet, type Json, type JsonObject, numberOf, partOf } from '../../core/json';
import {
  hostOf,
  httpOf,
  type IstioRollout,
  type RoutedVirtualService,
  streamsOf,
  subsetOf,
  weighedRoutes,
  weighedTcpRoutes,
  weighedTlsRoutes,
} from '../istio-rollout';
import type { WeightDestination } from './actions';
import { ARGO_REVISION_LABEL, MANAGED_BY, unmanaged } from './play';

/** The Services of both versions. */
export interface VersionServices {
  readonly stableService: string;
  readonly canaryService: string;
}

/** The hashes of the pods of both versions. */
export interface Hashes {
  readonly stable: string;
  readonly canary: string;
}

/** The VirtualService with the weights of both versions; the same object if they are right already. */
export function withWeights(
  object: JsonObject,
  named: RoutedVirtualService,
  rollout: IstioRollout & VersionServices,
  weight: number,
  experiments: readonly WeightDestination[],
): JsonObject {
  const weigh = (route: JsonObject) => weighedRoute(route, rollout, weight, experiments);
  const whole = withHttpWeights(object, named, rollout, weigh);
  const tls = weighedTlsRoutes(streamsOf(object, 'tls'), named.tls);
  const tcp = weighedTcpRoutes(streamsOf(object, 'tcp'), named.tcp);
  return withStreamWeights(withStreamWeights(whole, 'tls', tls, weigh), 'tcp', tcp, weigh);
}

type Weigh = (route: JsonObject) => JsonObject;

function withStreamWeights(
  object: JsonObject,
  protocol: 'tls' | 'tcp',
  weighed: ReadonlySet<number>,
  weigh: Weigh,
): JsonObject {
  const routes = streamsOf(object, protocol);
  const after = routes.map((route, index) => (weighed.has(index) ? weigh(route) : route));
  const isSame = after.every((route, index) => route === routes[index]);
  return isSame ? object : { ...object, spec: { ...asObject(object.spec), [protocol]: after } };
}

function withHttpWeights(
  object: JsonObject,
  { routes }: RoutedVirtualService,
  rollout: IstioRollout,
  weigh: Weigh,
): JsonObject {
  const http = httpOf(object);
  const mirrors = http.flatMap(({ name, mirror }) =>
    isSet(mirror) && rollout.managedRoutes.includes(asText(name)) ? [asText(name)] : [],
  );
  const weighed = weighedRoutes(http, [...routes, ...mirrors], rollout);
  const after = http.map((route, index) => (weighed.has(index) ? weigh(route) : route));
  const isSame = after.every((route, index) => route === http[index]);
  return isSame ? object : withHttp(object, inOrder(after, rollout));
}

function weighedRoute(
  route: JsonObject,
  { stableService, canaryService, subsets }: IstioRollout & VersionServices,
  weight: number,
  experiments: readonly WeightDestination[],
): JsonObject {
  const destinations = asList(route.route).map(asObject);
  const isKept = (one: JsonObject) => subsets?.additional.includes(subsetOf(one)) === true && subsetOf(one) !== '';
  const elsewhere =
    experiments.reduce((sum, each) => sum + each.weight, 0) +
    destinations.filter(isKept).reduce((sum, one) => sum + (numberOf(one.weight) ?? 0), 0);
  const rest = Math.max(0, 100 - weight - elsewhere);
  const open = new Map(experiments.map((each) => [each.serviceName, each.weight]));
  const patches = destinations.flatMap((one, at): Patch[] => {
    const host = hostOf(one);
    const subset = subsetOf(one);
    const now = numberOf(one.weight) ?? 0;
    const give = (share: number) => (share === now ? [] : [{ at, host, weight: share }]);
    if (host === '' || isKept(one)) return [];
    if (host === canaryService || (subset !== '' && subset === subsets?.canary)) return give(weight);
    if (host === stableService || (subset !== '' && subset === subsets?.stable)) return give(rest);
    const experiment = open.get(host);
    open.delete(host);
    if (experiment !== undefined) return give(experiment);
    // Other destinations go, unless they have no weight.
    return now === 0 ? [] : [{ at, host, weight: 0, isGone: true }];
  });
  const added = [...open].map(([host, share], index) => ({ at: destinations.length + index, host, weight: share }));
  if (patches.length === 0 && added.length === 0) return route;
  return { ...route, route: patched(destinations, [...patches, ...added]) };
}

/** A change of one destination, by its index before all changes. */
interface Patch {
  readonly at: number;
  readonly host: string;
  readonly weight: number;
  readonly isGone?: boolean;
}

/**
 * The controller applies one patch after the other, while those that go move the others: of several, some stay until the next
 * reconcile, and come a second time without a weight.
 */
function patched(destinations: readonly JsonObject[], patches: readonly Patch[]): JsonObject[] {
  const after = [...destinations];
  for (const { at, host, weight, isGone } of patches) {
    if (at >= after.length) after.push({ destination: { host }, weight });
    else if (isGone) after.splice(at, 1);
    else after[at] = { ...after[at], weight };
  }
  return after;
}

/** The name of the route that a step sets, and all other routes. */
function managedRoute(object: JsonObject, step: JsonObject): { name: string; others: JsonObject[] } {
  const name = asText(step.name);
  return { name, others: httpOf(object).filter((route) => asText(route.name) !== name) };
}

/** The VirtualService with a header route, or without it if the step has no `match`. */
export function withHeaderRoute(
  object: JsonObject,
  { routes }: RoutedVirtualService,
  rollout: IstioRollout & VersionServices,
  step: JsonObject,
  destinationRule: JsonObject | undefined,
): JsonObject {
  const { name, others } = managedRoute(object, step);
  const match = asList(step.match).map(asObject);
  if (match.length === 0) return withHttp(object, inOrder(others, rollout));
  const destination = canaryDestination(weighedDestinations(others, routes, rollout), rollout, destinationRule);
  const route = { name, match: match.map(headerMatch), route: [{ destination, weight: 100 }] };
  return withHttp(object, inOrder([...others, route], rollout));
}

/** The VirtualService with a route that mirrors requests, or without it if the step has no `match`. */
export function withMirrorRoute(
  object: JsonObject,
  { routes }: RoutedVirtualService,
  rollout: IstioRollout & VersionServices,
  step: JsonObject,
  destinationRule: JsonObject | undefined,
): JsonObject {
  const { name, others } = managedRoute(object, step);
  if (!isSet(step.match)) return withHttp(object, inOrder(others, rollout));
  // Its own requests go on as they did at the weight before.
  const route = weighedDestinations(others, routes, rollout);
  const mirror = {
    name,
    match: asList(step.match).map(asObject).map(mirrorMatch),
    route: route as Json[],
    mirror: canaryDestination(route, rollout, destinationRule),
    mirrorPercentage: { value: numberOf(step.percentage) ?? 100 },
  };
  return withHttp(object, inOrder([mirror, ...others], rollout));
}

function mirrorMatch({ method, path, headers }: JsonObject): JsonObject {
  return {
    ...(isSet(method) && { method }),
    ...(isSet(path) && { uri: path }),
    ...(isSet(headers) && { headers }),
  };
}

/** The destinations of the first route that gets weights. */
function weighedDestinations(
  http: readonly JsonObject[],
  routes: readonly string[],
  rollout: IstioRollout,
): readonly JsonObject[] {
  const [weighed = -1] = weighedRoutes(http, routes, rollout);
  return asList(http[weighed]?.route).map(asObject);
}

/** The canary, with the port of the first destination that gets a weight. */
function canaryDestination(
  weighed: readonly JsonObject[],
  { subsets, canaryService }: IstioRollout & VersionServices,
  destinationRule: JsonObject | undefined,
): JsonObject {
  const port = numberOf(partOf(partOf(asObject(weighed[0]), 'destination'), 'port')?.number) ?? 0;
  return {
    host: asText(partOf(destinationRule, 'spec')?.host) || canaryService,
    ...(port > 0 && { port: { number: port } }),
    ...(subsets !== undefined && subsets.canary !== '' && { subset: subsets.canary }),
  };
}

function headerMatch({ headerName, headerValue }: JsonObject): JsonObject {
  const { exact, regex, prefix } = asObject(headerValue);
  const values = Object.entries({ exact, regex, prefix }).filter(([, value]) => asText(value) !== '');
  return { headers: { [asText(headerName)]: Object.fromEntries(values) as JsonObject } };
}

/** The VirtualService without the managed routes; the same object if it has none. */
export function withoutManagedRoutes(object: JsonObject, { managedRoutes }: IstioRollout): JsonObject {
  const http = httpOf(object);
  const left = http.filter(({ name }) => !managedRoutes.includes(asText(name)));
  return left.length === http.length ? object : withHttp(object, left);
}

/** The DestinationRule with the hashes of both versions in its subsets. Other subsets go. */
export function withHashes(object: JsonObject, rollout: IstioRollout, hashes: Hashes): JsonObject {
  const { subsets: names, name } = rollout;
  if (names === undefined) return object;
  const spec = asObject(object.spec);
  const metadata = asObject(object.metadata);
  const subsets = asList(spec.subsets)
    .map(asObject)
    .flatMap((subset): JsonObject[] => {
      const hash =
        subset.name === names.canary ? hashes.canary : subset.name === names.stable ? hashes.stable : undefined;
      if (hash === undefined) return [];
      return [{ ...subset, labels: { ...asObject(subset.labels), [ARGO_REVISION_LABEL]: hash } }];
    });
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...asObject(metadata.annotations), [MANAGED_BY]: name } },
    spec: { ...spec, subsets },
  };
}

/** The DestinationRule without hashes in its subsets, as after the deletion of the Rollout; the same object if it has none. */
export function withoutHashes(object: JsonObject): JsonObject {
  const spec = asObject(object.spec);
  const subsets = asList(spec.subsets).map(asObject);
  if (!subsets.some(({ labels }) => asObject(labels)[ARGO_REVISION_LABEL] !== undefined)) return object;
  const free = subsets.map((subset): JsonObject => {
    const { [ARGO_REVISION_LABEL]: _hash, ...labels } = asObject(subset.labels);
    return { ...subset, labels };
  });
  return { ...object, metadata: unmanaged(asObject(object.metadata)), spec: { ...spec, subsets: free } };
}

/** Managed routes come first, in the order of the Rollout. */
function inOrder(http: readonly JsonObject[], { managedRoutes }: IstioRollout): readonly JsonObject[] {
  if (managedRoutes.length === 0) return http;
  const managed = managedRoutes.flatMap((name) => http.filter((route) => asText(route.name) === name));
  return [...managed, ...http.filter((route) => !managed.includes(route))];
}

function withHttp(object: JsonObject, http: readonly JsonObject[]): JsonObject {
  return { ...object, spec: { ...asObject(object.spec), http: http as Json[] } };
}
