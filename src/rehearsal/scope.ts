/**
 * The part of a World that concerns one release: the objects that it names, the objects that share a load balancer or a
 * host with them, and the objects that those name. A rehearsal derives many Worlds from it, so its cost must not depend
 * on the number of other releases.
 */

import { type Json, type Manifest, World } from '../core';
import { addTo } from '../core/grouped';
import type { Match, ReleaseTraffic, Story, StoryPatch } from '../release';
import { allRouters, nameOfKind, type Place, placeAt, RouteKinds, type Router } from '../routers';
import { Neighbours } from './neighbours';

/** What a release routes through. */
type Routed = Pick<ReleaseTraffic, 'namespace' | 'stableService' | 'canaryService' | 'objects' | 'names'>;

/** Finds the part of a World that concerns a release. Reads the World once for all releases. */
export class Scopes {
  /** Routing objects by the names that they contain, and by the hosts or groups that they share. */
  private readonly byToken = new Map<string, Manifest[]>();
  private readonly byShare = new Map<string, Neighbours>();
  private readonly byName = new Map<string, Manifest[]>();
  private readonly tokens = new Map<Manifest, ReadonlySet<string>>();
  private readonly shared: readonly Manifest[];
  private readonly bases = new Map<string, World>();
  private readonly kinds: RouteKinds;

  constructor(
    private readonly world: World,
    routers: readonly Router[] = allRouters(),
  ) {
    this.kinds = new RouteKinds(routers);
    const shared = new Set(routers.flatMap((router) => router.shared.map(nameOfKind)));
    this.shared = [...shared].flatMap((kind) => world.list(kind));
    for (const kind of this.kinds.names) for (const manifest of world.list(kind)) this.add(manifest);
  }

  /**
   * The objects that concern a release. Releases that share load balancers get Worlds of one origin, so that the shared
   * objects are the same.
   * @param others objects that the release needs besides
   * @param matches the matches of its steps, which may take requests of other routes
   */
  of(traffic: Routed | undefined, others: readonly Manifest[] = [], matches: readonly Match[] = []): World {
    if (traffic === undefined) return this.base([], undefined).with(...others);
    const named = this.namedBy(traffic);
    const keys = named.flatMap((manifest) => this.shareKeys(manifest, true));
    const namespaceObject = this.world.find('Namespace', traffic.namespace);
    // The index contains only routing objects, so the other named objects are added here.
    const own = named.filter((manifest) => !this.tokens.has(manifest));
    return this.base(keys, this.pathsOf(named, matches)).with(
      ...others,
      ...this.servicesOf(traffic),
      ...(namespaceObject === undefined ? [] : [namespaceObject]),
      ...own.flatMap((manifest) => [manifest, ...this.targetsOf(manifest)]),
    );
  }

  /** The Services of a release, the objects that it names, and the routes to its Services. */
  objectsOf(traffic: Routed): Manifest[] {
    const direct = this.directlyNamedBy(traffic);
    const services = [traffic.stableService, traffic.canaryService];
    const isRoute = (manifest: Manifest) => services.some((name) => routesTo(manifest, name, traffic.namespace));
    const routes = this.namedBy(traffic).filter((manifest) => !direct.includes(manifest) && isRoute(manifest));
    return [...this.servicesOf(traffic), ...direct, ...routes];
  }

  /** The Services that people name when they edit objects in a story, and the routes that they name in a Rollout. */
  namedIn(stories: readonly Story[], namespace: string): Manifest[] {
    const patches = stories.flatMap(({ actions }) =>
      actions.flatMap((action) => (typeof action === 'object' && 'patch' in action ? [action.patch] : [])),
    );
    const named = (edits: readonly StoryPatch[]) => [...tokensIn(edits.map((patch) => patch.with))];
    const services = named(patches).flatMap((name) => this.world.find('Service', name, namespace) ?? []);
    const routes = named(patches.filter(({ kind }) => kind === 'Rollout')).flatMap(
      (name) => this.byName.get(`${namespace}/${name}`) ?? [],
    );
    return [...services, ...routes];
  }

  private servicesOf({ namespace, stableService, canaryService }: Routed): Manifest[] {
    return [stableService, canaryService].flatMap((service) => this.world.find('Service', service, namespace) ?? []);
  }

  /** The paths of the routes of a release; undefined if they may take requests for any path. */
  private pathsOf(named: readonly Manifest[], matches: readonly Match[]): readonly string[] | undefined {
    const routes = named.filter((manifest) => this.tokens.has(manifest) && this.kinds.haveHosts(manifest.groupKind));
    const places = [
      ...routes.map((manifest) => this.kinds.placeOf(manifest)),
      ...matches.flatMap(({ path }) => (path === undefined ? [] : [placeOfMatch(path)])),
    ];
    return places.includes(undefined) ? undefined : [...new Set(places.flatMap((place) => place!.paths))].sort();
  }

