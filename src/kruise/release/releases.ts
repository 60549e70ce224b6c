/** The releases of Kruise Rollouts. */

import type { AbsentObject, Manifest, ObjectRef, World } from '../../core';
import { asObject, compact, numberOf } from '../../core/json';
import {
  autoscalerOf,
  type Delay,
  distinctMatches,
  type Match,
  type Moment,
  notPlayed,
  type Release,
  type ReleaseController,
  type ReleasePlay,
  type ReleaseStep,
  type ReleaseTraffic,
  type Remark,
  type ToldStory,
  waitsForPeople,
} from '../../release';
import { API_GROUP, LUA_CONFIG_MAP_NAME } from '../api';
import {
  playRollout,
  playTrafficRouting,
  type RolloutPlay,
  RolloutScripts,
  type RolloutStory,
  tellRollout,
} from '../controller';
import { controllersOf } from '../install/check/controllers';
import { mergeEffects } from '../merge';
import { readStrategy } from '../routing';
import { type ClusterScripts, scriptSourcesOf } from '../scripts/sources';
import {
  honoursPause,
  type RolloutSubject,
  type RouteSubject,
  rolloutsOf,
  type StepSubject,
  trafficRoutingsOf,
} from '../subject';
import { KruiseRolloutVersion } from '../version';
import { kruiseAdvice } from './advice';
import { momentOf } from './moments';
import { disabledOf, refusalOf, unreleasedOf, unusedOf } from './refusal';
import { stopOf } from './stop';
import { storiesOf } from './stories';

/** What the releases of Kruise Rollouts depend on besides the manifests. */
export interface KruiseReleaseOptions {
  /**
   * The release of Kruise Rollouts.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly kruiseVersion?: KruiseRolloutVersion;
  /**
   * The controller's namespace, where it looks for the ConfigMap of scripts.
   * @default 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
  /**
   * The controller's flag `--partition-percent-limit`.
   * @default 50
   */
  readonly partitionPercentLimit?: number;
  /**
   * The scripts in the ConfigMap of the cluster, where a stack does not bring the ConfigMap itself.
   * @default - none
   */
  readonly scripts?: ClusterScripts;
}

/**
 * The releases of all Rollouts and TrafficRoutings.
 * @example releasesOf(world, { kruiseVersion: KruiseRolloutVersion.V0_6_0 }).map(({ style }) => style)
 */
export function releasesOf(world: World, options: KruiseReleaseOptions = {}): Release[] {
  const { kruiseVersion: version = KruiseRolloutVersion.LATEST, partitionPercentLimit: limit } = options;
  let scripts: RolloutScripts | undefined;
  const getScripts = () => (scripts ??= scriptsOf(world, options));
  return [
    ...rolloutsOf(world, version).map((rollout) =>
      unlessNotPlayed(
        releaseOfRollout(rollout, world, { version, getScripts }),
        refusalOf(rollout.manifest, { version, ...(limit === undefined ? {} : { partitionPercentLimit: limit }) }) ??
          disabledOf(rollout.manifest) ??
          unreleasedOf(rollout, world),
      ),
    ),
    ...trafficRoutingsOf(world).map((route) =>
      unlessNotPlayed(releaseOfTrafficRouting(route, { version, getScripts }), unusedOf(route, world)),
    ),
  ];
}

function unlessNotPlayed(release: Release, reason: Remark | undefined): Release {
  return reason === undefined ? release : notPlayed(release, reason);
}

function scriptsOf(
  world: World,
  { kruiseVersion: version, controllerNamespace, scripts }: KruiseReleaseOptions,
): RolloutScripts {
  return new RolloutScripts(scriptSourcesOf(world, compact({ version, controllerNamespace, scripts })));
}

/** What a release needs to be played. */
export interface PlayOptions {
  readonly version: KruiseRolloutVersion;
  /** Called when the release is played. */
  getScripts(): RolloutScripts;
}

/** The release of one Rollout. */
export function releaseOfRollout(rollout: RolloutSubject, world: World, { version, getScripts }: PlayOptions): Release {
  const { manifest, namespace, style, strategy, workload, route } = rollout;
  const found = workload === undefined ? undefined : world.get({ ...workload.ref, namespace });
  const autoscaler = workload === undefined ? undefined : autoscalerOf(world, workload.ref, namespace);
  const steps = rollout.steps.map((step) => ({
    ...stepOf(step, honoursPause(rollout, step.index)),
    matches: matchesOfStep(step, rollout, version),
  }));
  const path = route?.path ?? strategy.path;
  const play = (scope: World): ReleasePlay => neutralPlay(playRollout(scope, rollout, getScripts()), steps, path);
  return {
    manifest,
    namespace,
    style,
    path: strategy.path,
    steps,
    ...trafficPart(route, version),
    ...(route === undefined ? {} : { grace: graceOf(route) }),
    isDisabled: manifest.get('spec.disabled') === true,
    needs: [found, autoscaler].filter((each) => each !== undefined),
    matches: distinctMatches(steps.flatMap(({ matches }) => matches)),
    changesTargetGroups: true,
    play,
    stories: () => storiesOf(rollout, { workload: found, autoscaler, world }, version),
    tell: (scope, stories) => neutralStories(tellRollout(scope, rollout, getScripts(), stories), steps, path),
  };
}

