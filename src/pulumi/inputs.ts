import type { Input } from '@pulumi/pulumi';
import type { ArgoAlbClass, ArgoAlbService, ArgoAlbStrategy } from '../argo/alb';
import type { ArgoRolloutsVersion } from '../argo/version';
import type { DurationLike } from '../core/duration';
import type { AlbCanaryMode } from '../kruise/alb/canary-mode';
import type { GatewayKind } from '../kruise/gateway-kinds';
import type { NamedObject, ObjectReference, TrafficRoutingOptions } from '../kruise/references';
import type { LuaScripts } from '../kruise/scripts/lua-scripts';
import type { KruiseRolloutStrategy } from '../kruise/strategy';
import type { KruiseRolloutVersion } from '../kruise/version';
import type { AlbBackend, ServiceReference } from '../routers/aws-alb/ingress-options';
import type { AlbAuth, AlbListenPort } from '../routers/aws-alb/load-balancer-options';
import type { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import type { NamedInput, NameInput, ObjectInput } from './references';

/** What decides how objects are built, and so has to be there when the program runs. */
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

/** Whether two types are one and the same, not only assignable. */
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** A Service by name and port. */
export interface ServiceArgs {
  /** The resource of the Service, so that it is checked too, or its name. */
  readonly name: NameInput;
  /** A port of the Service, by number or by name; not the one of the pods. */
  readonly port: number | Input<string>;
}

/**
 * The same options with texts that may be Outputs: names, namespaces, hosts, ARNs. Where an object is named, it may be a
 * resource. What decides about the structure of objects stays plain: lists, numbers, switches, and texts of a closed set
 * as `'keep'`.
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
            : T extends object
              ? { readonly [Key in keyof T]: Inputs<T[Key]> }
              : T;

/** Where the traffic of a Service is split. */
export interface TrafficRoutingArgs extends Inputs<TrafficRoutingOptions> {}

/** Name, namespace, labels and annotations of an object. */
export interface MetadataArgs {
  /**
   * The name of the object.
   * @default - that of the component: controllers and other objects know it by name, so Pulumi adds nothing to it
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
