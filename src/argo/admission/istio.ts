/** The VirtualServices and the DestinationRule that a Rollout names. */
import { asList, asObject, asText, isSet, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import {
  hostOf,
  httpOf,
  type IstioRollout,
  type RoutedVirtualService,
  readIstioRollout,
  subsetOf,
  weighedRoutes,
} from '../istio-rollout';
import { type ArgoCluster, existsElsewhere, objectOf } from './cluster';
import type { Problem } from './problem';

const ISTIO: Path = ['spec', 'strategy', 'canary', 'trafficRouting', 'istio'];
const API = 'networking.istio.io/v1';

/** Objects that do not exist, and VirtualServices whose routes lack a version. Nothing is known without their list. */
export function checkIstio(rollout: JsonObject, cluster: ArgoCluster): { missing: Problem[]; wrong: Problem[] } {
  const namespace = asText(asObject(rollout.metadata).namespace) || 'default';
  const istio = readIstioRollout(rollout, namespace, cluster.version);
  const { virtualServices, destinationRules } = cluster;
  if (istio === undefined || virtualServices === undefined) return { missing: [], wrong: [] };
  const found = istio.virtualServices.map((named, index) => ({
    named,
    path: virtualServicePath(rollout, index),
    object: objectOf(virtualServices, named.namespace, named.name),
  }));
  const isAbsent = (kind: string, name: string) => !existsElsewhere(rollout, cluster, kind, name, API);
  const { subsets } = istio;
  const rule = subsets && objectOf(destinationRules, namespace, subsets.name);
  return {
    missing: [
      ...found.flatMap(({ named, path, object }) =>
        object === undefined && isAbsent('VirtualService', named.name)
          ? [absent('VirtualService', named.name, path)]
          : [],
      ),
      ...(subsets !== undefined && rule === undefined && isAbsent('DestinationRule', subsets.name)
        ? [absent('DestinationRule', subsets.name, [...ISTIO, 'destinationRule', 'name'])]
        : []),
    ],
    wrong: found.flatMap(({ named, path, object }) =>
      object === undefined ? [] : routeProblems(rollout, object, named, istio, path),
    ),
  };
}

function canaryOf(rollout: JsonObject): JsonObject {
  return asObject(asObject(asObject(rollout.spec).strategy).canary);
}

function virtualServicePath(rollout: JsonObject, index: number): Path {
  const { istio } = asObject(canaryOf(rollout).trafficRouting);
  return asList(asObject(istio).virtualServices).length > 0
    ? [...ISTIO, 'virtualServices', index]
    : [...ISTIO, 'virtualService'];
}

function absent(kind: 'VirtualService' | 'DestinationRule', name: string, path: Path): Problem {
  return {
    rule: 'argo-istio-object-not-found',
    class: 'R-V1',
    message: `${kind === 'VirtualService' ? 'virtualservices' : 'destinationrules'}.networking.istio.io "${name}" not found`,
    path: kind === 'VirtualService' ? [...path, 'name'] : path,
    text: `there is no ${kind} "${name}"`,
    absent: { apiVersion: API, kind, name },
  };
}

/** The routes that the Rollout names, or the only one: each needs a destination for both versions. */
function routeProblems(
  rollout: JsonObject,
  object: JsonObject,
  named: RoutedVirtualService,
  istio: IstioRollout,
  path: Path,
): Problem[] {
  const http = httpOf(object);
  const { tls, tcp } = asObject(object.spec);
  // Routes of other protocols are not read here.
  if (http.length === 0) return asList(tls).length + asList(tcp).length > 0 ? [] : [withoutRoutes(named, path)];
  const own = http.filter((route) => !istio.managedRoutes.includes(asText(route.name)));
  if (named.routes.length === 0 && own.length > 1) {
    const text = `VirtualService "${named.name}" has ${own.length} routes, and the Rollout names none of them`;
    return [invalid([...path, 'name'], 'it must have exactly one route when omitting routes', text)];
  }
  return [...weighedRoutes(http, named.routes, istio)].flatMap((index, at) => {
    const route = http[index];
    if (route !== undefined) return versionProblems(rollout, route, named, istio, path);
    const name = named.routes[at] ?? '';
    const text = `VirtualService "${named.name}" has no route with the name "${name}"`;
    return [invalid([...path, 'routes'], `HTTP Route '${name}' is not found in the defined Virtual Service.`, text)];
  });
}

function versionProblems(
  rollout: JsonObject,
  route: JsonObject,
  named: RoutedVirtualService,
  { subsets }: IstioRollout,
  path: Path,
): Problem[] {
  const destinations = asList(route.route).map(asObject);
  const lacks = (what: string, message: string): Problem =>
    invalid(
      [...path, 'name'],
      message,
      `the route of VirtualService "${named.name}" has no destination with the ${what}`,
    );
  if (subsets !== undefined) {
    const names = destinations.map(subsetOf);
    return [subsets.canary, subsets.stable].flatMap((name) =>
      name !== '' && names.includes(name)
        ? []
        : [lacks(`subset "${name}"`, `DestinationRule subset '${name}' not found in route`)],
    );
  }
  const { canaryService, stableService, pingPong } = canaryOf(rollout);
  const { pingService, pongService } = asObject(pingPong);
  const isNamed = pingPong === undefined || isSet(canaryService) || isSet(stableService);
  const services = isNamed ? [canaryService, stableService] : [pingService, pongService];
  const hosts = destinations.map(hostOf);
  return services
    .map(asText)
    .flatMap((name) => (hosts.includes(name) ? [] : [lacks(`host "${name}"`, `Service '${name}' not found in route`)]));
}

function withoutRoutes({ name }: RoutedVirtualService, path: Path): Problem {
  const message = 'Unable to get any of the HTTP, TCP or TLS routes for the Istio VirtualService';
  return invalid([...path, 'name'], message, `VirtualService "${name}" has no routes`);
}

function invalid(path: Path, message: string, text: string): Problem {
  return { rule: 'argo-istio-route-invalid', class: 'R-V2', path, message, text };
}
