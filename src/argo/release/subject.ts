/** Rollouts of Argo, read for their release. */
import type { JsonObject, Manifest, ObjectRef, Path, World } from '../../core';
import { asList, asObject, asText, partOf } from '../../core/json';
import { distinctMatches, type Match, type ReleaseTraffic } from '../../release';
import { ALB_PREFIX } from '../../routers/ingress/alb-annotations';
import { ARGO_ROLLOUT } from '../admission/findings';
import { readAlbRollout, readHeaderRoute, restingPingPongOf } from '../controller';
import { matchesOf } from './matches';

/** A Rollout of Argo that routes traffic. */
export interface ArgoSubject {
  readonly style: 'argo-canary' | 'argo-blue-green';
  readonly manifest: Manifest;
  readonly namespace: string;
  /** The field that holds the strategy. */
  readonly path: Path;
  readonly steps: readonly JsonObject[];
  readonly traffic: ReleaseTraffic;
  /**
   * The object that `workloadRef` names.
   * @default - the Rollout has its own pod template
   */
  readonly workload?: ObjectRef;
  /** The Ingresses that the controller writes; none in a blue-green release. */
  readonly ingresses: readonly string[];
  /** The Services that Ingresses lead users to: the action of a canary, the active Service. */
  readonly ownServices: readonly string[];
  /** The different matches of all header routes. */
  readonly matches: readonly Match[];
  readonly isPingPong: boolean;
  /**
   * The value of `annotationPrefix` where the load balancer controller reads another prefix.
   * @default - the prefix that the load balancer controller reads
   */
  readonly otherPrefix?: string;
  /**
   * The traffic router that this library does not play: `nginx`.
   * @default - the Rollout can be played
   */
  readonly otherRouter?: string;
}

/** The Rollouts of a World that route traffic, read once. */
export function argoSubjectsOf(world: World): readonly ArgoSubject[] {
  return world.memo(readSubjects);
}

function readSubjects(world: World): readonly ArgoSubject[] {
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
  const alb = readAlbRollout(manifest.object, restingPingPongOf(manifest.object));
  const services = [canary.stableService, canary.canaryService, pingService, pongService].map(asText);
  const routed = Object.keys(routing).filter((key) => key !== 'managedRoutes' && key !== 'maxTrafficWeight');
  const prefix = alb?.annotationPrefix ?? ALB_PREFIX;
  const other = routed.find((name) => name !== 'alb');
  const stableService = alb?.stableService ?? asText(canary.stableService);
  const ownServices = alb === undefined ? [] : [alb.actionService];
  return {
    style: 'argo-canary',
    manifest,
    namespace,
    path,
    steps,
    traffic: trafficOf({
      namespace,
      path: [...path, 'trafficRouting'],
      stableService,
      canaryService: alb?.canaryService ?? asText(canary.canaryService),
      objects: [
        ...(alb?.ingresses ?? []).map((name) => ref('networking.k8s.io/v1', 'Ingress', name)),
        ...services.filter((name) => name !== '').map((name) => ref('v1', 'Service', name)),
      ],
      entryServices: ownServices,
    }),
    ingresses: alb?.ingresses ?? [],
    ...workloadOf(manifest, namespace),
    ownServices,
    matches: distinctMatches(
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
    path,
    steps: [],
    traffic: trafficOf({
      namespace,
      path,
      stableService: active,
      canaryService: preview,
      objects: [ref('v1', 'Service', preview)],
      entryServices: [active],
    }),
    ingresses: [],
    ...workloadOf(manifest, namespace),
    ownServices: [active],
    matches: [],
    isPingPong: false,
  };
}

/** Argo releases through other load balancers are not played. */
function trafficOf(traffic: Omit<ReleaseTraffic, 'names' | 'routers' | 'notReached'>): ReleaseTraffic {
  const { namespace, stableService, objects, path, entryServices = [] } = traffic;
  const names = entryServices.map((name) => `"${name}"`).join(', ');
  return {
    ...traffic,
    names: [stableService, ...objects.map(({ name }) => name)],
    routers: ['aws-alb'],
    notReached: {
      rule: 'rehearsal-incomplete',
      message: `no load balancer of AWS in these manifests sends requests to ${names}, so only the controller was rehearsed`,
      path,
      absent: ['Service', 'Ingress'].map((kind) => ({ kind, namespace })),
    },
  };
}

function workloadOf(manifest: Manifest, namespace: string): Pick<ArgoSubject, 'workload'> {
  const { apiVersion, kind, name } = asObject(manifest.get('spec.workloadRef'));
  if (asText(name) === '') return {};
  return { workload: { apiVersion: asText(apiVersion), kind: asText(kind), name: asText(name), namespace } };
}

function ref(apiVersion: string, kind: string, name: string) {
  return { apiVersion, kind, name };
}
