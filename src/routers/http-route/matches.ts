/** Matches of HTTPRoute rules and their precedence. */
import { type Json, ownValue } from '../../core';
import { compileRegex } from '../../core/regex';
import { remembered } from '../../core/remembered';
import type { RequestCondition } from '../listener';
import {
  allOf,
  decodedQueriesOf,
  envoyHeadersOf,
  headersOf,
  isUnder,
  joinedHeadersOf,
  mergedPathOf,
  methodOf,
  routingPathOf,
  sentPathOf,
  sentQueryOf,
} from '../request';
import type { HttpRequest } from '../router';
import { listOf, nameOf, textOf } from '../values';

/** A compiled match. */
export interface RouteMatch {
  readonly words: string;
  readonly test: RequestCondition['test'];
  /** Its parts, which must all match. */
  readonly conditions: readonly RequestCondition[];
  readonly rank: MatchRank;
  /**
   * The first segment that a path must have.
   * @default - paths with several first segments may match
   */
  readonly segment?: string;
}

/** The precedence of matches, compared field by field; a smaller value comes first. */
export type MatchRank = readonly number[];

/**
 * How implementations compare requests. Envoy compares the path and the first value of a query parameter as they are
 * sent, and expressions with whole values. Istio takes no account of the slash at the end of a prefix; up to 1.30 it joins the values of a header. Envoy Gateway merges slashes, and has an order of its
 * own. Traefik decodes, compares every value, and finds expressions anywhere.
 */
export type MatchDialect = 'envoy' | 'istio' | 'istio-1.30' | 'envoy-gateway' | 'traefik';

/** The differences between APIs with matches of this form. */
export interface MatchOptions {
  /**
   * @default 'envoy'
   */
  readonly dialect?: MatchDialect;
  /**
   * All conditions on a header must match. Without this only the first condition on each name applies.
   * @default false
   */
  readonly repeatedHeaders?: boolean;
  /**
   * A match without a path comes after all matches with one. Otherwise it is for the path `/`.
   * @default false
   */
  readonly pathlessLast?: boolean;
}

/** The matches of a rule; without any, every request passes. */
export function compileMatches(value: Json | undefined, options: MatchOptions = DEFAULT): readonly RouteMatch[] {
  return compiledWith(options)(Array.isArray(value) && value.length > 0 ? value : EVERYTHING);
}

const DEFAULT: MatchOptions = {};
const EVERYTHING: readonly Json[] = [{}];

const compiledWith = remembered((options: MatchOptions) =>
  remembered((matches: readonly Json[]): readonly RouteMatch[] => matches.map((match) => compileMatch(match, options))),
);

/** Compares the precedence of two matches: negative if the first one comes first. */
export function compareRanks(a: MatchRank, b: MatchRank): number {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value - b[index]!;
  return 0;
}

function compileMatch(match: Json, options: MatchOptions): RouteMatch {
  const { repeatedHeaders = false, pathlessLast = false, dialect = 'envoy' } = options;
  const reads = READS[dialect];
  const given = ownValue(match, 'path');
  const path = pathCondition(given, reads);
  const isLast = pathlessLast && given === undefined;
  const method = nameOf(ownValue(match, 'method'));
  const isExact = (entry: Json) => (textOf(ownValue(entry, 'type')) ?? 'Exact') === 'Exact';
  const exactOf = (key: string) => listOf(ownValue(match, key)).filter(isExact).length;
  const headerKey = repeatedHeaders ? undefined : (name: string) => name.toLowerCase();
  const headers = valueConditions(ownValue(match, 'headers'), 'header', reads.headers, headerKey, reads);
  const query = valueConditions(ownValue(match, 'queryParams'), 'query parameter', reads.query, (name) => name, reads);
  const conditions = [
    path,
    ...(method === undefined
      ? []
      : [{ words: `method is ${method}`, test: (request: HttpRequest) => methodOf(request) === method }]),
    ...headers,
    ...query,
  ];
  return {
    words: conditions.map(({ words }) => words).join(' and '),
    test: allOf(conditions.map(({ test }) => test)),
    conditions,
    ...segmentOf(path),
    rank: reads.rank({
      path: isLast ? NO_PATH : path,
      methods: method === undefined ? 0 : 1,
      headers: headers.length,
      exactHeaders: exactOf('headers'),
      query: query.length,
      exactQuery: exactOf('queryParams'),
    }),
  };
}

function segmentOf({ kind, value }: { readonly kind: number; readonly value: string }): Pick<RouteMatch, 'segment'> {
  const segment = kind === PATH_KINDS.expression ? '' : firstSegmentOf(value);
  return segment === '' ? {} : { segment };
}

/** `cart` of `/cart/items` */
function firstSegmentOf(path: string): string {
  return path.startsWith('/') ? path.split('/', 2)[1]! : '';
}

/** The first segment of the path of a request, as a dialect reads it. */
export function segmentAsked(request: HttpRequest, { dialect = 'envoy' }: MatchOptions): string {
  return firstSegmentOf(READS[dialect].path(request));
}

/** How a dialect reads requests. */
interface Reads {
  readonly path: (request: HttpRequest) => string;
  readonly headers: (request: HttpRequest, name: string) => readonly string[];
  readonly query: (request: HttpRequest, name: string) => readonly string[];
  /** Whether an expression must match the whole value. */
  readonly whole: boolean;
  readonly rank: (parts: RankedParts) => MatchRank;
}

