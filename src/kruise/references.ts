import { type DurationLike, secondsOf } from '../core/duration';
import type { ObjectRef, TrafficRoutingRef } from './api';
import { compact } from './json';

/** Something with a name: an ApiObject, a construct of cdk8s-plus or of this library, or the name itself. */
export type NameReference = string | NamedObject;

/** An object by its name alone. */
export interface NamedObject {
  /** The name of the object. */
  readonly name: string;
}

/** An object of any kind: an ApiObject, a construct of cdk8s-plus or of this library, or its kind and name. */
export type ObjectReference = ObjectRef;

/** Where the traffic of a Service is split. */
export interface TrafficRoutingOptions {
  /** The Service whose traffic is split: the stable one. The controller makes the canary Service of it. */
  readonly service: NameReference;

  /**
   * The Ingress that routes to the Service. The controller clones it for the canary.
   * @default - no Ingress
   */
  readonly ingress?: NameReference | { readonly name: string; readonly classType?: string };

  /**
   * Which script writes the annotations of the cloned Ingress: `nginx`, `higress`, `mse`, `aliyun-alb`, or one of the
   * ConfigMap of scripts. It has nothing to do with the `ingressClassName`.
   * @default - that of `ingress`, or 'nginx'
   */
  readonly classType?: string;

  /**
   * The HTTPRoute that routes to the Service.
   * @default - no HTTPRoute
   */
  readonly gateway?: NameReference | { readonly httpRouteName: string };

  /**
   * Objects that a script of their kind rewrites in place: VirtualServices, ApisixRoutes, an Ingress.
   * @default - none
   */
  readonly customNetworkRefs?: readonly ObjectReference[];

  /**
   * How long the load balancer is given to follow a change, as a duration or in seconds. Load balancers outside of the
   * cluster need 30 seconds and more.
   * @default 3
   */
  readonly gracePeriodSeconds?: number | DurationLike;
}

/** The routing as the API has it. */
export function trafficRoutingRef(options: TrafficRoutingOptions): TrafficRoutingRef {
  const { service, ingress, gateway, customNetworkRefs, gracePeriodSeconds } = options;
  if (ingress === undefined && gateway === undefined && customNetworkRefs === undefined) {
    throw new Error(
      `trafficRouting of the service "${nameOf(service, 'Service', 'service')}" names no route: give ingress, gateway or customNetworkRefs`,
    );
  }
  return compact({
    service: nameOf(service, 'Service', 'service'),
    gracePeriodSeconds: gracePeriodSeconds === undefined ? undefined : secondsOf(gracePeriodSeconds),
    ingress: ingress === undefined ? undefined : ingressOf(ingress, options.classType),
    gateway: gateway === undefined ? undefined : { httpRouteName: httpRouteOf(gateway) },
    customNetworkRefs: customNetworkRefs?.map(objectRefOf),
  }) as TrafficRoutingRef;
}

function ingressOf(ingress: NonNullable<TrafficRoutingOptions['ingress']>, classType: string | undefined) {
  const own = typeof ingress === 'object' && 'classType' in ingress ? ingress.classType : undefined;
  if (own !== undefined && classType !== undefined && own !== classType) {
    throw new Error(`classType is "${classType}" and that of ingress is "${own}": give one of the two`);
  }
  return compact({ name: nameOf(ingress, 'Ingress', 'ingress'), classType: classType ?? own });
}

function httpRouteOf(gateway: NonNullable<TrafficRoutingOptions['gateway']>): string {
  if (typeof gateway === 'object' && 'httpRouteName' in gateway) return gateway.httpRouteName;
  return nameOf(gateway, 'HTTPRoute', 'gateway');
}

/** The name of an object that has to be of a kind. */
export function nameOf(reference: NameReference, kind: string, prop: string): string {
  if (typeof reference === 'string') return reference;
  const given = 'kind' in reference ? reference.kind : undefined;
  if (given !== undefined && given !== kind) {
    throw new Error(`${prop} is the ${String(given)} "${reference.name}": give the ${kind}, or its name`);
  }
  return reference.name;
}

/** Kind and name of an object, without whatever else it carries. */
export function objectRefOf({ apiVersion, kind, name }: ObjectReference): ObjectRef {
  return { apiVersion, kind, name };
}
