import type { Path, World } from '../../core';
import { remembered } from '../../core/remembered';
import { type Ingress, type IngressPath, type IngressRule, readIngress } from '../ingress/ingress';
import { INGRESS } from '../ingress/kinds';
import { PrefixedAnnotations } from '../ingress/prefixed-annotations';
import { nameOfKind } from '../kinds';
import type { Ignored } from '../router';
import type { ServiceRef } from '../services';
import { byAge, compareText, listOf, textsOf, valueIn } from '../values';
import { accepted, type CheckedAnnotation, NGINX_PREFIX } from './nginx-annotations';
import type { IngressNginxFacts } from './nginx-version';

/** Which requests a canary Ingress takes, by its annotations. */
export interface CanaryPolicy {
  readonly header?: string;
  readonly headerValue?: string;
  readonly headerPattern?: string;
  readonly cookie?: string;
  readonly weight: number;
  readonly weightTotal: number;
}

/** A destination of nginx: one for each port of a Service that Ingresses of a namespace name. */
export interface Upstream {
  readonly name: string;
  readonly service: ServiceRef;
  /** As the Ingress names it. */
  readonly port: number | string;
  /** The Ingress that names it first; its annotations apply. */
  readonly ingress: Ingress;
  /** True if a canary Ingress names it first: it then has no location of its own. */
  readonly policy: CanaryPolicy | undefined;
  /** Its canary upstreams; nginx uses only the first. */
  readonly alternatives: string[];
  isSticky: boolean;
}

/** A path of a server. */
export interface Location {
  readonly path: string;
  readonly type: 'Exact' | 'Prefix';
  /** Undefined for a location without a path of an Ingress. */
  readonly ingress: Ingress | undefined;
  readonly at: Path;
  /** Undefined for the default backend of the controller. */
  readonly upstream: string | undefined;
  /** True for a location that exists for its host and not for a path. */
  readonly isDefault: boolean;
  /**
   * Takes the requests of all other hosts, for an Ingress without rules: no path takes its place, and its annotations of redirects and
   * rewrites do not count.
   * @default false
   */
  readonly isCatchAll?: boolean;
}

/** The `server` block of a host. */
export interface Server {
  /** Empty for the server of all other hosts. */
  readonly host: string;
  aliases: readonly string[];
  locations: Location[];
  /** Whether nginx matches the locations as expressions. */
  hasExpressions: boolean;
  hasCertificate: boolean;
}

/** The Ingresses that ingress-nginx serves, in the order in which it reads them. */
export function servedIngresses(world: World, serves: (ingress: Ingress) => boolean): readonly Ingress[] {
  const all = byAge(world, world.list(nameOfKind(INGRESS)));
  return all.map((manifest) => withPathTypes(readIngress(world, manifest))).filter(serves);
}

/** The routing part of the nginx.conf that ingress-nginx generates from Ingresses. */
export class NginxConfiguration {
  readonly servers = new Map<string, Server>();
  readonly upstreams = new Map<string, Upstream>();
  readonly ignored: Ignored[] = [];
  private readonly canaries = new Map<Ingress, CanaryPolicy>();
  /** The index of each path of a host among the locations of its server. */
  private readonly places = new Map<string, number>();

  constructor(
    /** In the order in which they are read. */
    readonly ingresses: readonly Ingress[],
    facts: IngressNginxFacts,
  ) {
    const policyOf = policies(facts);
    for (const ingress of ingresses) {
      const policy = policyOf(ingress);
      if (policy !== undefined) this.canaries.set(ingress, policy);
    }
    for (const ingress of ingresses) this.addUpstreams(ingress);
    this.addServers();
    for (const ingress of this.ingresses) this.addLocations(ingress);
    this.mergeCanaries();
    for (const server of this.servers.values()) {
      server.locations = finalLocations(sorted(server.locations));
      server.hasExpressions = server.locations.some(isExpression);
    }
  }

  private addUpstreams(ingress: Ingress): void {
    const { defaultBackend } = ingress;
    if (defaultBackend?.service !== undefined) this.addUpstream(ingress, defaultBackend.service);
    for (const { backend } of ingress.rules.flatMap(({ paths }) => paths)) {
      if (backend.service !== undefined) this.addUpstream(ingress, backend.service);
    }
  }

  private addUpstream(ingress: Ingress, { name: service, port }: BackendService): void {
    const name = upstreamName(ingress, { name: service, port });
    if (this.upstreams.has(name)) return;
    const ref = { namespace: ingress.namespace, name: service };
    const policy = this.canaries.get(ingress);
    this.upstreams.set(name, {
      name,
      service: ref,
      port,
      ingress,
      policy,
      alternatives: [],
      isSticky: false,
    });
  }

