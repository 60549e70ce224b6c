/** Rollouts of Argo as a rehearsal sees them. */

import { ARGO_ROLLOUT } from '../../argo/admission/findings';
import { readAlbRollout, readHeaderRoute } from '../../argo/controller';
import type { Manifest, ObjectRef, Path, World } from '../../core';
import { asList, asObject, asText, partOf } from '../../core/json';
import type { HttpRouteMatch } from '../../kruise/api';
import type { RolloutSubject, RouteSubject } from '../../kruise/rules/subject';
import { ALB_PREFIX } from '../../routers/alb-annotations';
import { matchesOf } from './matches';

/** A Rollout of Argo that can be rehearsed, or the reason why it cannot. */
export interface ArgoSubject {
  readonly style: 'argo-canary' | 'argo-blue-green';
  readonly manifest: Manifest;
  readonly namespace: string;
  /** What of it the frame of a rehearsal asks for. */
  readonly rollout: RolloutSubject;
  readonly route: RouteSubject;
  /**
   * The object that `workloadRef` names.
   * @default - the Rollout has its pod template itself
   */
  readonly workload?: ObjectRef;
  /** Ingresses that the controller writes; none in a blue-green release. */
  readonly ingresses: readonly string[];
  /** The Services through which users come in: the action of a canary, the active Service. */
  readonly ownServices: readonly string[];
  /** Different matches of all header routes. */
  readonly matches: readonly HttpRouteMatch[];
  readonly isPingPong: boolean;
  /**
   * `annotationPrefix`, where the load balancer controller does not read it.
   * @default - it does
   */
  readonly otherPrefix?: string;
  /**
   * The traffic router that this library does not play: `nginx`.
   * @default - the Rollout is played
   */
  readonly otherRouter?: string;
}

/** The Rollouts of a World that route traffic; one that only replaces pods has nothing to rehearse. */
export function argoSubjectsOf(world: World): ArgoSubject[] {
  return world.list(ARGO_ROLLOUT).flatMap((manifest) => {
    const strategy = asObject(manifest.get('spec.strategy'));
    const blueGreen = partOf(strategy, 'blueGreen');
    const canary = partOf(strategy, 'canary');
    if (blueGreen !== undefined && canary === undefined) return [blueGreenSubject(manifest, world)];
    return canary === undefined || partOf(canary, 'trafficRouting') === undefined
      ? []
      : [canarySubject(manifest, world)];
  });
}

function canarySubject(manifest: Manifest, world: World): ArgoSubject {
  const path: Path = ['spec', 'strategy', 'canary'];
  const namespace = world.namespaceOf(manifest);
  const canary = asObject(manifest.get(path));
  const routing = asObject(canary.trafficRouting);
  const { pingService, pongService } = asObject(canary.pingPong);
  const steps = asList(canary.steps).map(asObject);
  const alb = readAlbRollout(manifest.object);
  const services = [canary.stableService, canary.canaryService, pingService, pongService].map(asText);
  const routed = Object.keys(routing).filter((key) => key !== 'managedRoutes' && key !== 'maxTrafficWeight');
  const prefix = alb?.annotationPrefix ?? ALB_PREFIX;
  const other = routed.find((name) => name !== 'alb');
  return {
    style: 'argo-canary',
    manifest,
    namespace,
    rollout: rolloutSubject(manifest, namespace, path, steps),
    route: {
      manifest,
      namespace,
      path: [...path, 'trafficRouting'],
      service: alb?.stableService ?? asText(canary.stableService),
      canaryService: alb?.canaryService ?? asText(canary.canaryService),
      makesCanaryService: false,
      customNetworkRefs: [
        ...(alb?.ingresses ?? []).map((name) => ref('networking.k8s.io/v1', 'Ingress', name)),
        ...services.filter((name) => name !== '').map((name) => ref('v1', 'Service', name)),
      ],
    },
    ingresses: alb?.ingresses ?? [],
    ...workloadOf(manifest, namespace),
    ownServices: alb === undefined ? [] : [alb.actionService],
    matches: different(
      steps.flatMap((step) => {
        const route = partOf(step, 'setHeaderRoute');
        return route === undefined ? [] : matchesOf(readHeaderRoute(route));
      }),
    ),
    isPingPong: partOf(canary, 'pingPong') !== undefined,
    ...(prefix === ALB_PREFIX ? {} : { otherPrefix: prefix }),
    ...(alb === undefined && other !== undefined ? { otherRouter: other } : {}),
  };
}

function blueGreenSubject(manifest: Manifest, world: World): ArgoSubject {
  const path: Path = ['spec', 'strategy', 'blueGreen'];
  const namespace = world.namespaceOf(manifest);
  const { activeService, previewService } = asObject(manifest.get(path));
  const active = asText(activeService);
  const preview = asText(previewService) || active;
  return {
    style: 'argo-blue-green',
    manifest,
    namespace,
    rollout: rolloutSubject(manifest, namespace, path, []),
    route: {
      manifest,
      namespace,
      path,
      service: active,
      canaryService: preview,
      makesCanaryService: false,
      customNetworkRefs: [ref('v1', 'Service', preview)],
    },
    ingresses: [],
    ...workloadOf(manifest, namespace),
    ownServices: [active],
    matches: [],
    isPingPong: false,
  };
}

function rolloutSubject(
  manifest: Manifest,
  namespace: string,
  path: Path,
  steps: readonly ReturnType<typeof asObject>[],
): RolloutSubject {
  return {
    manifest,
    namespace,
    v1alpha1: true,
    style: 'canary',
    strategy: { path, object: asObject(manifest.get(path)) },
    steps: steps.map((object, index) => ({
      index,
      object,
      path: [...path, 'steps', index],
      hasMatches: false,
      routes: true,
    })),
  };
}

function workloadOf(manifest: Manifest, namespace: string): Pick<ArgoSubject, 'workload'> {
  const { apiVersion, kind, name } = asObject(manifest.get('spec.workloadRef'));
  if (asText(name) === '') return {};
  return { workload: { apiVersion: asText(apiVersion), kind: asText(kind), name: asText(name), namespace } };
}

function ref(apiVersion: string, kind: string, name: string) {
  return { path: [], ref: { apiVersion, kind, name } };
}

function different(matches: readonly HttpRouteMatch[]): HttpRouteMatch[] {
  return [...new Map(matches.map((match) => [JSON.stringify(match), match])).values()];
}
