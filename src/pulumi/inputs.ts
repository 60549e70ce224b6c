import type { Input } from '@pulumi/pulumi';
import type { ArgoAlbClass, ArgoAlbService, ArgoAlbStrategy } from '../argo/alb';
import type { ArgoRolloutsVersion } from '../argo/version';
import type { DurationLike } from '../core/duration';
import type { LuaScripts } from '../files/scripts/lua-scripts';
import type { AlbCanaryMode } from '../kruise/alb/canary-mode';
import type { GatewayKind } from '../kruise/gateway-kinds';
import type { NamedObject, ObjectReference, TrafficRoutingOptions } from '../kruise/references';
import type { KruiseRolloutStrategy } from '../kruise/strategy';
import type { KruiseRolloutVersion } from '../kruise/version';
import type { AlbBackend, ServiceReference } from '../routers/aws-alb/ingress-options';
import type { AlbAuth, AlbListenPort } from '../routers/aws-alb/load-balancer-options';
import type { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import type { NamedInput, NameInput, ObjectInput } from './references';

/** Types that decide how objects are built, so that their values have to be known when the program runs. */
type Structure =
  | AlbAuth
  | AlbBackend
  | AlbCanaryMode
  | AlbListenPort
  | ArgoAlbClass
  | ArgoAlbService
  | ArgoAlbStrategy
  | ArgoRolloutsVersion
  | AwsLoadBalancerControllerVersion
  | DurationLike
  | GatewayKind
  | KruiseRolloutStrategy
  | KruiseRolloutVersion
  | LuaScripts
  | boolean
  | number;

/** Whether two types are identical, not only assignable. */
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** A Service by name and port. */
export interface ServiceArgs {
  /** The Service as a resource, which is then checked too, or its name. */
  readonly name: NameInput;
  /** A port of the Service, by number or by name; not a port of the pods. */
  readonly port: number | Input<string>;
}

/**
 * The same options with strings that may be Outputs: names, namespaces, hosts, ARNs. A reference to an object may be a
 * resource. Values that decide the structure of objects stay plain: lists, numbers, booleans, and strings of a closed set
 * such as `'keep'`.
 *
 * @example Inputs<{ name: string; replicas: number }> // { name: Input<string>; replicas: number }
 */
export type Inputs<T> = T extends Structure
  ? T
  : T extends string
    ? string extends T
      ? Input<string>
      : T
    : T extends readonly (infer Element)[]
      ? readonly Inputs<Element>[]
      : IsSame<T, NamedObject> extends true
        ? NamedInput
        : IsSame<T, ObjectReference> extends true
          ? ObjectInput
          : IsSame<T, ServiceReference> extends true
            ? ServiceArgs
            : IsSame<T, TrafficRoutingOptions> extends true
              ? TrafficRoutingArgs
              : T extends object
                ? InputFields<T>
                : T;

type InputFields<T> = { readonly [Key in keyof T]: Inputs<T[Key]> };

/** Where the traffic of a Service is split. */
export interface TrafficRoutingArgs extends InputFields<TrafficRoutingOptions> {}

/** Name, namespace, labels and annotations of an object. */
export interface MetadataArgs {
  /**
   * The name of the object.
   * @default - the name of the component, without a suffix, because controllers and other objects refer to it by name
   */
  readonly name?: Input<string>;
  /**
   * The namespace.
   * @default - that of the provider
   */
  readonly namespace?: Input<string>;
  /**
   * Labels of the object.
   * @default - none
   */
  readonly labels?: { readonly [key: string]: Input<string> };
  /**
   * Annotations of the object.
   * @default - none
   */
  readonly annotations?: { readonly [key: string]: Input<string> };
}
