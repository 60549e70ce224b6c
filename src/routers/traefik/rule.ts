/** The language of Traefik's rules: matchers, `&&`, `||`, `!` and parentheses. */

import { compileRegex } from '../../core/regex';
import { parseCidr } from '../ip-address';
import {
  allOf,
  anyOf,
  decodedQueriesOf,
  dottedHostOf,
  headersOf,
  hostOf,
  methodOf,
  type RequestTest,
  routingPathOf,
} from '../request';
import type { HttpRequest } from '../router';

/** A rule, or what is wrong with it. */
export type RuleResult =
  | {
      readonly test: RequestTest;
      /** Whether the address of the client decides, and the request has none. */
      readonly needsAddress: RequestTest;
      /**
       * The one host of all requests that it takes, in small letters and without a dot at its end.
       * @default - it may take others as well
       */
      readonly host?: string;
    }
  | { readonly fault: string };

/** The syntax of matchers: of Traefik 3 or of Traefik 2. */
export type RuleSyntax = 'v3' | 'v2';

/** What releases read differently in one syntax. */
export interface RuleOptions {
  /**
   * Whether `Host` of the syntax v3 takes a wildcard of one label, and `*` any host.
   * @default true
   */
  readonly hostWildcards?: boolean;
}

/**
 * Reads a rule.
 * @example parseRule('Host(`shop.example.com`) && !PathPrefix(`/admin`)', 'v3')
 */
export function parseRule(rule: string, syntax: RuleSyntax, { hostWildcards = true }: RuleOptions = {}): RuleResult {
  try {
    const matchers = matchersOf(syntax, hostWildcards);
    const { test, host } = new RuleParser(tokensOf(rule), syntax, matchers).parse();
    const read = { test, ...(host === undefined ? {} : { host }) };
    if (!/\bclientip\b/i.test(rule)) return { ...read, needsAddress: () => false };
    const [inside, outside] = [true, false].map(
      (isInside) => new RuleParser(tokensOf(rule), syntax, matchers, isInside).parse().test,
    );
    const needsAddress: RequestTest = (request) =>
      request.sourceIp === undefined && inside!(request) !== outside!(request);
    return { ...read, needsAddress };
  } catch (error) {
    if (error instanceof RuleError) return { fault: error.message };
    throw error;
  }
}

class RuleError extends Error {}

type Token =
  | { readonly kind: 'name' | 'text'; readonly value: string }
  | { readonly kind: 'sign'; readonly value: string };

