/**
 * Options of an Ingress on an AWS load balancer: rules, paths, backends and the class. The constructs of Kruise and of Argo
 * share them. They live here because this folder reads what they write, and both systems may import routers.
 */
import { USE_ANNOTATION } from '../ingress/alb-annotations';

/** A Service by name and port: a Service of cdk8s-plus or of this library, or a plain object. */
export interface ServiceReference {
  /** The name of the Service. */
  readonly name: string;
  /** A port of the Service, by number or by name. This is not the port of the pods. */
  readonly port: number | string;
}

/** How a path of an Ingress is compared. */
export type AlbPathType = 'Exact' | 'Prefix' | 'ImplementationSpecific';

/** A host and its paths. */
export interface AlbIngressRule {
  /**
   * The host name; `*.example.com` matches any host one level below it.
   * @default - any host
   */
  readonly host?: string;
  /**
   * The paths.
   * @default - all paths lead to the released Service
   */
  readonly paths?: readonly AlbIngressPath[];
}

/** A path and its backend. */
export interface AlbIngressPath {
  /** The path, which starts with a slash. */
  readonly path: string;
  /**
   * How the path is compared. `ImplementationSpecific` takes it as written, with `*` and `?` as wildcards.
   *
   * `ArgoAlbRollout` writes a path without a type as `/cart` and `/cart/*` of the type `ImplementationSpecific`: header
   * routes of Argo have this type, and the load balancer evaluates them after the paths of any other type.
   * @default - the path and everything below it, `Prefix`
   */
  readonly pathType?: AlbPathType;
  /**
   * Where the path leads.
   * @default - the released Service
   */
  readonly backend?: AlbBackend;
}

/** The backend of a path that does not lead to the released Service. */
export class AlbBackend {
  /** Another Service, which has no canary. */
  static service({ name, port }: ServiceReference): AlbBackend {
    return new AlbBackend(name, typeof port === 'number' ? { number: port } : { name: port }, undefined);
  }

  /**
   * A response of the load balancer itself.
   * @param name a name for the action, different from the name of every Service of the Ingress
   */
  static fixedResponse(name: string, options: AlbFixedResponseOptions): AlbBackend {
    const { statusCode, contentType, messageBody } = options;
    const fixedResponseConfig = { contentType, messageBody, statusCode: String(statusCode) };
    return new AlbBackend(name, { name: USE_ANNOTATION }, { type: 'fixed-response', fixedResponseConfig });
  }

  /**
   * A redirect. Options that are left out keep the value of the request.
   * @param name a name for the action, different from the name of every Service of the Ingress
   */
  static redirect(name: string, options: AlbRedirectOptions): AlbBackend {
    const { host, path, port, protocol, query, permanent = false } = options;
    if (host === undefined && path === undefined && port === undefined && protocol === undefined) {
      throw new Error(`redirect "${name}" leads to where the request came from: give host, path, port or protocol`);
    }
    const redirectConfig = {
      host,
      path,
      port: port === undefined ? undefined : String(port),
      protocol,
      query,
      statusCode: permanent ? 'HTTP_301' : 'HTTP_302',
    };
    return new AlbBackend(name, { name: USE_ANNOTATION }, { type: 'redirect', redirectConfig });
  }

  private constructor(
    /** The name of the backend: of the Service, or of the action. */
    readonly name: string,
    /** The port of the Service, by number or by name; `use-annotation` for an action. */
    readonly port: { readonly number: number } | { readonly name: string },
    /** The content of the annotation `actions.<name>`; undefined for a Service. */
    readonly action: object | undefined,
  ) {}
}

/** A response of the load balancer itself. */
export interface AlbFixedResponseOptions {
  /** The status code: 200 to 299, or 400 to 599. */
  readonly statusCode: number;
  /**
   * The type of the body.
   * @default - text/plain
   */
  readonly contentType?: string;
  /**
   * The body, at most 1024 characters.
   * @default - an empty body
   */
  readonly messageBody?: string;
}

/** The target of a redirect. `#{host}`, `#{path}`, `#{port}` and `#{query}` stand for parts of the request. */
export interface AlbRedirectOptions {
  /**
   * The host name.
   * @default - the host of the request
   */
  readonly host?: string;
  /**
   * The path, which starts with a slash.
   * @default - the path of the request
   */
  readonly path?: string;
  /**
   * The port.
   * @default - the port of the request
   */
  readonly port?: number;
  /**
   * The protocol.
   * @default - the protocol of the request
   */
  readonly protocol?: 'HTTP' | 'HTTPS';
  /**
   * The query, without the question mark.
   * @default - the query of the request
   */
  readonly query?: string;
  /**
   * Whether browsers may remember the redirect (301) or not (302).
   * @default false
   */
  readonly permanent?: boolean;
}

/** An ingress class, and what its IngressClassParams set for all of its Ingresses; an `AlbIngressClass` is one. */
export interface AlbClassSettings {
  /** The name of the class. */
  readonly name: string;
  /**
   * The group of all Ingresses of the class.
   * @default - each Ingress sets its own
   */
  readonly group?: string;
  /**
   * The type of the targets of all Ingresses of the class: pods, or node ports.
   * @default - each Ingress sets its own
   */
  readonly targetType?: 'ip' | 'instance';
  /**
   * Whether the load balancers of all Ingresses of the class can be reached from the internet.
   * @default - each Ingress sets its own
   */
  readonly scheme?: 'internal' | 'internet-facing';
}

/** The actions of the backends of rules, by their names. */
export function actionsOf(rules: readonly AlbIngressRule[] = []): (readonly [name: string, action: object])[] {
  return rules
    .flatMap(({ paths = [] }) => paths)
    .flatMap(({ backend }) => (backend?.action === undefined ? [] : [[backend.name, backend.action] as const]));
}
