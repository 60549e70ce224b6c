import { type ExternalObjects, isExternal } from '../../core/external';
import type { Finding, ObjectRef } from '../../core/finding';
import { compact } from '../../core/json';
import { lazy } from '../../core/lazy';
import { groupKindOf, type Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../api';
import type { ScriptSources } from '../scripts/lookup';
import { type ClusterScripts, scriptSourcesOf } from '../scripts/sources';
import { type RolloutSubject, type RouteSubject, rolloutsOf, trafficRoutingsOf } from '../subject';
import { KruiseRolloutVersion } from '../version';

/** Options of the Rollout checks. */
export interface RolloutCheckOptions extends ExternalObjects {
  /**
   * The release of the controller.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly version?: KruiseRolloutVersion;
  /**
   * The controller's namespace, where it looks for the ConfigMap of scripts.
   * @default 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
  /**
   * The scripts in the ConfigMap of the cluster, where a stack does not bring the ConfigMap itself.
   * @default - none
   */
  readonly scripts?: ClusterScripts;
}

/** The input of every check in this folder. */
export interface RolloutCheck {
  readonly world: World;
  readonly version: KruiseRolloutVersion;
  readonly controllerNamespace: string;
  readonly scripts: ClusterScripts | undefined;
  /** Where the controller finds scripts; read once. */
  readonly scriptSources: () => ScriptSources;
  readonly rollouts: readonly RolloutSubject[];
  /** Routes of Rollouts and of TrafficRoutings. */
  readonly routes: readonly RouteSubject[];
  isExternal(ref: ObjectRef): boolean;
}

/** Checks one concept in all Rollouts. */
export type RolloutChecker = (check: RolloutCheck) => Finding[];

/** Reads the World once for all checks. */
export function rolloutCheck(world: World, options: RolloutCheckOptions = {}): RolloutCheck {
  const { version = KruiseRolloutVersion.LATEST } = options;
  const { controllerNamespace = DEFAULT_CONTROLLER_NAMESPACE, scripts } = options;
  const rollouts = rolloutsOf(world, version);
  return {
    world,
    version,
    controllerNamespace,
    scripts,
    scriptSources: lazy(() => scriptSourcesOf(world, compact({ version, controllerNamespace, scripts }))),
    rollouts,
    routes: [...rollouts.flatMap(({ route }) => route ?? []), ...trafficRoutingsOf(world)],
    isExternal: (ref) => isExternal(options, ref),
  };
}

/** The stable Service of a route. */
export function serviceOf(world: World, route: RouteSubject): Manifest | undefined {
  return world.find('Service', route.service, route.namespace);
}

/** The Ingresses of a route, both cloned (`ingress`) and rewritten (`customNetworkRefs`). */
export function ingressesOf(world: World, route: RouteSubject): Manifest[] {
  const rewritten = route.customNetworkRefs
    .filter(({ ref }) => groupKindOf(ref.kind, ref.apiVersion) === INGRESS)
    .map(({ ref }) => ref.name);
  const names = route.ingress === undefined ? rewritten : [route.ingress.name, ...rewritten];
  return names.flatMap((name) => world.find(INGRESS, name, route.namespace) ?? []);
}

/** Kind and group of an Ingress. */
export const INGRESS = 'Ingress.networking.k8s.io';

/** Kind and group of an HTTPRoute. */
export const HTTP_ROUTE = 'HTTPRoute.gateway.networking.k8s.io';

/** `a, b and c` */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
