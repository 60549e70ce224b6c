import type { HttpHeaderFilter, HttpHeaderMatch, HttpRouteMatch, TrafficRoutingStrategy } from '../../api';
import type { KruiseRolloutFacts } from '../../facts';
import { trafficWeight } from '../../routing';

/** The traffic that one step of a rollout requests from a routing script. */
export type SampleStep = TrafficRoutingStrategy;

/** A header that must have exactly this value. */
export const header = (name: string, value: string): HttpHeaderMatch => ({ type: 'Exact', name, value });

/** A header or query parameter with a value that must match a regular expression. */
export const pattern = (name: string, value: string): HttpHeaderMatch => ({ type: 'RegularExpression', name, value });

/** A step that sends a share of the traffic to the canary. */
export const weight = (percent: number): SampleStep => ({ traffic: `${percent}%` });

/** A step that sends the requests of any of these matches to the canary. */
export const matching = (...matches: readonly HttpRouteMatch[]): SampleStep => ({ matches });

/** The traffic at the creation of the canary Ingress, before the first step. */
export const creation: SampleStep = weight(0);

const user = header('x-user', 'u1');
const agent = header('user-agent', 'pc');

/** A match on one header with an exact value. */
export const byHeader: HttpRouteMatch = { headers: [user] };
/** A match on one header with a regular expression. */
export const byPattern: HttpRouteMatch = { headers: [pattern('x-user', '^(user-[0-9]+)$')] };
/** A match on two headers; a request must have both. */
export const byBothHeaders: HttpRouteMatch = { headers: [user, agent] };
/** A match on the path only. */
export const byPath: HttpRouteMatch = { path: { type: 'PathPrefix', value: '/v2' } };
/** A match on a query parameter only. */
export const byQuery: HttpRouteMatch = { queryParams: [header('v', '2')] };

/**
 * Steps that the API server accepts, one for each shape of input: every part is present in one and absent in another.
 */
export const shapes: readonly SampleStep[] = [
  creation,
  weight(20),
  weight(100),
  matching(byHeader),
  matching(byPattern),
  matching(byBothHeaders),
  matching(byHeader, { headers: [agent] }),
  matching(byPath),
  matching(byQuery),
  matching({ ...byHeader, ...byPath, ...byQuery }),
  matching({}),
  { traffic: '20%', matches: [byHeader] },
  { traffic: '20%', matches: [] },
  { traffic: '20%', requestHeaderModifier: { set: [{ name: 'x-canary', value: 'yes' }] } },
  { traffic: '20%', requestHeaderModifier: { add: [{ name: 'x-canary', value: 'yes' }] } },
  { traffic: '20%', requestHeaderModifier: { remove: ['x-internal'] } },
  { traffic: '20%', requestHeaderModifier: {} },
  { matches: [byHeader], requestHeaderModifier: { set: [{ name: 'x-canary', value: 'yes' }] } },
];

/** Whether a release supports every field of a step; a script never gets unsupported fields. */
export function isKnownTo(facts: KruiseRolloutFacts, provider: 'ingress' | 'custom', step: SampleStep): boolean {
  const modifiers = provider === 'ingress' ? facts.ingressRequestHeaderModifier : facts.customRequestHeaderModifier;
  const headersOnly = (step.matches ?? []).every((match) => match.headers && !match.path && !match.queryParams);
  return (modifiers || !step.requestHeaderModifier) && (facts.pathAndQueryMatches || headersOnly);
}

/** Describes a run for messages; the creation of the canary Ingress has no step. */
export function describeRun(provider: 'ingress' | 'custom', step: SampleStep): string {
  const creates = provider === 'ingress' && trafficWeight(step) === 0 && !step.matches;
  return creates ? 'the run that creates the canary Ingress' : describeStep(step);
}

/** Describes a step for messages: `a step with traffic 20% and a match on header x-user: u1`. */
export function describeStep(step: SampleStep): string {
  const parts = [
    step.traffic === undefined ? [] : [`traffic ${step.traffic}`],
    step.matches === undefined ? [] : [describeMatches(step.matches)],
    step.requestHeaderModifier === undefined ? [] : [describeModifier(step.requestHeaderModifier)],
  ].flat();
  return `a step with ${parts.join(' and ')}`;
}

function describeMatches(matches: readonly HttpRouteMatch[]): string {
  if (matches.length === 0) return 'empty matches';
  return `${matches.length === 1 ? 'a match' : `${matches.length} matches`} on ${matches.map(describeMatch).join(' or ')}`;
}

function describeMatch(match: HttpRouteMatch): string {
  const parts = [
    ...(match.headers ?? []).map((one) => `header ${describeNameValue(one)}`),
    ...(match.path ? [`path ${match.path.value ?? '/'}`] : []),
    ...(match.queryParams ?? []).map((one) => `query parameter ${describeNameValue(one)}`),
  ];
  return parts.length === 0 ? 'nothing' : parts.join(' and ');
}

function describeNameValue({ type, name, value }: HttpHeaderMatch): string {
  return type === 'Exact' ? `${name}: ${value}` : `${name} (expression ${value})`;
}

function describeModifier(modifier: HttpHeaderFilter): string {
  const lists = (['set', 'add', 'remove'] as const).filter((list) => modifier[list] !== undefined);
  return lists.length === 0
    ? 'an empty requestHeaderModifier'
    : `a requestHeaderModifier with ${lists.join(' and ')} only`;
}
