import type { Int32, Int64, ObjectMeta, ObjectRef } from './common';
import type { API_GROUP } from './names';

/**
 * The name of a header or of a query parameter.
 *
 * @minLength 1
 * @maxLength 256
 * @pattern ^[A-Za-z0-9!#$%&'*+\-.^_\x60|~]+$
 */
export type HttpHeaderName = string;

/** A header of the request. */
export interface HttpHeaderMatch {
  /**
   * How the gateway compares the value.
   * @default 'Exact'
   */
  readonly type?: 'Exact' | 'RegularExpression';
  /** The name of the header. */
  readonly name: HttpHeaderName;
  /**
   * The value of the header. The load balancer defines the dialect of regular expressions.
   * @minLength 1
   * @maxLength 4096
   */
  readonly value: string;
}

/** A query parameter of the request. */
export interface HttpQueryParamMatch {
  /**
   * How the gateway compares the value.
   * @default 'Exact'
   */
  readonly type?: 'Exact' | 'RegularExpression';
  /** The name of the parameter. */
  readonly name: HttpHeaderName;
  /**
   * The value of the parameter.
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
   * How the gateway compares the path. `PathPrefix` compares whole segments.
   * @default 'PathPrefix'
   */
  readonly type?: 'Exact' | 'PathPrefix' | 'RegularExpression';
  /**
   * The value of the path.
   * @default '/'
   * @maxLength 1024
   */
  readonly value?: string;
}

/** Headers that a request must have. */
export interface HttpRouteMatchV1alpha1 {
  /**
   * Conditions on headers; all of them must hold.
   * @maxItems 16
   */
  readonly headers?: readonly HttpHeaderMatch[];
}

/** Requests for the canary: all conditions of a match must hold, and one match of a list is enough. */
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

/** A header with its value. */
export interface HttpHeader {
  /** The name of the header. */
  readonly name: HttpHeaderName;
  /**
   * The value of the header.
   * @minLength 1
   * @maxLength 4096
   */
  readonly value: string;
}

/** Changes to the headers of requests to the canary. */
export interface HttpHeaderFilter {
  /**
   * Headers that replace those of the request.
   * @maxItems 16
   * @listMapKey name
   */
  readonly set?: readonly HttpHeader[];
  /**
   * Headers to add to those of the request.
   * @maxItems 16
   * @listMapKey name
   */
  readonly add?: readonly HttpHeader[];
  /**
   * Names of headers to remove.
   * @maxItems 16
   * @listSet next
   */
  readonly remove?: readonly string[];
}

/** The traffic of one step. Matches take precedence over a percentage. */
export interface TrafficRoutingStrategy {
  /** The share of the canary: `"20%"`. The canary strategy requires more than `"0%"`; blueGreen allows it. */
  readonly traffic?: string;
  /**
   * Requests for the canary; one match of the list is enough.
   * @maxItems 16 next
   */
  readonly matches?: readonly HttpRouteMatch[];
  /**
   * Changes to the headers of requests to the canary. Few routing scripts support this.
   * @since 0.4
   */
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** The traffic of one step in v1alpha1. */
export interface TrafficRoutingStrategyV1alpha1 {
  /** The share of the canary in percent. */
  readonly weight?: Int32;
  /** Requests for the canary, by headers only; one match of the list is enough. */
  readonly matches?: readonly HttpRouteMatchV1alpha1[];
  /**
   * Changes to the headers of requests to the canary. Few routing scripts support this.
   * @since 0.4
   */
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** The Ingress that routes to the stable Service. */
export interface IngressTrafficRouting {
  /** The name of the Ingress. */
  readonly name: string;
  /**
   * The script: `nginx`, `higress`, `mse`, `aliyun-alb`, or one in the ConfigMap.
   * @default - nginx
   */
  readonly classType?: string;
}

/** The HTTPRoute that routes to the stable Service. */
export interface GatewayTrafficRouting {
  /**
   * The name of the HTTPRoute.
   * @crdOptional
   */
  readonly httpRouteName: string;
}

/** The fields of a traffic routing. */
export interface TrafficRoutingCommon {
  /** The name of the stable Service. */
  readonly service: string;
  /**
   * The seconds that the controller waits for the load balancer to apply a change.
   * @default 3
   */
  readonly gracePeriodSeconds?: Int32;
  /** The Ingress that routes. */
  readonly ingress?: IngressTrafficRouting;
  /** The HTTPRoute that routes. */
  readonly gateway?: GatewayTrafficRouting;
  /**
   * Objects that a custom script rewrites.
   * @since 0.5
   */
  readonly customNetworkRefs?: readonly ObjectRef[];
}

/** Routes by an Ingress. */
export interface IngressRouting extends TrafficRoutingCommon {
  readonly ingress: IngressTrafficRouting;
}

/** Routes by an HTTPRoute. */
export interface GatewayRouting extends TrafficRoutingCommon {
  readonly gateway: GatewayTrafficRouting;
}

/** Routes by custom objects. */
export interface CustomNetworkRouting extends TrafficRoutingCommon {
  readonly customNetworkRefs: readonly ObjectRef[];
}

/** The traffic split of a Service: at least one of `ingress`, `gateway` and `customNetworkRefs`. */
export type TrafficRoutingRef = IngressRouting | GatewayRouting | CustomNetworkRouting;

/** The desired state of a TrafficRouting. */
export interface TrafficRoutingSpec {
  /** The traffic splits. The controller uses only the first one. */
  readonly objectRef: readonly TrafficRoutingRef[];
  /** The traffic for the canary. */
  readonly strategy: TrafficRoutingStrategyV1alpha1;
}

/** The observed state of a TrafficRouting. */
export interface TrafficRoutingStatus {
  /** The latest generation of the spec that the controller observed. */
  readonly observedGeneration?: Int64;
  /** `Initial`, `Healthy`, `Progressing`, `Finalizing` or `Terminating`. */
  readonly phase?: string;
  /** A message about the phase. */
  readonly message?: string;
}

/**
 * Traffic routing that is independent of the steps of a Rollout. It always routes to the stable Service.
 * @since 0.4
 */
export interface TrafficRoutingV1alpha1 {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha1`;
  readonly kind: 'TrafficRouting';
  readonly metadata: ObjectMeta;
  /**
   * The desired state.
   * @crdOptional
   */
  readonly spec: TrafficRoutingSpec;
  /** The observed state. */
  readonly status?: TrafficRoutingStatus;
}
