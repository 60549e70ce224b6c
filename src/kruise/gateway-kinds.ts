import { APISIX_ROUTE } from '../routers/apisix/kinds';
import { HTTP_PROXY } from '../routers/contour/kinds';
import { HTTP_ROUTE } from '../routers/gateway-api/kinds';
import { INGRESS } from '../routers/ingress/kinds';
import { DESTINATION_RULE, VIRTUAL_SERVICE } from '../routers/istio/kinds';
import { MESH_HTTP_ROUTE, TRAFFIC_ROUTE } from '../routers/kuma/kinds';
import { OLD_TRAEFIK_KINDS, TRAEFIK_KINDS } from '../routers/traefik/kinds';

/** A kind with the names that a ClusterRole needs. */
export interface GatewayKindOptions {
  /** The plural of the kind, `spec.names.plural` of the CRD: `httpproxies`. */
  readonly plural: string;
  /** The API group without its version: `projectcontour.io`. */
  readonly group: string;
  /** The kind itself: `HTTPProxy`. */
  readonly kind: string;
}

/**
 * A kind of object that routes traffic, for `customNetworkRefs` of a Rollout.
 *
 * @example
 * GatewayKind.CONTOUR_HTTP_PROXY;
 * GatewayKind.of({ kind: 'Route', plural: 'routes', group: 'route.openshift.io' });
 */
export class GatewayKind {
  /** A route of Apache APISIX. */
  static readonly APISIX_ROUTE = GatewayKind.of(APISIX_ROUTE);
  /** A proxy of Contour. */
  static readonly CONTOUR_HTTP_PROXY = GatewayKind.of(HTTP_PROXY);
  /** A route of the Gateway API. */
  static readonly GATEWAY_API_HTTP_ROUTE = GatewayKind.of(HTTP_ROUTE);
  /** An Ingress that a script edits in place. */
  static readonly INGRESS = GatewayKind.of(INGRESS);
  /** A DestinationRule of Istio. */
  static readonly ISTIO_DESTINATION_RULE = GatewayKind.of(DESTINATION_RULE);
  /** A VirtualService of Istio. */
  static readonly ISTIO_VIRTUAL_SERVICE = GatewayKind.of(VIRTUAL_SERVICE);
  /** A route of Kuma since 2.0. */
  static readonly KUMA_MESH_HTTP_ROUTE = GatewayKind.of(MESH_HTTP_ROUTE);
  /** A route of Kuma before 2.0, cluster-scoped. */
  static readonly KUMA_TRAFFIC_ROUTE = GatewayKind.of(TRAFFIC_ROUTE);
  /** A route of Traefik since 2.10. */
  static readonly TRAEFIK_INGRESS_ROUTE = GatewayKind.of(TRAEFIK_KINDS.ingressRoute);
  /** A service of Traefik since 2.10. */
  static readonly TRAEFIK_SERVICE = GatewayKind.of(TRAEFIK_KINDS.traefikService);
  /** A route of Traefik before 2.10. */
  static readonly TRAEFIK_CONTAINOUS_INGRESS_ROUTE = GatewayKind.of(OLD_TRAEFIK_KINDS.ingressRoute);
  /** A service of Traefik before 2.10. */
  static readonly TRAEFIK_CONTAINOUS_SERVICE = GatewayKind.of(OLD_TRAEFIK_KINDS.traefikService);

  /** Every kind that this library knows. */
  static readonly ALL: readonly GatewayKind[] = Object.values(GatewayKind).filter(
    (value): value is GatewayKind => value instanceof GatewayKind,
  );

  /** A kind that is not in this class; `kubectl api-resources` lists plural, group and kind. */
  static of(options: GatewayKindOptions): GatewayKind {
    const { kind, plural, group } = options;
    if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
      throw new Error(`gateway kind "${kind}" is not a valid kind: write it like "HTTPProxy"`);
    }
    if (!/^[a-z][a-z0-9]*$/.test(plural)) {
      throw new Error(
        `plural "${plural}" of gateway kind ${kind} is not a valid plural: write it as in the CRD, for example "httpproxies"`,
      );
    }
    if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(group)) {
      throw new Error(
        `group "${group}" of gateway kind ${kind} is not an API group: write it without its version, for example ` +
          '"projectcontour.io"',
      );
    }
    return new GatewayKind(kind, plural, group);
  }

  /** The known kind with this name, `<Kind>.<group>`; undefined if the library does not know it. */
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

  /** `HTTPProxy.projectcontour.io`, as in the ConfigMap of routing scripts. */
  get groupKind(): string {
    return `${this.kind}.${this.group}`;
  }

  /** Kind and group: `HTTPProxy.projectcontour.io`. */
  toString(): string {
    return this.groupKind;
  }
}
