/** What a Rollout says about Istio, and how the controller reads a VirtualService. */
import { asList, asObject, asText, isSet, type JsonObject, numberOf, partOf } from '../core/json';
import { ArgoRolloutsVersion } from './version';

/** A VirtualService, and the names of the routes that the Rollout changes in it. */
export interface RoutedVirtualService {
  readonly name: string;
  readonly namespace: string;
  /** @default - the only route */
  readonly routes: readonly string[];
  /** The routes for TLS. @default - the first one */
  readonly tls: readonly TlsRoute[];
  /** The ports of the routes for TCP. @default - the first route */
  readonly tcp: readonly number[];
}

/** How a Rollout names a route for TLS. */
export interface TlsRoute {
  readonly port: number;
  readonly sniHosts: readonly string[];
}

/** The DestinationRule whose subsets are the versions. */
export interface RoutedSubsets {
  readonly name: string;
  readonly stable: string;
  readonly canary: string;
  /** Subsets that keep their weights. */
  readonly additional: readonly string[];
}

/** The fields of a Rollout that decide what the controller writes for Istio. */
export interface IstioRollout {
  readonly name: string;
  readonly virtualServices: readonly RoutedVirtualService[];
  /** @default - the versions are Services */
  readonly subsets?: RoutedSubsets;
  readonly managedRoutes: readonly string[];
  /** Whether the only route of a VirtualService gets weights without being named. */
  readonly weighsOnlyRoute: boolean;
}

/** Reads a Rollout; undefined if it does not route through Istio. */
export function readIstioRollout(
  rollout: JsonObject,
  namespace: string,
  { facts } = ArgoRolloutsVersion.LATEST,
): IstioRollout | undefined {
  const canary = partOf(partOf(partOf(rollout, 'spec'), 'strategy'), 'canary');
  const routing = partOf(canary, 'trafficRouting');
  const istio = partOf(routing, 'istio');
  if (istio === undefined) return undefined;
  const rule = partOf(istio, 'destinationRule');
  return {
    name: asText(asObject(rollout.metadata).name),
    virtualServices: namedIn(istio).map((one) => virtualServiceOf(one, namespace, facts.virtualServiceNamesHaveDots)),
    ...(rule === undefined
      ? {}
      : {
          subsets: {
            name: asText(rule.name),
            stable: asText(rule.stableSubsetName),
            canary: asText(rule.canarySubsetName),
            additional: asList(rule.additionalSubsetNames).map(asText),
          },
        }),
    managedRoutes: asList(routing?.managedRoutes).map((route) => asText(asObject(route).name)),
    weighsOnlyRoute: facts.weighsOnlyRoute,
  };
}

/** The VirtualServices that a Rollout can mean, whatever the release: releases read a name with dots differently. */
export function possibleVirtualServices(rollout: JsonObject, namespace: string): readonly RoutedVirtualService[] {
  const istio = partOf(
    partOf(partOf(partOf(partOf(rollout, 'spec'), 'strategy'), 'canary'), 'trafficRouting'),
    'istio',
  );
  const named = istio === undefined ? [] : namedIn(istio);
  const all = [false, true].flatMap((haveDots) => named.map((one) => virtualServiceOf(one, namespace, haveDots)));
  return all.filter(
    (one, index) => all.findIndex(({ name, namespace }) => name === one.name && namespace === one.namespace) === index,
  );
}

function namedIn({ virtualService, virtualServices }: JsonObject): JsonObject[] {
  const several = asList(virtualServices);
  return (several.length > 0 ? several : isSet(virtualService) ? [virtualService] : []).map(asObject);
}

/** A name may have a namespace, `name.namespace`. */
function placeOf(name: string, haveDots: boolean): readonly [string, string?] {
  const [own = '', ...others] = (haveDots ? name.replace(/\.cluster\.local$/, '') : name).split('.');
  return haveDots ? [[own, ...others.slice(0, -1)].join('.'), others.at(-1)] : [own, others[0]];
}

function virtualServiceOf(object: JsonObject, namespace: string, haveDots: boolean): RoutedVirtualService {
  const { name, routes, tlsRoutes, tcpRoutes } = object;
  const [own, other] = placeOf(asText(name), haveDots);
  return {
    name: own,
    namespace: other || namespace,
    routes: asList(routes).map(asText),
    tls: asList(tlsRoutes)
      .map(asObject)
      .map(({ port, sniHosts }) => ({ port: numberOf(port) ?? 0, sniHosts: asList(sniHosts).map(asText) })),
    tcp: asList(tcpRoutes).map((route) => numberOf(asObject(route).port) ?? 0),
  };
}

/** The routes that get weights: those that the Rollout names, or the only one, or the first without a name, or none. */
export function weighedRoutes(
  http: readonly JsonObject[],
  names: readonly string[],
  { weighsOnlyRoute }: Pick<IstioRollout, 'weighsOnlyRoute'>,
): ReadonlySet<number> {
  if (names.length > 0) return new Set(names.map((name) => http.findIndex((route) => asText(route.name) === name)));
  if (weighsOnlyRoute && http.length === 1) return new Set([0]);
  const unnamed = http.findIndex(({ name }) => asText(name) === '');
  return new Set(unnamed < 0 ? [] : [unnamed]);
}

/** The routes for TLS that get weights: those with exactly this port and these hosts, or the first one. */
export function weighedTlsRoutes(tls: readonly JsonObject[], named: readonly TlsRoute[]): ReadonlySet<number> {
  if (named.length === 0) return new Set([0]);
  const isNamed = (route: JsonObject) =>
    named.some(({ port, sniHosts }) => onlyPortOf(route) === port && areSame(sniHostsOf(route), sniHosts));
  return new Set(tls.flatMap((route, index) => (isNamed(route) ? [index] : [])));
}

/** The routes for TCP that get weights: those of these ports, or the first one. */
export function weighedTcpRoutes(tcp: readonly JsonObject[], ports: readonly number[]): ReadonlySet<number> {
  if (ports.length === 0) return new Set([0]);
  return new Set(tcp.flatMap((route, index) => (ports.includes(onlyPortOf(route) ?? -1) ? [index] : [])));
}

/** The port of a route; 0 without one, and undefined with several. */
function onlyPortOf({ match }: JsonObject): number | undefined {
  const ports = [...new Set(asList(match).map((one) => numberOf(asObject(one).port) ?? 0))];
  return ports.length > 1 ? undefined : (ports[0] ?? 0);
}

function sniHostsOf({ match }: JsonObject): string[] {
  return [...new Set(asList(match).flatMap((one) => asList(asObject(one).sniHosts).map(asText)))];
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

/** The routes of a VirtualService for TLS or for TCP. */
export function streamsOf({ spec }: JsonObject, protocol: 'tls' | 'tcp'): readonly JsonObject[] {
  return asList(asObject(spec)[protocol]).map(asObject);
}

/** The routes of a VirtualService for HTTP. */
export function httpOf({ spec }: JsonObject): readonly JsonObject[] {
  return asList(asObject(spec).http).map(asObject);
}

/** The first part of a host name, as the controller compares it. */
export function hostOf({ destination }: JsonObject): string {
  const host = asText(asObject(destination).host);
  const dot = host.indexOf('.');
  return dot > 0 ? host.slice(0, dot) : dot < 0 ? host : '';
}

/** The subset of a destination; empty without one. */
export function subsetOf({ destination }: JsonObject): string {
  return asText(asObject(destination).subset);
}
