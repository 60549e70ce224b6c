/** The servers of nginx.conf, and what their locations do as far as Ingresses say it. */
import type { Path } from '../../core';
import { remembered, rememberedList } from '../../core/remembered';
import { HostIndex, hostSpecificity } from '../hosts';
import type { Ingress } from '../ingress/ingress';
import { type Candidate, fixedResponse, once } from '../listener';
import { compilePcre, notModelled } from '../pcre';
import { cookieOf, nginxPathOf, type RequestTest } from '../request';
import type { HttpRequest, LoadBalancer, RedirectAnswer, RouteRule, RouteTable } from '../router';
import {
  annotationsOf,
  type CanaryPolicy,
  type Location,
  NginxConfiguration,
  type Server,
  type Upstream,
} from './nginx-configuration';
import type { IngressNginxFacts } from './nginx-version';

/** What ingress-nginx makes of Ingresses, before it looks up Services. */
export const sitesOf = remembered((facts: IngressNginxFacts) =>
  rememberedList((served: readonly Ingress[]) => new Site(new NginxConfiguration(served, facts))),
);

/** A candidate whose answer depends on Services. */
export type Planned = Omit<Candidate, 'answer'>;

/** The candidates of a location. */
export interface Plan {
  /** Those with answers of nginx itself; they come first. */
  readonly fixed: readonly Candidate[];
  /**
   * Where the requests go that no fixed candidate takes.
   * @default - no request is left
   */
  readonly upstream?: Upstream;
  /** For all requests that are left. */
  readonly main: Planned;
  /**
   * The upstream of a canary Ingress, which takes part if its Service has pods.
   * @default - none
   */
  readonly canary?: Upstream;
  /** The rules of the canary's policy, which come before its weight. */
  readonly policy: readonly PlannedRule[];
}

/** A rule of a policy at a location. */
export interface PlannedRule extends Planned {
  /** Whether the canary takes the request. */
  readonly takes: boolean;
}

const everything: RequestTest = () => true;

export class Site {
  readonly members: LoadBalancer['members'];
  readonly unserved: RouteTable['unserved'];
  readonly ignored: NonNullable<RouteTable['ignored']>;
  readonly servers = once(() => new Servers(this.configuration.servers.values()));
  private readonly plans = { HTTP: new Map<Location, Plan>(), HTTPS: new Map<Location, Plan>() };

  constructor(private readonly configuration: NginxConfiguration) {
    const { ingresses, ignored } = configuration;
    this.members = ingresses.map(({ manifest }) => manifest);
    this.unserved = ignored.filter(({ path }) => path === undefined).map(({ manifest }) => manifest);
    this.ignored = ignored;
  }

  /** What a location does. One without an Ingress belongs to no manifest: the controller itself answers. */
  planOf(server: Server, location: Location, protocol: 'HTTP' | 'HTTPS'): Plan | undefined {
    const { ingress } = location;
    if (ingress === undefined) return undefined;
    const plans = this.plans[protocol];
    const plan = plans.get(location) ?? this.plan(server, location, ingress, protocol);
    plans.set(location, plan);
    return plan;
  }

  private plan(server: Server, location: Location, { manifest }: Ingress, protocol: 'HTTP' | 'HTTPS'): Plan {
    const { at, isDefault } = location;
    const description = `${protocol} ${server.host || 'all hosts'}, path ${describePath(server, location)}`;
    const rule = { description, manifest, path: at };
    const main = { rule, matches: everything, ...(isDefault ? { isDefault } : {}) };
    const fixed = (...candidates: readonly Candidate[]): Plan => ({ main, fixed: candidates, policy: [] });
    const unread = server.hasExpressions ? notModelled(`^${location.path}`) : undefined;
    if (unread !== undefined) return fixed({ ...main, answer: fixedResponse(404), unknown: () => unread });
    const redirect = redirectOf(server, location, protocol);
    if (redirect !== undefined) return fixed({ ...main, answer: redirect });
    const slash = slashCandidates(server, location, main);
    const { upstreams } = this.configuration;
    const upstream = upstreams.get(location.upstream ?? '');
    if (upstream === undefined) return fixed(...slash, { ...main, answer: fixedResponse(404) });
    const canary = upstreams.get(upstream.alternatives[0] ?? '');
    if (canary?.policy === undefined) return { ...fixed(...slash), upstream };
    return { ...fixed(...slash), upstream, canary, policy: plannedRules(canary.ingress, canary.policy, main) };
  }
}

