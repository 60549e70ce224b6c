import type { ObjectRef } from '../core/finding';
import { asList, asObject, compact, isJsonObject, type JsonObject, textOf } from '../core/json';
import type { Manifest } from '../core/manifest';
import type { Path } from '../core/path';
import type { World } from '../core/world';
import { API_GROUP, ROLLING_STYLE_ANNOTATION } from './api';
import { canaryServiceName } from './routing';
import type { KruiseRolloutVersion } from './version';

/** How a Rollout replaces pods. */
export type RollingStyle = 'canary' | 'partition' | 'blueGreen';

/** A value of a manifest with its path. */
export interface Placed {
  readonly path: Path;
}

/** One step, with its valid fields. */
export interface StepSubject extends Placed {
  /** Counted from 0, as in `steps[0]`. */
  readonly index: number;
  readonly object: JsonObject;
  /** The traffic in percent, if the step has a whole percentage. */
  readonly percent?: number;
  readonly hasMatches: boolean;
  /** Whether the step routes by percentage or by matches; otherwise the controller removes routing. */
  readonly routes: boolean;
  readonly replicas?: number | string;
}

/** A reference to an object, for example in `customNetworkRefs`. */
export interface RefSubject extends Placed {
  readonly ref: ObjectRef & { readonly apiVersion: string };
}

/** The traffic split of a Service: `trafficRoutings[0]` of a Rollout, `objectRef[0]` of a TrafficRouting. */
export interface RouteSubject extends Placed {
  readonly manifest: Manifest;
  readonly namespace: string;
  readonly service: string;
  /** The Service for the canary's traffic; equal to `service` if the controller creates no canary Service. */
  readonly canaryService: string;
  readonly makesCanaryService: boolean;
  readonly gracePeriodSeconds?: number;
  readonly ingress?: Placed & { readonly name: string; readonly classType: string };
  readonly gateway?: Placed & { readonly httpRouteName: string };
  readonly customNetworkRefs: readonly RefSubject[];
}

/** A Rollout of either API version. Fields of a wrong type are absent; the schema check reports them. */
export interface RolloutSubject {
  readonly manifest: Manifest;
  readonly namespace: string;
  readonly v1alpha1: boolean;
  readonly style: RollingStyle;
  /** `spec.strategy.canary` or `spec.strategy.blueGreen` */
  readonly strategy: Placed & { readonly object: JsonObject };
  readonly workload?: RefSubject;
  readonly steps: readonly StepSubject[];
  readonly route?: RouteSubject;
}

/** Whether the controller honours the pause of a step. Not on a last one of "100%"; a number of pods does not count as that. */
export function honoursPause({ steps, style }: Pick<RolloutSubject, 'steps' | 'style'>, index: number): boolean {
  return index < steps.length - 1 || style === 'blueGreen' || steps[index]?.object.replicas !== '100%';
}

/** Kind and group of a Rollout, in kubectl's notation. */
export const ROLLOUT = `Rollout.${API_GROUP}`;

/** Kind and group of a TrafficRouting. */
export const TRAFFIC_ROUTING = `TrafficRouting.${API_GROUP}`;

/** The Rollouts of a World, read once. */
export function rolloutsOf(world: World, version: KruiseRolloutVersion): readonly RolloutSubject[] {
  return world.memo(readRollouts, version);
}

function readRollouts(world: World, version: KruiseRolloutVersion): readonly RolloutSubject[] {
  return world.list(ROLLOUT).map((manifest) => readRollout(manifest, world.namespaceOf(manifest), version));
}

/** The routes of the TrafficRoutings of a World, read once. */
export function trafficRoutingsOf(world: World): readonly RouteSubject[] {
  return world.memo(readTrafficRoutings);
}

function readTrafficRoutings(world: World): readonly RouteSubject[] {
  return world.list(TRAFFIC_ROUTING).flatMap((manifest) => {
    const object = asList(manifest.get('spec.objectRef'))[0];
    if (!isJsonObject(object)) return [];
    return [readRoute(object, ['spec', 'objectRef', 0], manifest, world.namespaceOf(manifest), true)];
  });
}

