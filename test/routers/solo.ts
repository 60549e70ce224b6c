/**
 * A router in one file, for the VirtualServices of an invented gateway. Istio has a kind of the same name: only the API
 * group separates the two.
 */
import { isJsonObject, type Json, type Manifest, ownValue, type World } from '../../src/core';
import {
  candidatesAt,
  fieldsOfSpec,
  type LoadBalancer,
  nameOfKind,
  type RequestCandidate,
  type RouteKind,
  type Router,
} from '../../src/routers';
import { HostIndex } from '../../src/routers/hosts';
import { type Candidate, fixedResponse, listenerOf } from '../../src/routers/listener';
import { headerOf, hostOf } from '../../src/routers/request';
import { Services, servicesAnswer } from '../../src/routers/services';
import { listOf, numberOf, textOf, textsOf, valueIn } from '../../src/routers/values';

/** The kind, as a controller has to be granted it. */
export const SOLO: RouteKind = {
  kind: 'VirtualService',
  group: 'gateway.solo.example',
  plural: 'virtualservices',
  hostsOf: domainsOf,
  candidatesOf: (manifest): RequestCandidate[] =>
    candidatesAt(
      domainsOf(manifest),
      routesOf(manifest).map((route) => textOf(valueIn(route, 'matchers', 0, 'prefix')) ?? '/'),
    ),
  rewrittenFields: fieldsOfSpec('virtualHost'),
};

/** The router. */
export function soloRouter(): Router {
  return {
    name: 'solo',
    reads: [SOLO],
    shared: [],
    routes(world) {
      const members = world.list(nameOfKind(SOLO));
      return { loadBalancers: members.length === 0 ? [] : [gateway(world, members)], unserved: [] };
    },
  };
}

function domainsOf({ object }: Manifest): readonly string[] {
  return textsOf(valueIn(object, 'spec', 'virtualHost', 'domains'));
}

function routesOf({ object }: Manifest): readonly Json[] {
  return listOf(valueIn(object, 'spec', 'virtualHost', 'routes'));
}

function gateway(world: World, members: readonly Manifest[]): LoadBalancer {
  const services = new Services(world);
  const byHost = new HostIndex<Candidate>();
  const candidates = members.flatMap((manifest) => {
    const own = routesOf(manifest).map((route, index) => candidateOf(services, manifest, route, index));
    for (const host of domainsOf(manifest)) for (const candidate of own) byHost.add(host, candidate);
    return own;
  });
  const reachable = (request: { readonly host: string; readonly path: string }) => byHost.best(hostOf(request));
  const otherwise = fixedResponse(404);
  const listeners = [listenerOf({ port: 80, protocol: 'HTTP', candidates, reachable, otherwise })];
  return { name: 'solo', members, listeners };
}

function candidateOf(services: Services, manifest: Manifest, route: Json, index: number): Candidate {
  const matcher = valueIn(route, 'matchers', 0);
  const prefix = textOf(ownValue(matcher, 'prefix')) ?? '/';
  const headers = listOf(ownValue(matcher, 'headers')).filter(isJsonObject);
  const destinations = listOf(valueIn(route, 'routeAction', 'multi', 'destinations')).map((item) => {
    const ref = { namespace: manifest.namespace ?? 'default', name: textOf(ownValue(item, 'service')) ?? '' };
    return services.destination(ref, numberOf(ownValue(item, 'port')), numberOf(ownValue(item, 'weight')) ?? 0);
  });
  const path = ['spec', 'virtualHost', 'routes', index];
  return {
    rule: { description: `VirtualService ${manifest.name} routes[${index}]`, manifest, path },
    matches: (request) =>
      request.path.startsWith(prefix) &&
      headers.every(({ name, value }) => headerOf(request, textOf(name) ?? '') === value),
    answer: servicesAnswer(destinations),
  };
}
