/** Applies the calls of one reconcile to the objects of every traffic router of a Rollout. */
import type { ObjectRef } from '../../core/finding';
import { asObject, isSet, type JsonObject, partOf, sameJson } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { writtenFrom } from '../../release';
import { type IstioRollout, readIstioRollout } from '../istio-rollout';
import type { ArgoRolloutsVersion } from '../version';
import { type AlbRollout, meshServicesOf, type PingPong, readAlbRollout } from './alb-rollout';
import { type AlbCall, applyCalls } from './apply';
import type { AlbFailure } from './failure';
import {
  type Hashes,
  type VersionServices,
  withHashes,
  withHeaderRoute,
  withMirrorRoute,
  withoutHashes,
  withoutManagedRoutes,
  withWeights,
} from './istio';
import { canaryIngress, canaryIngressName, readNginxRollout } from './nginx';
import type { ArgoWorkload } from './play';

const INGRESS = 'Ingress.networking.k8s.io';
const VIRTUAL_SERVICE = 'VirtualService.networking.istio.io';
const DESTINATION_RULE = 'DestinationRule.networking.istio.io';

/** A World after a reconcile. */
export interface Routed {
  readonly world: World;
  /** What was written, in the controller's order. */
  readonly written: readonly ObjectRef[];
  /** @default - none */
  readonly error?: AlbFailure;
}

/** The state of a release that the routers read. */
export interface RoutedState {
  readonly calls: readonly AlbCall[];
  readonly stablePingPong: PingPong;
  readonly hashes: Hashes;
  readonly version: ArgoRolloutsVersion;
}

/** The routers that a rehearsal plays, in the controller's order. */
const ROUTERS = [routeIstio, routeNginx, routeAlb];

/** The routers of a Rollout that a rehearsal does not play: `smi`. */
export function otherRouters(rollout: JsonObject): string[] {
  const routing = partOf(partOf(partOf(partOf(rollout, 'spec'), 'strategy'), 'canary'), 'trafficRouting');
  const known = ['alb', 'nginx', 'istio', 'managedRoutes', 'maxTrafficWeight'];
  return Object.keys(asObject(routing)).filter((name) => !known.includes(name));
}

/** Whether a Rollout has a canary, and no traffic router that a rehearsal does not play. */
export function isPlayedCanary(rollout: JsonObject): boolean {
  const { canary } = asObject(partOf(partOf(rollout, 'spec'), 'strategy'));
  return isSet(canary) && otherRouters(rollout).length === 0;
}

/** Writes the routes of a Rollout, router by router, up to the first error. */
export function writeRoutes(world: World, workload: ArgoWorkload, state: RoutedState): Routed {
  let result: Routed = { world, written: [] };
  for (const route of ROUTERS) {
    const next = route(result.world, workload, state);
    result = { ...next, written: [...result.written, ...next.written] };
    if (next.error !== undefined) break;
  }
  return result;
}

function routeAlb(world: World, workload: ArgoWorkload, { calls, stablePingPong }: RoutedState): Routed {
  const rollout = readAlbRollout(workload.object, stablePingPong);
  if (rollout === undefined) return { world, written: [] };
  const { namespace } = workload;
  const found = ingressesOf(world, rollout, namespace);
  const { ingresses, error, written } = applyCalls(
    rollout,
    found.map(({ object }) => object),
    calls,
  );
  return {
    world: withIngresses(world, found, ingresses),
    written: written.map((name) => ({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name, namespace })),
    ...(error === undefined ? {} : { error }),
  };
}

function routeNginx(world: World, { object, namespace }: ArgoWorkload, { calls }: RoutedState): Routed {
  const rollout = readNginxRollout(object);
  const weight = calls.find((call) => call.call === 'setWeight')?.weight;
  if (rollout === undefined || weight === undefined) return { world, written: [] };
  let after = world;
  const written: ObjectRef[] = [];
  for (const name of rollout.stableIngresses) {
    const stable = world.find(INGRESS, name, namespace);
    if (stable === undefined) continue;
    const existing = after.find(INGRESS, canaryIngressName(rollout, name), namespace);
    const made = canaryIngress(rollout, placedIn(stable, namespace), weight, existing?.object);
    if (existing !== undefined && sameJson(made, existing.object)) continue;
    const manifest = writtenFrom(existing ?? stable, made);
    after = after.with(manifest);
    written.push(manifest.ref);
  }
  return { world: after, written };
}

