import type { AnyObject, Int32, Int64, StringMap } from './common';

/** Keeps a client on the version that it got first. */
export interface StickinessConfig {
  /** Whether clients are kept. */
  readonly enabled: boolean;
  /** For how long, 1 to 604800 seconds. The controller checks it only while it writes. */
  readonly durationSeconds: Int64;
}

/** What both forms of ALB routing have. */
export interface AlbTrafficRoutingCommon {
  /** Port of both Services: a number that they expose. */
  readonly servicePort: Int32;
  /**
   * Name of the action, and of the backend of the Ingress. There need not be a Service of this name.
   * @default - stableService
   */
  readonly rootService?: string;
  /**
   * Begin of the annotations that the controller writes.
   * @default - alb.ingress.kubernetes.io
   */
  readonly annotationPrefix?: string;
  /**
   * Keeps clients on one version.
   * @default - they are not
   */
  readonly stickinessConfig?: StickinessConfig;
}

/** An AWS load balancer, through one Ingress. */
export interface OneAlbTrafficRouting extends AlbTrafficRoutingCommon {
  /**
   * Name of the Ingress, in the Rollout's namespace.
   * @crdOptional
   */
  readonly ingress: string;
  readonly ingresses?: never;
}

/** AWS load balancers, through several Ingresses. */
export interface SeveralAlbsTrafficRouting extends AlbTrafficRoutingCommon {
  readonly ingress?: never;
  /**
   * Names of the Ingresses, in the Rollout's namespace.
   * @crdOptional
   */
  readonly ingresses: readonly string[];
}

/** AWS load balancers, run by the AWS Load Balancer Controller: one of `ingress` and `ingresses`. */
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
   * Its rules.
   * @default - the only one
   */
  readonly rules?: readonly string[];
}

/** Apache APISIX. */
export interface ApisixTrafficRouting {
  /** The route that is split. */
  readonly route?: ApisixRoute;
}

/** A virtual node of AWS App Mesh. */
export interface AppMeshVirtualNodeRef {
  /** Name of the VirtualNode. */
  readonly name: string;
}

/** The virtual nodes of both versions. */
export interface AppMeshVirtualNodeGroup {
  /** That of the new version. */
  readonly canaryVirtualNodeRef: AppMeshVirtualNodeRef;
  /** That of the old version. */
  readonly stableVirtualNodeRef: AppMeshVirtualNodeRef;
}

/** A virtual service of AWS App Mesh. */
export interface AppMeshVirtualService {
  /** Name of the VirtualService. */
  readonly name: string;
  /**
   * Its routes.
   * @default - all of them
   */
  readonly routes?: readonly string[];
}

/** AWS App Mesh. */
export interface AppMeshTrafficRouting {
  /** The virtual service whose routes are split. */
  readonly virtualService?: AppMeshVirtualService;
  /** The virtual nodes of both versions. */
  readonly virtualNodeGroup?: AppMeshVirtualNodeGroup;
}

/** A route for TCP of a VirtualService. */
export interface TcpRoute {
  /** The port that tells the route. */
  readonly port?: Int64;
}

/** A route for TLS of a VirtualService. */
export interface TlsRoute {
  /** The port that tells the route. */
  readonly port?: Int64;
  /** The hosts of the handshake that tell the route. */
  readonly sniHosts?: readonly string[];
}

/** A VirtualService of Istio. */
export interface IstioVirtualService {
  /** Name of the VirtualService, of another namespace as `name.namespace`. */
  readonly name: string;
  /**
   * Names of its routes for HTTP.
   * @default - the only one
   */
  readonly routes?: readonly string[];
  /** Its routes for TLS. */
  readonly tlsRoutes?: readonly TlsRoute[];
  /** Its routes for TCP. */
  readonly tcpRoutes?: readonly TcpRoute[];
}

/** A DestinationRule of Istio, where one Service has both versions as subsets. */
export interface IstioDestinationRule {
  /** Name of the DestinationRule. */
  readonly name: string;
  /** Subset of the new version. */
  readonly canarySubsetName: string;
  /** Subset of the old version. */
  readonly stableSubsetName: string;
  /** Further subsets that get the labels of the old version. */
  readonly additionalSubsetNames?: readonly string[];
}

/** Istio. */
export interface IstioTrafficRouting {
  /** The VirtualService whose routes are split. */
  readonly virtualService?: IstioVirtualService;
  /** Several of them, in place of one. */
  readonly virtualServices?: readonly IstioVirtualService[];
  /**
   * The DestinationRule with the subsets.
   * @default - both versions have a Service of their own
   */
  readonly destinationRule?: IstioDestinationRule;
}

/** Ingress-NGINX: one of `stableIngress` and `stableIngresses`. */
export interface NginxTrafficRouting {
  /** Name of the Ingress of the stable Service. */
  readonly stableIngress?: string;
  /** Names of several. */
  readonly stableIngresses?: readonly string[];
  /**
   * Begin of the annotations that the controller writes.
   * @default - nginx.ingress.kubernetes.io
   */
  readonly annotationPrefix?: string;
  /** Annotations for the canary's Ingress, with the begin put before their names. */
  readonly additionalIngressAnnotations?: StringMap;
  /** Annotations for the canary's Ingress, as they are. */
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
   * Name of the TrafficSplit that the controller makes.
   * @default - the name of the Rollout
   */
  readonly trafficSplitName?: string;
}

/** Traefik. */
export interface TraefikTrafficRouting {
  /** Name of the weighted TraefikService. */
  readonly weightedTraefikServiceName: string;
}

/** A route that steps of the Rollout make and remove. */
export interface ManagedRoute {
  /** Its name. */
  readonly name: string;
}

/** Who splits the traffic, at least one; several are set together. */
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
  /** Routers that are plugins of the controller, by their names. */
  readonly plugins?: AnyObject;
  /** Routes that steps make, those that come first in the load balancer first. */
  readonly managedRoutes?: readonly ManagedRoute[];
  /**
   * The weight that is all of the traffic. Only with nginx and plugins.
   * @default - 100
   */
  readonly maxTrafficWeight?: Int32;
}
