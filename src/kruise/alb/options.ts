/** What an Ingress with a canary on an AWS load balancer is made of. */
import { type DurationLike, secondsOf } from '../steps';

/** A Service, by name and port: a Service of cdk8s-plus, one of this library, or both written down. */
export interface ServiceReference {
  /** The name of the Service. */
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
    /** The group of both Ingresses. */
    readonly group: string | undefined,
    /** The order of the stable Ingress in its group. */
    readonly order: number | undefined,
    /** The order of the canary Ingress. */
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
  /** The path, beginning with a slash. */
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
    /** The port of the Service, by number or by name; `use-annotation` for an action. */
    readonly port: { readonly number: number } | { readonly name: string },
    /** What stands in `actions.<name>`; undefined for a Service. */
    readonly action: object | undefined,
  ) {}
}

/** The port that makes the load balancer controller look for an action. */
export const USE_ANNOTATION = { name: 'use-annotation' } as const;

/** What the load balancer answers. */
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

/** Where the load balancer redirects to. `#{host}`, `#{path}`, `#{port}` and `#{query}` stand for parts of the request. */
export interface AlbRedirectOptions {
  /**
   * The host name to go to.
   * @default - the host of the request
   */
  readonly host?: string;
  /**
   * The path to go to, beginning with a slash.
   * @default - the path of the request
   */
  readonly path?: string;
  /**
   * The port to go to.
   * @default - the port of the request
   */
  readonly port?: number;
  /**
   * The protocol to go on with.
   * @default - the protocol of the request
   */
  readonly protocol?: 'HTTP' | 'HTTPS';
  /**
   * The query, without the question mark.
   * @default - the query of the request
   */
  readonly query?: string;
  /**
   * Whether browsers may remember it (301), or not (302).
   * @default false
   */
  readonly permanent?: boolean;
}

/** A port on which the load balancer listens. */
export class AlbListenPort {
  /** A port for HTTP. */
  static http(port = 80): AlbListenPort {
    return new AlbListenPort('HTTP', port);
  }

  /** A port for HTTPS, which needs a certificate. */
  static https(port = 443): AlbListenPort {
    return new AlbListenPort('HTTPS', port);
  }

  private constructor(
    /** What is spoken at the port. */
    readonly protocol: 'HTTP' | 'HTTPS',
    /** The number of the port. */
    readonly port: number,
  ) {
    if (!Number.isInteger(port) || port < 1 || port > 65535) {
      throw new Error(`${protocol} port is ${port}: give an integer from 1 to 65535`);
    }
  }
}

/** How the load balancer finds out whether a pod is healthy. What is left out is as AWS has it. */
export interface AlbHealthCheck {
  /**
   * The path that is asked for.
   * @default '/'
   */
  readonly path?: string;
  /**
   * The port that is asked, by number or by name.
   * @default - the port that gets the traffic
   */
  readonly port?: number | string;
  /**
   * How it is asked.
   * @default 'HTTP'
   */
  readonly protocol?: 'HTTP' | 'HTTPS';
  /**
   * How long to wait from one question to the next, as a duration or in seconds.
   * @default - 15 seconds
   */
  readonly interval?: number | DurationLike;
  /**
   * How long to wait for an answer, as a duration or in seconds.
   * @default - 5 seconds
   */
  readonly timeout?: number | DurationLike;
  /**
   * How many good answers in a row make a pod healthy.
   * @default 2
   */
  readonly healthyThreshold?: number;
  /**
   * How many bad answers in a row make a pod unhealthy.
   * @default 2
   */
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
  /**
   * What is asked of the provider, with spaces between: `openid email`.
   * @default 'openid'
   */
  readonly scope?: string;
  /**
   * What happens to a request of somebody unknown: log in, go on, or 401.
   * @default 'authenticate'
   */
  readonly onUnauthenticatedRequest?: 'authenticate' | 'allow' | 'deny';
  /**
   * The name of the cookie that remembers who logged in.
   * @default 'AWSELBAuthSessionCookie'
   */
  readonly sessionCookie?: string;
  /**
   * How long a login lasts, as a duration or in seconds.
   * @default - 7 days
   */
  readonly sessionTimeout?: number | DurationLike;
}

/** An Amazon Cognito user pool. */
export interface AlbCognitoOptions extends AlbAuthOptions {
  /** The ARN of the user pool. */
  readonly userPoolArn: string;
  /** The id of the user pool's client. */
  readonly clientId: string;
  /** The prefix of the user pool's domain, or the whole of one of your own. */
  readonly domain: string;
}

/** A provider of OpenID Connect. */
export interface AlbOidcOptions extends AlbAuthOptions {
  /** The issuer of the provider, a URL. */
  readonly issuer: string;
  /** The URL at which users log in. */
  readonly authorizationEndpoint: string;
  /** The URL at which tokens are fetched. */
  readonly tokenEndpoint: string;
  /** The URL that tells about the user. */
  readonly userInfoEndpoint: string;
  /** A Secret with the keys `clientID` and `clientSecret`, in the namespace of the Ingress. */
  readonly secretName: string;
}