/** The canary Ingresses of ingress-nginx, which the controller has made. */
export function canaryIngressesOf(world: World, { object, namespace }: ArgoWorkload): Manifest[] {
  const rollout = readNginxRollout(object);
  if (rollout === undefined) return [];
  return rollout.stableIngresses.flatMap(
    (name) => world.find(INGRESS, canaryIngressName(rollout, name), namespace) ?? [],
  );
}

/** The DestinationRule of a Rollout that is deleted, as the controller leaves it; undefined where it writes none. */
export function freedDestinationRule(world: World, { object, namespace }: ArgoWorkload): Manifest | undefined {
  const rollout = readIstioRollout(object, namespace);
  const rule = rollout && destinationRule(world, rollout, namespace);
  if (rule === undefined) return undefined;
  const free = withoutHashes(rule.object);
  return free === rule.object ? undefined : writtenFrom(rule, free);
}

function routeIstio(
  world: World,
  workload: ArgoWorkload,
  { calls, stablePingPong, hashes, version }: RoutedState,
): Routed {
  const { object, namespace } = workload;
  const read = readIstioRollout(object, namespace, version);
  if (read === undefined) return { world, written: [] };
  const rollout = { ...read, ...meshServicesOf(object, stablePingPong) };
  const result = { world, written: [] as ObjectRef[] };
  const write = (before: Manifest | undefined, object: JsonObject | undefined) => {
    if (before === undefined || object === undefined || sameJson(object, before.object)) return;
    result.world = result.world.with(writtenFrom(before, object));
    result.written.push(before.ref);
  };
  for (const call of calls) {
    const rule = destinationRule(result.world, rollout, namespace);
    // The controller updates the subsets right before the weights.
    if (call.call === 'setWeight') write(rule, rule && withHashes(rule.object, rollout, hashes));
    for (const named of rollout.virtualServices) {
      const found = result.world.find(VIRTUAL_SERVICE, named.name, named.namespace);
      write(found, found && changed(found.object, named, rollout, call, rule?.object));
    }
  }
  return result;
}

function changed(
  object: JsonObject,
  named: IstioRollout['virtualServices'][number],
  rollout: IstioRollout & VersionServices,
  call: AlbCall,
  rule: JsonObject | undefined,
): JsonObject {
  switch (call.call) {
    case 'removeManagedRoutes':
      return withoutManagedRoutes(object, rollout);
    case 'setHeaderRoute':
      return withHeaderRoute(object, named, rollout, asObject(call.route), rule);
    case 'setMirrorRoute':
      return withMirrorRoute(object, named, rollout, asObject(call.route), rule);
    case 'setWeight':
      return withWeights(object, named, rollout, call.weight, call.experiments ?? []);
  }
}

function destinationRule(world: World, { subsets }: IstioRollout, namespace: string): Manifest | undefined {
  return subsets === undefined ? undefined : world.find(DESTINATION_RULE, subsets.name, namespace);
}

/** An Ingress of a Rollout. */
export interface FoundIngress {
  readonly key: string;
  readonly manifest: Manifest;
  /** The object with its namespace, as in the cluster. */
  readonly object: JsonObject;
}

/** The Ingresses of an ALB that a Rollout names, as far as they are in the World. */
export function ingressesOf(
  world: World,
  rollout: AlbRollout,
  namespace: string,
  written: ReadonlyMap<string, Manifest> = new Map(),
): FoundIngress[] {
  return [...new Set(rollout.ingresses)].flatMap((name) => {
    const key = `${namespace}/${name}`;
    const manifest = written.get(key) ?? world.find(INGRESS, name, namespace);
    return manifest === undefined ? [] : [{ key, manifest, object: placedIn(manifest, namespace) }];
  });
}

function placedIn({ object, namespace: own }: Manifest, namespace: string): JsonObject {
  if (own !== undefined) return object;
  return { ...object, metadata: { ...asObject(object.metadata), namespace } };
}

/** The World with Ingresses as they are after a reconcile. */
export function withIngresses(world: World, found: readonly FoundIngress[], after: readonly JsonObject[]): World {
  const written = found.flatMap(({ manifest, object }, index) =>
    after[index] === object ? [] : [writtenFrom(manifest, after[index]!)],
  );
  return written.length === 0 ? world : world.with(...written);
}