  private addServers(): void {
    const root = {
      path: '/',
      type: 'Prefix',
      at: [],
      ingress: undefined,
      upstream: undefined,
      isDefault: true,
    } as const;
    this.addServer('', root, true);
    for (const ingress of this.ingresses) {
      if (this.canaries.has(ingress)) continue;
      const upstream = ingress.defaultBackend?.service && upstreamName(ingress, ingress.defaultBackend.service);
      const at = ['spec', 'defaultBackend'];
      const catchAll = this.servers.get('')!;
      if (upstream !== undefined && ingress.rules.length === 0 && !catchAll.locations[0]!.isCatchAll) {
        catchAll.locations[0] = { ...root, ingress, upstream, at, isCatchAll: true };
      }
      for (const [index, { host }] of ingress.rules.entries()) {
        if (this.servers.has(host)) continue;
        const everything = { ...root, ingress, upstream, at: upstream === undefined ? ['spec', 'rules', index] : at };
        this.addServer(host, everything, false);
      }
    }
    for (const ingress of this.ingresses) this.addHostSettings(ingress);
  }

  private addServer(host: string, everything: Location, hasCertificate: boolean): void {
    const server = { host, aliases: [], locations: [everything], hasExpressions: false, hasCertificate };
    this.servers.set(host, server);
    this.places.set(placeKey(server, everything), 0);
  }

  private addHostSettings(ingress: Ingress): void {
    if (this.canaries.has(ingress)) return;
    const { aliases, tlsHosts } = hostSettings(ingress);
    for (const { host } of ingress.rules) {
      const server = this.servers.get(host)!;
      if (server.aliases.length === 0) server.aliases = aliases;
      if (tlsHosts.includes(host)) server.hasCertificate = true;
    }
  }

  private addLocations(ingress: Ingress): void {
    for (const rule of ingress.rules) {
      const server = this.servers.get(rule.host) ?? this.servers.get('')!;
      for (const path of rule.paths) this.addLocation(ingress, server, path);
    }
  }

  private addLocation(ingress: Ingress, server: Server, { path, pathType, backend, at }: IngressPath): void {
    if (backend.service === undefined) {
      this.ignore(ingress, at, 'backend-without-service', 'ingress-nginx sends requests to Services only');
      return;
    }
    const name = upstreamName(ingress, backend.service);
    const upstream = this.upstreams.get(name)!;
    if (upstream.policy !== undefined) {
      if (!this.canaries.has(ingress)) {
        const why = `the canary Ingress ${upstream.ingress.key} has named ${backend.service.name} first, so no path leads there`;
        this.ignore(ingress, at, 'backend-is-canary', why);
      }
      return;
    }
    const location: Location = {
      path: path || '/',
      type: pathType === 'Exact' ? 'Exact' : 'Prefix',
      ingress,
      at,
      upstream: name,
      isDefault: false,
    };
    const place = placeKey(server, location);
    const index = this.places.get(place) ?? server.locations.length;
    const existing = server.locations[index];
    if (existing === undefined || (existing.isDefault && !existing.isCatchAll)) {
      server.locations[index] = location;
      this.places.set(place, index);
    } else {
      const why = `${existing.ingress?.key} has the path ${location.path} of ${server.host || 'all hosts'} already`;
      this.ignore(ingress, at, 'path-taken', why);
    }
    if (annotationsOf(ingress).text('affinity') === 'cookie') upstream.isSticky = true;
  }

  private mergeCanaries(): void {
    if (this.canaries.size === this.ingresses.length) {
      for (const ingress of this.canaries.keys()) this.ignoreCanary(ingress, [], 'there is no other Ingress at all');
      return;
    }
    for (const ingress of this.canaries.keys()) {
      const { defaultBackend } = ingress;
      if (defaultBackend?.service !== undefined) {
        const server = this.servers.get('')!;
        this.merge(ingress, defaultBackend.at, defaultBackend.service, server, server.locations);
      }
      for (const rule of ingress.rules) this.mergeRule(ingress, rule);
    }
  }

  private mergeRule(ingress: Ingress, { host, paths }: IngressRule): void {
    const server = this.servers.get(host);
    for (const { path, pathType, backend, at } of paths) {
      if (backend.service === undefined) continue;
      if (server === undefined) {
        this.ignoreCanary(ingress, at, `no other Ingress has the host ${host}`);
        continue;
      }
      const place = this.places.get(placeKey(server, { path, type: pathType }));
      this.merge(ingress, at, backend.service, server, place === undefined ? [] : [server.locations[place]!]);
    }
  }

  private merge(
    ingress: Ingress,
    at: Path,
    backend: BackendService,
    server: Server,
    fitting: readonly Location[],
  ): void {
    const canary = this.upstreams.get(upstreamName(ingress, backend));
    if (canary === undefined) {
      this.ignoreCanary(
        ingress,
        at,
        `another path of a canary Ingress with the Service ${backend.name} fits no main path`,
      );
      return;
    }
    // No path leads to a Service that a canary Ingress names first, but a default backend may, which is the first location.
    const possible = canary.policy === undefined ? server.locations : server.locations.slice(0, 1);
    const own = possible.find(({ upstream }) => upstream === canary.name);
    const isBefore = (location: Location) =>
      own === undefined || server.locations.indexOf(location) < server.locations.indexOf(own);
    let merged = false;
    for (const { upstream } of fitting.filter(isBefore)) {
      const primary = upstream === undefined ? undefined : this.upstreams.get(upstream);
      if (primary === undefined || primary.policy !== undefined) continue;
      if (!primary.alternatives.includes(canary.name)) this.addAlternative(primary, canary, ingress, at);
      merged = true;
    }
    if (own !== undefined) {
      this.ignoreCanary(ingress, at, `${own.ingress?.key} sends to the same Service ${backend.name}`);
      return;
    }
    if (merged) return;
    // Canaries that other paths merged before are lost as well: their upstream no longer exists.
    this.upstreams.delete(canary.name);
    this.ignoreCanary(
      ingress,
      at,
      `no other Ingress has this path, with the same pathType, for ${server.host || 'all hosts'}`,
    );
  }

