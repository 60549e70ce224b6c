import { APISIX_ROUTE } from '../routers/apisix/kinds';
import { HTTP_PROXY } from '../routers/contour/kinds';
import { HTTP_ROUTE } from '../routers/gateway-api/kinds';
import { INGRESS } from '../routers/ingress/kinds';
import { DESTINATION_RULE, VIRTUAL_SERVICE } from '../routers/istio/kinds';
import { MESH_HTTP_ROUTE, TRAFFIC_ROUTE } from '../routers/kuma/kinds';
import { OLD_TRAEFIK_KINDS, TRAEFIK_KINDS } from '../routers/traefik/kinds';

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
  static readonly APISIX_ROUTE = GatewayKind.of(APISIX_ROUTE);
  /** Of Contour. */
  static readonly CONTOUR_HTTP_PROXY = GatewayKind.of(HTTP_PROXY);
  /** Of the Gateway API. */
  static readonly GATEWAY_API_HTTP_ROUTE = GatewayKind.of(HTTP_ROUTE);
  /** An Ingress that is edited in place. */
  static readonly INGRESS = GatewayKind.of(INGRESS);
  /** Of Istio. */
  static readonly ISTIO_DESTINATION_RULE = GatewayKind.of(DESTINATION_RULE);
  /** Of Istio. */
  static readonly ISTIO_VIRTUAL_SERVICE = GatewayKind.of(VIRTUAL_SERVICE);
  /** Of Kuma since 2.0. */
  static readonly KUMA_MESH_HTTP_ROUTE = GatewayKind.of(MESH_HTTP_ROUTE);
  /** Of Kuma before 2.0; it belongs to no namespace. */
  static readonly KUMA_TRAFFIC_ROUTE = GatewayKind.of(TRAFFIC_ROUTE);
  /** Of Traefik since 2.10. */
  static readonly TRAEFIK_INGRESS_ROUTE = GatewayKind.of(TRAEFIK_KINDS.ingressRoute);
  /** Of Traefik since 2.10. */
  static readonly TRAEFIK_SERVICE = GatewayKind.of(TRAEFIK_KINDS.traefikService);
  /** Of Traefik before 2.10. */
  static readonly TRAEFIK_CONTAINOUS_INGRESS_ROUTE = GatewayKind.of(OLD_TRAEFIK_KINDS.ingressRoute);
  /** Of Traefik before 2.10. */
  static readonly TRAEFIK_CONTAINOUS_SERVICE = GatewayKind.of(OLD_TRAEFIK_KINDS.traefikService);

  /** Every kind that this library knows. */
  static readonly ALL: readonly GatewayKind[] = Object.values(GatewayKind).filter(
    (value): value is GatewayKind => value instanceof GatewayKind,
  );

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
