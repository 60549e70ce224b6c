import type { Path } from '../../core';
import { HostIndex, hostSpecificity } from '../hosts';
import { type IngressClassOptions, servesIngress } from '../ingress/class';
import { INGRESS_CLASS } from '../ingress/kinds';
import { INGRESS_READ } from '../ingress/reads';
import { type Candidate, fixedResponse, listenerOf, once } from '../listener';
import { compilePcre, notModelled } from '../pcre';
import { cookieOf, hostOf, nginxPathOf, type RequestTest } from '../request';
import type { Answer, HttpRequest, LoadBalancer, RedirectAnswer, Router, RouteTable } from '../router';
import { Services, servicesAnswer } from '../services';
import {
  type CanaryPolicy,
  type Location,
  NginxConfiguration,
  type Server,
  type Upstream,
} from './nginx-configuration';
import { type IngressNginxFacts, IngressNginxVersion } from './nginx-version';

/** How ingress-nginx is set up. */
export interface NginxOptions extends IngressClassOptions {
  /**
   * What the release does.
   * @default IngressNginxVersion.LATEST.facts
   */
  readonly facts?: IngressNginxFacts;
}

const CONTROLLER = { controllers: ['k8s.io/ingress-nginx'], className: 'nginx' };

/**
 * ingress-nginx with its canary annotations.
 * @example nginxRouter().routes(world).loadBalancers[0].listeners[0].route({ host: 'shop.example.com', path: '/' })
 */
export function nginxRouter(options: NginxOptions = {}): Router {
  const { facts = IngressNginxVersion.LATEST.facts } = options;
  return {
    name: 'nginx',
    reads: [INGRESS_READ],
    shared: [INGRESS_CLASS],
    routes(world): RouteTable {
      const services = new Services(world);
      const configuration = new NginxConfiguration(
        world,
        (ingress) => servesIngress(world, ingress, CONTROLLER, options),
        services,
        facts,
      );
      return new Nginx(configuration, services).routeTable();
    },
  };
}

type MakeCandidate = (answer: Answer, words?: string, test?: RequestTest) => Candidate;

class Nginx {
  constructor(
    private readonly configuration: NginxConfiguration,
    private readonly services: Services,
  ) {}

  routeTable(): RouteTable {
    const { ingresses, ignored } = this.configuration;
    const members = ingresses.map(({ manifest }) => manifest);
    const unserved = ignored.filter(({ path }) => path === undefined).map(({ manifest }) => manifest);
    return { loadBalancers: members.length === 0 ? [] : [this.loadBalancer(members)], unserved, ignored };
  }

  private loadBalancer(members: LoadBalancer['members']): LoadBalancer {
    return { name: 'nginx', members, listeners: [this.listener(80, 'HTTP'), this.listener(443, 'HTTPS')] };
  }

  private listener(port: number, protocol: 'HTTP' | 'HTTPS') {
    const ordered = [...this.configuration.servers.values()].sort(
      (a, b) => hostSpecificity(b.host) - hostSpecificity(a.host),
    );
    const servers = new Servers<(path: string) => readonly Candidate[]>();
    const known = new Map<Location, readonly Candidate[]>();
    const candidatesOf = (server: Server, location: Location) => {
      const candidates = known.get(location) ?? this.locationCandidates(server, location, protocol);
      known.set(location, candidates);
      return candidates;
    };
    for (const server of ordered) {
      const locate = once(() => locator(server));
      const reachable = (path: string) => {
        const location = locate()(path);
        return location === undefined ? [] : candidatesOf(server, location);
      };
      servers.add(server, reachable);
    }
    return listenerOf({
      port,
      protocol,
      candidates: () =>
        ordered.flatMap((server) => server.locations.flatMap((location) => candidatesOf(server, location))),
      reachable: (request) => {
        const path = nginxPathOf(request);
        return path === undefined ? [] : (servers.of(hostOf(request))?.(path) ?? []);
      },
      otherwise: (request) => fixedResponse(nginxPathOf(request) === undefined ? 400 : 404),
    });
  }

  private locationCandidates(server: Server, location: Location, protocol: 'HTTP' | 'HTTPS'): readonly Candidate[] {
    const { ingress, at, isDefault } = location;
    // A location without an Ingress belongs to no manifest: the controller itself answers.
    if (ingress === undefined) return [];
    const where = `${server.host || 'all hosts'}, path ${describePath(server, location)}`;
    const candidate = (answer: Answer, words = '', test: RequestTest = () => true): Candidate => ({
      rule: { description: `${protocol} ${where}${words}`, manifest: ingress.manifest, path: at },
      matches: test,
      answer,
      ...(isDefault ? { isDefault } : {}),
    });
    const redirect = this.redirect(server, location, protocol);
    const unread = server.hasExpressions ? notModelled(`^${location.path}`) : undefined;
    if (unread !== undefined) return [{ ...candidate(fixedResponse(404)), unknown: () => unread }];
    if (redirect !== undefined) return [candidate(redirect)];
    return [...slashCandidates(server, location, candidate), ...this.upstreamCandidates(location, candidate)];
  }

