/** The parts of a request that proxies match on. */
import type { HttpRequest } from './router';

/** Tests a request. */
export type RequestTest = (request: HttpRequest) => boolean;

/** The host without its port and without a trailing dot, in lower case. */
export function hostOf({ host }: HttpRequest): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}

/** The method; `GET` by default. */
export function methodOf({ method = 'GET' }: HttpRequest): string {
  return method;
}

/** The value of a header, regardless of the case of its name; undefined if the request does not have it. */
export function headerOf(request: HttpRequest, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const found = Object.entries(request.headers ?? {}).find(([key]) => key.toLowerCase() === wanted);
  if (found !== undefined) return found[1];
  if (wanted === 'host' || wanted === ':authority') return request.host;
  return wanted === ':method' ? methodOf(request) : undefined;
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
