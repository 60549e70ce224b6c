/** What an Ingress with a canary on an AWS load balancer is made of. */
import { type DurationLike, secondsOf } from '../steps';

/** A Service, by name and port: a Service of cdk8s-plus, one of this library, or both written down. */
export interface ServiceReference {
  readonly name: string;
  /** A port of the Service, by number or by name; not the one of the pods. */
  readonly port: number | string;
}

/** How a canary gets its part of the traffic. */
export class AlbCanaryMode {
  /**
   * The controller edits the stable Ingress during a release and restores it afterwards (`customNetworkRefs`): one
   * Ingress, one rule, and any match that AWS can express. The script is that of `Ingress.networking.k8s.io`.
   */
  static customNetworkRefs(options: AlbGroupOptions = {}): AlbCanaryMode {
    return new AlbCanaryMode('customNetworkRefs', options.group, options.order, undefined);
  }

  /**
   * The controller makes a canary Ingress beside the stable one (`ingress`). Both need a group, and an order of their
   * own: the load balancer takes the first rule that matches. The script is `aws-alb`.
   */
  static ingress(options: AlbCanaryIngressModeOptions): AlbCanaryMode {
    const { group, order, canaryOrder = order - 1 } = options;
    for (const [name, value] of [
      ['order', order],
      ['canaryOrder', canaryOrder],
    ] as const)
      checkOrder(name, value);
    if (canaryOrder >= order) {
      throw new Error(
        `canaryOrder is ${canaryOrder} and order is ${order}: the lower order is evaluated first, so the canary needs the lower one`,
      );
    }
    return new AlbCanaryMode('ingress', group, order, canaryOrder);
  }

  private constructor(
    /** The field of `trafficRoutings` that it takes. */
    readonly kind: 'customNetworkRefs' | 'ingress',
    readonly group: string | undefined,
    readonly order: number | undefined,
    readonly canaryOrder: number | undefined,
  ) {
    if (order !== undefined) checkOrder('order', order);
  }
}

const MAX_ORDER = 1000;

function checkOrder(name: string, order: number): void {
  if (Number.isInteger(order) && Math.abs(order) <= MAX_ORDER) return;
  throw new Error(`${name} is ${order}: give an integer from -${MAX_ORDER} to ${MAX_ORDER}`);
}

/** Which load balancer an Ingress shares, and where its rules stand there. */
export interface AlbGroupOptions {
  /**
   * The group: Ingresses of one group share a load balancer.
   * @default - that of the IngressClassParams, or a load balancer of its own
   */
  readonly group?: string;
  /**
   * Where the rules stand in the group: the lower order is evaluated first.
   * @default 0
   */
  readonly order?: number;
}

/** What a canary Ingress needs. */
export interface AlbCanaryIngressModeOptions {
  /**
   * The group that both Ingresses share.
   * @default - that of the IngressClassParams, which must then have one
   */
  readonly group?: string;
  /** The order of the stable Ingress, from -999 to 1000. */
  readonly order: number;
  /**
   * The order of the canary Ingress: below `order`, and above that of every Ingress of the group with a more specific path.
   * @default - order - 1
   */
  readonly canaryOrder?: number;
}

/** How a path of an Ingress is compared. */
export type AlbPathType = 'Exact' | 'Prefix' | 'ImplementationSpecific';

/** A host, and what is below it. */
export interface AlbIngressRule {
  /**
   * The host name; `*.example.com` is any one below it.
   * @default - any host
   */
  readonly host?: string;
  /**
   * The paths.
   * @default - everything goes to the released Service
   */
  readonly paths?: readonly AlbIngressPath[];
}

/** A path, and where it leads. */
export interface AlbIngressPath {
  readonly path: string;
  /**
   * How the path is compared. ImplementationSpecific takes it as it is written, with `*` and `?` as wildcards.
   * @default 'Prefix'
   */
  readonly pathType?: AlbPathType;
  /**
   * Where it leads.
   * @default - the released Service
   */
  readonly backend?: AlbBackend;
}

/** Where a path leads that does not lead to the released Service. */
export class AlbBackend {
  /** To another Service, always to all of it. */
  static service({ name, port }: ServiceReference): AlbBackend {
    return new AlbBackend(name, typeof port === 'number' ? { number: port } : { name: port }, undefined);
  }

  /**
   * The load balancer answers by itself.
   * @param name a name for the action, different from that of any Service of the Ingress
   */
  static fixedResponse(name: string, options: AlbFixedResponseOptions): AlbBackend {
    const { statusCode, contentType, messageBody } = options;
    const fixedResponseConfig = { contentType, messageBody, statusCode: String(statusCode) };
    return new AlbBackend(name, USE_ANNOTATION, { type: 'fixed-response', fixedResponseConfig });
  }

  /**
   * The load balancer redirects. What is left out stays as in the request.
   * @param name a name for the action, different from that of any Service of the Ingress
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
    return new AlbBackend(name, USE_ANNOTATION, { type: 'redirect', redirectConfig });
  }

  private constructor(
    /** The name of the backend: of the Service, or of the action. */
    readonly name: string,
    readonly port: { readonly number: number } | { readonly name: string },
    /** What stands in `actions.<name>`; undefined for a Service. */
    readonly action: object | undefined,
  ) {}
}