/** Reads one Rollout. */
export function readRollout(manifest: Manifest, namespace: string, version: KruiseRolloutVersion): RolloutSubject {
  const v1alpha1 = manifest.version === 'v1alpha1';
  const workload = readWorkload(manifest, v1alpha1);
  const blueGreen = manifest.get('spec.strategy.blueGreen');
  const canary = manifest.get('spec.strategy.canary');
  const isBlueGreen = !v1alpha1 && version.facts.blueGreen && isJsonObject(blueGreen) && !isJsonObject(canary);
  const path: Path = ['spec', 'strategy', isBlueGreen ? 'blueGreen' : 'canary'];
  const object = asObject(isBlueGreen ? blueGreen : canary);
  const route = asList(object.trafficRoutings)[0];
  // The conversion from v1alpha1 drops the field, and releases before 0.6 do not have it.
  const sameService =
    !v1alpha1 && version.facts.disableGenerateCanaryService && object.disableGenerateCanaryService === true;
  return compact({
    manifest,
    namespace,
    v1alpha1,
    style: isBlueGreen
      ? 'blueGreen'
      : canaryOrPartition(manifest, object, { v1alpha1, workload: workload?.ref, version }),
    strategy: { path, object },
    workload,
    steps: asList(object.steps).map((step, index) => readStep(asObject(step), index, [...path, 'steps', index])),
    route: isJsonObject(route)
      ? readRoute(route, [...path, 'trafficRoutings', 0], manifest, namespace, sameService)
      : undefined,
  } as const);
}

function readWorkload(manifest: Manifest, v1alpha1: boolean): RefSubject | undefined {
  const path: Path = v1alpha1 ? ['spec', 'objectRef', 'workloadRef'] : ['spec', 'workloadRef'];
  const object = manifest.get(path);
  return isJsonObject(object) ? { path, ref: readRef(object) } : undefined;
}

function readRef(object: JsonObject): RefSubject['ref'] {
  const { apiVersion, kind, name } = object;
  return { apiVersion: textOf(apiVersion) ?? '', kind: textOf(kind) ?? '', name: textOf(name) ?? '' };
}

// Only native Deployments support canary style; other workloads get partition style.
function canaryOrPartition(
  manifest: Manifest,
  strategy: JsonObject,
  {
    v1alpha1,
    workload,
    version: { facts },
  }: { v1alpha1: boolean; workload: RefSubject['ref'] | undefined; version: KruiseRolloutVersion },
): RollingStyle {
  const isDeployment = workload?.apiVersion === 'apps/v1' && workload.kind === 'Deployment';
  const style = manifest.annotations[ROLLING_STYLE_ANNOTATION] ?? '';
  const isPartition = facts.readsStyleByCase ? style === 'Partition' : style.toLowerCase() === 'partition';
  const wantsCanary = v1alpha1 ? !isPartition : strategy.enableExtraWorkloadForCanary === true;
  return isDeployment && wantsCanary ? 'canary' : 'partition';
}

function readStep(object: JsonObject, index: number, path: Path): StepSubject {
  const hasMatches = asList(object.matches).length > 0;
  const percent = percentOf(object.traffic) ?? (Number.isInteger(object.weight) ? Number(object.weight) : undefined);
  const replicas = object.replicas;
  return compact({
    index,
    object,
    path,
    percent,
    hasMatches,
    routes: hasMatches || object.traffic !== undefined || object.weight !== undefined,
    replicas: typeof replicas === 'number' || typeof replicas === 'string' ? replicas : undefined,
  });
}

function readRoute(
  object: JsonObject,
  path: Path,
  manifest: Manifest,
  namespace: string,
  sameService: boolean,
): RouteSubject {
  const service = textOf(object.service) ?? '';
  const { ingress, gateway, gracePeriodSeconds } = object;
  return compact({
    manifest,
    namespace,
    path,
    service,
    canaryService: canaryServiceName(service, sameService),
    makesCanaryService: !sameService,
    gracePeriodSeconds: typeof gracePeriodSeconds === 'number' ? gracePeriodSeconds : undefined,
    ingress: isJsonObject(ingress)
      ? {
          path: [...path, 'ingress'],
          name: textOf(ingress.name) ?? '',
          classType: textOf(ingress.classType) ?? '',
        }
      : undefined,
    gateway: isJsonObject(gateway)
      ? { path: [...path, 'gateway'], httpRouteName: textOf(gateway.httpRouteName) ?? '' }
      : undefined,
    customNetworkRefs: asList(object.customNetworkRefs).map((ref, index) => ({
      path: [...path, 'customNetworkRefs', index],
      ref: readRef(asObject(ref)),
    })),
  });
}

/** A whole percentage as a number: `"20%"` is 20. */
export function percentOf(value: unknown): number | undefined {
  const percent = /^\+?(\d{1,9})%$/.exec(textOf(value) ?? '')?.[1];
  return percent === undefined ? undefined : Number(percent);
}
