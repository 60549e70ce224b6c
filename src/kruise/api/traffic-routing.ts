import type { Int32, Int64, ObjectMeta, ObjectRef } from './common';
import type { API_GROUP } from './names';

/**
 * Name of a header or of a query parameter.
 *
 * @minLength 1
 * @maxLength 256
 * @pattern ^[A-Za-z0-9!#$%&'*+\-.^_\x60|~]+$
 */
export type HttpHeaderName = string;

/** A header of the request. */
export interface HttpHeaderMatch {
  /**
   * How the value is compared.
   * @default 'Exact'
   */
  readonly type?: 'Exact' | 'RegularExpression';
  /** Name of the header. */
  readonly name: HttpHeaderName;
  /**
   * What the header must hold. Which dialect of regular expressions counts depends on the load balancer.
   * @minLength 1
   * @maxLength 4096
   */
  readonly value: string;
}

/** A parameter of the request's query. */
export interface HttpQueryParamMatch {
  /**
   * How the value is compared.
   * @default 'Exact'
   */
  readonly type?: 'Exact' | 'RegularExpression';
  /** Name of the parameter. */
  readonly name: HttpHeaderName;
  /**
   * What the parameter must hold.
   * @minLength 1
   * @maxLength 1024
   */
  readonly value: string;
}

/**
 * The path of the request.
 *
 * @validation next self.type == 'RegularExpression' || self.value.startsWith('/') :: value must be an absolute path and start with '/' when type one of ['Exact', 'PathPrefix']
 * @validation next self.type == 'RegularExpression' || !self.value.contains('//') :: must not contain '//' when type one of ['Exact', 'PathPrefix']
 * @validation next self.type == 'RegularExpression' || !self.value.contains('/./') :: must not contain '/./' when type one of ['Exact', 'PathPrefix']
 * @validation next self.type == 'RegularExpression' || !self.value.contains('/../') :: must not contain '/../' when type one of ['Exact', 'PathPrefix']
 * @validation next self.type == 'RegularExpression' || !self.value.contains('%2f') :: must not contain '%2f' when type one of ['Exact', 'PathPrefix']
 * @validation next self.type == 'RegularExpression' || !self.value.contains('%2F') :: must not contain '%2F' when type one of ['Exact', 'PathPrefix']
 * @validation next self.type == 'RegularExpression' || !self.value.contains('#') :: must not contain '#' when type one of ['Exact', 'PathPrefix']
 * @validation next self.type == 'RegularExpression' || !self.value.endsWith('/..') :: must not end with '/..' when type one of ['Exact', 'PathPrefix']
 * @validation next self.type == 'RegularExpression' || !self.value.endsWith('/.') :: must not end with '/.' when type one of ['Exact', 'PathPrefix']
 * @validation next self.type == 'RegularExpression' || self.value.matches("^([-A-Za-z0-9/._~!$&'()*+,;=:@]|%[0-9a-fA-F]{2})+$") :: must only contain valid characters for types ['Exact', 'PathPrefix']
 */
export interface HttpPathMatch {
  /**
   * How the path is compared. `PathPrefix` compares whole segments.
   * @default 'PathPrefix'
   */
  readonly type?: 'Exact' | 'PathPrefix' | 'RegularExpression';
  /**
   * What the path must be.
   * @default '/'
   * @maxLength 1024
   */
  readonly value?: string;
}

/** Headers that a request must have, all of them. */
export interface HttpRouteMatchV1alpha1 {
  /**
   * Conditions on headers; all of them must hold.
   * @maxItems 16
   */
  readonly headers?: readonly HttpHeaderMatch[];
}

/** Requests for the canary: all conditions of one match must hold, and any match of a list will do. */
export interface HttpRouteMatch {
  /**
   * A condition on the path. Only in v1beta1; most routing scripts ignore it.
   * @since 0.6
   */
  readonly path?: HttpPathMatch;
  /**
   * Conditions on headers; all of them must hold.
   * @maxItems 16
   * @listMapKey name
   */
  readonly headers?: readonly HttpHeaderMatch[];
  /**
   * Conditions on the query; all of them must hold. Only in v1beta1; most routing scripts ignore them.
   * @since 0.6
   * @maxItems 16
   * @listMapKey name
   */
  readonly queryParams?: readonly HttpQueryParamMatch[];
}

/** A header to write. */
export interface HttpHeader {
  /** Name of the header. */
  readonly name: HttpHeaderName;
  /**
   * Its value.
   * @minLength 1
   * @maxLength 4096
   */
  readonly value: string;
}

