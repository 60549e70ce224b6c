/** What a step declares: the share of the canary in the requests of one kind. */
import type { DeclaredShare, Match, PathCondition, ValueCondition } from '../release';
import { compileRegex, type HttpRequest } from '../routers';

/** The pseudo header by which scripts know the name of a cookie; its value in a request is `always`. */
export const COOKIE_PSEUDO_HEADER = 'canary-by-cookie';

/**
 * The declared share of the canary, from 0 to 1. Undefined where load balancers may differ, as in whether an expression
 * has to match the whole value.
 */
export function declaredShare({ share, matches }: DeclaredShare, request: HttpRequest): number | undefined {
  const verdicts = matches.map((match) => meets(request, match));
  if (verdicts.includes(true)) return 1;
  return verdicts.includes(undefined) ? undefined : share;
}

/** Whether a request meets a match: all of its conditions. Undefined where that is open. */
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

/** One value that fits is enough. Without one, a value that is open leaves the condition open. */
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
  // An AWS load balancer ignores case, and others do not.
  return value.toLowerCase() === condition.value.toLowerCase() ? undefined : false;
}

/** Nginx looks for the expression anywhere, Envoy wants the whole value: only where both agree there is an answer. */
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

/** All requests are compared with the same expression in turn. */
let latest: Compiled | undefined;

function compiled(expression: string): Compiled {
  if (latest?.expression !== expression) {
    latest = { expression, whole: compileRegex(expression, { whole: true }), anywhere: compileRegex(expression) };
  }
  return latest;
}

/** One cookie among others: browsers send all that they have in one header. */
function meetsCookie(request: HttpRequest, pair: string): boolean | undefined {
  const cookies = (headerOf(request, 'cookie') ?? '').split(';').map((cookie) => cookie.trim());
  if (cookies.includes(pair)) return true;
  return cookies.some((cookie) => cookie.toLowerCase() === pair.toLowerCase()) ? undefined : false;
}

function headerOf({ headers = {} }: HttpRequest, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}
