/** The data of `route`: who answers a request at one load balancer, and why. */
import type { RehearsedRule } from './rehearsal-result';

/** The answer of one load balancer to one request. */
export interface RoutedRequest {
  /** The request in one line: `GET https://shop.example.com/cart -H "x-user: 1"`. */
  readonly request: string;
  /** The router and the load balancer: `istio shop/edge`. */
  readonly gateway: string;
  /** The listener that takes the request: `HTTPS:443`; null if none listens. */
  readonly listener: string | null;
  /** The rule that takes the request; null if none does. */
  readonly rule: RehearsedRule | null;
  /** The rules that are tried before it, in their order. */
  readonly passedOver: readonly PassedOverRule[];
  /** What the load balancer makes no route of, of objects for the host of the request. */
  readonly leftOut: readonly LeftOut[];
  /** Where the request goes, the largest share first. */
  readonly destinations: readonly RoutedDestination[];
  /** The status code if the load balancer itself answers, or if clients get an error; null if pods answer. */
  readonly status: number | null;
  /** The answer in words, if the load balancer itself gives it: `redirect to https://shop.example.com/`. */
  readonly answer: string | null;
}

/** A rule that is tried and does not take the request. */
export interface PassedOverRule extends RehearsedRule {
  /** The first condition that the request does not meet; null where the router cannot tell it. */
  readonly failed: string | null;
}

/** An object, or a part of one, that makes no route. */
export interface LeftOut extends Omit<RehearsedRule, 'description'> {
  /** `the service api does not exist` */
  readonly why: string;
}

/** A Service, or another target, with its share of the requests. */
export interface RoutedDestination {
  /** Null for a target that is not a Service. */
  readonly namespace: string | null;
  readonly name: string;
  readonly port: number | string | null;
  /** From 0 to 1. */
  readonly share: number;
  /** The labels that pods must have; null if unknown. */
  readonly selector: Readonly<Record<string, string>> | null;
  /** The workloads whose pods answer: `Deployment shop/web`; null if the files do not say. */
  readonly workloads: readonly string[] | null;
  /** Why clients get an error; null if pods answer. */
  readonly failure: string | null;
  /** The status code of that error. */
  readonly status: number | null;
}
