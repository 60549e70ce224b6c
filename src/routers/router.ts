import type { Manifest, Path, World } from '../core';
import type { ObjectKind, RouteKind } from './kinds';

/**
 * All that this library knows about one load balancer, proxy or mesh: which objects it reads, what they name, and what it
 * makes of them: `World -> load balancers -> listeners -> route(request)`. A new router needs one object of this type;
 * nothing outside of it lists kinds.
 */
export interface Router {
  /** `aws-alb`, `nginx`, `istio`, … */
  readonly name: string;
  /** The kinds of objects that make its routes. */
  readonly reads: readonly RouteKind[];
  /** Kinds whose objects concern all routes of a load balancer, such as IngressClasses. A stack has few of them. */
  readonly shared: readonly ObjectKind[];
  /**
   * Whether the router has a part in these manifests. Routers that share kinds and annotations exclude each other here.
   * @default - it has
   */
  isUsed?(world: World, hints?: RouterHints): boolean;
  /**
   * Sets of objects that one load balancer reads together, by what the objects say, whether or not it accepts them. A
   * World that is cut into parts keeps each set in one part.
   * @default - all objects of its kinds that are in no such set of another router
   */
  readTogether?(world: World): readonly (readonly Manifest[])[];
  /** The routes that the load balancers have once the controller has seen these manifests. */
  routes(world: World): RouteTable;
}

/** What is known about the load balancers of a release, apart from manifests. */
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
   * What the controller passes over, whole objects or parts of them, and why.
   * @default - the router does not say
   */
  readonly ignored?: readonly Ignored[];
}

/** An object, or a part of one, that makes no route. */
export interface Ignored {
  readonly manifest: Manifest;
  /**
   * The field that holds it.
   * @default - the object as a whole
   */
  readonly path?: Path;
  /** A stable name of the kind of reason, for rules and tests: `canary-without-main`. */
  readonly reason: string;
  /** For a message: `no other Ingress has the host shop.example.com and the path /cart`. */
  readonly why: string;
}

/** One place where requests come in: an AWS load balancer, an ingress controller, a gateway. */
export interface LoadBalancer {
  /** As its operator names it: the IngressGroup, the Gateway, `nginx`. */
  readonly name: string;
  /** The objects that it serves, in the order in which it reads them. */
  readonly members: readonly Manifest[];
  /** In ascending order of their ports; none when the load balancer is frozen. */
  readonly listeners: readonly Listener[];
  /**
   * Why nothing of these manifests reaches the load balancer, which keeps the routes that it had before.
   * @default - the manifests are applied
   */
  readonly frozen?: Frozen;
}

/** A port on which a load balancer listens. */
export interface Listener {
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS';
  /** In the order in which requests are tried against them. */
  readonly rules: readonly RouteRule[];
  /** Where a request goes. */
  route(request: HttpRequest): Route;
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
   * @default - no headers beside `Host`
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Each parameter of the query string with its value, decoded.
   * @default - no query string
   */
  readonly query?: Readonly<Record<string, string>>;
  /**
   * The client's IP address.
   * @default - unknown: rules on source addresses do not match
   */
  readonly sourceIp?: string;
  /**
   * The pod that sends the request, within a mesh.
   * @default - unknown: rules on labels or namespaces of clients do not match
   */
  readonly source?: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> };
}

/** Where a request went, and which rule sent it there. */
export interface Route {
  readonly answer: Answer;
  /**
   * The rule, or the default backend, that took the request.
   * @default - the load balancer's own answer to what nothing matches
   */
  readonly rule?: RouteRule;
  /** True when no rule matched. */
  readonly isDefault: boolean;
}

/** A rule of the load balancer and the manifest behind it. */
export interface RouteRule {
  /** For a message: `rule 3 of HTTP:80: header x-user is "pc" and path is "/*"`. */
  readonly description: string;
  readonly manifest: Manifest;
  /** The field of the manifest that made the rule: `spec.rules[0].http.paths[1]`. */
  readonly path: Path;
}

/** What a client gets. */
export type Answer = ServicesAnswer | FixedResponseAnswer | RedirectAnswer | Frozen;

/** The request goes to one of these destinations. */
export interface ServicesAnswer {
  readonly kind: 'services';
  /** Empty when the rule forwards to nothing, which clients see as an error. */
  readonly destinations: readonly Destination[];
  /** True when a client stays with the destination of its first request. */
  readonly sticky: boolean;
}

/** The load balancer answers by itself. */
export interface FixedResponseAnswer {
  readonly kind: 'fixed-response';
  readonly statusCode: string;
  readonly contentType?: string;
  readonly messageBody?: string;
}

/** The client is sent elsewhere. What is undefined stays as in the request. */
export interface RedirectAnswer {
  readonly kind: 'redirect';
  readonly statusCode: string;
  readonly protocol?: string;
  readonly host?: string;
  readonly port?: string;
  readonly path?: string;
  readonly query?: string;
}

/** The controller cannot build the load balancer from these manifests and leaves it as it was. */
export interface Frozen {
  readonly kind: 'frozen';
  /** A stable name of the kind of failure, for rules and tests. */
  readonly reason: string;
  /** What the controller reports, as far as it matters: `ingress: shop/web: unknown action type: Forward`. */
  readonly why: string;
  /** The object that holds the mistake, where one does. */
  readonly manifest?: Manifest;
  /** The field that holds it. */
  readonly path?: Path;
}

/** Where a part of the requests goes. */
export interface Destination {
  /**
   * @default - the target is not a Service of the cluster
   */
  readonly service?: { readonly namespace: string; readonly name: string };
  /** The Service's port, by number or by name as the manifest has it. */
  readonly port?: number | string;
  /** A target that is no Service: an ARN, a name. */
  readonly target?: string;
  /**
   * Only the Service's pods with these labels get requests.
   * @default - all pods that the Service selects
   */
  readonly subset?: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  /**
   * The workloads whose pods get the requests.
   * @default - unknown: the router does not look them up, or the manifests do not say
   */
  readonly workloads?: readonly Manifest[];
  /**
   * Why clients get an error for this part of the requests.
   * @default - the destination answers, as far as the manifests say
   */
  readonly unavailable?: Unavailable;
  /** As configured; 1 where nothing is. */
  readonly weight: number;
  /** The part of the requests that it gets, from 0 to 1; 0 for all when no destination has a weight. */
  readonly share: number;
}

/** A destination that is there in the rules only. */
export interface Unavailable {
  readonly reason: 'service-not-found' | 'port-not-found' | 'no-pods' | 'subset-not-found' | 'not-permitted';
  /** What clients see. */
  readonly statusCode: string;
  /** For a message: `Service shop/web-canary does not exist`. */
  readonly why: string;
}

/** Destinations with their shares, from destinations with their weights. */
export function withShares(destinations: readonly Omit<Destination, 'share'>[]): readonly Destination[] {
  const total = destinations.reduce((sum, { weight }) => sum + Math.max(0, weight), 0);
  return destinations.map((destination) => ({
    ...destination,
    share: total === 0 ? 0 : Math.max(0, destination.weight) / total,
  }));
}

/**
 * Where a request goes that reaches a load balancer on a port.
 * @returns undefined when nothing listens there
 */
export function routeOf(loadBalancer: LoadBalancer, port: number, request: HttpRequest): Route | undefined {
  if (loadBalancer.frozen !== undefined) return { answer: loadBalancer.frozen, isDefault: false };
  return loadBalancer.listeners.find((listener) => listener.port === port)?.route(request);
}
