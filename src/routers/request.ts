/** The parts of a request that proxies match on. */
import { remembered } from '../core/remembered';
import type { HttpRequest } from './router';

/** Tests a request. */
export type RequestTest = (request: HttpRequest) => boolean;

/** The host without its port and without a trailing dot, in lower case. */
export const hostOf = remembered((request: HttpRequest): string => dottedHostOf(request).replace(/\.$/, ''));

/** The method; `GET` by default. */
export function methodOf({ method = 'GET' }: HttpRequest): string {
  return method;
}

/** The host without its port, in lower case, as Envoy compares it: a trailing dot belongs to the name. */
export function dottedHostOf({ host }: HttpRequest): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}

/** The value of a header, regardless of the case of its name; undefined if the request does not have it. */
export function headerOf(request: HttpRequest, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const found = Object.entries(request.headers ?? {}).find(([key]) => key.toLowerCase() === wanted);
  if (found !== undefined) return found[1];
  if (wanted === 'host' || wanted === ':authority') return request.host;
  return wanted === ':method' ? methodOf(request) : undefined;
}

/** All values of a header, in the order in which they are sent. */
export function headersOf(request: HttpRequest, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  const repeated = Object.entries(request.repeatedHeaders ?? {}).find(([key]) => key.toLowerCase() === wanted);
  if (repeated !== undefined) return repeated[1];
  const only = headerOf(request, name);
  return only === undefined ? [] : [only];
}

/** The values of a header as Envoy before 1.39 compares them: as one text. */
export function joinedHeadersOf(request: HttpRequest, name: string): readonly string[] {
  const values = headersOf(request, name);
  return values.length > 1 ? [values.join(',')] : values;
}

/**
 * The values of a header as Envoy compares them: each by itself, but one value of all for headers that it keeps in places of
 * their own.
 */
export function envoyHeadersOf(request: HttpRequest, name: string): readonly string[] {
  const values = headersOf(request, name);
  return values.length > 1 && JOINED_BY_ENVOY.has(name.toLowerCase()) ? [values.join(',')] : values;
}

/** Headers that clients set, of those that Envoy 1.40 keeps in places of their own. */
const JOINED_BY_ENVOY: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'authorization',
  'cache-control',
  'content-type',
  'grpc-accept-encoding',
  'grpc-timeout',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'origin',
  'pragma',
  'referer',
  'user-agent',
  'via',
  'x-client-trace-id',
  'x-forwarded-host',
]);

/** The path as it is sent, with escapes of letters, digits and `-._~` decoded, as Envoy compares it. */
export const sentPathOf = remembered(({ path, target }: HttpRequest): string => {
  if (target === undefined) return escapeUnsendable(path).replace(/[?#]/g, encodeURIComponent);
  const sent = target.split('?', 1)[0]!;
  const read = sent.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escaped;
  });
  return withoutDots(read, { keepsSlash: true });
});

/** The path as an Envoy that merges slashes compares it; of a path of slashes alone it keeps the first and the last one. */
export const mergedPathOf = remembered((request: HttpRequest): string => {
  const path = sentPathOf(request);
  return /^\/{2,}$/.test(path) ? '//' : path.replace(/\/{2,}/g, '/');
});

/** Whether the path has an escaped slash or backslash. */
export function hasEscapedSlash({ path, target }: HttpRequest): boolean {
  return target === undefined ? path.includes('\\') : /^[^?]*%(2f|5c)/i.test(target);
}

/** A path without the segments `.` and `..`. Where one of them is the last, Envoy keeps the slash before it. */
function withoutDots(path: string, { keepsSlash }: { readonly keepsSlash: boolean }): string {
  const segments = path.split('/').slice(1);
  if (!segments.some((segment) => segment === '.' || segment === '..')) return path;
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  const endsInDots = /^\.\.?$/.test(segments.at(-1)!);
  return `/${kept.join('/')}${endsInDots && keepsSlash && kept.length > 0 ? '/' : ''}`;
}

