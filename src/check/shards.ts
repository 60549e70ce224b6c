import { controllersOf as argoControllersOf } from '../argo/rules/install';
import type { ObjectRef } from '../core/finding';
import { ownValue } from '../core/json';
import type { Manifest } from '../core/manifest';
import { World } from '../core/world';
import { LUA_CONFIG_MAP_NAME } from '../kruise/api';
import { controllersOf as kruiseControllersOf } from '../kruise/install/check/controllers';
import { type RouteSubject, rolloutsOf, trafficRoutingsOf } from '../kruise/rules/subject';
import { KruiseRolloutVersion } from '../kruise/version';
import { VIRTUAL_ENVIRONMENT } from '../ktenv/controller';
import { argoSubjectsOf } from '../rehearsal/argo/subject';
import { Scopes } from '../rehearsal/scope';
import { isAliyun } from '../routers/aliyun-alb';
import { loadGroups } from '../routers/aws-alb/group';
import { INGRESS_CLASS, namedClassOf } from '../routers/ingress-class';
import { Groups } from './groups';

/** Which share of the work one machine of several does: the second of four is `{ index: 2, total: 4 }`. */
export interface Shard {
  /** Counted from 1. */
  readonly index: number;
  readonly total: number;
}

/** A part of a World that can be rehearsed apart from the others. */
export interface WorldPart {
  /** The objects of the part, and those that are in every part. */
  readonly world: World;
  /** How many Rollouts and TrafficRoutings are in it. */
  readonly rollouts: number;
}

/** How a World is cut. */
export interface CutOptions {
  /**
   * The release of Kruise Rollouts.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly kruiseVersion?: KruiseRolloutVersion;
}

/**
 * A World in parts between which no request and no reference goes. Objects stay together that a rehearsal looks at
 * together: what a Rollout names, what shares a load balancer with that, and all of a namespace with a VirtualEnvironment.
 * Objects without a namespace, the installs of controllers and the ConfigMap of scripts are in every part. The same World
 * always gives the same parts, of about the same amount of work.
 *
 * @example
 * const cut = WorldCut.of(World.of(manifests), 4);
 * cut.parts.flatMap(({ world }) => rehearsalFindings(world))
 */
export class WorldCut {
  /** Cuts into exactly so many parts; some are empty where there is nothing to cut. */
  static of(world: World, count: number, options: CutOptions = {}): WorldCut {
    const everywhere = everywhereIn(world);
    const pieces = piecesOf(world, everywhere, subjectsOf(world, options.kruiseVersion ?? KruiseRolloutVersion.LATEST));
    const loads = Array.from({ length: count }, () => ({ manifests: [] as Manifest[], weight: 0, rollouts: 0 }));
    const parts = new Map<Manifest, number>();
    // The largest first, each to whoever has the least: what is left for the end is small.
    for (const { manifests, weight, rollouts } of pieces.sort((a, b) => b.weight - a.weight || a.first - b.first)) {
      const index = loads.reduce((least, load, at) => (load.weight < loads[least]!.weight ? at : least), 0);
      const load = loads[index]!;
      load.weight += weight;
      load.rollouts += rollouts;
      for (const manifest of manifests) {
        load.manifests.push(manifest);
        parts.set(manifest, index);
      }
    }
    const { defaultNamespace } = world;
    return new WorldCut(
      world,
      loads.map(({ manifests, rollouts }) => ({
        world: World.of([...everywhere, ...manifests], { defaultNamespace }),
        rollouts,
      })),
      parts,
    );
  }

  private constructor(
    private readonly world: World,
    readonly parts: readonly WorldPart[],
    private readonly indexes: ReadonlyMap<Manifest, number>,
  ) {}

