import type { Manifest, Path, World } from '../core';
import type { ObjectKind, RouteKind } from './kinds';

/**
 * Everything about one load balancer, proxy or mesh: the kinds that it reads, what their objects name, and the routes
 * that it makes of them: `World -> load balancers -> listeners -> route(request)`. A new router is one object of this
 * type; no other code lists kinds.
 */
export interface Router {
  /** `aws-alb`, `nginx`, `istio`, … */
  readonly name: string;
  /** The kinds of objects that make its routes. */
  readonly reads: readonly RouteKind[];
  /** Kinds whose objects concern all routes of a load balancer, such as IngressClasses. A stack has few of them. */
  readonly shared: readonly ObjectKind[];
  /**
   * The engine that reads regular expressions, where it refuses some that others accept.
   * @default - none is refused that PCRE accepts
   */
  readonly expressions?: 'RE2';
  /**
   * Whether the manifests may be for this router. Routers that share kinds and annotations exclude each other here.
   * @default - always
   */
  isUsed?(world: World, hints?: RouterHints): boolean;
  /**
   * Sets of objects that one load balancer reads together, whether or not it accepts them. Sharding keeps each set in
   * one part.
   * @default - all objects of its kinds that are not in such a set of another router
   */
  readTogether?(world: World): readonly (readonly Manifest[])[];
  /** The routes that the load balancers have once the controller has seen these manifests. */
  routes(world: World): RouteTable;
}

/** Facts about the load balancers of a release that are not in the manifests of the routers. */
export interface RouterHints {
  /**
   * The class types by which Rollouts name their routing scripts: `aliyun-alb`.
   * @default - none
   */
  readonly classTypes?: readonly string[];
}

/** All load balancers of one kind, in the order of their names. */
export interface RouteTable {
  readonly loadBalancers: readonly LoadBalancer[];
  /** Routing objects (Ingresses, VirtualServices, …) that no load balancer of this kind serves. */
  readonly unserved: readonly Manifest[];
  /**
   * Objects, or parts of objects, that the controller ignores.
   * @default - the router does not report them
   */
  readonly ignored?: readonly Ignored[];
}

/** An object, or a part of an object, that makes no route. */
export interface Ignored {
  readonly manifest: Manifest;
  /**
   * The ignored field.
   * @default - the whole object
   */
  readonly path?: Path;
  /** A stable id of the reason, for rules and tests: `canary-without-main`. */
  readonly reason: string;
  /** For a message: `no other Ingress has the host shop.example.com and the path /cart`. */
  readonly why: string;
}

/** An AWS load balancer, an ingress controller, a gateway, or a mesh. */
export interface LoadBalancer {
  /** The name that operators use: the IngressGroup, the Gateway, `nginx`. */
  readonly name: string;
  /** The objects that it serves, in the order in which it reads them. */
  readonly members: readonly Manifest[];
  /** In ascending order of their ports; none if the load balancer is frozen. */
  readonly listeners: readonly Listener[];
  /**
   * Why the controller applies none of these manifests, so that the load balancer keeps its previous routes.
   * @default - the manifests are applied
   */
  readonly frozen?: Frozen;
}

/** A port on which a load balancer listens. */
export interface Listener {
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS';
  /** In the order in which they are evaluated. */
  readonly rules: readonly RouteRule[];
  /** Where a request goes. */
  route(request: HttpRequest): Route;
  /**
   * The rules that are tried before the one that takes a request, or all of them if none does.
   * @default - the router does not tell them
   */
  passedOver?(request: HttpRequest): readonly PassedOver[];
}

/** A rule that does not take a request. */
export interface PassedOver {
  readonly rule: RouteRule;
  /**
   * The first condition that the request does not meet: `header x-user is "42"`.
   * @default - the router does not tell it
   */
  readonly failed?: string;
}

/** An HTTP request as it reaches a load balancer. */
export interface HttpRequest {
  /** The host name, without a port. */
  readonly host: string;
  /** The path, without the query string. */
  readonly path: string;
  /**
   * @default 'GET'
   */
  readonly method?: string;
  /**
   * @default - no headers except `Host`
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Each parameter of the query string with its value, decoded.
   * @default - no query string
   */
  readonly query?: Readonly<Record<string, string>>;
  /**
   * The path and the query string as they are sent: `/a%2Fb?v=1&v=2`. Proxies differ in what of it they decode.
   * @default - made of `path` and `query`
   */
  readonly target?: string;
  /**
   * The values of headers that the request has more than once, by their names. `headers` has these values joined.
   * @default - each header occurs once
   */
  readonly repeatedHeaders?: Readonly<Record<string, readonly string[]>>;
  /**
   * The client's IP address.
   * @default - unknown: conditions on source addresses do not match
   */
  readonly sourceIp?: string;
  /**
   * The pod that sends the request, within a mesh.
   * @default - unknown: conditions on labels or namespaces of clients do not match
   */
  readonly source?: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> };
}

