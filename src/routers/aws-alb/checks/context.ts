import type { ExternalObjects } from '../../../core/external';
import type { Finding } from '../../../core/finding';
import type { Manifest } from '../../../core/manifest';
import type { World } from '../../../core/world';
import { annotationKey, USE_ANNOTATION } from '../../ingress/alb-annotations';
import { type Annotations, type Backend, type Ingress, type IngressPath, readIngress } from '../../ingress/ingress';
import { type ClassOptions, classify, type Member } from '../class';
import { BuildFailure } from '../failure';
import { type LoadedGroup, loadGroups } from '../group';
import { listenPortsOf, sslRedirectPortOf } from '../listeners';
import { AwsLoadBalancerControllerVersion } from '../version';

/** Options of the checks of Ingresses on AWS load balancers. */
export interface AwsAlbCheckOptions extends ClassOptions, ExternalObjects {
  /**
   * The release of the AWS Load Balancer Controller.
   * @default AwsLoadBalancerControllerVersion.LATEST
   */
  readonly version?: AwsLoadBalancerControllerVersion;
  /**
   * The quota of rules of one load balancer, over all its listeners. AWS raises it on request.
   * @default 100
   */
  readonly maxRules?: number;
  /**
   * The quota of target groups of one load balancer.
   * @default 100
   */
  readonly maxTargetGroups?: number;
  /**
   * Ingresses that another controller serves in spite of their class: another cloud also has a class `alb`.
   * @default - none
   */
  readonly notOurs?: readonly Manifest[];
}

/** The input of every check in this folder. */
export interface AwsAlbCheck {
  /** Without the Ingresses of other controllers. */
  readonly world: World;
  readonly options: AwsAlbCheckOptions;
  readonly version: AwsLoadBalancerControllerVersion;
  readonly groups: readonly LoadedGroup[];
  /** The Ingresses of the controller's class, including those in no group. */
  readonly members: readonly Member[];
  /** The members that get rules. */
  readonly ruled: readonly Member[];
  /** Whether an Ingress is among them. */
  readonly isRuled: (ingress: Pick<Ingress, 'key'>) => boolean;
  /** The members without rules, because their group redirects all of their ports to HTTPS. */
  readonly redirected: readonly Member[];
}

/** A check of one concept in all Ingresses. */
export type AwsAlbChecker = (check: AwsAlbCheck) => Finding[];

/** Reads the World once for all checks. */
export function awsAlbCheck(wholeWorld: World, options: AwsAlbCheckOptions): AwsAlbCheck {
  const world = wholeWorld.without(...(options.notOurs ?? []));
  const { groups, ungrouped } = loadGroups(world, options);
  const lost = ungrouped.flatMap((ingress) => classify(world, readIngress(world, ingress.manifest), options) ?? []);
  const members = [...groups.flatMap((group) => group.members), ...lost].filter(({ ingress }) => !ingress.deleted);
  const redirected = new Set(groups.flatMap(redirectedIn));
  const ruled = members.filter((member) => !redirected.has(member));
  const ruledKeys = new Set(ruled.map(({ ingress }) => ingress.key));
  return {
    world,
    options,
    version: options.version ?? AwsLoadBalancerControllerVersion.LATEST,
    groups,
    members,
    ruled,
    isRuled: ({ key }) => ruledKeys.has(key),
    redirected: [...redirected],
  };
}

function redirectedIn({ members }: LoadedGroup): Member[] {
  try {
    const ports = listenPortsOf(members);
    if (sslRedirectPortOf(members, ports) === undefined) return [];
    const secure = ports.filter(({ protocol }) => protocol === 'HTTPS').flatMap((port) => port.members);
    return members.filter((member) => !secure.includes(member));
  } catch (error) {
    // Another rule reports invalid ports.
    if (error instanceof BuildFailure) return [];
    throw error;
  }
}

/** All backends of an Ingress; the default backend has no path. */
export function backendsOf({ ingress }: Member): readonly { readonly backend: Backend; readonly path?: IngressPath }[] {
  const ofPaths = ingress.rules.flatMap(({ paths }) => paths.map((path) => ({ backend: path.backend, path })));
  return ingress.defaultBackend === undefined ? ofPaths : [...ofPaths, { backend: ingress.defaultBackend }];
}

/** The distinct names of backends with an action in an annotation. */
export function annotatedNames(member: Member): string[] {
  const services = backendsOf(member).flatMap(({ backend: { service } }) => service ?? []);
  return [...new Set(services.filter(({ port }) => port === USE_ANNOTATION).map(({ name }) => name))];
}

/** The distinct names of all backends. */
export function backendNames(member: Member): Set<string> {
  return new Set(backendsOf(member).flatMap(({ backend: { service } }) => service?.name ?? []));
}

/** The part of annotation keys after `actions.`, `conditions.` or `transforms.`. */
export function namesAfter(annotations: Annotations, prefix: string): string[] {
  const start = annotationKey(`${prefix}.`);
  return Object.keys(annotations)
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length));
}
