import type { AnyObject, Int32, Int64, StringMap } from './common';

/** Keeps a client on its first version. */
export interface StickinessConfig {
  /** Whether stickiness is enabled. */
  readonly enabled: boolean;
  /** The duration, 1 to 604800 seconds. The controller validates it only when it writes. */
  readonly durationSeconds: Int64;
}

/** The common fields of ALB routing. */
export interface AlbTrafficRoutingCommon {
  /** The port of both Services: a number that they expose. */
  readonly servicePort: Int32;
  /**
   * The name of the action, and of the backend of the Ingress. A Service with this name does not need to exist.
   * @default - stableService
   */
  readonly rootService?: string;
  /**
   * The prefix of the annotations that the controller writes.
   * @default - alb.ingress.kubernetes.io
   */
  readonly annotationPrefix?: string;
  /**
   * Keeps clients on one version.
   * @default - disabled
   */
  readonly stickinessConfig?: StickinessConfig;
}

/** An AWS load balancer, through one Ingress. */
export interface OneAlbTrafficRouting extends AlbTrafficRoutingCommon {
  /**
   * The name of the Ingress in the Rollout's namespace.
   * @crdOptional
   */
  readonly ingress: string;
  readonly ingresses?: never;
}

/** AWS load balancers, through several Ingresses. */
export interface SeveralAlbsTrafficRouting extends AlbTrafficRoutingCommon {
  readonly ingress?: never;
  /**
   * The names of the Ingresses in the Rollout's namespace.
   * @crdOptional
   */
  readonly ingresses: readonly string[];
}

/** AWS load balancers of the AWS Load Balancer Controller: one of `ingress` and `ingresses`. */
export type AlbTrafficRouting = OneAlbTrafficRouting | SeveralAlbsTrafficRouting;

/** Ambassador, now Emissary. */
export interface AmbassadorTrafficRouting {
  /** Names of the Mappings. */
  readonly mappings: readonly string[];
}

/** A route of Apache APISIX. */
export interface ApisixRoute {
  /** Name of the ApisixRoute. */
  readonly name: string;
  /**
   * The rules of the route.
   * @default - the only one
   */
  readonly rules?: readonly string[];
}

/** Apache APISIX. */
export interface ApisixTrafficRouting {
  /** The route to split. */
  readonly route?: ApisixRoute;
}

/** A virtual node of AWS App Mesh. */
export interface AppMeshVirtualNodeRef {
  /** Name of the VirtualNode. */
  readonly name: string;
}

/** The virtual nodes of both versions. */
export interface AppMeshVirtualNodeGroup {
  /** The virtual node of the new version. */
  readonly canaryVirtualNodeRef: AppMeshVirtualNodeRef;
  /** The virtual node of the old version. */
  readonly stableVirtualNodeRef: AppMeshVirtualNodeRef;
}

/** A virtual service of AWS App Mesh. */
export interface AppMeshVirtualService {
  /** Name of the VirtualService. */
  readonly name: string;
  /**
   * The routes of the virtual service.
   * @default - all routes
   */
  readonly routes?: readonly string[];
}

/** AWS App Mesh. */
export interface AppMeshTrafficRouting {
  /** The virtual service with the routes to split. */
  readonly virtualService?: AppMeshVirtualService;
  /** The virtual nodes of both versions. */
  readonly virtualNodeGroup?: AppMeshVirtualNodeGroup;
}

/** A TCP route of a VirtualService. */
export interface TcpRoute {
  /** The port that identifies the route. */
  readonly port?: Int64;
}

/** A TLS route of a VirtualService. */
export interface TlsRoute {
  /** The port that identifies the route. */
  readonly port?: Int64;
  /** The SNI hosts that identify the route. */
  readonly sniHosts?: readonly string[];
}

/** A VirtualService of Istio. */
export interface IstioVirtualService {
  /** The name of the VirtualService; `name.namespace` for another namespace. */
  readonly name: string;
  /**
   * The names of its HTTP routes.
   * @default - the only one
   */
  readonly routes?: readonly string[];
  /** The TLS routes. */
  readonly tlsRoutes?: readonly TlsRoute[];
  /** The TCP routes. */
  readonly tcpRoutes?: readonly TcpRoute[];
}

/** A DestinationRule of Istio, if both versions are subsets of one Service. */
export interface IstioDestinationRule {
  /** Name of the DestinationRule. */
  readonly name: string;
  /** The subset of the new version. */
  readonly canarySubsetName: string;
  /** The subset of the old version. */
  readonly stableSubsetName: string;
  /** Additional subsets with the labels of the old version. */
  readonly additionalSubsetNames?: readonly string[];
}

/** Istio. */
export interface IstioTrafficRouting {
  /** The VirtualService with the routes to split. */
  readonly virtualService?: IstioVirtualService;
  /** Several VirtualServices, instead of one. */
  readonly virtualServices?: readonly IstioVirtualService[];
  /**
   * The DestinationRule with the subsets.
   * @default - each version has its own Service
   */
  readonly destinationRule?: IstioDestinationRule;
}

/** Ingress-NGINX: one of `stableIngress` and `stableIngresses`. */
export interface NginxTrafficRouting {
  /** The name of the Ingress of the stable Service. */
  readonly stableIngress?: string;
  /** The names of several Ingresses. */
  readonly stableIngresses?: readonly string[];
  /**
   * The prefix of the annotations that the controller writes.
   * @default - nginx.ingress.kubernetes.io
   */
  readonly annotationPrefix?: string;
  /** Annotations of the canary's Ingress, without their prefix. */
  readonly additionalIngressAnnotations?: StringMap;
  /** Annotations of the canary's Ingress, with their full names. */
  readonly canaryIngressAnnotations?: StringMap;
}

/** Service Mesh Interface. */
export interface SmiTrafficRouting {
  /**
   * The Service that clients use.
   * @default - stableService
   */
  readonly rootService?: string;
  /**
   * The name of the TrafficSplit that the controller creates.
   * @default - the name of the Rollout
   */
  readonly trafficSplitName?: string;
}

/** Traefik. */
export interface TraefikTrafficRouting {
  /** Name of the weighted TraefikService. */
  readonly weightedTraefikServiceName: string;
}

/** A route that steps of the Rollout create and remove. */
export interface ManagedRoute {
  /** The name of the route. */
  readonly name: string;
}

/** The traffic routers: at least one; several work together. */
export interface TrafficRouting {
  /** AWS load balancers. */
  readonly alb?: AlbTrafficRouting;
  /** Ambassador, now Emissary. */
  readonly ambassador?: AmbassadorTrafficRouting;
  /** Apache APISIX. */
  readonly apisix?: ApisixTrafficRouting;
  /** AWS App Mesh. */
  readonly appMesh?: AppMeshTrafficRouting;
  /** Istio. */
  readonly istio?: IstioTrafficRouting;
  /** Ingress-NGINX. */
  readonly nginx?: NginxTrafficRouting;
  /** Service Mesh Interface. */
  readonly smi?: SmiTrafficRouting;
  /** Traefik. */
  readonly traefik?: TraefikTrafficRouting;
  /** Router plugins of the controller, by name. */
  readonly plugins?: AnyObject;
  /** Routes that steps create, in the order of the load balancer. */
  readonly managedRoutes?: readonly ManagedRoute[];
  /**
   * The weight that means all traffic. Only with nginx and plugins.
   * @default - 100
   */
  readonly maxTrafficWeight?: Int32;
}
