/**
 * The part of a World that concerns one Rollout. A rehearsal makes many Worlds of it, so that its cost must not depend
 * on how many other Rollouts there are: it holds what the Rollout names, what shares a load balancer or a host with
 * that, and what those name in turn.
 */

import { type Json, type Manifest, World } from '../core';
import type { RouteSubject } from '../kruise/rules/subject';
import { annotationKey } from '../routers/alb-annotations';
import { namedClassOf } from '../routers/ingress-class';
import { hostPatternsOf } from './candidates';

/** Kinds that make routes. */
const ROUTING = new Set([
  'Ingress.networking.k8s.io',
  'HTTPRoute.gateway.networking.k8s.io',
  'GRPCRoute.gateway.networking.k8s.io',
  'TLSRoute.gateway.networking.k8s.io',
  'TCPRoute.gateway.networking.k8s.io',
  'VirtualService.networking.istio.io',
  'DestinationRule.networking.istio.io',
  'ApisixRoute.apisix.apache.org',
  'ApisixUpstream.apisix.apache.org',
  'TrafficRoute.kuma.io',
  'MeshHTTPRoute.kuma.io',
  'HTTPProxy.projectcontour.io',
  'TraefikService.traefik.io',
  'IngressRoute.traefik.io',
  'Middleware.traefik.io',
  'TraefikService.traefik.containo.us',
  'IngressRoute.traefik.containo.us',
]);

/** Kinds that say something about all routes of a load balancer, and of which a stack has few. */
const SHARED = [
  'IngressClass.networking.k8s.io',
  'IngressClassParams.elbv2.k8s.aws',
  'AlbConfig.alibabacloud.com',
  'GatewayClass.gateway.networking.k8s.io',
  'Gateway.gateway.networking.k8s.io',
  'Gateway.networking.istio.io',
  'Mesh.kuma.io',
];

/** Finds the part of a World for each Rollout; reads the World once. */
export class Scopes {
  /** Routing objects by the name that they speak of, and by the host or group that they share with others. */
  private readonly byToken = new Map<string, Manifest[]>();
  private readonly byShare = new Map<string, Manifest[]>();
  private readonly byName = new Map<string, Manifest[]>();
  private readonly tokens = new Map<Manifest, ReadonlySet<string>>();
  private readonly shared: readonly Manifest[];
  private readonly bases = new Map<string, World>();

  constructor(private readonly world: World) {
    this.shared = SHARED.flatMap((kind) => world.list(kind));
    for (const kind of ROUTING) for (const manifest of world.list(kind)) this.add(manifest);
  }

  /**
   * What concerns this route and its workload. Routes that share load balancers get Worlds of one origin, in which what
   * they share is the same.
   */
  of(route: RouteSubject | undefined, others: readonly Manifest[] = []): World {
    if (route === undefined) return this.base([]).with(...others);
    const named = this.namedBy(route);
    const keys = named.flatMap((manifest) => this.shareKeys(manifest, true));
    const services = [route.service, route.canaryService].flatMap(
      (service) => this.world.find('Service', service, route.namespace) ?? [],
    );
    const namespace = this.world.find('Namespace', route.namespace);
    // Of the objects that it names, only those that make routes are found by what they share.
    const own = named.filter((manifest) => !this.tokens.has(manifest));
    return this.base(keys).with(
      ...others,
      ...services,
      ...(namespace === undefined ? [] : [namespace]),
      ...own.flatMap((manifest) => [manifest, ...this.targetsOf(manifest)]),
    );
  }

