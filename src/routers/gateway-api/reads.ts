import { type Json, type Manifest, ownValue, type World } from '../../core';
import { indexedBy } from '../../core/keyed';
import { anyField, nameOfKind, type Place, placeAt, type RouteKind } from '../kinds';
import { candidatesAt, matchedPaths } from '../request-candidates';
import { listOf, nameOf, objectOf, textOf, textsOf, valueIn } from '../values';
import { GATEWAY, GRPC_ROUTE, HTTP_ROUTE, TCP_ROUTE, TLS_ROUTE } from './kinds';
import { gatewayOfParent } from './listeners';

/** HTTPRoutes, and the other routes that Gateways serve on the same listeners. */
export const GATEWAY_API_READS: readonly RouteKind[] = [
  {
    ...HTTP_ROUTE,
    hostsOf,
    placeOf,
    candidatesOf: (manifest) =>
      candidatesAt(
        hostsOf(manifest),
        listOf(valueIn(manifest.object, 'spec', 'rules')).flatMap((rule) => matchedPaths(ownValue(rule, 'matches'))),
      ),
    rewrittenFields: anyField,
  },
  GRPC_ROUTE,
  TLS_ROUTE,
  TCP_ROUTE,
];

/** Redirects, mirrors and other filters stay within their rule. */
function placeOf({ object }: Manifest): Place | undefined {
  const { rules, ...besides } = objectOf(valueIn(object, 'spec')) ?? {};
  const matches = listOf(rules).flatMap((rule) => {
    const own = listOf(ownValue(rule, 'matches'));
    return own.length === 0 ? [undefined] : own.map((match) => ownValue(match, 'path'));
  });
  const isExpression = (path: Json | undefined) => ownValue(path, 'type') === 'RegularExpression';
  return placeAt(
    matches.map((path) => (isExpression(path) ? undefined : textOf(ownValue(path, 'value')))),
    besides,
  );
}

function hostsOf({ object }: Manifest): readonly string[] {
  return textsOf(valueIn(object, 'spec', 'hostnames'));
}

/** The routes behind the address of each parent, whether it accepts them or not. */
export function routesByParent(world: World): readonly (readonly Manifest[])[] {
  const routes = GATEWAY_API_READS.flatMap((kind) => world.list(nameOfKind(kind)));
  const byGateway = indexedBy(routes, (route) =>
    listOf(valueIn(route.object, 'spec', 'parentRefs')).map((parent) =>
      gatewayOfParent(
        world,
        nameOf(ownValue(parent, 'kind')) ?? GATEWAY.kind,
        nameOf(ownValue(parent, 'namespace')) ?? world.namespaceOf(route),
        textOf(ownValue(parent, 'name')) ?? '',
      ),
    ),
  );
  return [...byGateway.values()];
}
