/** What a rehearsal ends with: plain data, which reports show without asking a controller or a load balancer again. */
import type { Finding, ObjectRef, SourceLocation } from './finding';
import type { JsonObject } from './json';

/** One Rollout from before its first step until after its last, and what it would be if it were taken back. */
export interface Rehearsal {
  /** The Rollout or TrafficRouting. */
  readonly rollout: ObjectRef;
  readonly source?: SourceLocation;
  /** How the controller releases: `canary`, `blueGreen`. */
  readonly style: string;
  readonly stableService: string;
  /** The same as `stableService` where no canary Service is made. */
  readonly canaryService: string;
  /** The load balancers through which the stable Service is reached; none when these manifests lead none to it. */
  readonly loadBalancers: readonly RehearsedLoadBalancer[];
  /** One of each class of requests: the columns of the table. */
  readonly requests: readonly RehearsedRequest[];
  /** In order of time; what aborts is a branch of its own at the end. The rows of the table. */
  readonly moments: readonly RehearsedMoment[];
  /**
   * What stopped the controller; the moments end there.
   * @default - it came to the end
   */
  readonly stopped?: RehearsedStop;
  /** What is wrong with this Rollout, sorted. */
  readonly findings: readonly Finding[];
}

/** A load balancer that is asked. */
export interface RehearsedLoadBalancer {
  /** `aws-alb`, `nginx`, `istio`, … */
  readonly router: string;
  /** As its operator calls it. */
  readonly name: string;
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS';
}

/** Why a class of requests was made. */
export type RequestClass =
  /** Meets none of the matches of any step. */
  | 'no-match'
  /** Meets one match exactly. */
  | 'match'
  /** Differs from a match in one thing: a header is missing, or a value is only near it. */
  | 'near'
  /** Led elsewhere before the Rollout: to another Service, or nowhere. */
  | 'elsewhere'
  /** Asked for by the user. */
  | 'probe';

/** One request that stands for a class of them. */
export interface RehearsedRequest {
  readonly class: RequestClass;
  /** Short, for the head of a column: `any`, `match 1`, `match 1, user-agent: pcx`, `/admin`. */
  readonly label: string;
  /** As a command line has it: `GET https://shop.example.com/cart -H "user-agent: pc"`. */
  readonly text: string;
  /** Index into `loadBalancers`. */
  readonly loadBalancer: number;
}

/** The part of a rollout that a moment belongs to. */
export type RehearsalPhase =
  /** Nothing has happened yet. */
  | 'before'
  /** A step is being prepared: the canary exists, and no request is to reach it yet. */
  | 'prepare'
  /** A step has settled. */
  | 'step'
  /** The last step is done, and everything is taken back in the controller's order. */
  | 'finish'
  /** The release is given up after its first routed step. */
  | 'abort';

/** A state of the cluster that users can meet. */
export interface RehearsedMoment {
  readonly phase: RehearsalPhase;
  /** Counted from 0, as in `steps[0]`. */
  readonly step?: number;
  /** `before`, `steps[0]: 20%`, `end: routes restored`. */
  readonly title: string;
  /** What the controller wrote since the moment before. */
  readonly changes: readonly RehearsedChange[];
  /** One for each request, in the order of `requests`. */
  readonly cells: readonly RehearsedCell[];
}

/** A manifest that the controller wrote. */
export interface RehearsedChange {
  readonly object: ObjectRef;
  readonly action: 'created' | 'changed' | 'deleted';
  /** Absent when it was created. */
  readonly before?: JsonObject;
  /** Absent when it was deleted. */
  readonly after?: JsonObject;
}

/** Where a request of one class went at one moment. */
export interface RehearsedCell {
  /**
   * The share of the canary that the Rollout declares, from 0 to 1.
   * @default - none: any mix of the versions will do, or the request has nothing to do with the Rollout
   */
  readonly expectedCanary?: number;
  /** Shares from 0 to 1 which make 1 together. */
  readonly shares: RehearsedShares;
  /** Services by name, or the load balancer's own answer. */
  readonly answer: RehearsedAnswer;
  /** The rule that took the request; absent when none did. */
  readonly rule?: RehearsedRule;
  /** `wrong` when one of the findings is about it. */
  readonly verdict: 'good' | 'wrong';
}

/** What becomes of the requests of a class. */
export interface RehearsedShares {
  /** Reach pods of the version before. */
  readonly stable: number;
  /** Reach pods of the new version. */
  readonly canary: number;
  /** Get an error: no rule's Service has a pod, or the load balancer answers 5xx by itself. */
  readonly failed: number;
  /** Get something else: another Service, a redirect, a 404. */
  readonly other: number;
}

/** What the load balancer does with a request. */
export type RehearsedAnswer =
  | {
      readonly kind: 'services';
      readonly destinations: readonly RehearsedDestination[];
      /** True when a client stays with the Service of its first request. */
      readonly sticky: boolean;
    }
  | { readonly kind: 'fixed-response'; readonly statusCode: string; readonly messageBody?: string }
  | { readonly kind: 'redirect'; readonly statusCode: string; readonly location: string }
  /** No load balancer listens any more. */
  | { readonly kind: 'nothing' };

/** A Service, or another target, and its share of the requests. */
export interface RehearsedDestination {
  /** `shop/web-canary`, or the target's own name where it is no Service. */
  readonly name: string;
  readonly port?: number | string;
  /** From 0 to 1. */
  readonly share: number;
  /** Why it answers nothing: `Service shop/web-canary selects no pod`. */
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

/** What stopped the controller. */
export interface RehearsedStop {
  /** `panic`, `script-not-found`, `lua`, `never-settles`, … */
  readonly class: string;
  readonly message: string;
  /** Counted from 0. */
  readonly step: number;
}
