/** Derives requests from the routes of a load balancer and from the matches of a release, so that they meet different rules. */

import type { RequestClass } from '../core/rehearsal-result';
import { remembered } from '../core/remembered';
import { type Match, summaryOf, type ValueCondition } from '../release';
import {
  ANY_HOST,
  nearExact,
  nearRegex,
  otherCase,
  type RequestCandidate,
  type RequestExtras,
  sampleOf,
} from '../routers';
import { COOKIE_PSEUDO_HEADER } from './expectation';
import type { RehearsalRequest } from './request';

/** A request, and the reason for it. */
export interface DerivedRequest {
  readonly class: RequestClass;
  readonly label: string;
  readonly request: RehearsalRequest;
  /** Whether a value differs from a match only in case. */
  readonly differsInCase?: boolean;
  /** Whether the cookie of a match is sent together with other cookies. */
  readonly amongCookies?: boolean;
  /** The index of the match. */
  readonly match?: number;
}

/** The sources of requests. */
export interface RequestSources {
  readonly candidates: readonly RequestCandidate[];
  /** The different matches of all steps. */
  readonly matches: readonly Match[];
  /** Whether a request reaches the stable Service while no release is under way. */
  reachesStable(request: RehearsalRequest): boolean;
}

const MAX_BASES = 8;
const MAX_ELSEWHERE = 8;
const MAX_NEAR = 32;

/** Far more than any load balancer takes. */
export const MAX_CONDITIONS = 200;

/**
 * Derives, for each host and path of the stable Service, a request without a match and one for each match. Adds requests
 * that almost meet a match, and requests that lead to other Services. The same manifests always give the same requests.
 */
export function deriveRequests(sources: RequestSources): DerivedRequest[] {
  const plain = plainRequests(sources.candidates);
  const reaching = new Set(plain.filter(sources.reachesStable));
  const bases = [...reaching].slice(0, MAX_BASES);
  if (bases.length === 0) return [];
  const elsewhere = plain.filter((request) => !reaching.has(request)).slice(0, MAX_ELSEWHERE);
  const several = bases.length > 1;
  const near = sources.matches.flatMap((match, index) => nearMatches(match, index)).slice(0, MAX_NEAR);
  const [first] = bases;
  return unique(
    [
      ...bases.flatMap((base): DerivedRequest[] => {
        const at = several && base !== first ? ` ${placeOf(base, first!)}` : '';
        return [
          { class: 'no-match', label: at === '' ? 'any' : at.trim(), request: base },
          ...sources.matches.flatMap((match, index): DerivedRequest[] => {
            const request = exactly(base, match);
            if (request === undefined || !sources.reachesStable(request)) return [];
            return [{ class: 'match', label: `${summaryOf(match)}${at}`, request, match: index }];
          }),
        ];
      }),
      ...near.flatMap(({ change, ...what }, index): DerivedRequest[] => {
        const request = change(bases[index % bases.length]!);
        if (request === undefined || !sources.reachesStable(request)) return [];
        return [{ class: 'near', request, ...what }];
      }),
      ...elsewhere.flatMap((request): DerivedRequest[] => {
        const label = placeOf(request, first!);
        const matched = sources.matches.slice(0, 1).flatMap((match) => withMatch(request, match) ?? []);
        return [
          { class: 'elsewhere', label, request },
          ...matched.map((each): DerivedRequest => ({ class: 'elsewhere', label: `${label}, match`, request: each })),
        ];
      }),
    ],
    ({ request }) => keyOf(request),
  );
}

/** Releases with the same candidates share their plain requests. */
const plainRequests = remembered((candidates: readonly RequestCandidate[]): readonly RehearsalRequest[] =>
  unique([...candidates.flatMap(requestsOf), ...otherHost(candidates)], keyOf),
);

function requestsOf({ host, paths, extras = {} }: RequestCandidate): RehearsalRequest[] {
  return paths.map((path) => ({ host, path, ...extras }));
}