/** What the precedence of a match depends on. */
interface RankedParts {
  readonly path: { readonly kind: number; readonly length: number; readonly value?: string };
  readonly methods: number;
  readonly headers: number;
  readonly exactHeaders: number;
  readonly query: number;
  readonly exactQuery: number;
}

const PATH_KINDS = { exact: 0, prefix: 1, expression: 2, none: 3 } as const;
const NO_PATH = { kind: PATH_KINDS.none, length: 0 };

const ENVOY: Reads = {
  path: sentPathOf,
  headers: envoyHeadersOf,
  query: (request, name) => {
    const first = sentQueryOf(request, name);
    return first === undefined ? [] : [first];
  },
  whole: true,
  rank: ({ path, methods, headers, query }) => [path.kind, -path.length, -methods, -headers, -query],
};

const READS: Readonly<Record<MatchDialect, Reads>> = {
  envoy: ENVOY,
  istio: { ...ENVOY, rank: istioRank },
  'istio-1.30': { ...ENVOY, headers: joinedHeadersOf, rank: istioRank },
  'envoy-gateway': { ...ENVOY, path: mergedPathOf, rank: envoyGatewayRank },
  traefik: { path: routingPathOf, headers: headersOf, query: decodedQueriesOf, whole: false, rank: traefikRank },
};

/** The prefixes `/cart` and `/cart/` are the same. */
function istioRank(parts: RankedParts): MatchRank {
  const { path } = parts;
  const endsInSlash = path.kind === PATH_KINDS.prefix && path.value !== '/' && path.value?.endsWith('/') === true;
  return ENVOY.rank(endsInSlash ? { ...parts, path: { ...path, length: path.length - 1 } } : parts);
}

/** Expressions come before prefixes, a method counts as a header, and exact values come before expressions. */
function envoyGatewayRank({ path, methods, headers, exactHeaders, query, exactQuery }: RankedParts): MatchRank {
  const kind = [PATH_KINDS.exact, PATH_KINDS.expression, PATH_KINDS.prefix].indexOf(path.kind as 0 | 1 | 2);
  const length = path.value === '/' ? 0 : (path.value?.length ?? 0);
  return [kind, -length, -(headers + methods), -(exactHeaders + methods), -query, -exactQuery];
}

/** Traefik adds everything up, so that a method may outweigh a longer path. */
function traefikRank({ path: { kind, length }, methods, headers, query }: RankedParts): MatchRank {
  const isEverything = kind === PATH_KINDS.prefix && length <= 1;
  const path = kind === PATH_KINDS.exact ? 100_000 : isEverything ? 1 : 10_000 + 100 * length;
  return [-(path + 1000 * methods + 100 * headers + 10 * query)];
}

function pathCondition(path: Json | undefined, reads: Reads) {
  const type = textOf(ownValue(path, 'type')) ?? 'PathPrefix';
  const value = textOf(ownValue(path, 'value')) ?? '/';
  const condition = (kind: number, length: number, words: string, test: (path: string) => boolean) => ({
    kind,
    length,
    value,
    words,
    test: (request: HttpRequest) => test(reads.path(request)),
  });
  if (type === 'Exact') return condition(PATH_KINDS.exact, 0, `path is ${value}`, (text) => text === value);
  if (type === 'RegularExpression') {
    const test = compileRegex(value, { whole: reads.whole });
    return condition(PATH_KINDS.expression, value.length, `path matches ${value}`, (text) => test?.(text) ?? false);
  }
  return condition(PATH_KINDS.prefix, value.length, `path is under ${value}`, (text) => isUnder(text, value));
}

/** Keeps the first entry of each key. */
function valueConditions(
  value: Json | undefined,
  subject: string,
  read: (request: HttpRequest, name: string) => readonly string[],
  keyOf: ((name: string) => string) | undefined,
  reads: Reads,
): readonly RequestCondition[] {
  const seen = new Set<string>();
  return listOf(value).flatMap((entry) => {
    const name = textOf(ownValue(entry, 'name')) ?? '';
    const key = keyOf?.(name);
    if (key !== undefined && seen.has(key)) return [];
    if (key !== undefined) seen.add(key);
    const wanted = textOf(ownValue(entry, 'value')) ?? '';
    const { words, test } = valueTest(textOf(ownValue(entry, 'type')), wanted, reads);
    return [{ words: `${subject} ${name} ${words}`, test: (request: HttpRequest) => test(read(request, name)) }];
  });
}

/** Exact values and expressions; Kuma has more types. Of several values any may match. */
function valueTest(type: string | undefined, wanted: string, { whole }: Reads) {
  switch (type) {
    case 'RegularExpression': {
      const matches = compileRegex(wanted, { whole });
      return {
        words: `matches ${wanted}`,
        test: (values: readonly string[]) => values.some((value) => matches?.(value) ?? false),
      };
    }
    case 'Prefix':
      return {
        words: `begins with "${wanted}"`,
        test: (values: readonly string[]) => values.some((value) => value.startsWith(wanted)),
      };
    case 'Present':
      return { words: 'is there', test: (values: readonly string[]) => values.length > 0 };
    case 'Absent':
      return { words: 'is not there', test: (values: readonly string[]) => values.length === 0 };
    default:
      return { words: `is "${wanted}"`, test: (values: readonly string[]) => values.includes(wanted) };
  }
}
