import type { Finding } from '../../core/finding';
import { groupKindOf, type Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { type AwsAlbCheck, awsAlbCheck } from '../../routers/aws-alb/checks/context';
import type { AwsLoadBalancerControllerVersion } from '../../routers/aws-alb/version';
import { namedClassOf } from '../../routers/ingress/class';
import { INGRESS, type RolloutCheck, type RolloutCheckOptions, rolloutCheck } from '../rules/context';
import type { RolloutSubject, RouteSubject } from '../subject';
import { CANARY_GROUP_ORDER_ANNOTATION, CANARY_ORDER_ANNOTATION } from './annotations';
import { canaryScriptsOf, type FindCanaryScript } from './canary-script';
import { type AlbProvider, providerOf, providerOfClassType } from './provider';

/** Options of the checks of Ingresses on load balancers. */
export interface AlbCheckOptions extends RolloutCheckOptions {
  /**
   * The release of the AWS Load Balancer Controller.
   * @default AwsLoadBalancerControllerVersion.LATEST
   */
  readonly awsLoadBalancerControllerVersion?: AwsLoadBalancerControllerVersion;
}

/** How the canary gets its rules: from a canary Ingress, or from rules in the stable Ingress. */
export type AlbRouteMode = 'ingress' | 'customNetworkRefs';

/** A route of a Rollout or a TrafficRouting through one Ingress of a load balancer. */
export interface AlbRoute {
  readonly provider: AlbProvider;
  readonly mode: AlbRouteMode;
  readonly route: RouteSubject;
  /** The Rollout with its steps; undefined for a TrafficRouting. */
  readonly rollout?: RolloutSubject;
  /** The stable Ingress; undefined if the World does not have it. */
  readonly ingress?: Manifest;
}

/** The input of every check of this folder. */
export interface AlbCheck {
  readonly world: World;
  readonly options: AlbCheckOptions;
  readonly rollouts: RolloutCheck;
  readonly routes: readonly AlbRoute[];
  /** The Ingresses of AWS as their controller sees them. */
  readonly aws: AwsAlbCheck;
  /** The Ingresses of Alibaba Cloud. */
  readonly aliyun: readonly Manifest[];
  /** The script that makes the canary Ingress of a route. */
  readonly scriptOf: FindCanaryScript;
}

/** A check of one concept. */
export type AlbChecker = (check: AlbCheck) => Finding[];

/** Reads the World once for all checks. */
export function albCheck(world: World, options: AlbCheckOptions = {}): AlbCheck {
  const rollouts = rolloutCheck(world, options);
  const providers = new Map(
    world.list(INGRESS).map((ingress) => [ingress, providerOf(world, ingress, rollouts.routes)] as const),
  );
  const of = (provider: AlbProvider) =>
    [...providers].filter(([, each]) => each === provider).map(([ingress]) => ingress);
  const aliyun = of('aliyun');
  const subjects = new Map(rollouts.rollouts.map((rollout) => [rollout.route, rollout]));
  return {
    world,
    options,
    rollouts,
    routes: rollouts.routes.flatMap((route) => albRoutes(world, route, subjects.get(route), providers)),
    aws: awsAlbCheck(world, {
      notOurs: aliyun,
      installedClasses: ['alb', ...of('aws').flatMap((ingress) => namedClassOf(ingress) ?? [])],
      ...(options.awsLoadBalancerControllerVersion !== undefined && {
        version: options.awsLoadBalancerControllerVersion,
      }),
      ...(options.external !== undefined && { external: options.external }),
    }),
    aliyun,
    scriptOf: canaryScriptsOf(rollouts, [CANARY_ORDER_ANNOTATION, CANARY_GROUP_ORDER_ANNOTATION]),
  };
}

function albRoutes(
  world: World,
  route: RouteSubject,
  rollout: RolloutSubject | undefined,
  providers: ReadonlyMap<Manifest, AlbProvider | undefined>,
): AlbRoute[] {
  const subject = (mode: AlbRouteMode, name: string, otherwise: AlbProvider | undefined): AlbRoute[] => {
    const ingress = world.find(INGRESS, name, route.namespace);
    const provider = ingress === undefined ? otherwise : providers.get(ingress);
    if (provider === undefined) return [];
    return [
      { provider, mode, route, ...(rollout !== undefined && { rollout }), ...(ingress !== undefined && { ingress }) },
    ];
  };
  const rewritten = route.customNetworkRefs.filter(({ ref }) => groupKindOf(ref.kind, ref.apiVersion) === INGRESS);
  return [
    ...(route.ingress === undefined
      ? []
      : subject('ingress', route.ingress.name, providerOfClassType(route.ingress.classType))),
    ...rewritten.flatMap(({ ref }) => subject('customNetworkRefs', ref.name, undefined)),
  ];
}

/** The routes through load balancers of AWS. */
export function awsRoutes({ routes }: AlbCheck): readonly AlbRoute[] {
  return routes.filter(({ provider }) => provider === 'aws');
}
