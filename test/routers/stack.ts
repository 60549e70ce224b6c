import { parseManifests, World } from '../../src/core';
import {
  type Answer,
  type Destination,
  type HttpRequest,
  type LoadBalancer,
  type Router,
  type RouteTable,
  routeOf,
} from '../../src/routers';

/** A World from YAML without errors. */
export function worldOf(...texts: readonly string[]): World {
  const { manifests, findings } = parseManifests(texts.join('\n---\n'), 'test.yaml');
  if (findings.length > 0) throw new Error(findings.map(({ message }) => message).join('\n'));
  return World.of(manifests);
}

/** A Service of port 80, and a Deployment with its pods. */
export function app(name: string, namespace = 'default'): string {
  return `${service(name, namespace)}\n---\n${deployment(name, namespace)}`;
}

/** A Service with two ports. */
export function service(name: string, namespace = 'default'): string {
  return `
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  selector: {app: ${name}}
  ports: [{name: http, port: 80, targetPort: 8080}, {name: admin, port: 9000}]`;
}

/** A Deployment whose pods a Service of its name selects. */
export function deployment(name: string, namespace = 'default', labels = ''): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}${labels}}}
    spec: {containers: [{name: main, image: 'demo:1'}]}`;
}

/** A request and its entry; the first load balancer and port 80 by default. */
export interface Ask extends Partial<HttpRequest> {
  readonly loadBalancer?: string;
  readonly port?: number;
}

/** The result of a request, in one line. */
export function ask(router: Router, world: World, { loadBalancer, port = 80, ...request }: Ask): string {
  return answerFrom(router.routes(world), loadBalancer, port, { host: 'a.com', path: '/', ...request });
}

/** The destinations of a request by name, without those that get nothing: `web 80, web-canary 20`. */
export function whoGets(router: Router, world: World, { loadBalancer, port = 80, ...request }: Ask): string {
  const { loadBalancers } = router.routes(world);
  const found = loadBalancers.find(({ name }) => loadBalancer === undefined || name === loadBalancer);
  const answer = found && routeOf(found, port, { host: 'a.com', path: '/', ...request })?.answer;
  if (answer?.kind !== 'services') return answer === undefined ? 'nobody' : show(answer);
  const getting = answer.destinations.filter(({ share }) => share > 0);
  const lines = getting.map((each) => ({
    ...each,
    name: showDestination({ ...each, share: 1 }, 1),
    share: each.share,
  }));
  lines.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (lines.length === 1) return lines[0]!.name;
  return lines.map(({ name, share }) => `${name} ${Math.round(share * 100)}`).join(', ');
}

/** The result of a request at a load balancer of a table. */
export function answerFrom(
  { loadBalancers }: RouteTable,
  name: string | undefined,
  port: number,
  request: HttpRequest,
): string {
  const found: LoadBalancer | undefined =
    name === undefined ? loadBalancers[0] : loadBalancers.find((lb) => lb.name === name);
  if (found === undefined) return 'no load balancer';
  const route = routeOf(found, port, request);
  if (route === undefined) return 'nothing listens';
  return show(route.answer);
}

/** `web 80%, web-canary 20%`; only the name if one Service gets all requests. */
export function show(answer: Answer): string {
  switch (answer.kind) {
    case 'services':
      return (
        answer.destinations.map((each) => showDestination(each, answer.destinations.length)).join(', ') || 'nowhere'
      );
    case 'fixed-response':
      return [answer.statusCode, answer.messageBody].filter(Boolean).join(' ');
    case 'redirect': {
      const { statusCode, protocol, host, port, path } = answer;
      return ['redirect', statusCode, protocol, host, port, path].filter((part) => part !== undefined).join(' ');
    }
    case 'frozen':
      return `frozen: ${answer.why}`;
    case 'unknown':
      return `not known: ${answer.why}`;
  }
}

function showDestination({ service, target, subset, share, unavailable }: Destination, count: number): string {
  const name =
    service === undefined
      ? `${target}`
      : service.namespace === 'default'
        ? service.name
        : `${service.namespace}/${service.name}`;
  const parts = [
    subset === undefined ? name : `${name}:${subset.name}`,
    ...(count === 1 && share === 1 ? [] : [`${Math.round(share * 10_000) / 100}%`]),
    ...(unavailable === undefined ? [] : [`(${unavailable.statusCode} ${unavailable.reason})`]),
  ];
  return parts.join(' ');
}