const TOKEN = /\s+|(&&|\|\||[!(),])|([A-Za-z][A-Za-z0-9]*)|`([^`]*)`|"((?:[^"\\\n]|\\.)*)"/y;

function tokensOf(rule: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < rule.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(rule);
    if (found === null) throw new RuleError(`unexpected ${JSON.stringify(rule[at])} at character ${at + 1}`);
    const [, sign, name, raw, quoted] = found;
    if (sign !== undefined) tokens.push({ kind: 'sign', value: sign });
    else if (name !== undefined) tokens.push({ kind: 'name', value: name });
    else if (raw !== undefined) tokens.push({ kind: 'text', value: raw });
    else if (quoted !== undefined) tokens.push({ kind: 'text', value: unquote(quoted) });
    at = TOKEN.lastIndex;
  }
  return tokens;
}

function unquote(text: string): string {
  return text.replace(/\\(.)/g, (_, character: string) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = Object.assign(Object.create(null), { n: '\n', t: '\t', r: '\r' });

const MAX_DEPTH = 100;

class RuleParser {
  private at = 0;
  private depth = 0;
  /** Of matchers that all requests must meet. */
  private host: string | undefined;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly syntax: RuleSyntax,
    private readonly matchers: Matchers,
    /** What every condition on the address of the client is taken for; undefined to read the address. */
    private readonly isInside?: boolean,
  ) {}

  parse(): { readonly test: RequestTest; readonly host: string | undefined } {
    const test = this.or();
    if (this.at < this.tokens.length) throw new RuleError(`unexpected ${JSON.stringify(this.tokens[this.at]!.value)}`);
    return { test, host: this.host };
  }

  private or(): RequestTest {
    const tests = [this.and()];
    while (this.takes('||')) tests.push(this.and());
    if (this.depth === 0 && tests.length > 1) this.host = undefined;
    return tests.length === 1 ? tests[0]! : anyOf(tests);
  }

  private and(): RequestTest {
    const tests = [this.unary()];
    while (this.takes('&&')) tests.push(this.unary());
    return tests.length === 1 ? tests[0]! : allOf(tests);
  }

  private unary(): RequestTest {
    if (++this.depth > MAX_DEPTH) throw new RuleError('nested too deeply');
    try {
      if (this.takes('!')) {
        const test = this.unary();
        return (request) => !test(request);
      }
      if (this.takes('(')) {
        const test = this.or();
        this.expect(')');
        return test;
      }
      return this.matcher();
    } finally {
      this.depth--;
    }
  }

  private matcher(): RequestTest {
    const token = this.tokens[this.at++];
    if (token?.kind !== 'name')
      throw new RuleError(`expected a matcher, not ${JSON.stringify(token?.value ?? 'the end')}`);
    this.expect('(');
    const parameters: string[] = [];
    do {
      const parameter = this.tokens[this.at++];
      if (parameter?.kind !== 'text') throw new RuleError(`${token.value} needs a text in backquotes`);
      parameters.push(parameter.value);
    } while (this.takes(','));
    this.expect(')');
    const test = this.test(token.value, parameters);
    // Deeper ones are alternatives, or must not be met.
    if (this.depth === 1) this.host ??= hostIn(token.value, parameters);
    const { isInside } = this;
    return isInside === undefined || token.value.toLowerCase() !== 'clientip' ? test : () => isInside;
  }

  private test(name: string, parameters: readonly string[]): RequestTest {
    const matcher = this.matchers.get(name.toLowerCase());
    if (matcher === undefined) throw new RuleError(`there is no matcher ${name} in the syntax ${this.syntax}`);
    if (!matcher.counts.includes(parameters.length)) {
      throw new RuleError(`${name} does not take ${parameters.length} parameters`);
    }
    const test = matcher.make(...parameters);
    if (test === undefined)
      throw new RuleError(`${name} cannot take ${parameters.map((text) => JSON.stringify(text)).join(', ')}`);
    return test;
  }

  private takes(sign: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== 'sign' || token.value !== sign) return false;
    this.at++;
    return true;
  }

  private expect(sign: string): void {
    if (!this.takes(sign))
      throw new RuleError(`expected ${sign}, not ${JSON.stringify(this.tokens[this.at]?.value ?? 'the end')}`);
  }
}

/** The host that a matcher asks for; undefined for several, or for a wildcard. */
function hostIn(matcher: string, [host, ...others]: readonly string[]): string | undefined {
  const isOne = /^host(header)?$/i.test(matcher) && others.length === 0 && !host!.includes('*');
  return isOne ? wantedHost(host!) : undefined;
}

/** Makes a test from parameters; undefined for invalid parameters. */
interface Matcher {
  readonly counts: readonly number[];
  readonly make: (...parameters: readonly string[]) => RequestTest | undefined;
}

type Matchers = ReadonlyMap<string, Matcher>;

function matchersOf(syntax: RuleSyntax, hostWildcards: boolean): Matchers {
  if (syntax === 'v2') return MATCHERS_V2;
  return hostWildcards ? MATCHERS : MATCHERS_WITHOUT_WILDCARDS;
}

function matcher(counts: readonly number[], make: Matcher['make']): Matcher {
  return { counts, make };
}

const MATCHERS: Matchers = new Map(
  Object.entries({
    host: matcher([1], (host) => hostTest(host!, true)),
    hostregexp: matcher([1], (regex) => regexTest(regex!, (request) => [dottedHostOf(request)])),
    path: matcher([1], (path) => (path!.startsWith('/') ? (request) => routingPathOf(request) === path : undefined)),
    pathprefix: matcher([1], (path) =>
      path!.startsWith('/') ? (request) => routingPathOf(request).startsWith(path!) : undefined,
    ),
    pathregexp: matcher([1], (regex) => regexTest(regex!, (request) => [routingPathOf(request)])),
    method: matcher([1], (method) => (request) => methodOf(request) === method!.toUpperCase()),
    header: matcher([2], (name, value) => (request) => fieldsOf(request, name!).includes(value!)),
    headerregexp: matcher([2], (name, regex) => regexTest(regex!, (request) => fieldsOf(request, name!))),
    query: matcher(
      [1, 2],
      (name, value = '') =>
        (request) =>
          decodedQueriesOf(request, name!).includes(value),
    ),
    queryregexp: matcher([1, 2], (name, regex) =>
      regex === undefined
        ? (request) => decodedQueriesOf(request, name!).includes('')
        : regexTest(regex, (request) => decodedQueriesOf(request, name!)),
    ),
    clientip: matcher([1], (range) => addressTest([range!])),
  } satisfies Record<string, Matcher>),
);

/** Of Traefik 3 before 3.7. */
const MATCHERS_WITHOUT_WILDCARDS: Matchers = new Map([...MATCHERS, ['host', matcher([1], (host) => hostTest(host!))]]);

const ANY_COUNT = Array.from({ length: 50 }, (_, index) => index + 1);

/** Matchers of Traefik 2 take alternative values; `{name:regex}` stands for a part of the text. */
const MATCHERS_V2: Matchers = new Map(
  Object.entries({
    host: matcher(ANY_COUNT, (...hosts) => anyOf(hosts.map((host) => hostTest(host)))),
    hostheader: matcher(ANY_COUNT, (...hosts) => anyOf(hosts.map((host) => hostTest(host)))),
    hostregexp: matcher(ANY_COUNT, (...templates) => templateTest(templates, dottedHostOf, true)),
    path: matcher(ANY_COUNT, (...templates) => templateTest(templates, routingPathOf, true)),
    pathprefix: matcher(ANY_COUNT, (...templates) => templateTest(templates, routingPathOf, false)),
    method: matcher(
      ANY_COUNT,
      (...methods) =>
        (request) =>
          methods.some((each) => each.toUpperCase() === methodOf(request)),
    ),
    headers: matcher([2], (name, value) => (request) => fieldsOf(request, name!).includes(value!)),
    headersregexp: matcher([2], (name, regex) => regexTest(regex!, (request) => fieldsOf(request, name!))),
    query: matcher(ANY_COUNT, (...pairs) => allOf(pairs.map(queryPairTest))),
    clientip: matcher(ANY_COUNT, (...ranges) => addressTest(ranges)),
  } satisfies Record<string, Matcher>),
);

/** With wildcards, `*` is any host, and the `*` of `*.example.com` stands for one label. */
function hostTest(host: string, wildcards = false): RequestTest {
  const wanted = wantedHost(host);
  if (wildcards && wanted === '*') return () => true;
  if (!wildcards || !wanted.startsWith('*.')) return (request) => hostOf(request) === wanted;
  return (request) => {
    const asked = hostOf(request);
    const dot = asked.indexOf('.');
    return dot > 0 && asked.slice(dot) === wanted.slice(1);
  };
}

function wantedHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

/** The values of a header; Go's server takes `Host` out of the headers. */
function fieldsOf(request: HttpRequest, name: string): readonly string[] {
  return name.toLowerCase() === 'host' ? [] : headersOf(request, name);
}

function regexTest(expression: string, read: (request: HttpRequest) => readonly string[]): RequestTest | undefined {
  const test = compileRegex(expression);
  return test === undefined ? undefined : (request) => read(request).some(test);
}

function templateTest(
  templates: readonly string[],
  read: (request: HttpRequest) => string,
  whole: boolean,
): RequestTest | undefined {
  const tests = templates.map((template) => compileRegex(`^${templateRegex(template)}${whole ? '$' : ''}`));
  if (tests.some((test) => test === undefined)) return undefined;
  return (request) => tests.some((test) => test!(read(request)));
}

function templateRegex(template: string): string {
  return template.replace(/\{([^{}:]*)(?::((?:[^{}]|\{[^{}]*\})*))?\}|[\\.+*?()|[\]{}^$]/g, (whole, name, regex) =>
    name === undefined ? `\\${whole}` : `(?:${regex ?? '[^/]+'})`,
  );
}

function queryPairTest(pair: string): RequestTest {
  const equals = pair.indexOf('=');
  if (equals < 0) return (request) => decodedQueriesOf(request, pair).length > 0;
  return (request) => decodedQueriesOf(request, pair.slice(0, equals)).includes(pair.slice(equals + 1));
}

function addressTest(ranges: readonly string[]): RequestTest | undefined {
  const parsed = ranges.map((range) =>
    parseCidr(range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`),
  );
  if (parsed.some((range) => range === undefined)) return undefined;
  return ({ sourceIp }) => sourceIp !== undefined && parsed.some((range) => range!.contains(sourceIp));
}
