/** The kinds that a release needs, and no others: what is watched, and which rights that takes. */
import { groupKindOf, type Manifest, type World } from '../core';
import { asList, asObject, asText } from '../core/json';
import { groupKindOfRead, READ_KINDS, type ReadKind } from '../doctor';
import { controllers } from '../rehearsal/controllers';
import { routersFor } from '../rehearsal/routers';
import { Scopes } from '../rehearsal/scope';
import { allRouters, kindsOf, nameOfKind, type ObjectKind } from '../routers';
import { systemOf } from './state';

/** A kind, and where its objects are. */
export interface WatchedKindPlace extends ObjectKind {
  /**
   * The only name.
   * @default - all
   */
  readonly name?: string;
  /**
   * The namespace.
   * @default - the kind has none
   */
  readonly namespace?: string;
}

const ROUTE_KINDS: readonly ObjectKind[] = kindsOf(allRouters());
const WORKLOADS = ['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps'];
const WORKLOADS_OF_OPENKRUISE = ['CloneSet', 'StatefulSet', 'DaemonSet'].map((kind) => `${kind}.apps.kruise.io`);

/** What is read before the routers of a release are known: the Rollout and all that can concern it. */
export function possibleKinds(rollout: Manifest, namespace: string, controllerNamespace: string): WatchedKindPlace[] {
  const isKruise = systemOf(rollout)?.controller === 'Kruise Rollouts';
  const names = [
    ...['Service', 'Pod', ...WORKLOADS, ...(isKruise ? WORKLOADS_OF_OPENKRUISE : ['ReplicaSet.apps'])],
    ...(isKruise ? [] : ['AnalysisTemplate', 'AnalysisRun'].map((kind) => `${kind}.argoproj.io`)),
    ...ROUTE_KINDS.map(nameOfKind),
  ];
  return [
    { ...kindNamed(rollout.groupKind)!, namespace, name: rollout.name },
    ...[...new Set(names)].flatMap((name) => placeOf(name, namespace)),
    { ...kindNamed('Namespace')!, name: namespace },
    { ...kindNamed('Deployment.apps')!, namespace: controllerNamespace },
    ...(isKruise ? [{ ...kindNamed('ConfigMap')!, namespace: controllerNamespace }] : []),
  ];
}

/** Gateways of other namespaces that routes name. */
export function foreignPlaces(world: World, namespace: string): WatchedKindPlace[] {
  const named = [
    ...world.list('HTTPRoute.gateway.networking.k8s.io', namespace).flatMap((route) =>
      asList(route.get('spec.parentRefs')).map((ref) => ({
        kind: 'Gateway.gateway.networking.k8s.io',
        namespace: asText(asObject(ref).namespace),
      })),
    ),
    ...world.list('VirtualService.networking.istio.io', namespace).flatMap((service) =>
      asList(service.get('spec.gateways')).map((name) => ({
        kind: 'Gateway.networking.istio.io',
        namespace: asText(name).includes('/') ? asText(name).split('/')[0]! : '',
      })),
    ),
  ];
  const foreign = named.filter((one) => one.namespace !== '' && one.namespace !== namespace);
  const places = foreign.flatMap((one) => placeOf(one.kind, one.namespace));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

/** Selects what a release needs: its own objects, and the kinds of the routers that lead to it. */
export function watchedKinds(world: World, rollout: Manifest, places: readonly WatchedKindPlace[]): WatchedKindPlace[] {
  const namespace = world.namespaceOf(rollout);
  const release = controllers
    .flatMap((controller) => controller.releasesOf(world, {}))
    .find((one) => one.manifest === rollout);
  const own = new Set(['Namespace', 'ConfigMap', 'Service', 'Pod', 'ReplicaSet.apps', rollout.groupKind]);
  for (const ref of [...(release?.traffic?.objects ?? []), ...workloadsOf(rollout)]) {
    own.add(groupKindOf(ref.kind, ref.apiVersion ?? (ref.kind === 'Ingress' ? 'networking.k8s.io/v1' : 'v1')));
  }
  if (JSON.stringify(rollout.object.spec ?? null).includes('templateName')) {
    own.add('AnalysisTemplate.argoproj.io').add('AnalysisRun.argoproj.io');
  }
  if (release?.traffic !== undefined) {
    const routers = allRouters();
    const scope = new Scopes(world, routers).of(release.traffic, release.needs, release.matches);
    for (const router of routersFor(release.traffic, scope, routers)) {
      if (!router.reads.some((kind) => scope.list(nameOfKind(kind)).length > 0)) continue;
      for (const kind of [...router.reads, ...router.shared]) own.add(nameOfKind(kind));
    }
  }
  // The controller's Deployment is in its own namespace.
  const isOwn = (place: WatchedKindPlace) =>
    own.has(groupKindOfRead(place)) || (groupKindOfRead(place) === 'Deployment.apps' && place.namespace !== namespace);
  return places.filter(isOwn);
}

/** Where a Rollout keeps the pod template, if it has none of its own. */
function workloadsOf(rollout: Manifest) {
  const refs = ['spec.workloadRef', 'spec.objectRef.workloadRef'].map((path) => asObject(rollout.get(path)));
  return refs
    .filter(({ kind }) => kind !== undefined)
    .map(({ apiVersion, kind, name }) => ({ apiVersion: asText(apiVersion), kind: asText(kind), name: asText(name) }));
}

function placeOf(name: string, namespace: string): WatchedKindPlace[] {
  const kind = kindNamed(name);
  if (kind === undefined) return [];
  return [kind.clusterScoped ? kind : { ...kind, namespace }];
}

const BY_NAME: ReadonlyMap<string, ObjectKind> = new Map(
  READ_KINDS.map(({ group, kind, plural, clusterScoped, name }: ReadKind) => [
    groupKindOfRead({ group, kind, plural }),
    { group, kind, plural, ...(clusterScoped ? { clusterScoped } : {}), ...(name === undefined ? {} : { name }) },
  ]),
);

function kindNamed(name: string): ObjectKind | undefined {
  return BY_NAME.get(name);
}
