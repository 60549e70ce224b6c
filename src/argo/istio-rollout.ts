/** What a Rollout says about Istio, and how the controller reads a VirtualService. */
import { asList, asObject, asText, isSet, type JsonObject, partOf } from '../core/json';

/** A VirtualService, and the names of the routes that the Rollout changes in it. */
export interface RoutedVirtualService {
  readonly name: string;
  readonly namespace: string;
  /** @default - the only route */
  readonly routes: readonly string[];
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
}

/** Reads a Rollout; undefined if it does not route through Istio. */
export function readIstioRollout(rollout: JsonObject, namespace: string): IstioRollout | undefined {
  const canary = partOf(partOf(partOf(rollout, 'spec'), 'strategy'), 'canary');
  const routing = partOf(canary, 'trafficRouting');
  const istio = partOf(routing, 'istio');
  if (istio === undefined) return undefined;
  const several = asList(istio.virtualServices);
  const named = several.length > 0 ? several : isSet(istio.virtualService) ? [istio.virtualService] : [];
  const rule = partOf(istio, 'destinationRule');
  return {
    name: asText(asObject(rollout.metadata).name),
    virtualServices: named.map((one) => virtualServiceOf(asObject(one), namespace)),
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
  };
}

/** A name may have a namespace, `name.namespace`. */
function virtualServiceOf({ name, routes }: JsonObject, namespace: string): RoutedVirtualService {
  const [own = '', other] = asText(name).split('.');
  return { name: own, namespace: other || namespace, routes: asList(routes).map(asText) };
}

/** The routes that get weights: those with a name, or the only one, or the first without a name. */
export function weighedRoutes(http: readonly JsonObject[], names: readonly string[]): ReadonlySet<number> {
  if (names.length > 0) return new Set(names.map((name) => http.findIndex((route) => asText(route.name) === name)));
  return new Set([http.length === 1 ? 0 : http.findIndex(({ name }) => asText(name) === '')]);
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
