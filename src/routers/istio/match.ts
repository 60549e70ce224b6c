/** One entry of `spec.http[].match`: all its conditions must match. */
import { isJsonObject, type Json, ownValue } from '../../core';
import { compileRegex } from '../../core/regex';
import type { RequestCondition } from '../listener';
import { allOf, methodOf, type RequestTest, sentPathOf, sentQueryOf } from '../request';
import type { HttpRequest } from '../router';
import { entriesOf, listOf, numberOf, textOf, textsOf } from '../values';

/** The place at which a route is evaluated. */
export interface RouteContext {
  /** `mesh`, or a Gateway as `namespace/name`. */
  readonly gateway: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
  /** The values of a header, as the release of Envoy compares them. */
  readonly headers: (request: HttpRequest, name: string) => readonly string[];
}

/** A compiled match. */
export interface CompiledMatch {
  readonly words: string;
  readonly test: RequestTest;
  /** Its parts, which must all match. */
  readonly conditions: readonly RequestCondition[];
  /** True when every request passes. */
  readonly isCatchAll: boolean;
}

/** The match at one port of one gateway; undefined if it can never match there. */
function compileMatch(match: Json, context: RouteContext, qualify: (gateway: string) => string) {
  const port = numberOf(ownValue(match, 'port')) ?? 0;
  if (port !== 0 && port !== context.port) return undefined;
  const gateways = textsOf(ownValue(match, 'gateways'));
  if (gateways.length > 0 && !gateways.map(qualify).includes(context.gateway)) return undefined;
  const conditions = [
    ...uriConditions(match),
    ...valueConditions(match, 'headers', 'header', context.headers),
    ...withoutHeaders(match, context),
    ...valueConditions(match, 'queryParams', 'query parameter', firstQueryOf),
    ...plainCondition(match, 'method', methodOf),
    ...plainCondition(match, 'authority', ({ host }) => host),
    ...plainCondition(match, 'scheme', () => context.scheme),
    // Istio ignores the labels of clients in a match that names gateways.
    ...(gateways.length > 0 ? [] : sourceConditions(match, context)),
  ];
  return {
    words: conditions.map(({ words }) => words).join(' and ') || 'any request',
    test: allOf(conditions.map(({ test }) => test)),
    conditions,
    isCatchAll: conditions.length === 0,
  } satisfies CompiledMatch;
}

/** Tests a value that may be absent. */
type ValueTest = (value: string | undefined) => boolean;

interface StringMatch {
  readonly words: string;
  readonly test: ValueTest;
  /** True if any value matches. */
  readonly isPresence: boolean;
}

function stringMatch(value: Json | undefined, { ignoreCase = false } = {}): StringMatch {
  const exact = textOf(ownValue(value, 'exact'));
  const prefix = textOf(ownValue(value, 'prefix'));
  const regex = textOf(ownValue(value, 'regex'));
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const on =
    (test: (text: string) => boolean): ValueTest =>
    (text) =>
      text !== undefined && test(text);
  if (exact !== undefined) {
    return { words: `is "${exact}"`, isPresence: false, test: on((text) => fold(text) === fold(exact)) };
  }
  if (prefix !== undefined) {
    return {
      words: `begins with "${prefix}"`,
      isPresence: false,
      test: on((text) => fold(text).startsWith(fold(prefix))),
    };
  }
  if (regex === undefined || regex === '*') return { words: 'is there', isPresence: true, test: on(() => true) };
  // The expression itself decides whether case matters.
  const test = compileRegex(regex, { whole: true });
  return { words: `matches ${regex}`, isPresence: false, test: on((text) => test?.(text) ?? false) };
}

function uriConditions(match: Json): readonly RequestCondition[] {
  const uri = ownValue(match, 'uri');
  if (!isJsonObject(uri)) return [];
  const ignoreCase = ownValue(match, 'ignoreUriCase') === true;
  const { words, test } = stringMatch(uri, { ignoreCase });
  if (uri.prefix === '/') return [];
  return [{ words: `path ${words}`, test: (request) => test(sentPathOf(request)) }];
}

function valueConditions(
  match: Json,
  field: string,
  subject: string,
  read: (request: HttpRequest, name: string) => readonly string[],
): readonly RequestCondition[] {
  return objectEntries(ownValue(match, field)).map(([name, value]) => {
    const { words, test } = stringMatch(value);
    return { words: `${subject} ${name} ${words}`, test: (request) => read(request, name).some(test) };
  });
}

/** Envoy reads the first value of a query parameter. */
function firstQueryOf(request: HttpRequest, name: string): readonly string[] {
  const first = sentQueryOf(request, name);
  return first === undefined ? [] : [first];
}

/** An empty condition only requires the header to be present. */
function withoutHeaders(match: Json, { headers }: RouteContext): readonly RequestCondition[] {
  return objectEntries(ownValue(match, 'withoutHeaders')).map(([name, value]) => {
    const { words, test, isPresence } = stringMatch(value);
    return {
      words: `not: header ${name} ${words}`,
      test: (request) => {
        const found = headers(request, name);
        if (isPresence) return found.length === 0;
        return !(found.length === 0 ? [''] : found).some(test);
      },
    };
  });
}

function plainCondition(
  match: Json,
  field: string,
  read: (request: HttpRequest) => string,
): readonly RequestCondition[] {
  const value = ownValue(match, field);
  if (!isJsonObject(value)) return [];
  const { words, test } = stringMatch(value);
  return [{ words: `${field} ${words}`, test: (request) => test(read(request)) }];
}

function sourceConditions(match: Json, { gateway }: RouteContext): readonly RequestCondition[] {
  const labels = entriesOf(ownValue(match, 'sourceLabels'));
  const namespace = textOf(ownValue(match, 'sourceNamespace')) || undefined;
  if (labels.length === 0 && namespace === undefined) return [];
  const words = [...labels.map(([key, value]) => `${key}=${value}`), ...(namespace === undefined ? [] : [namespace])];
  return [
    {
      words: `the client is ${words.join(', ')}`,
      test: ({ source = {} }) =>
        gateway === 'mesh' &&
        labels.every(([key, value]) => ownValue(source.labels, key) === value) &&
        (namespace === undefined || source.namespace === namespace),
    },
  ];
}

function objectEntries(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** The matches of a rule at one port of one gateway; undefined if none of them can match there. */
export function compileMatches(
  value: Json | undefined,
  context: RouteContext,
  qualify: (gateway: string) => string,
): readonly CompiledMatch[] | undefined {
  const matches = listOf(value);
  if (matches.length === 0) return [{ words: 'any request', test: () => true, conditions: [], isCatchAll: true }];
  const compiled = matches.flatMap((match) => compileMatch(match, context, qualify) ?? []);
  return compiled.length === 0 ? undefined : compiled;
}