/** The rules of a policy at the location of these requests. */
function plannedRules({ manifest }: Ingress, policy: CanaryPolicy, main: Planned): readonly PlannedRule[] {
  return policyRules(policy).map(({ words, test, takes, annotation, unknown }) => ({
    ...main,
    rule: { ...withWords(main.rule, `, ${words}`), manifest, path: annotationPath(annotation) },
    matches: test,
    takes,
    ...(unknown !== undefined && { unknown: () => unknown }),
  }));
}

function redirectOf(
  { hasCertificate, host }: Server,
  { ingress, isCatchAll = false }: Location,
  protocol: 'HTTP' | 'HTTPS',
): RedirectAnswer | undefined {
  if (isCatchAll) return undefined;
  const annotations = annotationsOf(ingress!);
  const forced = annotations.bool('force-ssl-redirect') === true;
  const wanted = hasCertificate && host !== '' && annotations.bool('ssl-redirect') !== false;
  if (protocol === 'HTTP' && (forced || wanted)) return { kind: 'redirect', statusCode: '308', protocol: 'HTTPS' };
  const permanent = annotations.text('permanent-redirect');
  const target = permanent ?? annotations.text('temporal-redirect');
  if (target === undefined) return undefined;
  const code = annotations.integer(permanent === undefined ? 'temporal-redirect-code' : 'permanent-redirect-code');
  return redirectTo(target, String(code ?? (permanent === undefined ? 302 : 301)));
}

/** A server, and what finds the location of a path. */
interface FoundServer {
  readonly server: Server;
  readonly locate: () => (path: string) => Location | undefined;
}

/** Servers by what ingress-nginx writes as their name: a host, an expression for one label, or nothing for all other hosts. */
class Servers {
  /** Those with the most specific names first. */
  readonly ordered: readonly Server[];
  private readonly named = new HostIndex<FoundServer>();
  private readonly ofOneLabel = new Map<string, FoundServer>();
  private others: FoundServer | undefined;

  constructor(servers: Iterable<Server>) {
    this.ordered = [...servers].sort((a, b) => hostSpecificity(b.host) - hostSpecificity(a.host));
    for (const server of this.ordered) this.add({ server, locate: once(() => locator(server)) });
  }

  private add(found: FoundServer): void {
    const { host, aliases } = found.server;
    if (host === '') this.others = found;
    else if (!host.startsWith('*.')) this.named.add(host, found);
    else this.ofOneLabel.set(host.slice(1), found);
    for (const alias of aliases) this.named.add(alias, found);
  }

  /** nginx tries names before expressions. */
  of(host: string): FoundServer | undefined {
    const [, first, rest] = /^([^.]+)(\..*)$/.exec(host) ?? [];
    const isLabel = first !== undefined && /^[\w-]+$/.test(first);
    return this.named.best(host)[0] ?? (isLabel ? this.ofOneLabel.get(rest!) : undefined) ?? this.others;
  }
}

/** The target of a redirect annotation: a URL or a path. */
function redirectTo(target: string, statusCode: string): RedirectAnswer {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url === undefined) return { kind: 'redirect', statusCode, path: target };
  return {
    kind: 'redirect',
    statusCode,
    protocol: url.protocol.replace(':', '').toUpperCase(),
    host: url.hostname,
    ...(url.port === '' ? {} : { port: url.port }),
    path: url.pathname,
  };
}

/** The location of a path: the first matching expression if the host has any, else the exact path or longest prefix. */
function locator({ locations, hasExpressions }: Server): (path: string) => Location | undefined {
  if (hasExpressions) {
    const expressions = locations.map((location) => {
      const test = compilePcre(`^${location.path}`, { ignoreCase: true });
      // Whether a request ends there is not known, so it goes no further.
      return { location, test, isOpen: test === undefined && notModelled(`^${location.path}`) !== undefined };
    });
    return (path) => expressions.find(({ test, isOpen }) => isOpen || test?.(path))?.location;
  }
  const exact = firstByPath(locations.filter(({ type }) => type === 'Exact'));
  const prefixes = firstByPath(locations.filter(({ type }) => type === 'Prefix'));
  const longestFirst = [...new Set([...prefixes.keys()].map(({ length }) => length))].sort((a, b) => b - a);
  return (path) => {
    const slashed = `${path}/`;
    const found = exact.get(path) ?? exact.get(slashed) ?? prefixes.get(slashed);
    if (found !== undefined) return found;
    const length = longestFirst.find((each) => each <= path.length && prefixes.has(path.slice(0, each)));
    return length === undefined ? undefined : prefixes.get(path.slice(0, length));
  };
}