/** The answer to a request, and the rule behind it. */
export interface Route {
  readonly answer: Answer;
  /**
   * The rule, or the default backend, that matched.
   * @default - none matched, and the load balancer itself answers
   */
  readonly rule?: RouteRule;
  /** True when no rule matched. */
  readonly isDefault: boolean;
}

/** A rule of the load balancer, and the manifest that it comes from. */
export interface RouteRule {
  /** For a message: `rule 3 of HTTP:80: header x-user is "pc" and path is "/*"`. */
  readonly description: string;
  readonly manifest: Manifest;
  /** The field of the manifest that made the rule: `spec.rules[0].http.paths[1]`. */
  readonly path: Path;
}

/** The response that a client gets. */
export type Answer = ServicesAnswer | FixedResponseAnswer | RedirectAnswer | UnknownAnswer | Frozen;

/** The request goes to one of these destinations. */
export interface ServicesAnswer {
  readonly kind: 'services';
  /** Empty if the rule forwards to nothing; clients then get an error. */
  readonly destinations: readonly Destination[];
  /** Whether a client stays with the destination of its first request. */
  readonly sticky: boolean;
  /**
   * A pod behind several destinations gets the requests of the first one only, and a destination that has no other pods
   * leaves its share to the others.
   * @default false
   */
  readonly countsPodsOnce?: boolean;
}

/** The load balancer itself answers. */
export interface FixedResponseAnswer {
  readonly kind: 'fixed-response';
  readonly statusCode: string;
  readonly contentType?: string;
  readonly messageBody?: string;
}

/** The client is redirected. Undefined parts keep the value of the request. */
export interface RedirectAnswer {
  readonly kind: 'redirect';
  readonly statusCode: string;
  readonly protocol?: string;
  readonly host?: string;
  readonly port?: string;
  readonly path?: string;
  readonly query?: string;
  /**
   * The whole address, where an expression makes it of the URL.
   * @default - the request with the other parts
   */
  readonly location?: string;
}

/** What the request or the manifests leave open, or what the router does not model, decides where the request goes. */
export interface UnknownAnswer {
  readonly kind: 'unknown';
  /** For a message: `ClientIP depends on the address of the client, and the request has none`. */
  readonly why: string;
  /**
   * What would have to be known.
   * @default - the reason says it
   */
  readonly decidedBy?: 'implementation';
}

/** The controller cannot build the load balancer from these manifests and does not change it. */
export interface Frozen {
  readonly kind: 'frozen';
  /** A stable id of the failure, for rules and tests. */
  readonly reason: string;
  /** The error of the controller: `ingress: shop/web: unknown action type: Forward`. */
  readonly why: string;
  /** The object with the mistake, if one object has it. */
  readonly manifest?: Manifest;
  /** The field with the mistake. */
  readonly path?: Path;
}

/** A destination and its share of the requests. */
export interface Destination {
  /**
   * @default - the target is not a Service of the cluster
   */
  readonly service?: { readonly namespace: string; readonly name: string };
  /** The Service's port, by number or by name as the manifest has it. */
  readonly port?: number | string;
  /** A target other than a Service: an ARN, a name. */
  readonly target?: string;
  /**
   * Only the Service's pods with these labels get requests.
   * @default - all pods that the Service selects
   */
  readonly subset?: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  /**
   * The workloads whose pods get the requests.
   * @default - unknown
   */
  readonly workloads?: readonly Manifest[];
  /**
   * Why clients get an error from this destination.
   * @default - the destination answers
   */
  readonly unavailable?: Unavailable;
  /** As configured; 1 by default. */
  readonly weight: number;
  /** The share of the requests, from 0 to 1; 0 for all destinations if none has a weight. */
  readonly share: number;
}

/** Why a destination does not answer. */
export interface Unavailable {
  readonly reason: 'service-not-found' | 'port-not-found' | 'no-pods' | 'subset-not-found' | 'not-permitted';
  /** The status code that clients get. */
  readonly statusCode: string;
  /** For a message: `Service shop/web-canary does not exist`. */
  readonly why: string;
}

/** The table of a World without objects for the router. */
export const NO_ROUTES: RouteTable = { loadBalancers: [], unserved: [], ignored: [] };

/** Adds the shares, which follow from the weights. */
export function withShares(destinations: readonly Omit<Destination, 'share'>[]): readonly Destination[] {
  const total = destinations.reduce((sum, { weight }) => sum + Math.max(0, weight), 0);
  return destinations.map((destination) => ({
    ...destination,
    share: total === 0 ? 0 : Math.max(0, destination.weight) / total,
  }));
}

/**
 * Routes a request that reaches a load balancer on a port.
 * @returns undefined if no listener has the port
 */
export function routeOf(loadBalancer: LoadBalancer, port: number, request: HttpRequest): Route | undefined {
  if (loadBalancer.frozen !== undefined) return { answer: loadBalancer.frozen, isDefault: false };
  return loadBalancer.listeners.find((listener) => listener.port === port)?.route(request);
}