/** A request for a host that no route names, to find routes that match too much. */
function otherHost(candidates: readonly RequestCandidate[]): RehearsalRequest[] {
  const [path = '/'] = candidates[0]?.paths ?? [];
  return candidates.some(({ host }) => host === ANY_HOST) ? [] : [{ host: 'elsewhere.example.org', path }];
}

/** The difference from the first host and path. */
function placeOf(request: RehearsalRequest, first: RehearsalRequest): string {
  const { host, path, method, headers = {}, query = {}, sourceIp } = request;
  const same = host === first.host;
  const place = same ? path : path === '/' || path === first.path ? host : `${host}${path}`;
  const lacks = (name: 'method' | 'headers' | 'query' | 'sourceIp') =>
    same && first[name] !== undefined && request[name] === undefined;
  const missing = (['method', 'headers', 'query', 'sourceIp'] as const).some(lacks) ? ' without its conditions' : '';
  const more = [method, sourceIp, ...Object.keys(headers), ...Object.keys(query)].filter((part) => part !== undefined);
  return `${place}${missing}${more.length > 0 && !same ? ` (${more.join(', ')})` : ''}`;
}

type Condition =
  | { readonly kind: 'header'; readonly condition: ValueCondition }
  | { readonly kind: 'query'; readonly condition: ValueCondition };

function conditionsOf(match: Match): Condition[] {
  return [
    ...(match.headers ?? []).map((condition) => ({ kind: 'header', condition }) as const),
    ...(match.queryParams ?? []).map((condition) => ({ kind: 'query', condition }) as const),
  ];
}

/** Changes a request so that it meets the match. Undefined if no such value was found. */
function exactly(base: RehearsalRequest, match: Match): RehearsalRequest | undefined {
  const path = pathFor(match, base.path);
  return path === undefined ? undefined : withMatch({ ...base, path }, match);
}

function withMatch(base: RehearsalRequest, match: Match): RehearsalRequest | undefined {
  if (hasTooManyConditions(match)) return undefined;
  let request: RehearsalRequest | undefined = base;
  for (const condition of conditionsOf(match)) {
    const value = valueFor(condition);
    request = value === undefined || request === undefined ? undefined : withValue(request, condition, value);
  }
  return request;
}

function pathFor({ path }: Match, otherwise: string): string | undefined {
  if (path === undefined) return otherwise;
  const { type = 'PathPrefix', value = '/' } = path;
  if (type === 'RegularExpression') return sampleOf(value);
  // The prefix `/` matches every path.
  return type === 'PathPrefix' && value === '/' ? otherwise : value;
}

function valueFor({ condition }: Condition): string | undefined {
  return condition.type === 'RegularExpression' ? sampleOf(condition.value) : condition.value;
}

function withValue(request: RehearsalRequest, { kind, condition }: Condition, value: string): RehearsalRequest {
  if (kind === 'query') return { ...request, query: { ...request.query, [condition.name]: value } };
  if (condition.name.toLowerCase() !== COOKIE_PSEUDO_HEADER) return withHeader(request, condition.name, value);
  return withHeader(request, 'cookie', `${value}=always`);
}

/** Adds a header; cookies are joined into one header. */
function withHeader(request: RehearsalRequest, name: string, value: string): RehearsalRequest {
  const { headers = {} } = request;
  const known = Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase());
  const isCookie = name.toLowerCase() === 'cookie';
  const joined = known !== undefined && isCookie ? `${headers[known]}; ${value}` : value;
  // A computed key is an own key, even for a header named `__proto__`.
  return { ...request, headers: { ...headers, [known ?? name]: joined } };
}

interface NearMatch extends Pick<DerivedRequest, 'label' | 'differsInCase' | 'amongCookies'> {
  readonly match: number;
  change(base: RehearsalRequest): RehearsalRequest | undefined;
}

