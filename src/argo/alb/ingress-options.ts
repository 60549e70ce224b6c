/** What an Ingress of a Rollout is made of. */
import type { ArgoDuration } from '../steps';
import type { ArgoObjectMetadata } from './options';

/** How a path is compared. */
export type ArgoAlbPathType = 'Exact' | 'Prefix' | 'ImplementationSpecific';

/** A path, and where it leads. */
export interface ArgoAlbPath {
  /** The path, beginning with a slash; `*` and `?` are wildcards with the type ImplementationSpecific. */
  readonly path: string;
  /**
   * How the path is compared. Without it everything at and below the path matches. That is written as `/cart` and
   * `/cart/*` of the type ImplementationSpecific, because a header route of Argo is of this type, and comes behind
   * every path of another one.
   * @default - the path, and everything below it
   */
  readonly pathType?: ArgoAlbPathType;
  /**
   * Where it leads: an `AlbBackend`.
   * @default - the released Services
   */
  readonly backend?: ArgoAlbBackend;
}

/** Where a path leads that does not lead to the released Services; an `AlbBackend` is one. */
export interface ArgoAlbBackend {
  /** The name of the backend: of the Service, or of the action. */
  readonly name: string;
  /** The port of the Service, by number or by name; `use-annotation` for an action. */
  readonly port: { readonly number: number } | { readonly name: string };
  /** What stands in `actions.<name>`; undefined for a Service. */
  readonly action: object | undefined;
}

/** A host, and what is below it. */
export interface ArgoAlbRule {
  /**
   * The host name; `*.example.com` is any one below it.
   * @default - any host
   */
  readonly host?: string;
  /**
   * The paths.
   * @default - all of them go to the released Services
   */
  readonly paths?: readonly ArgoAlbPath[];
}

/** How an Ingress says which controller is meant. */
export class ArgoAlbClass {
  /**
   * By the field `ingressClassName`.
   * @param ingressClass an `AlbIngressClass`, or the name
   */
  static field(ingressClass: string | ArgoAlbClassSettings): ArgoAlbClass {
    const settings = typeof ingressClass === 'string' ? { name: ingressClass } : ingressClass;
    return new ArgoAlbClass('field', settings);
  }

  /** By the annotation `kubernetes.io/ingress.class`, with which there are no IngressClassParams. */
  static annotation(name: string): ArgoAlbClass {
    return new ArgoAlbClass('annotation', { name });
  }

  /**
   * Not at all: the cluster's default class counts. Argo watches such an Ingress with `--alb-ingress-classes=''` only.
   */
  static none(): ArgoAlbClass {
    return new ArgoAlbClass('none', { name: '' });
  }

  private constructor(
    /** Where the class is written: in the field, in the annotation, or nowhere. */
    readonly by: 'field' | 'annotation' | 'none',
    /** The class itself, with what it sets for all of its Ingresses. */
    readonly settings: ArgoAlbClassSettings,
  ) {}
}

/** What a class sets for all of its Ingresses; an `AlbIngressClass` is one. */
export interface ArgoAlbClassSettings {
  /** The name of the class. */
  readonly name: string;
  /**
   * The group that the class puts all of its Ingresses into.
   * @default - each Ingress says so itself
   */
  readonly group?: string;
  /**
   * What the class makes the targets of all of its Ingresses: pods, or node ports.
   * @default - each Ingress says so itself
   */
  readonly targetType?: 'ip' | 'instance';
  /**
   * Where the load balancers of all of its Ingresses can be reached from.
   * @default - each Ingress says so itself
   */
  readonly scheme?: 'internal' | 'internet-facing';
}

/** How the load balancer finds out whether a pod is healthy. What is left out is as AWS has it. */
export interface ArgoAlbHealthCheck {
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
  readonly interval?: number | ArgoDuration;
  /**
   * How long to wait for an answer, as a duration or in seconds.
   * @default - 5 seconds
   */
  readonly timeout?: number | ArgoDuration;
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

/** An Ingress whose traffic a Rollout splits. */
export interface ArgoAlbIngressOptions {
  /**
   * Name, labels and further annotations. Annotations that belong to a prop are written by it.
   * @default - the name of the Rollout, with a number from the second Ingress on
   */
  readonly metadata?: ArgoObjectMetadata;

  /**
   * Hosts and paths.
   * @default - everything, of any host
   */
  readonly rules?: readonly ArgoAlbRule[];

  /**
   * Which controller is meant, and how that is said.
   * @default ArgoAlbClass.field('alb')
   */
  readonly ingressClass?: ArgoAlbClass;

  /**
   * What the targets of the load balancer are: pods (`ip`), or the node ports of the Services (`instance`). All Ingresses
   * of a Rollout have the same, and ping-pong is for `ip`.
   * @default - that of the class, or 'ip'
   */
  readonly targetType?: 'ip' | 'instance';

  /**
   * Whether the load balancer can be reached from the internet.
   * @default - that of the class, or internal
   */
  readonly scheme?: 'internal' | 'internet-facing';

  /**
   * Ingresses of one group share a load balancer; of lower order are its rules tried earlier.
   * @default - a load balancer of its own, or the group of the class
   */
  readonly group?: { readonly name?: string; readonly order?: number };

  /**
   * The ports of the load balancer, as `AlbListenPort.https()` gives them.
   * @default - HTTPS on 443 where there are certificates, and HTTP on 80 without, or with sslRedirect
   */
  readonly listenPorts?: readonly { readonly protocol: 'HTTP' | 'HTTPS'; readonly port: number }[];

  /**
   * ARNs of certificates for HTTPS. The first one is for clients that name no host.
   * @default - those that fit the hosts are found by the load balancer controller
   */
  readonly certificates?: readonly string[];

  /**
   * The security policy of HTTPS.
   * @default - that of the load balancer controller
   */
  readonly sslPolicy?: string;

  /**
   * Redirects all requests on HTTP ports to the first HTTPS port. It holds for the whole group.
   * @default false
   */
  readonly sslRedirect?: boolean;

  /**
   * How healthy pods are told from others.
   * @default - as AWS has it
   */
  readonly healthCheck?: ArgoAlbHealthCheck;

  /**
   * ARN of a web ACL of AWS WAF (v2). It holds for the whole group.
   * @default - none
   */
  readonly wafAclArn?: string;

  /**
   * Who may come in: an `AlbAuth`. It is on the Ingress, as that of a Service is ignored where there are two of them.
   * @default - everybody
   */
  readonly auth?: { readonly annotations: Readonly<Record<string, string | undefined>> };
}
