/** Matches of HTTPRoute rules and their precedence. */
import { type Json, ownValue } from '../../core';
import { compileRegex } from '../regex';
import { allOf, headerOf, isUnder, methodOf, queryOf, type RequestTest } from '../request';
import type { HttpRequest } from '../router';
import { listOf, nameOf, textOf } from '../values';

/** A compiled match. */
export interface RouteMatch {
  readonly words: string;
  readonly test: RequestTest;
  readonly rank: MatchRank;
}

/** The precedence of matches, compared field by field; a smaller value comes first. */
export type MatchRank = readonly number[];

/** The differences between APIs with matches of this form. */
export interface MatchOptions {
  /**
   * All conditions on a header must match. Without this only the first condition on each name applies.
   * @default false
   */
  readonly repeatedHeaders?: boolean;
}

/** The matches of a rule; without any, every request passes. */
export function compileMatches(value: Json | undefined, options: MatchOptions = {}): readonly RouteMatch[] {
  const matches = listOf(value);
  return (matches.length === 0 ? [{}] : matches).map((match) => compileMatch(match, options));
}

/** Compares the precedence of two matches: negative if the first one comes first. */
export function compareRanks(a: MatchRank, b: MatchRank): number {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value - b[index]!;
  return 0;
}

function compileMatch(match: Json, { repeatedHeaders = false }: MatchOptions): RouteMatch {
  const path = pathCondition(ownValue(match, 'path'));
  const method = nameOf(ownValue(match, 'method'));
  const headerKey = repeatedHeaders ? undefined : (name: string) => name.toLowerCase();
  const headers = valueConditions(ownValue(match, 'headers'), 'header', headerOf, headerKey);
  const query = valueConditions(ownValue(match, 'queryParams'), 'query parameter', queryOf, (name) => name);
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
    rank: [path.kind, -path.length, method === undefined ? 1 : 0, -headers.length, -query.length],
  };
}

/** The precedence of expressions depends on the gateway; here they come after prefixes. */
const PATH_KINDS = { Exact: 0, PathPrefix: 1, RegularExpression: 2 } as const;

function pathCondition(path: Json | undefined) {
  const type = textOf(ownValue(path, 'type')) ?? 'PathPrefix';
  const value = textOf(ownValue(path, 'value')) ?? '/';
  if (type === 'Exact') {
    return { kind: PATH_KINDS.Exact, length: 0, words: `path is ${value}`, test: pathTest((text) => text === value) };
  }
  if (type === 'RegularExpression') {
    const test = compileRegex(value, { whole: true });
    const { length } = value;
    const words = `path matches ${value}`;
    return { kind: PATH_KINDS.RegularExpression, length, words, test: pathTest((text) => test?.(text) ?? false) };
  }
  const test = pathTest((text) => isUnder(text, value));
  return { kind: PATH_KINDS.PathPrefix, length: value.length, words: `path is under ${value}`, test };
}

function pathTest(test: (path: string) => boolean): RequestTest {
  return ({ path }) => test(path);
}

/** Keeps the first entry of each key. */
function valueConditions(
  value: Json | undefined,
  subject: string,
  read: (request: HttpRequest, name: string) => string | undefined,
  keyOf: ((name: string) => string) | undefined,
) {
  const seen = new Set<string>();
  return listOf(value).flatMap((entry) => {
    const name = textOf(ownValue(entry, 'name')) ?? '';
    const key = keyOf?.(name);
    if (key !== undefined && seen.has(key)) return [];
    if (key !== undefined) seen.add(key);
    const { words, test } = valueTest(textOf(ownValue(entry, 'type')), textOf(ownValue(entry, 'value')) ?? '');
    return [{ words: `${subject} ${name} ${words}`, test: (request: HttpRequest) => test(read(request, name)) }];
  });
}

/** Exact values and expressions; Kuma has more types. */
function valueTest(type: string | undefined, wanted: string) {
  switch (type) {
    case 'RegularExpression': {
      const matches = compileRegex(wanted, { whole: true });
      return {
        words: `matches ${wanted}`,
        test: (value?: string) => value !== undefined && (matches?.(value) ?? false),
      };
    }
    case 'Prefix':
      return { words: `begins with "${wanted}"`, test: (value?: string) => value?.startsWith(wanted) ?? false };
    case 'Present':
      return { words: 'is there', test: (value?: string) => value !== undefined };
    case 'Absent':
      return { words: 'is not there', test: (value?: string) => value === undefined };
    default:
      return { words: `is "${wanted}"`, test: (value?: string) => value === wanted };
  }
}
