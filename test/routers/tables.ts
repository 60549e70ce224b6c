/** All that a router says of a stack, as a test can compare it in one go. */
import { formatPath, type Manifest } from '../../src/core';
import { type Answer, type HttpRequest, type Router, routeOf } from '../../src/routers';
import { worldOf } from './stack';

/** The load balancers with their listeners and rules, then what is not served and what is ignored, one a line. */
export function tableOf(router: Router, ...texts: readonly string[]): string[] {
  const { loadBalancers, unserved, ignored } = router.routes(worldOf(...texts));
  return [
    ...loadBalancers.flatMap(({ name, members, listeners, frozen }) => [
      `${name}: ${members.map(nameOf).join(', ')}${frozen === undefined ? '' : ` (frozen: ${frozen.reason})`}`,
      ...listeners.flatMap(({ port, protocol, rules }) => [
        `- ${protocol} on ${port}`,
        ...rules.map(({ manifest, path, description }) => `  ${nameOf(manifest)} ${formatPath(path)}: ${description}`),
      ]),
    ]),
    ...unserved.map((manifest) => `unserved: ${nameOf(manifest)}`),
    ...ignoredIn(ignored ?? []),
  ];
}

/** What is ignored: the place, the reason, and why. */
export function ignoredBy(router: Router, ...texts: readonly string[]): string[] {
  return ignoredIn(router.routes(worldOf(...texts)).ignored ?? []);
}

function ignoredIn(ignored: NonNullable<ReturnType<Router['routes']>['ignored']>): string[] {
  return ignored.map(({ manifest, path, reason, why }) => {
    const place = path === undefined ? 'as a whole' : formatPath(path);
    return `ignored: ${nameOf(manifest)} ${place}, ${reason}: ${why}`;
  });
}

/** A request, and the load balancer and port that it reaches: the first load balancer and port 80 by default. */
export interface Sent extends Partial<HttpRequest> {
  readonly loadBalancer?: string;
  readonly port?: number;
}

/** Where a request goes: the whole answer, the place of the rule, and the rules before it with what they miss. */
export function routed(router: Router, texts: readonly string[], { loadBalancer, port = 80, ...sent }: Sent = {}) {
  const { loadBalancers } = router.routes(worldOf(...texts));
  const found = loadBalancers.find(({ name }) => loadBalancer === undefined || name === loadBalancer);
  if (found === undefined) throw new Error(`no load balancer ${loadBalancer}`);
  const request = { host: 'a.com', path: '/', ...sent };
  const route = routeOf(found, port, request);
  if (route === undefined) throw new Error(`nothing listens on ${port}`);
  const { answer, rule, isDefault } = route;
  const passedOver = found.listeners.find((each) => each.port === port)?.passedOver?.(request);
  return {
    answer: plain(answer),
    rule: rule && `${nameOf(rule.manifest)} ${formatPath(rule.path)}: ${rule.description}`,
    isDefault,
    passedOver: passedOver?.map(({ rule: over, failed }) => `${over.description}: ${failed ?? 'not told'}`),
  };
}

/** The answer, with workloads and other objects by their names. */
export function answered(router: Router, texts: readonly string[], sent: Sent = {}) {
  return routed(router, texts, sent).answer;
}

function plain(answer: Answer): unknown {
  if (answer.kind === 'frozen') return { ...answer, manifest: answer.manifest?.name };
  if (answer.kind !== 'services') return answer;
  return {
    ...answer,
    destinations: answer.destinations.map(({ workloads, ...destination }) => ({
      ...destination,
      ...(workloads === undefined ? {} : { workloads: workloads.map(({ kind, name }) => `${kind} ${name}`) }),
    })),
  };
}

function nameOf({ namespace, name }: Manifest): string {
  return namespace === undefined || namespace === 'default' ? name : `${namespace}/${name}`;
}
