/** Rollouts of Argo, read for their release. */
import type { JsonObject, Manifest, ObjectRef, Path, World } from '../../core';
import { asList, asObject, asText, partOf, stringMapOf } from '../../core/json';
import { distinctMatches, type Match, type ReleaseTraffic, selectorOf } from '../../release';
import { ALB_PREFIX } from '../../routers/ingress/alb-annotations';
import { ARGO_ROLLOUT } from '../admission/findings';
import {
  type AlbRollout,
  argoWorkloadOf,
  canaryIngressName,
  canaryServicesOf,
  otherRouters,
  readAlbRollout,
  readHeaderRoute,
  readNginxRollout,
  restingPingPongOf,
} from '../controller';
import { possibleVirtualServices, readIstioRollout } from '../istio-rollout';
import { matchesOf } from './matches';

/** A Rollout of Argo with its steps, whatever leads to its pods. */
export interface ArgoRollout {
  readonly style: 'argo-canary' | 'argo-blue-green';
  readonly manifest: Manifest;
  readonly namespace: string;
  readonly steps: readonly JsonObject[];
}

/** A Rollout of Argo that users meet through Services. */
export interface ArgoSubject extends ArgoRollout {
  /** The field that holds the strategy. */
  readonly path: Path;
  readonly traffic: ReleaseTraffic;
  /**
   * The object that `workloadRef` names.
   * @default - the Rollout has its own pod template
   */
  readonly workload?: ObjectRef;
  /** The Ingresses of an ALB that the controller writes; none in a blue-green release. */
  readonly ingresses: readonly string[];
  /** Everything that leads users to the release and that the controller writes, as `Ingress/web`. */
  readonly routed: readonly string[];
  /** Services that the controller does not write and that select the pods of both versions. */
  readonly sharedServices: readonly string[];
  /** Whether the controller splits traffic; without, the pods of each version are counted. */
  readonly hasRouting: boolean;
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
   * The traffic router that this library does not play: `smi`.
   * @default - the Rollout can be played
   */
  readonly otherRouter?: string;
}

/** The Rollouts of a World that users meet through Services, read once. */
export function argoSubjectsOf(world: World): readonly ArgoSubject[] {
  return world.memo(readSubjects);
}

/** A Rollout, also without a Service or without a strategy. */
export function argoRolloutOf(manifest: Manifest, world: World): ArgoRollout {
  const strategy = asObject(manifest.get('spec.strategy'));
  const canary = partOf(strategy, 'canary');
  const isBlueGreen = canary === undefined && partOf(strategy, 'blueGreen') !== undefined;
  return {
    style: isBlueGreen ? 'argo-blue-green' : 'argo-canary',
    manifest,
    namespace: world.namespaceOf(manifest),
    steps: asList(canary?.steps).map(asObject),
  };
}

function readSubjects(world: World): readonly ArgoSubject[] {
  return world.list(ARGO_ROLLOUT).flatMap((manifest) => {
    const strategy = asObject(manifest.get('spec.strategy'));
    const blueGreen = partOf(strategy, 'blueGreen');
    const canary = partOf(strategy, 'canary');
    if (blueGreen !== undefined && canary === undefined) return [blueGreenSubject(manifest, world)];
    return canary === undefined ? [] : canarySubject(manifest, world);
  });
}

function canarySubject(manifest: Manifest, world: World): ArgoSubject[] {
  const path: Path = ['spec', 'strategy', 'canary'];
  const namespace = world.namespaceOf(manifest);
  const canary = asObject(manifest.get(path));
  const hasRouting = partOf(canary, 'trafficRouting') !== undefined;
  const steps = asList(canary.steps).map(asObject);
  const routes = routesOf(manifest.object, namespace, world);
  const services = canaryServicesOf(manifest.object, restingPingPongOf(manifest.object));
  const named = servicesIn(canary);
  const shared = hasRouting ? [] : sharedServices(manifest, world, named);
  // Without a Service nobody sends requests to the pods.
  if (!hasRouting && named.length + shared.length === 0) return [];
  const [entry = ''] = shared;
  const { stableService, canaryService } =
    hasRouting || named.length > 0 ? services : { stableService: '', canaryService: '' };
  const prefix = routes.alb?.annotationPrefix ?? ALB_PREFIX;
  const [otherRouter] = otherRouters(manifest.object);
  const ownServices = routes.alb === undefined ? [] : [routes.alb.actionService];
  const subsetHosts = routes.hosts.filter((host) => !named.includes(host));
  return [
    {
      style: 'argo-canary',
      manifest,
      namespace,
      path,
      steps,
      traffic: trafficOf(
        {
          namespace,
          path: hasRouting ? [...path, 'trafficRouting'] : path,
          stableService: stableService || entry || subsetHosts[0] || canaryService,
          canaryService: canaryService || entry || subsetHosts[0] || stableService,
          objects: [
            ...routes.objects,
            ...[...named, ...shared, ...subsetHosts].map((name) => ref('v1', 'Service', name)),
          ],
          entryServices: ownServices,
        },
        routes.routers,
      ),
      ingresses: routes.alb?.ingresses ?? [],
      routed: routes.objects.map(({ kind, name }) => `${kind}/${name}`),
      sharedServices: [...shared, ...subsetHosts],
      hasRouting,
      ...workloadOf(manifest, namespace),
      ownServices,
      matches: distinctMatches(
        steps.flatMap((step) => {
          const route = partOf(step, 'setHeaderRoute');
          return route === undefined ? [] : matchesOf(readHeaderRoute(route, manifest.object));
        }),
      ),
      isPingPong: partOf(canary, 'pingPong') !== undefined,
      ...(prefix === ALB_PREFIX ? {} : { otherPrefix: prefix }),
      ...(otherRouter === undefined ? {} : { otherRouter }),
    },
  ];
}