/** The port that makes the load balancer controller look for an action. */
export const USE_ANNOTATION = { name: 'use-annotation' } as const;

/** What the load balancer answers. */
export interface AlbFixedResponseOptions {
  readonly statusCode: number;
  /**
   * @default - text/plain
   */
  readonly contentType?: string;
  /**
   * @default - an empty body
   */
  readonly messageBody?: string;
}

/** Where the load balancer redirects to. `#{host}`, `#{path}`, `#{port}` and `#{query}` stand for parts of the request. */
export interface AlbRedirectOptions {
  /** @default - the host of the request */
  readonly host?: string;
  /** @default - the path of the request */
  readonly path?: string;
  /** @default - the port of the request */
  readonly port?: number;
  /** @default - the protocol of the request */
  readonly protocol?: 'HTTP' | 'HTTPS';
  /** @default - the query of the request */
  readonly query?: string;
  /**
   * Whether browsers may remember it (301), or not (302).
   * @default false
   */
  readonly permanent?: boolean;
}

/** A port on which the load balancer listens. */
export class AlbListenPort {
  static http(port = 80): AlbListenPort {
    return new AlbListenPort('HTTP', port);
  }

  static https(port = 443): AlbListenPort {
    return new AlbListenPort('HTTPS', port);
  }

  private constructor(
    readonly protocol: 'HTTP' | 'HTTPS',
    readonly port: number,
  ) {
    if (!Number.isInteger(port) || port < 1 || port > 65535) {
      throw new Error(`${protocol} port is ${port}: give an integer from 1 to 65535`);
    }
  }
}

/** How the load balancer finds out whether a pod is healthy. What is left out is as AWS has it. */
export interface AlbHealthCheck {
  /** @default '/' */
  readonly path?: string;
  /** @default - the port that gets the traffic */
  readonly port?: number | string;
  /** @default 'HTTP' */
  readonly protocol?: 'HTTP' | 'HTTPS';
  /** @default - 15 seconds */
  readonly interval?: number | DurationLike;
  /** @default - 5 seconds */
  readonly timeout?: number | DurationLike;
  /** @default 2 */
  readonly healthyThreshold?: number;
  /** @default 2 */
  readonly unhealthyThreshold?: number;
  /**
   * Status codes that count as healthy: `200`, `200-299`, `200,302`.
   * @default '200'
   */
  readonly successCodes?: string;
}

/** Who may come in: the load balancer asks an identity provider first. On the Ingress, as a canary loses that of a Service. */
export class AlbAuth {
  /** By an Amazon Cognito user pool. */
  static cognito(options: AlbCognitoOptions): AlbAuth {
    const { userPoolArn, clientId, domain } = options;
    const idp = { userPoolARN: userPoolArn, userPoolClientID: clientId, userPoolDomain: domain };
    return new AlbAuth('cognito', { 'auth-idp-cognito': JSON.stringify(idp) }, options);
  }

  /** By any provider of OpenID Connect. */
  static oidc(options: AlbOidcOptions): AlbAuth {
    const { issuer, authorizationEndpoint, tokenEndpoint, userInfoEndpoint, secretName } = options;
    const idp = { issuer, authorizationEndpoint, tokenEndpoint, userInfoEndpoint, secretName };
    return new AlbAuth('oidc', { 'auth-idp-oidc': JSON.stringify(idp) }, options);
  }

  /** The annotations, without their prefix. */
  readonly annotations: Readonly<Record<string, string | undefined>>;

  private constructor(type: string, idp: Readonly<Record<string, string>>, options: AlbAuthOptions) {
    const { scope, onUnauthenticatedRequest, sessionCookie, sessionTimeout } = options;
    this.annotations = {
      'auth-type': type,
      ...idp,
      'auth-scope': scope,
      'auth-on-unauthenticated-request': onUnauthenticatedRequest,
      'auth-session-cookie': sessionCookie,
      'auth-session-timeout': sessionTimeout === undefined ? undefined : String(secondsOf(sessionTimeout)),
    };
  }
}

/** What every kind of authentication takes. */
export interface AlbAuthOptions {
  /** @default 'openid' */
  readonly scope?: string;
  /** @default 'authenticate' */
  readonly onUnauthenticatedRequest?: 'authenticate' | 'allow' | 'deny';
  /** @default 'AWSELBAuthSessionCookie' */
  readonly sessionCookie?: string;
  /** @default - 7 days */
  readonly sessionTimeout?: number | DurationLike;
}

/** An Amazon Cognito user pool. */
export interface AlbCognitoOptions extends AlbAuthOptions {
  readonly userPoolArn: string;
  readonly clientId: string;
  /** The prefix of the user pool's domain, or the whole of one of your own. */
  readonly domain: string;
}

/** A provider of OpenID Connect. */
export interface AlbOidcOptions extends AlbAuthOptions {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userInfoEndpoint: string;
  /** A Secret with the keys `clientID` and `clientSecret`, in the namespace of the Ingress. */
  readonly secretName: string;
}