  private upstreamCandidates(location: Location, candidate: MakeCandidate): readonly Candidate[] {
    const upstream = location.upstream === undefined ? undefined : this.configuration.upstreams.get(location.upstream);
    if (upstream === undefined) return [candidate(fixedResponse(404))];
    const stable = this.answerOf([[upstream, 1]], upstream);
    const canary = this.canaryOf(upstream);
    if (canary === undefined) return [candidate(stable)];
    const { manifest } = canary.ingress;
    const toCanary = this.answerOf([[canary, 1]], upstream);
    const rules = policyRules(canary.policy!).map(({ words, test, takes, annotation, unknown }) => {
      const base = candidate(takes ? toCanary : stable, `, ${words}`, test);
      const rule = { ...base.rule, manifest, path: annotationPath(annotation) };
      return { ...base, rule, ...(unknown !== undefined && { unknown: () => unknown }) };
    });
    return [...rules, candidate(this.weighted(upstream, canary))];
  }

  private weighted(upstream: Upstream, canary: Upstream): Answer {
    const { weight, weightTotal } = canary.policy!;
    const total = Math.max(weightTotal, 100);
    const share = Math.min(Math.max(weight, 0), total);
    const targets: (readonly [Upstream, number])[] = [[upstream, total - share]];
    return this.answerOf(share === 0 ? targets : [...targets, [canary, share]], upstream);
  }

  private answerOf(targets: readonly (readonly [Upstream, number])[], main: Upstream): Answer {
    const destinations = targets.map(([upstream, weight]) => this.destination(upstream, weight));
    return servicesAnswer(destinations, { sticky: main.isSticky });
  }

  private destination({ service, port, portNumber }: Upstream, weight: number) {
    const destination = this.services.destination(service, port, weight);
    // A port that the Service does not have may be a port of its pods, which ingress-nginx accepts as well.
    if (destination.unavailable?.reason !== 'port-not-found' || portNumber === undefined) return destination;
    return this.services.destination(service, portNumber, weight);
  }

  /** The effective canary. A canary without pods is ignored, and so is the canary of a main backend without pods. */
  private canaryOf(upstream: Upstream): Upstream | undefined {
    const canary = this.configuration.upstreams.get(upstream.alternatives[0] ?? '');
    if (canary?.policy === undefined) return undefined;
    const answers = [upstream, canary].every((each) => this.destination(each, 1).unavailable === undefined);
    return answers ? canary : undefined;
  }

  private redirect(
    { hasCertificate, host }: Server,
    { ingress, isCatchAll = false }: Location,
    protocol: 'HTTP' | 'HTTPS',
  ): RedirectAnswer | undefined {
    if (isCatchAll) return undefined;
    const annotations = this.configuration.annotations(ingress!);
    const forced = annotations.bool('force-ssl-redirect') === true;
    const wanted = hasCertificate && host !== '' && annotations.bool('ssl-redirect') !== false;
    if (protocol === 'HTTP' && (forced || wanted)) return { kind: 'redirect', statusCode: '308', protocol: 'HTTPS' };
    const permanent = annotations.text('permanent-redirect');
    const target = permanent ?? annotations.text('temporal-redirect');
    if (target === undefined) return undefined;
    const code = annotations.integer(permanent === undefined ? 'temporal-redirect-code' : 'permanent-redirect-code');
    return redirectTo(target, String(code ?? (permanent === undefined ? 302 : 301)));
  }
}

/** Servers by what ingress-nginx writes as their name: a host, an expression for one label, or nothing for all other hosts. */
class Servers<T> {
  private readonly named = new HostIndex<T>();
  private readonly ofOneLabel = new Map<string, T>();
  private others: T | undefined;

  add({ host, aliases }: Server, value: T): void {
    if (host === '') this.others = value;
    else if (!host.startsWith('*.')) this.named.add(host, value);
    else this.ofOneLabel.set(host.slice(1), value);
    for (const alias of aliases) this.named.add(alias, value);
  }

  /** nginx tries names before expressions. */
  of(host: string): T | undefined {
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

function slashCandidates(server: Server, location: Location, candidate: MakeCandidate): readonly Candidate[] {
  const { path } = location;
  if (server.hasExpressions || !path.endsWith('/') || path === '/') return [];
  const answer = { kind: 'redirect', statusCode: '301', path } as const;
  return [candidate(answer, ', without the slash', (request) => lacksSlash(location, nginxPathOf(request)))];
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