  private addAlternative(primary: Upstream, canary: Upstream, ingress: Ingress, at: Path): void {
    primary.alternatives.push(canary.name);
    const first = this.upstreams.get(primary.alternatives[0]!);
    if (primary.alternatives.length === 1 || first === undefined) return;
    const why = `${first.ingress.key} is the canary of ${primary.service.name} already, and only one counts`;
    this.ignore(ingress, at, 'second-canary', why);
  }

  private ignoreCanary(ingress: Ingress, at: Path, why: string): void {
    this.ignore(ingress, at, 'canary-without-main', why);
  }

  private ignore({ manifest }: Ingress, path: Path, reason: string, why: string): void {
    this.ignored.push({ manifest, ...(path.length === 0 ? {} : { path }), reason, why });
  }
}

function placeKey(
  { host }: Server,
  { type, path }: Pick<Location, 'path'> & { readonly type: string | undefined },
): string {
  return `${host}\n${type} ${path}`;
}

type BackendService = NonNullable<IngressPath['backend']['service']>;

function upstreamName({ namespace }: Ingress, { name, port }: BackendService): string {
  return `${namespace}-${name}-${port}`;
}

/** Hosts in lower case; paths without a type, or with the type ImplementationSpecific, are prefixes. */
const withPathTypes = remembered((ingress: Ingress): Ingress => ({ ...ingress, rules: typedRules(ingress.rules) }));

const typedRules = remembered((rules: readonly IngressRule[]): readonly IngressRule[] =>
  rules.map((rule) => ({
    host: rule.host.toLowerCase(),
    paths: rule.paths.map((path) => ({ ...path, pathType: path.pathType === 'Exact' ? 'Exact' : 'Prefix' })),
  })),
);

/** The annotations of an Ingress. */
export const annotationsOf = PrefixedAnnotations.under(NGINX_PREFIX);

/** Which requests a canary Ingress takes in a release; undefined for another Ingress. */
const policies = remembered((facts: IngressNginxFacts) =>
  remembered((ingress: Ingress): CanaryPolicy | undefined => {
    const annotations = annotationsOf(ingress);
    if (annotations.bool('canary') !== true) return undefined;
    const text = (name: CheckedAnnotation) => accepted(name, annotations.text(name), facts);
    return {
      header: text('canary-by-header'),
      headerValue: text('canary-by-header-value'),
      headerPattern: text('canary-by-header-pattern'),
      cookie: text('canary-by-cookie'),
      weight: annotations.integer('canary-weight') ?? 0,
      weightTotal: annotations.integer('canary-weight-total') ?? 100,
    };
  }),
);

/** What an Ingress says of the servers of its hosts. */
const hostSettings = remembered((ingress: Ingress) => {
  const aliases = (annotationsOf(ingress).text('server-alias') ?? '').split(',').map((alias) => alias.trim());
  const tls = listOf(valueIn(ingress.manifest.object, 'spec', 'tls'));
  const tlsHosts = tls.flatMap((entry) => textsOf(valueIn(entry, 'hosts'))).map((host) => host.toLowerCase());
  return { aliases: aliases.filter((alias) => alias !== ''), tlsHosts };
});

function sorted(locations: readonly Location[]): readonly Location[] {
  return [...locations].sort((a, b) => b.path.length - a.path.length || compareText(b.path, a.path));
}

/** A prefix becomes two locations, for the path and for paths below it, unless it is an expression or rewritten. */
function finalLocations(locations: readonly Location[]): Location[] {
  const exact = new Set(locations.filter(({ type }) => type === 'Exact').map(({ path }) => path));
  return locations.flatMap((location) => {
    const { path, type } = location;
    if (path === '/' || type === 'Exact' || isExpression(location)) return [location];
    const below = { ...location, path: path.endsWith('/') ? path : `${path}/` };
    return exact.has(path) ? [below] : [below, { ...location, type: 'Exact' as const }];
  });
}

/** True for a location that makes nginx read all paths of its host as expressions. */
export function isExpression({ ingress, path, isCatchAll = false }: Location): boolean {
  if (ingress === undefined || isCatchAll) return false;
  const annotations = annotationsOf(ingress);
  const target = annotations.text('rewrite-target');
  return annotations.bool('use-regex') === true || (target !== undefined && target !== path);
}