/** The first value of a query parameter as it is sent, as Envoy compares it; undefined if the request does not have it. */
export function sentQueryOf(request: HttpRequest, name: string): string | undefined {
  if (request.target === undefined) {
    const value = queryOf(request, name);
    return value === undefined ? undefined : escapeUnsendable(value).replace(/[&#]/g, encodeURIComponent);
  }
  return sentPairs(request.target, '&').find(([key]) => key === name)?.[1];
}

/** All values of a query parameter, decoded; a semicolon separates parameters as an ampersand does. */
export function decodedQueriesOf(request: HttpRequest, name: string): readonly string[] {
  if (request.target === undefined) {
    const only = queryOf(request, name);
    return only === undefined ? [] : [only];
  }
  const pairs = sentPairs(request.target, /[&;]/).map((pair) => pair.map(decodedQuery));
  return pairs.flatMap(([key, value]) => (key === name ? [value!] : []));
}

function sentPairs(target: string, separator: string | RegExp): readonly (readonly [name: string, value: string])[] {
  const search = target.includes('?') ? target.slice(target.indexOf('?') + 1) : '';
  return search.split(separator).flatMap((pair) => {
    const equals = pair.indexOf('=');
    if (pair === '') return [];
    return [equals < 0 ? ([pair, ''] as const) : ([pair.slice(0, equals), pair.slice(equals + 1)] as const)];
  });
}

function decodedQuery(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * The path as Traefik routes it: cleaned, with all escapes decoded but those of reserved characters, which it writes in
 * upper case.
 */
export const routingPathOf = remembered(({ path, target }: HttpRequest): string => {
  const sent = target === undefined ? path : target.split('?', 1)[0]!;
  const read = target === undefined ? sent : sent.replace(/(?:%[0-9a-f]{2})+/gi, decodedUnreserved);
  return withoutDots(read.replace(/\/{2,}/g, '/'), { keepsSlash: false });
});

/**
 * The path as nginx compares it: decoded as a whole, with slashes merged and dots resolved. Undefined for a path that leaves the root, which nginx refuses.
 */
export const nginxPathOf = remembered(({ path, target }: HttpRequest): string | undefined => {
  const read = target === undefined ? path : percentDecoded(target.split('?', 1)[0]!);
  const kept: string[] = [];
  const segments = read.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === '..' && kept.pop() === undefined) return undefined;
    if (segment !== '' && segment !== '.' && segment !== '..') kept.push(segment);
    else if (isLast && kept.length > 0) kept.push('');
  }
  return `/${kept.join('/')}`;
});

/** A text without escapes; as it is where its escapes are none of UTF-8. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decodedUnreserved(escapes: string): string {
  const kept = escapes.toUpperCase().replace(RESERVED, '%25$1');
  try {
    return decodeURIComponent(kept);
  } catch {
    return escapes;
  }
}

/** Escapes of the reserved characters of URLs, and of the percent sign. */
const RESERVED = /%(2[13456789ABCF]|3[ABDF]|40|5[BD])/g;

/** Escapes what no client sends as it is: spaces, quotes, controls and letters beyond ASCII. */
function escapeUnsendable(text: string): string {
  if (/^[!#-;=?-~]*$/.test(text)) return text;
  return text.replace(/[^!#-;=?-~]/gu, (character) =>
    /\p{Surrogate}/u.test(character) ? '%EF%BF%BD' : encodeURIComponent(character),
  );
}

/** The value of a query parameter; undefined if the request does not have it. */
export function queryOf({ query = {} }: HttpRequest, name: string): string | undefined {
  return Object.hasOwn(query, name) ? query[name] : undefined;
}

/** The value of a cookie; undefined if the request does not have it. */
export function cookieOf(request: HttpRequest, name: string, { ignoreCase = false } = {}): string | undefined {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  for (const pair of (headerOf(request, 'cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && fold(pair.slice(0, equals).trim()) === fold(name)) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

/** Whether a path is `/cart` or below `/cart/`: a prefix of whole path segments. */
export function isUnder(path: string, prefix: string): boolean {
  const trimmed = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
  return path === trimmed || path.startsWith(`${trimmed}/`);
}

/** Passes if all tests pass. */
export function allOf(tests: readonly RequestTest[]): RequestTest {
  return (request) => tests.every((test) => test(request));
}

/** Passes if any test passes. */
export function anyOf(tests: readonly RequestTest[]): RequestTest {
  return (request) => tests.some((test) => test(request));
}
