/** The result of a rehearsal: plain data, so that reports need no model of a controller or a load balancer. */
import type { Finding, ObjectRef, SourceLocation } from './finding';
import type { JsonObject } from './json';

/** One Rollout from the state before its first step to the state after its last, and its rollback. */
export interface Rehearsal {
  /** The Rollout or TrafficRouting. */
  readonly rollout: ObjectRef;
  readonly source?: SourceLocation;
  /** The release style: `canary`, `blueGreen`. */
  readonly style: string;
  readonly stableService: string;
  /** Equal to `stableService` if the controller creates no canary Service. */
  readonly canaryService: string;
  /** The load balancers that route to the stable Service; empty if none of these manifests does. */
  readonly loadBalancers: readonly RehearsedLoadBalancer[];
  /** One request per class: the columns of the table. */
  readonly requests: readonly RehearsedRequest[];
  /** The moments in order; a rollback is a branch at the end. The rows of the table. */
  readonly moments: readonly RehearsedMoment[];
  /**
   * The stories that were asked for, the straight road first.
   * @default - none was asked for
   */
  readonly stories?: readonly RehearsedStory[];
  /**
   * The reason why the controller stopped; the moments end there.
   * @default - it came to the end
   */
  readonly stopped?: RehearsedStop;
  /** The findings about this Rollout, in report order. */
  readonly findings: readonly Finding[];
}

/** What people do during a release, what goes wrong, and what becomes of it. */
export interface RehearsedStory {
  /** `straight`, or what happens and the step at which it happens: `roll-back@1` is a roll-back at `steps[1]`. */
  readonly name: string;
  /** `released`: all users have the new version. `stuck`: nothing more happens until somebody acts. */
  readonly end: 'released' | 'rolled back' | 'stuck' | 'refused';
  /**
   * Why nothing more happens.
   * @default - the story ends by itself
   */
  readonly why?: string;
  /**
   * The error at which the controller got stuck.
   * @default - none
   */
  readonly stopped?: RehearsedStop;
  /** The moments from before the release on. */
  readonly moments: readonly RehearsedStoryMoment[];
}

/** A load balancer in a rehearsal. */
export interface RehearsedLoadBalancer {
  /** `aws-alb`, `nginx`, `istio`, … */
  readonly router: string;
  /** The name that its operator uses. */
  readonly name: string;
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS';
}

/** The purpose of a class of requests. */
export type RequestClass =
  /** Meets no match of any step. */
  | 'no-match'
  /** Meets one match exactly. */
  | 'match'
  /** Differs from a match in one condition: a header is missing, or a value is similar but not equal. */
  | 'near'
  /** Was routed to another Service, or to none, before the Rollout. */
  | 'elsewhere'
  /** Given by the user. */
  | 'probe';

/** One request that represents a class. */
export interface RehearsedRequest {
  readonly class: RequestClass;
  /** A short label for the head of a column: `any`, `match 1`, `match 1, user-agent: pcx`, `/admin`. */
  readonly label: string;
  /** The request as on a command line: `GET https://shop.example.com/cart -H "user-agent: pc"`. */
  readonly text: string;
  /** The index in `loadBalancers`. */
  readonly loadBalancer: number;
}

/** The part of a rollout that a moment belongs to. */
export type RehearsalPhase =
  /** Nothing has happened yet. */
  | 'before'
  /** A step is being prepared: the canary exists, and no request should reach it yet. */
  | 'prepare'
  /** A step has settled. */
  | 'step'
  /** The last step is done, and the controller restores everything in its order. */
  | 'finish'
  /** The release is aborted after its first routed step. */
  | 'abort';

/** A state of the cluster that clients can observe. */
export interface RehearsedMoment {
  readonly phase: RehearsalPhase;
  /** Counted from 0, as in `steps[0]`. */
  readonly step?: number;
  /** `before`, `steps[0]: 20%`, `end: routes restored`. */
  readonly title: string;
  /** The manifests that the controller wrote since the previous moment. */
  readonly changes: readonly RehearsedChange[];
  /** One cell per request, in the order of `requests`. */
  readonly cells: readonly RehearsedCell[];
}

