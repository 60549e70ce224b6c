/** A kind, as a ClusterRole has to name it. */
export interface GatewayKindOptions {
  /** The plural of the kind, as the CRD has it under `spec.names.plural`: `httpproxies`. */
  readonly plural: string;
  /** The API group without its version: `projectcontour.io`. */
  readonly group: string;
  /** The kind itself: `HTTPProxy`. */
  readonly kind: string;
}

/**
 * A kind of object that routes traffic and that a Rollout can name in `customNetworkRefs`.
 *
 * @example
 * GatewayKind.CONTOUR_HTTP_PROXY;
 * GatewayKind.of({ kind: 'Route', plural: 'routes', group: 'route.openshift.io' });
 */
export class GatewayKind {
  /** Of Apache APISIX. */
  static readonly APISIX_ROUTE = GatewayKind.of({
    kind: 'ApisixRoute',
    plural: 'apisixroutes',
    group: 'apisix.apache.org',
  });
  /** Of Contour. */
  static readonly CONTOUR_HTTP_PROXY = GatewayKind.of({
    kind: 'HTTPProxy',
    plural: 'httpproxies',
    group: 'projectcontour.io',
  });
  /** Of the Gateway API. */
  static readonly GATEWAY_API_HTTP_ROUTE = GatewayKind.of({
    kind: 'HTTPRoute',
    plural: 'httproutes',
    group: 'gateway.networking.k8s.io',
  });
  /** An Ingress that is edited in place. */
  static readonly INGRESS = GatewayKind.of({ kind: 'Ingress', plural: 'ingresses', group: 'networking.k8s.io' });
  /** Of Istio. */
  static readonly ISTIO_DESTINATION_RULE = GatewayKind.of({
    kind: 'DestinationRule',
    plural: 'destinationrules',
    group: 'networking.istio.io',
  });
  /** Of Istio. */
  static readonly ISTIO_VIRTUAL_SERVICE = GatewayKind.of({
    kind: 'VirtualService',
    plural: 'virtualservices',
    group: 'networking.istio.io',
  });
  /** Of Kuma since 2.0. */
  static readonly KUMA_MESH_HTTP_ROUTE = GatewayKind.of({
    kind: 'MeshHTTPRoute',
    plural: 'meshhttproutes',
    group: 'kuma.io',
  });
  /** Of Kuma before 2.0; it belongs to no namespace. */
  static readonly KUMA_TRAFFIC_ROUTE = GatewayKind.of({
    kind: 'TrafficRoute',
    plural: 'trafficroutes',
    group: 'kuma.io',
  });
  /** Of Traefik since 2.10. */
  static readonly TRAEFIK_INGRESS_ROUTE = GatewayKind.of({
    kind: 'IngressRoute',
    plural: 'ingressroutes',
    group: 'traefik.io',
  });
  /** Of Traefik since 2.10. */
  static readonly TRAEFIK_SERVICE = GatewayKind.of({
    kind: 'TraefikService',
    plural: 'traefikservices',
    group: 'traefik.io',
  });
  /** Of Traefik before 2.10. */
  static readonly TRAEFIK_CONTAINOUS_INGRESS_ROUTE = GatewayKind.of({
    kind: 'IngressRoute',
    plural: 'ingressroutes',
    group: 'traefik.containo.us',
  });
  /** Of Traefik before 2.10. */
  static readonly TRAEFIK_CONTAINOUS_SERVICE = GatewayKind.of({
    kind: 'TraefikService',
    plural: 'traefikservices',
    group: 'traefik.containo.us',
  });

  /** Every kind that this library knows. */
  static readonly ALL: readonly GatewayKind[] = [
    GatewayKind.APISIX_ROUTE,
    GatewayKind.CONTOUR_HTTP_PROXY,
    GatewayKind.GATEWAY_API_HTTP_ROUTE,
    GatewayKind.INGRESS,
    GatewayKind.ISTIO_DESTINATION_RULE,
    GatewayKind.ISTIO_VIRTUAL_SERVICE,
    GatewayKind.KUMA_MESH_HTTP_ROUTE,
    GatewayKind.KUMA_TRAFFIC_ROUTE,
    GatewayKind.TRAEFIK_INGRESS_ROUTE,
    GatewayKind.TRAEFIK_SERVICE,
    GatewayKind.TRAEFIK_CONTAINOUS_INGRESS_ROUTE,
    GatewayKind.TRAEFIK_CONTAINOUS_SERVICE,
  ];

  /** A kind that is not in the list; `kubectl api-resources` shows plural, group and kind. */
  static of(options: GatewayKindOptions): GatewayKind {
    const { kind, plural, group } = options;
    if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
      throw new Error(`gateway kind "${kind}" is not a kind: write it as in "HTTPProxy"`);
    }
    if (!/^[a-z][a-z0-9]*$/.test(plural)) {
      throw new Error(
        `plural "${plural}" of gateway kind ${kind} is not one: write it as the CRD has it, as in "httpproxies"`,
      );
    }
    if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(group)) {
      throw new Error(
        `group "${group}" of gateway kind ${kind} is not an API group: write it without its version, as in ` +
          '"projectcontour.io"',
      );
    }
    return new GatewayKind(kind, plural, group);
  }

  /** The known kind of that name, `<Kind>.<group>`; undefined when the library does not know it. */
  static find(groupKind: string): GatewayKind | undefined {
    return GatewayKind.ALL.find((gateway) => gateway.groupKind === groupKind);
  }

  private constructor(
    /** `HTTPProxy` */
    readonly kind: string,
    /** `httpproxies` */
    readonly plural: string,
    /** `projectcontour.io` */
    readonly group: string,
  ) {}

  /** `HTTPProxy.projectcontour.io`, as the ConfigMap of routing scripts names it. */
  get groupKind(): string {
    return `${this.kind}.${this.group}`;
  }

  /** Kind and group: `HTTPProxy.projectcontour.io`. */
  toString(): string {
    return this.groupKind;
  }
}
