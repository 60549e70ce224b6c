/** Requests of a rehearsal, and their form on a command line. */
import { isIP } from '../core/ip-address';
import { type HttpRequest, percentDecoded } from '../routers';

/** A request with the scheme and the port that a client uses. */
export interface RehearsalRequest extends HttpRequest {
  /**
   * The scheme of the URL.
   * @default - HTTPS if the load balancer listens to it, otherwise HTTP
   */
  readonly scheme?: 'http' | 'https';
  /**
   * The port of the URL.
   * @default - the port of the load balancer
   */
  readonly port?: number;
}

/** The text is not a request. */
export class RequestSyntaxError extends Error {
  override readonly name = 'RequestSyntaxError';
}

const EXAMPLE = `GET https://shop.example.com/cart -H "user-agent: pc"`;

/**
 * Reads a request as a command line has it: a method, a URL, and a `-H` for each header.
 * @throws RequestSyntaxError
 * @example parseRequest('GET https://shop.example.com/cart?v=2 -H "user-agent: pc"')
 */
export function parseRequest(text: string): RehearsalRequest {
  const words = wordsOf(text);
  const method = /^[A-Za-z]+$/.test(words[0] ?? '') ? words.shift()!.toUpperCase() : undefined;
  const place = words.shift();
  const url = urlOf(place, text);
  const headers: (readonly [name: string, value: string])[] = [];
  let sourceIp: string | undefined;
  while (words.length > 0) {
    const option = words.shift()!;
    if (option === 'from') {
      sourceIp = words.shift();
      if (isIP(sourceIp ?? '') !== 0) continue;
      throw new RequestSyntaxError(`"from ${sourceIp ?? ''}" in the request "${text}" names no IP address of a client`);
    }
    if (option !== '-H' && option !== '--header') {
      throw new RequestSyntaxError(`"${option}" in the request "${text}" is not understood: write it as ${EXAMPLE}`);
    }
    const header = words.shift();
    const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/s.exec(header ?? '') ?? [];
    if (name === undefined) {
      throw new RequestSyntaxError(`"${header ?? ''}" is not a header: write it as in ${EXAMPLE}`);
    }
    headers.push([name, value!]);
  }
  // Of a repeated parameter most proxies read the first value.
  const query = [...url.searchParams].filter(
    ([name], index, all) => all.findIndex(([other]) => other === name) === index,
  );
  const asked = {
    path: percentDecoded(url.pathname),
    ...(query.length > 0 ? { query: Object.fromEntries(query) } : {}),
  };
  const target = `${sentPath(url, place!)}${url.search}`.replaceAll("'", '%27');
  return {
    scheme: url.protocol === 'http:' ? 'http' : 'https',
    host: url.hostname,
    ...asked,
    ...(target === targetOf(asked) ? {} : { target }),
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    ...(method === undefined ? {} : { method }),
    ...headerFields(headers),
    ...(sourceIp === undefined ? {} : { sourceIp }),
  };
}

/** The path as it is written, where it has segments `.` or `..`: a URL has none, and proxies differ in what they make of them. */
function sentPath({ pathname }: URL, url: string): string {
  const [, written = ''] = /^(?:[a-z]+:\/\/)?[^/?#]*([^?#]*)/i.exec(url)!;
  return DOTS.test(written) ? encodeURI(written).replaceAll('%25', '%') : pathname;
}

const DOTS = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** Headers by name; repeated ones also with each of their values. */
function headerFields(
  pairs: readonly (readonly [name: string, value: string])[],
): Pick<RehearsalRequest, 'headers' | 'repeatedHeaders'> {
  const byName = new Map<string, { readonly name: string; readonly values: string[] }>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const known = byName.get(key);
    if (known === undefined) byName.set(key, { name, values: [value] });
    else known.values.push(value);
  }
  const all = [...byName.values()];
  if (all.length === 0) return {};
  const joined = all.map(({ name, values }) => [name, values.join(name.toLowerCase() === 'cookie' ? '; ' : ', ')]);
  const repeated = all.filter(({ values }) => values.length > 1).map(({ name, values }) => [name, values]);
  return {
    headers: Object.fromEntries(joined),
    ...(repeated.length === 0 ? {} : { repeatedHeaders: Object.fromEntries(repeated) }),
  };
}

/** The reverse of `parseRequest`. */
export function formatRequest(request: RehearsalRequest, scheme: 'http' | 'https' = 'https'): string {
  const { method = 'GET', host, port, headers = {}, repeatedHeaders = {} } = request;
  const authority = port === undefined ? host : `${host}:${port}`;
  const place = request.target ?? targetOf(request);
  const url = `${request.scheme ?? scheme}://${authority}${place}`;
  const from = request.sourceIp === undefined ? '' : ` from ${request.sourceIp}`;
  const options = Object.entries(headers).flatMap(([name, value]) =>
    (Object.hasOwn(repeatedHeaders, name) ? repeatedHeaders[name]! : [value]).map(
      (each) => ` -H ${quoted(`${name}: ${each}`)}`,
    ),
  );
  return `${method} ${url}${options.join('')}${from}`;
}

/** The path and the query string of a URL. */
function targetOf({ path, query = {} }: Pick<HttpRequest, 'path' | 'query'>): string {
  const pairs = Object.entries(query).map(([key, value]) => `${escapedQuery(key)}=${escapedQuery(value)}`);
  const search = pairs.length > 0 ? `?${pairs.join('&')}` : '';
  // An unescaped quote would start a quoted word.
  return `${encodeURI(wellFormed(path)).replace(/[?#]/g, encodeURIComponent)}${search}`.replaceAll("'", '%27');
}

/** Escapes what a query cannot contain, and no more: proxies of Envoy compare the escapes as they are. */
function escapedQuery(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(/%(?:2C|2F|3A|40)/g, decodeURIComponent);
}

/** Replaces lone surrogates, which a URL cannot contain. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Splits words as a shell does, with double and single quotes. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  const word = /\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+)/suy;
  while (word.lastIndex < text.trimEnd().length) {
    const found = word.exec(text);
    if (found === null) throw new RequestSyntaxError(`a quote in the request "${text}" is not closed`);
    words.push(
      found[1]!.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/gsu, (_whole, double?: string, single?: string) =>
        double === undefined ? single! : double.replace(/\\(["\\])/g, '$1'),
      ),
    );
  }
  return words;
}

function urlOf(text: string | undefined, request: string): URL {
  const example = `write it as ${EXAMPLE}`;
  if (text === undefined) throw new RequestSyntaxError(`the request "${request}" has no URL: ${example}`);
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (url === undefined) throw new RequestSyntaxError(`"${text}" is not a URL: ${example}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RequestSyntaxError(`the URL "${text}" is neither http nor https: ${example}`);
  }
  return url;
}