  /** The objects that share a load balancer or a host, and that may concern these paths; and the objects that they name. */
  private base(keys: readonly string[], paths: readonly string[] | undefined): World {
    const sorted = [...new Set(keys)].sort();
    const sharing = sorted.flatMap((key) => this.byShare.get(key) ?? []);
    const id = JSON.stringify([sorted, paths]);
    const known = this.bases.get(id);
    if (known !== undefined) return known;
    const found = new Set<Manifest>(this.shared);
    const concerned = sharing.flatMap((neighbours) => (paths === undefined ? neighbours.all : neighbours.near(paths)));
    for (const manifest of new Set(concerned)) {
      found.add(manifest);
      for (const target of this.targetsOf(manifest)) found.add(target);
      const namespace = this.world.find('Namespace', this.world.namespaceOf(manifest));
      if (namespace !== undefined) found.add(namespace);
    }
    const base = World.of(found, { defaultNamespace: this.world.defaultNamespace });
    this.bases.set(id, base);
    return base;
  }

  private add(manifest: Manifest): void {
    const namespace = this.world.namespaceOf(manifest);
    addTo(this.byName, `${namespace}/${manifest.name}`, manifest);
    const tokens = this.tokensOf(manifest);
    this.tokens.set(manifest, tokens);
    for (const token of tokens) addTo(this.byToken, `${namespace}/${token}`, manifest);
    const place = this.kinds.placeOf(manifest);
    for (const key of this.shareKeys(manifest)) {
      const neighbours = this.byShare.get(key) ?? new Neighbours();
      this.byShare.set(key, neighbours);
      neighbours.add(manifest, place);
    }
  }

  private directlyNamedBy({ namespace, objects }: Routed): Manifest[] {
    return objects.flatMap((ref) => this.world.get({ ...ref, namespace }) ?? []);
  }

  /** The objects that a release names, and the routes to its Services. */
  private namedBy(traffic: Routed): Manifest[] {
    const { namespace, names } = traffic;
    const direct = this.directlyNamedBy(traffic);
    // Objects without a namespace, such as those of a mesh, may name Services in all namespaces.
    const speaking = names.flatMap((name) => [
      ...(this.byToken.get(`${namespace}/${name}`) ?? []),
      ...(this.byToken.get(`/${name}`) ?? []),
    ]);
    return [...new Set([...direct, ...speaking])];
  }

  /** The Services and routing objects that an object names. */
  private targetsOf(manifest: Manifest): Manifest[] {
    const namespace = this.world.namespaceOf(manifest);
    const tokens = this.tokens.get(manifest) ?? this.tokensOf(manifest);
    return [...tokens].flatMap((token) => {
      const service = this.world.find('Service', token, namespace === '' ? undefined : namespace);
      return [...(service === undefined ? [] : [service]), ...(this.byName.get(`${namespace}/${token}`) ?? [])];
    });
  }

  /**
   * The load balancer that an object names or, without one, its hosts.
   * @param looking whether to include the wildcards that match a host
   */
  private shareKeys(manifest: Manifest, looking = false): string[] {
    const { groupKind } = manifest;
    const loadBalancer = this.kinds.loadBalancerOf(manifest, this.world);
    if (loadBalancer !== undefined) return [`${groupKind} of ${loadBalancer}`];
    return expand(this.kinds.hostsOf(manifest), looking).map((host) => `${groupKind} ${host}`);
  }

  /** All words in an object that may be names of other objects. */
  private tokensOf(manifest: Manifest): ReadonlySet<string> {
    return tokensIn([manifest.get('spec') ?? null, ...this.kinds.namesIn(manifest)]);
  }
}

/** All words that may be names of objects. */
function tokensIn(values: readonly Json[]): ReadonlySet<string> {
  const tokens = new Set<string>();
  const read = (value: Json): void => {
    if (typeof value === 'string') {
      for (const token of value.slice(0, LONGEST_TEXT).match(TOKEN) ?? []) tokens.add(token);
    } else if (Array.isArray(value)) {
      for (const item of value) read(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const item of Object.values(value)) read(item);
    }
  };
  values.forEach(read);
  return tokens;
}

function placeOfMatch({ type, value = '/' }: NonNullable<Match['path']>): Place | undefined {
  return placeAt([type === 'RegularExpression' ? undefined : value], null);
}

/** The fields by which routes name the Services that they lead to. */
const BACKEND_FIELDS = ['name', 'host', 'serviceName'];

function routesTo(manifest: Manifest, service: string, namespace: string): boolean {
  const names = (key: string, value: Json): boolean => {
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).some(([inner, child]) => names(Array.isArray(value) ? key : inner, child));
    if (!BACKEND_FIELDS.includes(key)) return false;
    return value === service || String(value).startsWith(`${service}.${namespace}`);
  };
  return names('', manifest.get('spec') ?? null);
}

function expand(patterns: readonly string[], looking: boolean): readonly string[] {
  const hosts = patterns.length > 0 ? patterns : ['*'];
  if (!looking) return hosts;
  return [...new Set(hosts.flatMap((host) => [host, ...wildcardsOver(host)]))];
}

function wildcardsOver(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_label, index) => (index === labels.length - 1 ? '*' : `*.${labels.slice(index + 1).join('.')}`));
}

const TOKEN = /[a-z0-9](?:[-a-z0-9]*[a-z0-9])?/g;
const LONGEST_TEXT = 20_000;
