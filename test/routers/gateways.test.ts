import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseRequest } from '../../src/rehearsal';
import { type Answer, type Destination, type RouterName, routeOf, routerNamed } from '../../src/routers';
import { worldOf } from './stack';

interface Case {
  readonly case: string;
  readonly gateway: string;
  readonly objects: string;
  readonly requests: readonly { readonly request: string; readonly real: Shares; readonly sent: number }[];
}

/** Who answers which share of the requests: `service/v`, or a status code. */
type Shares = Readonly<Record<string, number>>;

const gatewayClass = (controller: string) =>
  `apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: x}\nspec: {controllerName: ${controller}}`;

/** The router of each gateway, and what its operator adds to the objects. */
const GATEWAYS: Readonly<Record<string, { readonly router: RouterName; readonly more?: string }>> = {
  contour: { router: 'contour' },
  istio: { router: 'istio' },
  'istio-gw': { router: 'gateway-api', more: gatewayClass('istio.io/gateway-controller') },
  traefik: { router: 'traefik' },
  'traefik-gw': { router: 'gateway-api', more: gatewayClass('traefik.io/gateway-controller') },
};

/** Answers that the routers give differently, with the reason. It gets shorter, never longer. */
const KNOWN: Readonly<Record<string, string>> = {};

const cases = Object.keys(GATEWAYS).flatMap((gateway) =>
  readFileSync(join(__dirname, '../vectors/gateways', `${gateway}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case),
);

describe.each(cases.map((each) => [`${each.gateway} ${each.case}`, each] as const))('%s', (name, each) => {
  const { router, more } = GATEWAYS[each.gateway]!;
  // Recorded as YAML 1.2 reads them, in which the header name `y` is a text.
  const objects = parseAllDocuments(each.objects).map((document) => JSON.stringify(document.toJS()));
  const world = worldOf(...objects, ...(more === undefined ? [] : [more]));
  const { loadBalancers } = routerNamed(router).routes(world);

  it.each(each.requests.map((asked) => [asked.request, asked] as const))('%s', (request, { real, sent }) => {
    const { port = 80, ...parsed } = parseRequest(request);
    const answers = loadBalancers.map((loadBalancer) => sharesOf(routeOf(loadBalancer, port, parsed)?.answer));
    const agreed = answers.some((shares) => agree(shares, real, sent));
    const isKnown = Object.hasOwn(KNOWN, `${name} ${request}`);
    expect(agreed, `${JSON.stringify(answers)}, really ${JSON.stringify(real)}`).toBe(!isKnown);
  });
});

function sharesOf(answer: Answer | undefined): Shares {
  if (answer === undefined || answer.kind === 'frozen') return {};
  if (answer.kind !== 'services') return { [answer.statusCode]: 1 };
  const shares: Record<string, number> = {};
  for (const destination of answer.destinations) {
    const who = nameOf(destination);
    if (destination.share > 0) shares[who] = (shares[who] ?? 0) + destination.share;
  }
  return Object.keys(shares).length === 0 ? { 503: 1 } : shares;
}

function nameOf({ unavailable, workloads, service, target }: Destination): string {
  if (unavailable !== undefined) return unavailable.statusCode;
  return `${workloads?.[0]?.name ?? service?.name ?? target}/v`;
}

/** Within four standard deviations of the number of requests; nobody may answer who has no share. */
function agree(shares: Shares, real: Shares, sent: number): boolean {
  return [...new Set([...Object.keys(shares), ...Object.keys(real)])].every((who) => {
    const [expected, seen] = [shares[who] ?? 0, real[who] ?? 0];
    return Math.abs(expected - seen) <= 4 * Math.sqrt((expected * (1 - expected)) / sent) + 1e-4;
  });
}