/** The release of a TrafficRouting, which declares no share because all of its pods have one version. */
export function releaseOfTrafficRouting(route: RouteSubject, { version, getScripts }: PlayOptions): Release {
  const { manifest, namespace } = route;
  const path = ['spec', 'strategy'];
  const steps = [{ path, trafficPath: path }];
  const play = (scope: World): ReleasePlay => {
    const { moments, ...played } = neutralPlay(playTrafficRouting(scope, route, getScripts()), steps, route.path);
    return { ...played, moments: moments.map(({ declared: _declared, ...moment }): Moment => moment) };
  };
  return {
    manifest,
    namespace,
    style: 'traffic-routing',
    path,
    steps,
    ...trafficPart(route, version),
    needs: [],
    matches: [],
    changesTargetGroups: true,
    play,
  };
}

function neutralPlay(
  { moments, revisionLabel, error }: RolloutPlay,
  steps: readonly ReleaseStep[],
  path: ReleaseTraffic['path'],
): ReleasePlay {
  return {
    moments: moments.map(momentOf),
    revisionLabel,
    ...(error === undefined ? {} : { stop: stopOf(error, { world: moments[0]!.world, steps, path }) }),
  };
}

function neutralStories(
  stories: readonly RolloutStory[],
  steps: readonly ReleaseStep[],
  path: ReleaseTraffic['path'],
): ToldStory[] {
  return stories.map(({ name, end, moments, why, error }) => ({
    name,
    end,
    moments: moments.map(momentOf),
    ...(why === undefined ? {} : { why }),
    ...(error === undefined ? {} : { stop: stopOf(error, { world: moments[0]!.world, steps, path }) }),
  }));
}

/** The fields of a step that declare traffic; the first one that is set counts. */
const TRAFFIC_FIELDS = ['matches', 'traffic', 'weight'];

/** After each change of the routes, the controller waits for load balancers to follow. */
function graceOf({ gracePeriodSeconds = 3 }: RouteSubject): Delay {
  return { seconds: gracePeriodSeconds, field: 'gracePeriodSeconds' };
}

function stepOf({ path, object }: StepSubject, hasPause: boolean): ReleaseStep {
  const field = TRAFFIC_FIELDS.find((name) => Object.hasOwn(object, name));
  const duration = hasPause ? numberOf(asObject(object.pause).duration) : undefined;
  return {
    path,
    trafficPath: field === undefined ? path : [...path, field],
    ...(hasPause && waitsForPeople(object.pause) ? { approval: 'approve' as const } : {}),
    ...(duration === undefined ? {} : { lasts: { seconds: duration, field: 'pause.duration' } }),
  };
}

function matchesOfStep(
  { object }: StepSubject,
  { v1alpha1 }: RolloutSubject,
  version: KruiseRolloutVersion,
): readonly Match[] {
  return readStrategy(object, { version, v1alpha1 }).matches ?? [];
}

function trafficPart(
  route: RouteSubject | undefined,
  version: KruiseRolloutVersion,
): Pick<Release, 'traffic' | 'advise'> {
  if (route === undefined) return {};
  return { traffic: trafficOf(route), advise: (situation) => kruiseAdvice(situation, route, version) };
}

function notReachedRemark(route: RouteSubject): Remark {
  const { service, path } = route;
  return {
    rule: 'rehearsal-incomplete',
    message: `no load balancer in these manifests sends requests to Service "${service}", so only the controller was rehearsed`,
    path: [...path, 'service'],
    absent: absentRoutes(route),
  };
}

/** The objects that would lead requests to a Rollout's Service. */
function absentRoutes({ namespace, service, ingress, gateway, customNetworkRefs }: RouteSubject): AbsentObject[] {
  const routes: AbsentObject[] = [
    { kind: 'Service', name: service },
    ...(ingress === undefined ? [] : [{ kind: 'Ingress' }]),
    ...(gateway === undefined ? [] : [{ kind: 'HTTPRoute' }]),
    ...customNetworkRefs.map(({ ref: { apiVersion, kind } }) => ({ apiVersion, kind })),
  ];
  return routes.map((route) => ({ ...route, namespace }));
}

function trafficOf(route: RouteSubject): ReleaseTraffic {
  const { namespace, path, service, canaryService, ingress, customNetworkRefs } = route;
  return {
    namespace,
    path,
    stableService: service,
    canaryService,
    objects: objectsOf(route),
    names: [service, ...customNetworkRefs.map(({ ref }) => ref.name)],
    classTypes: ingress === undefined ? [] : [ingress.classType],
    notReached: notReachedRemark(route),
  };
}

function objectsOf({ ingress, gateway, customNetworkRefs }: RouteSubject): ObjectRef[] {
  const ingressRef = (name: string) => ({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name });
  return [
    ...(ingress === undefined ? [] : [ingressRef(ingress.name), ingressRef(`${ingress.name}-canary`)]),
    ...(gateway === undefined
      ? []
      : [{ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', name: gateway.httpRouteName }]),
    ...customNetworkRefs.map(({ ref }) => ref),
  ];
}

/** Kruise Rollouts, for rehearsals. */
export const kruise = {
  name: 'Kruise Rollouts',
  reads: [
    { group: API_GROUP, kind: 'Rollout', plural: 'rollouts' },
    { group: API_GROUP, kind: 'TrafficRouting', plural: 'trafficroutings' },
  ],
  releasesOf,
  mergeEffects,
  installed: (world: World): readonly Manifest[] => [
    ...world.list('ConfigMap').filter(({ name }) => name === LUA_CONFIG_MAP_NAME),
    ...controllersOf(world).map(({ manifest }) => manifest),
  ],
} satisfies ReleaseController<KruiseReleaseOptions>;