  /** The index of the part that holds an object; undefined for one that is in every part, or in none. */
  partOf(object: ObjectRef | undefined): number | undefined {
    const manifest = object && this.world.get(object);
    return manifest && this.indexes.get(manifest);
  }
}

/** What a part of the work is: a Rollout or TrafficRouting with what its rehearsal looks at. */
interface Subject {
  readonly manifest: Manifest;
  readonly route: RouteSubject | undefined;
  readonly others: readonly Manifest[];
  readonly steps: number;
}

function subjectsOf(world: World, version: KruiseRolloutVersion): Subject[] {
  const found = (ref: ObjectRef | undefined) => (ref === undefined ? [] : (world.get(ref) ?? []));
  return [
    ...rolloutsOf(world, version).map(({ manifest, route, workload, namespace, steps }) => {
      const others = [manifest, workload === undefined ? [] : found({ ...workload.ref, namespace })].flat();
      return { manifest, route, others, steps: steps.length };
    }),
    ...trafficRoutingsOf(world).map((route) => ({
      manifest: route.manifest,
      route,
      others: [route.manifest],
      steps: 1,
    })),
    ...argoSubjectsOf(world).map(({ manifest, route, workload, rollout }) => ({
      manifest,
      route,
      others: [manifest, found(workload)].flat(),
      steps: rollout.steps.length,
    })),
  ];
}

/** Objects that a rehearsal may ask for wherever it is. */
function everywhereIn(world: World): ReadonlySet<Manifest> {
  return new Set([
    ...world.inNamespace(''),
    ...new Scopes(world).of(undefined).manifests,
    ...world.list('ConfigMap').filter(({ name }) => name === LUA_CONFIG_MAP_NAME),
    ...kruiseControllersOf(world).map(({ manifest }) => manifest),
    ...argoControllersOf({ world }).map(({ manifest }) => manifest),
  ]);
}

/** What cannot be cut any further. */
interface Piece {
  readonly manifests: readonly Manifest[];
  readonly rollouts: number;
  readonly weight: number;
  /** The place of its first object in the World. */
  readonly first: number;
}

/** A rehearsal costs about this many times what an object costs, and as much again for each step. */
const WEIGHT_OF_STEP = 20;

function piecesOf(world: World, everywhere: ReadonlySet<Manifest>, subjects: readonly Subject[]): Piece[] {
  const all = world.manifests.filter((manifest) => !everywhere.has(manifest));
  const groups = new Groups<Manifest>();
  const join = (manifests: readonly Manifest[]) => groups.join(manifests.filter((one) => !everywhere.has(one)));

  for (const seen of scopesOf(world, subjects, everywhere)) join(seen);
  for (const manifests of byLoadBalancer(
    world,
    subjects.flatMap(({ route }) => route ?? []),
  ))
    join(manifests);
  for (const { namespace = world.defaultNamespace } of world.list(VIRTUAL_ENVIRONMENT)) {
    join(world.inNamespace(namespace));
  }
  // What nobody rehearses goes by its namespace.
  const rest = new Map<string, Manifest[]>();
  for (const manifest of all.filter((one) => !groups.has(one))) {
    push(rest, world.namespaceOf(manifest), manifest);
  }
  for (const manifests of rest.values()) join(manifests);

  const places = new Map(all.map((manifest, place) => [manifest, place]));
  const steps = new Map(subjects.map((subject) => [subject.manifest, subject.steps]));
  return groups.all().map((manifests) => {
    const rollouts = manifests.filter((manifest) => steps.has(manifest));
    const played = rollouts.reduce((sum, manifest) => sum + 1 + steps.get(manifest)!, 0);
    return {
      manifests,
      rollouts: rollouts.length,
      weight: manifests.length + WEIGHT_OF_STEP * played,
      first: manifests.reduce((least, manifest) => Math.min(least, places.get(manifest)!), all.length),
    };
  });
}

/** What each rehearsal sees, which the rehearsal itself decides. */
function* scopesOf(
  world: World,
  subjects: readonly Subject[],
  everywhere: ReadonlySet<Manifest>,
): Generator<readonly Manifest[]> {
  const scopes = new Scopes(world);
  // Of one origin are Worlds that differ in a few objects only: the many that they share are looked at once.
  const firsts = new Map<object, World>();
  for (const { route, others } of subjects) {
    const scope = scopes.of(route, others);
    const first = firsts.get(scope.origin);
    if (first === undefined) {
      firsts.set(scope.origin, scope);
      yield scope.manifests;
      continue;
    }
    const onlyFirst = new Set(first.since(scope));
    const common = first.manifests.find((manifest) => !everywhere.has(manifest) && !onlyFirst.has(manifest));
    yield [...(common === undefined ? [] : [common]), ...scope.since(first)];
  }
}

const GATEWAY_ROUTES = ['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute'].map(
  (kind) => `${kind}.gateway.networking.k8s.io`,
);

/** Kinds of which all objects together are read by one proxy. */
const ONE_PROXY: readonly (readonly string[])[] = [
  ['ApisixRoute.apisix.apache.org', 'ApisixUpstream.apisix.apache.org'],
  ['HTTPProxy.projectcontour.io'],
  ['TrafficRoute.kuma.io', 'MeshHTTPRoute.kuma.io'],
  ['traefik.io', 'traefik.containo.us'].flatMap((group) =>
    ['IngressRoute', 'TraefikService', 'Middleware'].map((kind) => `${kind}.${group}`),
  ),
];

/** The objects of each load balancer, by what they say themselves: whether it accepts them is not asked. */
function byLoadBalancer(world: World, routes: readonly RouteSubject[]): (readonly Manifest[])[] {
  const { groups, ungrouped } = loadGroups(world);
  const named = new Map<string, Manifest[]>();
  for (const kind of GATEWAY_ROUTES) {
    for (const manifest of world.list(kind)) {
      for (const parent of listOf(manifest.get('spec.parentRefs'))) {
        const namespace = ownValue(parent, 'namespace') ?? world.namespaceOf(manifest);
        push(named, `gateway ${namespace}/${ownValue(parent, 'name')}`, manifest);
      }
    }
  }
  for (const manifest of world.list('VirtualService.networking.istio.io')) {
    const gateways = listOf(manifest.get('spec.gateways'));
    for (const gateway of gateways.length > 0 ? gateways : ['mesh']) {
      const name = String(gateway);
      const isLocal = name !== 'mesh' && !name.includes('/');
      push(named, `istio ${isLocal ? `${world.namespaceOf(manifest)}/${name}` : name}`, manifest);
    }
  }
  const balancers = groups.map(({ members }) => members.map(({ ingress }) => ingress.manifest));
  // What looks like a load balancer of AWS may be one of Alibaba Cloud, which knows no groups.
  const mayBeAliyun = isAliyun(world) || routes.some((route) => route.ingress?.classType === 'aliyun-alb');
  const isCertain = (manifests: readonly Manifest[]) => !mayBeAliyun || manifests.every((one) => isOfAws(one, world));
  return [
    ...balancers.filter(isCertain),
    // Which of the others' classes one proxy serves is up to its flags.
    [...ungrouped.map(({ manifest }) => manifest), ...balancers.filter((one) => !isCertain(one)).flat()],
    ...ONE_PROXY.map((kinds) => kinds.flatMap((kind) => world.list(kind))),
    ...named.values(),
  ];
}

function isOfAws(ingress: Manifest, world: World): boolean {
  const declared = world.find(INGRESS_CLASS, namedClassOf(ingress) ?? '');
  return declared?.get('spec.controller') === 'ingress.k8s.aws/alb';
}

function listOf(value: unknown): readonly never[] {
  return Array.isArray(value) ? (value as never[]) : [];
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}
