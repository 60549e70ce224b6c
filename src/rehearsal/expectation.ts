/** The share of the canary that a release declares for a request. */
import type { DeclaredShare, Match, PathCondition, ValueCondition } from '../release';
import { compileRegex, type HttpRequest } from '../routers';

/** The pseudo header whose value is the name of a cookie. A request meets it with the cookie value `always`. */
export const COOKIE_PSEUDO_HEADER = 'canary-by-cookie';

/**
 * The declared share of the canary, between 0 and 1. Undefined if load balancers may differ, for example on whether a
 * regular expression must match the whole value.
 */
export function declaredShare({ share, matches }: DeclaredShare, request: HttpRequest): number | undefined {
  const verdicts = matches.map((match) => meets(request, match));
  if (verdicts.includes(true)) return 1;
  return verdicts.includes(undefined) ? undefined : share;
}

/** Whether a request meets all conditions of a match. Undefined if load balancers may differ. */
export function meets(request: HttpRequest, match: Match): boolean | undefined {
  const conditions = [
    ...(match.path === undefined ? [] : [meetsPath(request.path, match.path)]),
    ...(match.headers ?? []).map((header) => meetsAnyValue(request, header)),
    ...(match.queryParams ?? []).map((param) => meetsQuery(request, param)),
  ];
  if (conditions.includes(false)) return false;
  return conditions.includes(undefined) ? undefined : true;
}

function meetsPath(path: string, { type = 'PathPrefix', value = '/' }: Partial<PathCondition>): boolean | undefined {
  if (type === 'Exact') return path === value;
  if (type === 'RegularExpression') return meetsRegex(path, value);
  const prefix = value.replace(/\/+$/, '');
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Whether a header has one of the values of a condition. Undefined if load balancers may differ. */
function meetsAnyValue(request: HttpRequest, { otherValues = [], ...header }: ValueCondition): boolean | undefined {
  const verdicts = [header.value, ...otherValues].map((value) => meetsHeader(request, { ...header, value }));
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

function meetsHeader(request: HttpRequest, header: ValueCondition): boolean | undefined {
  const name = header.name.toLowerCase();
  if (name === COOKIE_PSEUDO_HEADER) return meetsCookie(request, `${header.value}=always`);
  if (name === 'cookie' && header.type !== 'RegularExpression' && header.value.includes('=')) {
    return meetsCookie(request, header.value);
  }
  return meetsValue(headerOf(request, name), header);
}

function meetsQuery(request: HttpRequest, param: ValueCondition): boolean | undefined {
  const { query = {} } = request;
  return meetsValue(Object.hasOwn(query, param.name) ? query[param.name] : undefined, param);
}

function meetsValue(
  value: string | undefined,
  condition: { readonly type?: string; readonly value: string },
): boolean | undefined {
  if (value === undefined) return false;
  if (condition.type === 'RegularExpression') return meetsRegex(value, condition.value);
  if (value === condition.value) return true;
  // AWS load balancers ignore case, others do not.
  return value.toLowerCase() === condition.value.toLowerCase() ? undefined : false;
}

/** Nginx searches for the expression, Envoy matches the whole value. Undefined unless both agree. */
function meetsRegex(text: string, expression: string): boolean | undefined {
  const { whole, anywhere } = compiled(expression);
  if (whole === undefined || anywhere === undefined) return undefined;
  if (whole(text)) return true;
  return anywhere(text) ? undefined : false;
}

interface Compiled {
  readonly expression: string;
  readonly whole: ((text: string) => boolean) | undefined;
  readonly anywhere: ((text: string) => boolean) | undefined;
}

/** The expression that was compiled last: many requests in a row need the same one. */
let latest: Compiled | undefined;

function compiled(expression: string): Compiled {
  if (latest?.expression !== expression) {
    latest = { expression, whole: compileRegex(expression, { whole: true }), anywhere: compileRegex(expression) };
  }
  return latest;
}

/** Whether one of the cookies in the header is this pair. Browsers send all cookies in one header. */
function meetsCookie(request: HttpRequest, pair: string): boolean | undefined {
  const cookies = (headerOf(request, 'cookie') ?? '').split(';').map((cookie) => cookie.trim());
  if (cookies.includes(pair)) return true;
  return cookies.some((cookie) => cookie.toLowerCase() === pair.toLowerCase()) ? undefined : false;
}

function headerOf({ headers = {} }: HttpRequest, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}