/** Whether a match is so long that no request is made for it. */
export function hasTooManyConditions({ headers = [], queryParams = [] }: Match): boolean {
  return headers.length + queryParams.length > MAX_CONDITIONS;
}

/** Requests that miss the match by one condition: without it, or with a similar value. */
function nearMatches(match: Match, index: number): NearMatch[] {
  if (hasTooManyConditions(match)) return [];
  const conditions = conditionsOf(match);
  const without = (left: Condition): Match => ({
    ...match,
    headers: match.headers?.filter((header) => header !== left.condition),
    queryParams: match.queryParams?.filter((param) => param !== left.condition),
  });
  const ofConditions = conditions.flatMap((condition): NearMatch[] => {
    const { name } = condition.condition;
    const alone = conditions.length === 1 && match.path === undefined;
    const others = without(condition);
    const missing: NearMatch[] = alone
      ? []
      : [{ match: index, label: `${summaryOf(match)}, no ${name}`, change: (base) => exactly(base, others) }];
    return [
      ...missing,
      ...nearValues(condition).map(
        ({ value, differsInCase }): NearMatch => ({
          match: index,
          label: `${name}: ${value}`,
          ...(differsInCase ? { differsInCase } : {}),
          change: (base) => {
            const request = exactly(base, others);
            return request && withValue(request, condition, value);
          },
        }),
      ),
    ];
  });
  return [...ofConditions, ...nearPaths(match, index), ...cookieAmongOthers(match, index)];
}

interface NearValue {
  readonly value: string;
  readonly differsInCase?: boolean;
}

function nearValues({ condition }: Condition): NearValue[] {
  if (condition.type === 'RegularExpression') {
    const sample = sampleOf(condition.value);
    return sample === undefined ? [] : nearRegex(condition.value, sample).map((value) => ({ value }));
  }
  // Text after the value of a cookie would be another cookie.
  const isPseudo = condition.name.toLowerCase() === COOKIE_PSEUDO_HEADER;
  const folded = otherCase(condition.value);
  return [
    ...nearExact(condition.value).map((value) => ({ value })),
    ...(folded === undefined || isPseudo ? [] : [{ value: folded, differsInCase: true }]),
  ];
}

function nearPaths(match: Match, index: number): NearMatch[] {
  const { path } = match;
  const sample = pathFor(match, '/');
  if (path === undefined || sample === undefined || sample === '/') return [];
  const near = path.type === 'Exact' ? [`${sample}x`, `${sample}/x`] : [`${sample}x`];
  const below =
    path.type === 'Exact' || path.type === 'RegularExpression' ? [] : [`${sample.replace(/\/$/, '')}/rehearsal`];
  return [...near, ...below].map((value) => ({
    match: index,
    label: value,
    change: (base) => withMatch({ ...base, path: value }, match),
  }));
}

function cookieAmongOthers(match: Match, index: number): NearMatch[] {
  const cookie = (match.headers ?? []).find(
    ({ name, type, value }) => name.toLowerCase() === 'cookie' && type !== 'RegularExpression' && value.includes('='),
  );
  if (cookie === undefined) return [];
  const headers = match.headers!.map((header) =>
    header === cookie ? { ...header, value: `session=1; ${cookie.value}; theme=dark` } : header,
  );
  return [
    {
      match: index,
      label: `cookie: ${cookie.value} among others`,
      amongCookies: true,
      change: (base) => exactly(base, { ...match, headers }),
    },
  ];
}

function keyOf({
  host,
  path,
  method,
  headers,
  query,
  target,
  repeatedHeaders,
  sourceIp,
  port,
  scheme,
}: RehearsalRequest & RequestExtras): string {
  return JSON.stringify([scheme, port, host, path, method, headers, query, target, repeatedHeaders, sourceIp]);
}

function unique<T>(items: readonly T[], key: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const id = key(item);
    return seen.has(id) ? false : seen.add(id);
  });
}