  /** Everything that shares a load balancer or a host, with what it names. */
  private base(keys: readonly string[]): World {
    const sorted = [...new Set(keys)].sort();
    const id = sorted.join('\n');
    const known = this.bases.get(id);
    if (known !== undefined) return known;
    const found = new Set<Manifest>(this.shared);
    for (const manifest of new Set(sorted.flatMap((key) => this.byShare.get(key) ?? []))) {
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
    push(this.byName, `${namespace}/${manifest.name}`, manifest);
    const tokens = tokensOf(manifest);
    this.tokens.set(manifest, tokens);
    for (const token of tokens) push(this.byToken, `${namespace}/${token}`, manifest);
    for (const key of this.shareKeys(manifest)) push(this.byShare, key, manifest);
  }

  /** What the Rollout names, and what routes to its Service. */
  private namedBy({ namespace, service, ingress, gateway, customNetworkRefs }: RouteSubject): Manifest[] {
    const find = (kind: string, name: string | undefined) =>
      name === undefined ? [] : (this.world.find(kind, name, namespace) ?? []);
    const direct = [
      find('Ingress.networking.k8s.io', ingress?.name),
      find('Ingress.networking.k8s.io', ingress && `${ingress.name}-canary`),
      find('HTTPRoute.gateway.networking.k8s.io', gateway?.httpRouteName),
      customNetworkRefs.flatMap(({ ref }) => this.world.get({ ...ref, namespace }) ?? []),
    ].flat();
    const names = [service, ...customNetworkRefs.map(({ ref }) => ref.name)];
    // Objects without a namespace, as those of a mesh, speak of Services in all namespaces.
    const speaking = names.flatMap((name) => [
      ...(this.byToken.get(`${namespace}/${name}`) ?? []),
      ...(this.byToken.get(`/${name}`) ?? []),
    ]);
    return [...new Set([...direct, ...speaking])];
  }

  /** What an object names: Services, other routing objects. */
  private targetsOf(manifest: Manifest): Manifest[] {
    const namespace = this.world.namespaceOf(manifest);
    const tokens = this.tokens.get(manifest) ?? tokensOf(manifest);
    return [...tokens].flatMap((token) => {
      const service = this.world.find('Service', token, namespace === '' ? undefined : namespace);
      return [...(service === undefined ? [] : [service]), ...(this.byName.get(`${namespace}/${token}`) ?? [])];
    });
  }

  /**
   * What an object shares with others: an AWS load balancer is shared by group alone, everything else by host.
   * @param looking also the wildcards that a host falls under
   */
  private shareKeys(manifest: Manifest, looking = false): string[] {
    const { kind, annotations } = manifest;
    if (kind !== 'Ingress') {
      return expand(hostPatternsOf(manifest), looking).map((host) => `${kind} ${host}`);
    }
    const className = namedClassOf(manifest) ?? '';
    const group = annotations[annotationKey('group.name')] ?? this.groupOfClass(className);
    if (group !== undefined) return [`group ${group}`];
    return expand(hostPatternsOf(manifest), looking).map((host) => `Ingress ${className} ${host}`);
  }

  private groupOfClass(className: string): string | undefined {
    const reference = this.world.find('IngressClass.networking.k8s.io', className)?.get('spec.parameters.name');
    if (typeof reference !== 'string') return undefined;
    const params = this.world.find('IngressClassParams.elbv2.k8s.aws', reference);
    return textOf(params?.get('spec.group.name'));
  }
}

function expand(patterns: readonly string[], looking: boolean): string[] {
  const hosts = patterns.length > 0 ? patterns : ['*'];
  if (!looking) return [...hosts];
  return [...new Set(hosts.flatMap((host) => [host, ...wildcardsOver(host)]))];
}

function wildcardsOver(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_label, index) => (index === labels.length - 1 ? '*' : `*.${labels.slice(index + 1).join('.')}`));
}

const TOKEN = /[a-z0-9](?:[-a-z0-9]*[a-z0-9])?/g;
const LONGEST_TEXT = 20_000;

/** Everything in an object that could be the name of another one. */
function tokensOf(manifest: Manifest): ReadonlySet<string> {
  const tokens = new Set<string>();
  const read = (value: Json | undefined): void => {
    if (typeof value === 'string') {
      for (const token of value.slice(0, LONGEST_TEXT).match(TOKEN) ?? []) tokens.add(token);
    } else if (Array.isArray(value)) {
      for (const item of value) read(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const item of Object.values(value)) read(item);
    }
  };
  read(manifest.get('spec'));
  // Actions of an AWS load balancer name Services in annotations.
  for (const [key, text] of Object.entries(manifest.annotations)) if (key.includes('/actions.')) read(text);
  return tokens;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}