/** A moment of a story. */
export interface RehearsedStoryMoment extends RehearsedMoment {
  /**
   * What people have done since the moment before: `release v3`.
   * @default - nothing
   */
  readonly did?: readonly string[];
  /** The version that each value of the revision label stands for: `{ stable: 'v1', canary: 'v3' }`. */
  readonly versions: Readonly<Record<string, string>>;
  /** The pods that answer behind each Service of the release. */
  readonly pods: readonly RehearsedPods[];
  /** All pods of each version as a share of the number before the release: `{ v1: 1, v2: 0.25 }`. */
  readonly capacity: Readonly<Record<string, number>>;
  /**
   * Who makes the next moment.
   * @default - nobody: the story is over
   */
  readonly next?: RehearsedNext;
}

/** What ends a moment. */
export type RehearsedNext =
  /** People do this; nothing is named where only they can end it and the story does not say how. */
  | { readonly who: 'person'; readonly does: readonly string[] }
  /** An analysis ends so. */
  | { readonly who: 'analysis'; readonly does: readonly string[] }
  /** The load balancer does this. */
  | { readonly who: 'load balancer'; readonly does: readonly string[] }
  /** The time that a field says, or its default. */
  | { readonly who: 'time'; readonly seconds: number; readonly field: string }
  /** The controller, as soon as the cluster is as it wants it: pods are ready. */
  | { readonly who: 'controller' };

/** The pods behind a Service. */
export interface RehearsedPods {
  readonly service: string;
  /** The number of pods of each version: `{ v1: 4, v2: 1 }`. */
  readonly versions: Readonly<Record<string, number>>;
}

/** A manifest that the controller wrote. */
export interface RehearsedChange {
  readonly object: ObjectRef;
  readonly action: 'created' | 'changed' | 'deleted';
  /** Undefined if the controller created the object. */
  readonly before?: JsonObject;
  /** Undefined if the controller deleted the object. */
  readonly after?: JsonObject;
}

/** The result of one class of requests at one moment. */
export interface RehearsedCell {
  /**
   * The share of the canary that the Rollout declares, from 0 to 1.
   * @default - none: any mix of the versions will do, or the request has nothing to do with the Rollout
   */
  readonly expectedCanary?: number;
  /** Shares from 0 to 1 that add up to 1. */
  readonly shares: RehearsedShares;
  /** Services by name, or the load balancer's own answer. */
  readonly answer: RehearsedAnswer;
  /** The rule that matched the request; undefined if none did. */
  readonly rule?: RehearsedRule;
  /** `wrong` if a finding is about this cell. */
  readonly verdict: 'good' | 'wrong';
}

/** The shares of the requests of a class by result. */
export interface RehearsedShares {
  /** Reach pods of the old version. */
  readonly stable: number;
  /** Reach pods of the new version. */
  readonly canary: number;
  /** Get an error: the Service has no pod, or the load balancer answers 5xx. */
  readonly failed: number;
  /** Get something else: another Service, a redirect, a 404. */
  readonly other: number;
}

/** The load balancer's answer to a request. */
export type RehearsedAnswer =
  | {
      readonly kind: 'services';
      readonly destinations: readonly RehearsedDestination[];
      /** True if a client stays with the Service of its first request. */
      readonly sticky: boolean;
    }
  | { readonly kind: 'fixed-response'; readonly statusCode: string; readonly messageBody?: string }
  | { readonly kind: 'redirect'; readonly statusCode: string; readonly location: string }
  /** Nobody can tell: the request or the manifests leave it open, or no model has it. The shares are all 0. */
  | { readonly kind: 'unknown'; readonly why: string; readonly decidedBy?: 'implementation' }
  /** No load balancer listens. */
  | { readonly kind: 'nothing' };

/** A Service, or another target, and its share of the requests. */
export interface RehearsedDestination {
  /** `shop/web-canary`, or the name of a target that is not a Service. */
  readonly name: string;
  readonly port?: number | string;
  /** From 0 to 1. */
  readonly share: number;
  /** The reason why it cannot answer: `Service shop/web-canary selects no pod`. */
  readonly failure?: string;
}

/** A rule of the load balancer with the manifest behind it. */
export interface RehearsedRule {
  /** `rule 3 of HTTP:80: header x-user is "pc" and path is "/*"`. */
  readonly description: string;
  readonly object: ObjectRef;
  /** `spec.rules[0].http.paths[1]` */
  readonly path: string;
  readonly source?: SourceLocation;
}

/** The error that stopped the controller. */
export interface RehearsedStop {
  /** `panic`, `script-not-found`, `lua`, `never-settles`, … */
  readonly class: string;
  readonly message: string;
  /** Counted from 0. */
  readonly step: number;
}