/** Changes to the headers of requests that go to the canary. */
export interface HttpHeaderFilter {
  /**
   * Headers that replace what the request has.
   * @maxItems 16
   * @listMapKey name
   */
  readonly set?: readonly HttpHeader[];
  /**
   * Headers that are added to what the request has.
   * @maxItems 16
   * @listMapKey name
   */
  readonly add?: readonly HttpHeader[];
  /**
   * Names of headers that are taken away.
   * @maxItems 16
   * @listSet next
   */
  readonly remove?: readonly string[];
}

/** The traffic of one step. Matches take precedence over a percentage. */
export interface TrafficRoutingStrategy {
  /** Share of the canary, `"20%"`. The canary strategy wants more than `"0%"`; blueGreen allows it. */
  readonly traffic?: string;
  /**
   * Requests that go to the canary; any match of the list will do.
   * @maxItems 16 next
   */
  readonly matches?: readonly HttpRouteMatch[];
  /**
   * Changes to the headers of requests that go to the canary. Few routing scripts know it.
   * @since 0.4
   */
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** The traffic of one step as v1alpha1 writes it. */
export interface TrafficRoutingStrategyV1alpha1 {
  /** Share of the canary in percent. */
  readonly weight?: Int32;
  /** Requests that go to the canary, by headers only; any match of the list will do. */
  readonly matches?: readonly HttpRouteMatchV1alpha1[];
  /**
   * Changes to the headers of requests that go to the canary. Few routing scripts know it.
   * @since 0.4
   */
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** The Ingress through which the stable Service is reached. */
export interface IngressTrafficRouting {
  /** Name of the Ingress. */
  readonly name: string;
  /**
   * Which script routes: `nginx`, `higress`, `mse`, `aliyun-alb`, or one of the ConfigMap.
   * @default - nginx
   */
  readonly classType?: string;
}

/** The HTTPRoute through which the stable Service is reached. */
export interface GatewayTrafficRouting {
  /**
   * Name of the HTTPRoute.
   * @crdOptional
   */
  readonly httpRouteName: string;
}

/** What every kind of traffic routing needs. */
export interface TrafficRoutingCommon {
  /** Name of the stable Service. */
  readonly service: string;
  /**
   * Seconds that the load balancer is given to follow a change of the routing.
   * @default 3
   */
  readonly gracePeriodSeconds?: Int32;
  /** The Ingress to route by. */
  readonly ingress?: IngressTrafficRouting;
  /** The HTTPRoute to route by. */
  readonly gateway?: GatewayTrafficRouting;
  /**
   * Objects that a custom script rewrites.
   * @since 0.5
   */
  readonly customNetworkRefs?: readonly ObjectRef[];
}

/** Traffic is routed by an Ingress. */
export interface IngressRouting extends TrafficRoutingCommon {
  readonly ingress: IngressTrafficRouting;
}

/** Traffic is routed by an HTTPRoute. */
export interface GatewayRouting extends TrafficRoutingCommon {
  readonly gateway: GatewayTrafficRouting;
}

/** Traffic is routed by custom objects. */
export interface CustomNetworkRouting extends TrafficRoutingCommon {
  readonly customNetworkRefs: readonly ObjectRef[];
}

/** Where the traffic of a Service is split: at least one of `ingress`, `gateway` and `customNetworkRefs`. */
export type TrafficRoutingRef = IngressRouting | GatewayRouting | CustomNetworkRouting;

/** Whom the traffic routing concerns, and how. */
export interface TrafficRoutingSpec {
  /** Where the traffic is split. Only the first one is used. */
  readonly objectRef: readonly TrafficRoutingRef[];
  /** Which traffic goes to the canary. */
  readonly strategy: TrafficRoutingStrategyV1alpha1;
}

/** What the controller says of a TrafficRouting. */
export interface TrafficRoutingStatus {
  /** The generation of the spec that the controller has seen. */
  readonly observedGeneration?: Int64;
  /** `Initial`, `Healthy`, `Progressing`, `Finalizing` or `Terminating`. */
  readonly phase?: string;
  /** A sentence on the phase. */
  readonly message?: string;
}

/**
 * Traffic routing of its own, apart from any step. It always routes to the stable Service itself.
 * @since 0.4
 */
export interface TrafficRoutingV1alpha1 {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'TrafficRouting';
  readonly metadata: ObjectMeta;
  /**
   * What is wanted.
   * @crdOptional
   */
  readonly spec: TrafficRoutingSpec;
  /** What the controller found. */
  readonly status?: TrafficRoutingStatus;
}