function firstByPath(locations: readonly Location[]): ReadonlyMap<string, Location> {
  return new Map([...locations].reverse().map((location) => [location.path, location]));
}

/** nginx redirects to the path with a trailing slash if only that path has a location. */
function lacksSlash({ path }: Location, requested: string | undefined): boolean {
  return path.length > 1 && path === `${requested}/`;
}

function slashCandidates(server: Server, location: Location, main: Planned): readonly Candidate[] {
  const { path } = location;
  if (server.hasExpressions || !path.endsWith('/') || path === '/') return [];
  const answer = { kind: 'redirect', statusCode: '301', path } as const;
  const matches: RequestTest = (request) => lacksSlash(location, nginxPathOf(request));
  return [{ ...main, rule: withWords(main.rule, ', without the slash'), matches, answer }];
}

function withWords(rule: RouteRule, words: string): RouteRule {
  return { ...rule, description: `${rule.description}${words}` };
}

interface PolicyRule {
  readonly words: string;
  readonly annotation: string;
  readonly test: RequestTest;
  /** Whether the canary takes the request. */
  readonly takes: boolean;
  /**
   * Why nobody can tell it.
   * @default - it is known
   */
  readonly unknown?: string;
}

/** The header decides first, then the cookie, then the weight. */
function policyRules({ header, headerValue, headerPattern, cookie }: CanaryPolicy): readonly PolicyRule[] {
  return [
    ...(header === undefined ? [] : headerRules(header, headerValue, headerPattern)),
    ...(cookie === undefined ? [] : cookieRules(cookie)),
  ];
}

function headerRules(header: string, value: string | undefined, pattern: string | undefined): readonly PolicyRule[] {
  const annotation = 'canary-by-header';
  const rule = (words: string, takes: boolean, test: (value: string) => boolean): PolicyRule => ({
    words: `header ${header} ${words}`,
    annotation,
    takes,
    test: (request) => {
      const found = nginxHeader(request, header);
      return found !== undefined && test(found);
    },
  });
  if (value !== undefined) return [rule(`is "${value}"`, true, (found) => found === value)];
  if (pattern !== undefined) {
    // An expression that nginx cannot read matches nothing: the request goes to the stable version.
    const test = compilePcre(pattern);
    if (test === undefined) {
      const base = rule(`cannot be matched with ${pattern}`, false, () => true);
      const unknown = notModelled(pattern);
      return [unknown === undefined ? base : { ...base, unknown }];
    }
    return [rule(`matches ${pattern}`, true, test)];
  }
  return [
    rule('is "always"', true, (found) => found === 'always'),
    rule('is "never"', false, (found) => found === 'never'),
  ];
}

function cookieRules(cookie: string): readonly PolicyRule[] {
  return ['always', 'never'].map((value) => ({
    words: `cookie ${cookie} is "${value}"`,
    annotation: 'canary-by-cookie',
    takes: value === 'always',
    test: (request) => cookieOf(request, cookie, { ignoreCase: true }) === value,
  }));
}

/** nginx drops headers with an underscore in the name, and replaces hyphens by underscores in names of variables. */
function nginxHeader({ headers = {} }: HttpRequest, name: string): string | undefined {
  const wanted = name.toLowerCase().replace(/-/g, '_');
  const found = Object.entries(headers).find(
    ([key]) => !key.includes('_') && key.toLowerCase().replace(/-/g, '_') === wanted,
  );
  return found?.[1];
}

function annotationPath(name: string): Path {
  return ['metadata', 'annotations', `nginx.ingress.kubernetes.io/${name}`];
}

function describePath(server: Server, { path, type }: Location): string {
  if (server.hasExpressions) return `~* ^${path}`;
  return type === 'Exact' ? `= ${path}` : `${path}*`;
}
