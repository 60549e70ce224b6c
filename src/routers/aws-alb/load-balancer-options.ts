/** Options of an AWS load balancer, as an Ingress sets them. The constructs of Kruise and of Argo share them. */
import { type DurationLike, secondsOf } from '../../core/duration';

/** The load balancer of an Ingress. */
export interface AlbLoadBalancerOptions {
  /**
   * The targets of the load balancer: pods (`ip`), or the node ports of the Services (`instance`), which then need the type
   * NodePort.
   * @default - that of the IngressClassParams, or 'ip'
   */
  readonly targetType?: 'ip' | 'instance';

  /**
   * Whether the load balancer can be reached from the internet.
   * @default - that of the IngressClassParams, or internal
   */
  readonly scheme?: 'internal' | 'internet-facing';

  /**
   * The ports of the load balancer.
   * @default - HTTPS on 443 if there are certificates; HTTP on 80 if there are none, and with sslRedirect
   */
  readonly listenPorts?: readonly AlbListenPort[];

  /**
   * ARNs of certificates for HTTPS. Clients that name no host get the first one.
   * @default - the load balancer controller finds certificates for the hosts
   */
  readonly certificates?: readonly string[];

  /**
   * The security policy of HTTPS.
   * @default - that of the load balancer controller
   */
  readonly sslPolicy?: string;

  /**
   * Redirects all requests on HTTP ports to the first HTTPS port. This applies to the whole group.
   * @default false
   */
  readonly sslRedirect?: boolean;

  /**
   * The health check of the pods, of the stable version and of the canary.
   * @default - the health check of AWS
   */
  readonly healthCheck?: AlbHealthCheck;

  /**
   * ARN of a web ACL of AWS WAF (v2) in front of the load balancer. This applies to the whole group.
   * @default - none
   */
  readonly wafAclArn?: string;

  /**
   * Authentication of users. It is set on the Ingress, because the load balancer controller ignores that of a Service when
   * an action forwards to two Services.
   * @default - none
   */
  readonly auth?: AlbAuth;
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
    /** The protocol of the port. */
    readonly protocol: 'HTTP' | 'HTTPS',
    /** The number of the port. */
    readonly port: number,
  ) {
    if (!Number.isInteger(port) || port < 1 || port > 65535) {
      throw new Error(`${protocol} port is ${port}: give an integer from 1 to 65535`);
    }
  }
}

/** How the load balancer checks whether a pod is healthy. AWS has a default for each option. */
export interface AlbHealthCheck {
  /**
   * The path of the request.
   * @default '/'
   */
  readonly path?: string;
  /**
   * The port of the request, by number or by name.
   * @default - the port that gets the traffic
   */
  readonly port?: number | string;
  /**
   * The protocol of the request.
   * @default 'HTTP'
   */
  readonly protocol?: 'HTTP' | 'HTTPS';
  /**
   * The time between two requests, as a duration or in seconds.
   * @default - 15 seconds
   */
  readonly interval?: number | DurationLike;
  /**
   * How long to wait for a response, as a duration or in seconds.
   * @default - 5 seconds
   */
  readonly timeout?: number | DurationLike;
  /**
   * After how many successes in a row a pod is healthy.
   * @default 2
   */
  readonly healthyThreshold?: number;
  /**
   * After how many failures in a row a pod is unhealthy.
   * @default 2
   */
  readonly unhealthyThreshold?: number;
  /**
   * Status codes of a success: `200`, `200-299`, `200,302`.
   * @default '200'
   */
  readonly successCodes?: string;
}

/** Authentication by an identity provider, before a request reaches a pod. */
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

/** Options of every kind of authentication. */
export interface AlbAuthOptions {
  /**
   * The scopes to request from the provider, separated by spaces: `openid email`.
   * @default 'openid'
   */
  readonly scope?: string;
  /**
   * What to do with a request without a login: log in, let it pass, or answer 401.
   * @default 'authenticate'
   */
  readonly onUnauthenticatedRequest?: 'authenticate' | 'allow' | 'deny';
  /**
   * The name of the session cookie.
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
  /** The prefix of the user pool's domain, or your own domain in full. */
  readonly domain: string;
}

/** A provider of OpenID Connect. */
export interface AlbOidcOptions extends AlbAuthOptions {
  /** The issuer of the provider, a URL. */
  readonly issuer: string;
  /** The URL at which users log in. */
  readonly authorizationEndpoint: string;
  /** The URL that issues tokens. */
  readonly tokenEndpoint: string;
  /** The URL that returns information about the user. */
  readonly userInfoEndpoint: string;
  /** A Secret with the keys `clientID` and `clientSecret`, in the namespace of the Ingress. */
  readonly secretName: string;
}
