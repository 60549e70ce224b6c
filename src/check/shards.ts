import type { ObjectRef } from '../core/finding';
import { groupedBy } from '../core/grouped';
import type { Manifest } from '../core/manifest';
import { World } from '../core/world';
import { VIRTUAL_ENVIRONMENT } from '../ktenv/controller';
import { type AllReleaseOptions, controllers } from '../rehearsal/controllers';
import { Scopes } from '../rehearsal/scope';
import type { Release, ReleaseController } from '../release';
import { allRouters, nameOfKind, type Router } from '../routers';
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
export interface CutOptions extends AllReleaseOptions {
  /**
   * The rollout controllers.
   * @default - all that this library knows
   */
  readonly controllers?: readonly ReleaseController<AllReleaseOptions>[];
  /**
   * The routers whose objects stay together.
   * @default - all that this library has
   */
  readonly routers?: readonly Router[];
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
  /** Cuts a World into exactly this many parts; some are empty if there is not enough to cut. */
  static of(world: World, count: number, options: CutOptions = {}): WorldCut {
    const { controllers: used = controllers, routers = allRouters() } = options;
    const scopes = new Scopes(world, routers);
    const everywhere = everywhereIn(world, scopes, used);
    const releases = used.flatMap((controller) => controller.releasesOf(world, options));
    const pieces = piecesOf(world, { everywhere, scopes, routers, releases });
    const loads = Array.from({ length: count }, () => ({ manifests: [] as Manifest[], weight: 0, rollouts: 0 }));
    const parts = new Map<Manifest, number>();
    // The largest first, each to the part with the least work: the small ones at the end even the parts out.
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

/** Objects that a rehearsal may need wherever it runs. */
function everywhereIn(
  world: World,
  scopes: Scopes,
  used: readonly ReleaseController<AllReleaseOptions>[],
): ReadonlySet<Manifest> {
  return new Set([
    ...world.inNamespace(''),
    ...scopes.of(undefined).manifests,
    ...used.flatMap((controller) => controller.installed?.(world) ?? []),
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

/** What decides where a World is cut. */
interface Cutting {
  readonly everywhere: ReadonlySet<Manifest>;
  readonly scopes: Scopes;
  readonly routers: readonly Router[];
  readonly releases: readonly Release[];
}

function piecesOf(world: World, { everywhere, scopes, routers, releases }: Cutting): Piece[] {
  const all = world.manifests.filter((manifest) => !everywhere.has(manifest));
  const groups = new Groups<Manifest>();
  const join = (manifests: readonly Manifest[]) => groups.join(manifests.filter((one) => !everywhere.has(one)));

  for (const seen of scopesOf(scopes, releases, everywhere)) join(seen);
  const classTypes = releases.flatMap(({ traffic }) => traffic?.classTypes ?? []);
  for (const manifests of byLoadBalancer(world, classTypes, routers)) join(manifests);
  for (const { namespace = world.defaultNamespace } of world.list(VIRTUAL_ENVIRONMENT)) {
    join(world.inNamespace(namespace));
  }
  // Objects outside of rehearsals are divided by namespace.
  const rest = all.filter((one) => !groups.has(one));
  for (const manifests of groupedBy(rest, (one) => world.namespaceOf(one)).values()) join(manifests);

  const places = new Map(all.map((manifest, place) => [manifest, place]));
  const steps = new Map(releases.map((release) => [release.manifest, release.steps.length]));
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
  scopes: Scopes,
  releases: readonly Release[],
  everywhere: ReadonlySet<Manifest>,
): Generator<readonly Manifest[]> {
  // Worlds of one origin differ in few objects: the objects that they share are read once.
  const firsts = new Map<object, World>();
  for (const { manifest, traffic, needs } of releases) {
    const scope = scopes.of(traffic, [manifest, ...needs]);
    const first = firsts.get(scope.base);
    if (first === undefined) {
      firsts.set(scope.base, scope);
      yield scope.manifests;
      continue;
    }
    const onlyFirst = new Set(first.since(scope));
    const common = first.manifests.find((manifest) => !everywhere.has(manifest) && !onlyFirst.has(manifest));
    yield [...(common === undefined ? [] : [common]), ...scope.since(first)];
  }
}

/** The objects that each load balancer reads together. */
function byLoadBalancer(world: World, classTypes: readonly string[], routers: readonly Router[]) {
  const used = routers.filter((router) => router.isUsed?.(world, { classTypes }) !== false);
  const sets = used.flatMap((router) => router.readTogether?.(world) ?? []);
  const taken = new Set(sets.flat());
  // One proxy reads all objects of the other routers. Which classes of Ingresses it serves is up to its flags.
  const rest = used
    .filter((router) => router.readTogether === undefined)
    .map(({ reads }) => reads.flatMap((kind) => world.list(nameOfKind(kind))).filter((one) => !taken.has(one)));
  return [...sets, ...rest];
}
