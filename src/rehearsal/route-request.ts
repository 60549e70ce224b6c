/** Where a request goes with the manifests as they are, without any release. */
import { formatPath, type Manifest, type World } from '../core';
import type { RehearsedRule } from '../core/rehearsal-result';
import type { LeftOut, RoutedDestination, RoutedRequest } from '../core/routed-request';
import { selectorOf } from '../release';
import {
  type AllRouterOptions,
  type Answer,
  allRouters,
  type Destination,
  type Ignored,
  type Listener,
  type LoadBalancer,
  patternTakes,
  type Route,
  RouteKinds,
  type RouteRule,
  routersOf,
} from '../routers';
import { locationOf } from './answers';
import { formatRequest, type RehearsalRequest } from './request';

/**
 * The answers to a request, one for each load balancer that serves its host. If none serves it, all load balancers answer.
 * @example routeRequest(world, parseRequest('GET https://shop.example.com/cart -H "x-user: 1"'))[0]?.destinations
 */
export function routeRequest(
  world: World,
  request: RehearsalRequest,
  options: AllRouterOptions = {},
): readonly RoutedRequest[] {
  const routers = allRouters(options);
  const kinds = new RouteKinds(routers);
  const asked = routersOf(world, routers).flatMap((router) => {
    const { loadBalancers, ignored = [] } = router.routes(world);
    const leftOut = leftOutAt(ignored, request.host, kinds);
    return loadBalancers.map((loadBalancer) => {
      const listener = listenerFor(loadBalancer, request);
      const route = loadBalancer.frozen === undefined ? listener?.route(request) : undefined;
      const gateway = router.name === loadBalancer.name ? router.name : `${router.name} ${loadBalancer.name}`;
      const serves = route?.rule !== undefined || servesHost(loadBalancer, request.host, kinds);
      return { gateway, loadBalancer, listener, route, serves, leftOut };
    });
  });
  const serving = asked.filter(({ serves }) => serves);
  return (serving.length > 0 ? serving : asked).map(({ gateway, loadBalancer, listener, route, leftOut }) => ({
    request: formatRequest(request),
    gateway,
    listener: listener === undefined ? null : `${listener.protocol}:${listener.port}`,
    rule: route?.rule === undefined ? null : ruleOf(route.rule),
    passedOver: passedOver(listener, request, route),
    leftOut,
    ...outcomeOf(loadBalancer.frozen ?? route?.answer, request, world),
  }));
}

/** The listener of the port or, without one, of the scheme; TLS may also end before the load balancer. */
function listenerFor({ listeners }: LoadBalancer, { port, scheme }: RehearsalRequest): Listener | undefined {
  if (port !== undefined) return listeners.find((listener) => listener.port === port);
  const wanted = scheme === 'http' ? 'HTTP' : 'HTTPS';
  return listeners.find(({ protocol }) => protocol === wanted) ?? (scheme === 'http' ? undefined : listeners[0]);
}

/** Whether an object of a load balancer is for a host. */
function servesHost({ members }: LoadBalancer, host: string, kinds: RouteKinds): boolean {
  return members.some((member) => isForHost(member, host, kinds));
}

function isForHost(manifest: Manifest, host: string, kinds: RouteKinds): boolean {
  const hosts = kinds.hostsOf(manifest);
  return hosts.length === 0 || hosts.some((pattern) => patternTakes(pattern, host));
}

/** What the load balancer makes no route of, of objects for a host. */
function leftOutAt(ignored: readonly Ignored[], host: string, kinds: RouteKinds): readonly LeftOut[] {
  const relevant = ignored.filter(({ manifest }) => isForHost(manifest, host, kinds));
  return relevant.map(({ manifest, path = [], why }) => {
    const source = manifest.sourceOf(path);
    return { object: manifest.ref, path: formatPath(path), why, ...(source && { source }) };
  });
}

function ruleOf({ description, manifest, path }: RouteRule): RehearsedRule {
  const source = manifest.sourceOf(path);
  const rule = { description, object: manifest.ref, path: formatPath(path) };
  return source === undefined ? rule : { ...rule, source };
}

function passedOver(listener: Listener | undefined, request: RehearsalRequest, route: Route | undefined) {
  const earlier = route === undefined ? [] : (listener?.passedOver?.(request) ?? []);
  return earlier.map(({ rule, failed = null }) => ({ ...ruleOf(rule), failed }));
}

type Outcome = Pick<RoutedRequest, 'destinations' | 'status' | 'answer'>;

function outcomeOf(answer: Answer | undefined, request: RehearsalRequest, world: World): Outcome {
  switch (answer?.kind) {
    case undefined:
      return { destinations: [], status: null, answer: 'nothing listens on this port' };
    case 'frozen':
      return {
        destinations: [],
        status: null,
        answer: `not known: the controller applies none of this: ${answer.why}`,
      };
    case 'unknown':
      return { destinations: [], status: null, answer: `not known: ${answer.why}` };
    case 'fixed-response':
      return { destinations: [], status: Number(answer.statusCode), answer: answer.messageBody ?? null };
    case 'redirect': {
      const location = locationOf(answer, request, request.scheme ?? 'https');
      return { destinations: [], status: Number(answer.statusCode), answer: `redirect to ${location}` };
    }
    case 'services': {
      const destinations = answer.destinations
        .map((destination) => destinationOf(destination, world))
        .sort((a, b) => b.share - a.share);
      return { destinations, status: statusOf(destinations), answer: null };
    }
  }
}

/** The error that every client gets; null if some get an answer. */
function statusOf(destinations: readonly RoutedDestination[]): number | null {
  const reached = destinations.filter(({ share }) => share > 0);
  if (reached.length === 0) return 503;
  const [first, ...others] = reached.map(({ status }) => status);
  return others.every((status) => status === first) ? first! : null;
}

function destinationOf(destination: Destination, world: World): RoutedDestination {
  const { service, target = 'nothing', port = null, share, subset, workloads, unavailable } = destination;
  const manifest = service && world.find('Service', service.name, service.namespace);
  const selector = manifest === undefined ? undefined : { ...selectorOf(manifest.object), ...subset?.labels };
  const names = workloads?.map((each) => `${each.kind} ${world.namespaceOf(each)}/${each.name}`);
  return {
    namespace: service?.namespace ?? null,
    name: service?.name ?? target,
    port,
    share,
    selector: selector ?? null,
    workloads: names ?? null,
    failure: unavailable?.why ?? null,
    status: unavailable === undefined ? null : Number(unavailable.statusCode),
  };
}