function servicesIn(canary: JsonObject): string[] {
  const { pingService, pongService } = asObject(canary.pingPong);
  return [canary.stableService, canary.canaryService, pingService, pongService]
    .map(asText)
    .filter((name) => name !== '');
}

/** The Services that select the pods of both versions: users meet the versions as their pods are counted. */
function sharedServices(manifest: Manifest, world: World, named: readonly string[]): string[] {
  const namespace = world.namespaceOf(manifest);
  const { template } = asObject(argoWorkloadOf(world, manifest).object.spec);
  const labels = stringMapOf(partOf(asObject(template), 'metadata')?.labels);
  return world.list('Service', namespace).flatMap(({ name, object }) => {
    const selector = Object.entries(selectorOf(object));
    const isOwn = selector.length > 0 && selector.every(([key, value]) => labels.get(key) === value);
    return isOwn && !named.includes(name) ? [name] : [];
  });
}

interface Routes {
  readonly alb?: AlbRollout;
  /** The load balancers that serve the objects. */
  readonly routers: readonly string[];
  /** The objects that the controller writes. */
  readonly objects: readonly ObjectRef[];
  /** Services whose subsets are the versions. */
  readonly hosts: readonly string[];
}

function routesOf(rollout: JsonObject, namespace: string, world: World): Routes {
  const alb = readAlbRollout(rollout, restingPingPongOf(rollout));
  const nginx = readNginxRollout(rollout);
  const istio = readIstioRollout(rollout, namespace);
  const ingress = (name: string) => ref('networking.k8s.io/v1', 'Ingress', name);
  return {
    ...(alb === undefined ? {} : { alb }),
    routers: [...(alb ? ['aws-alb'] : []), ...(nginx ? ['nginx'] : []), ...(istio ? ['istio'] : [])],
    objects: [
      ...(alb?.ingresses ?? []).map(ingress),
      ...(nginx?.stableIngresses ?? []).flatMap((name) => [ingress(name), ingress(canaryIngressName(nginx!, name))]),
      ...virtualServicesOf(rollout, namespace, world).map((name) =>
        ref('networking.istio.io/v1', 'VirtualService', name),
      ),
      ...(istio?.subsets ? [ref('networking.istio.io/v1', 'DestinationRule', istio.subsets.name)] : []),
    ],
    hosts: istio?.subsets === undefined ? [] : hostsOf(world, istio.subsets.name, namespace),
  };
}

/** The VirtualServices that exist, or else the first that the Rollout can mean. */
function virtualServicesOf(rollout: JsonObject, namespace: string, world: World): string[] {
  const possible = possibleVirtualServices(rollout, namespace);
  const there = possible.filter((one) => world.find('VirtualService.networking.istio.io', one.name, one.namespace));
  return (there.length > 0 ? there : possible).map(({ name }) => name);
}

/** The Service of a DestinationRule. */
function hostsOf(world: World, rule: string, namespace: string): string[] {
  const host = asText(world.find('DestinationRule.networking.istio.io', rule, namespace)?.get('spec.host'));
  return host === '' ? [] : [host.split('.')[0]!];
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
    traffic: trafficOf(
      {
        namespace,
        path,
        stableService: active,
        canaryService: preview,
        objects: [ref('v1', 'Service', preview)],
        entryServices: [active],
      },
      ['aws-alb'],
    ),
    ingresses: [],
    routed: [],
    sharedServices: [],
    hasRouting: true,
    ...workloadOf(manifest, namespace),
    ownServices: [active],
    matches: [],
    isPingPong: false,
  };
}

const ROUTER_NAMES: Readonly<Record<string, string>> = {
  'aws-alb': 'load balancer of AWS',
  nginx: 'ingress-nginx',
  istio: 'gateway or mesh of Istio',
};

/** Argo writes the objects of one kind of load balancer; pods that are counted are met through any. */
function trafficOf(
  traffic: Omit<ReleaseTraffic, 'names' | 'routers' | 'notReached'>,
  routers: readonly string[],
): ReleaseTraffic {
  const { namespace, stableService, objects, path, entryServices = [] } = traffic;
  const entries = entryServices.length > 0 ? entryServices : [stableService];
  const names = entries.map((name) => `"${name}"`).join(', ');
  const what = routers.map((router) => ROUTER_NAMES[router]).join(' or ') || 'load balancer';
  return {
    ...traffic,
    names: [stableService, ...objects.map(({ name }) => name)],
    ...(routers.length === 0 ? {} : { routers }),
    notReached: {
      rule: 'rehearsal-incomplete',
      message: `no ${what} in these manifests sends requests to ${names}, so only the controller was rehearsed`,
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
