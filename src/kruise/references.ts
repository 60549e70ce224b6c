import { type DurationLike, secondsOf } from '../core/duration';
import { compact } from '../core/json';
import type { ObjectRef, TrafficRoutingRef } from './api';

/** A reference by name: an ApiObject, a construct of cdk8s-plus or of this library, or the name itself. */
export type NameReference = string | NamedObject;

/** An object by its name alone. */
export interface NamedObject {
  /** The name of the object. */
  readonly name: string;
}

/** A reference to an object of any kind: an ApiObject, a construct of cdk8s-plus or of this library, or its kind and name. */
export type ObjectReference = ObjectRef;

/** How to split the traffic of a Service. */
export interface TrafficRoutingOptions {
  /** The stable Service. The controller copies it as the canary Service. */
  readonly service: NameReference;

  /**
   * The Ingress that routes to the Service. The controller clones it for the canary.
   * @default - no Ingress
   */
  readonly ingress?: NameReference | { readonly name: string; readonly classType?: string };

  /**
   * The script that writes the annotations of the cloned Ingress: `nginx`, `higress`, `mse`, `aliyun-alb`, or one in the
   * ConfigMap of scripts. It is independent of `ingressClassName`.
   * @default - the class type of `ingress`, or 'nginx'
   */
  readonly classType?: string;

  /**
   * The HTTPRoute that routes to the Service.
   * @default - no HTTPRoute
   */
  readonly gateway?: NameReference | { readonly httpRouteName: string };

  /**
   * Objects that the script for their kind rewrites in place: VirtualServices, ApisixRoutes, an Ingress.
   * @default - none
   */
  readonly customNetworkRefs?: readonly ObjectReference[];

  /**
   * How long the controller waits for the load balancer to apply a change, as a duration or in seconds. Load balancers
   * outside the cluster need 30 seconds or more.
   * @default 3
   */
  readonly gracePeriodSeconds?: number | DurationLike;
}

/** The routing in the API's format. */
export function trafficRoutingRef(options: TrafficRoutingOptions): TrafficRoutingRef {
  const { service, ingress, gateway, customNetworkRefs, gracePeriodSeconds } = options;
  if (ingress === undefined && gateway === undefined && customNetworkRefs === undefined) {
    throw new Error(
      `trafficRouting of the service "${nameOf(service, 'Service', 'service')}" has no route: set ingress, gateway or customNetworkRefs`,
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
    throw new Error(`classType is "${classType}", but the classType of ingress is "${own}": set only one of them`);
  }
  return compact({ name: nameOf(ingress, 'Ingress', 'ingress'), classType: classType ?? own });
}

function httpRouteOf(gateway: NonNullable<TrafficRoutingOptions['gateway']>): string {
  if (typeof gateway === 'object' && 'httpRouteName' in gateway) return gateway.httpRouteName;
  return nameOf(gateway, 'HTTPRoute', 'gateway');
}

/** The name of a reference. Throws if the object is of another kind. */
export function nameOf(reference: NameReference, kind: string, prop: string): string {
  if (typeof reference === 'string') return reference;
  const given = 'kind' in reference ? reference.kind : undefined;
  if (given !== undefined && given !== kind) {
    throw new Error(`${prop} is the ${String(given)} "${reference.name}": pass the ${kind}, or its name`);
  }
  return reference.name;
}

/** Kind and name of an object, without its other properties. */
export function objectRefOf({ apiVersion, kind, name }: ObjectReference): ObjectRef {
  return { apiVersion, kind, name };
}
