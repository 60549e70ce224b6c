/** The annotations of an Ingress that say what its load balancer is like, as constructs write them. */
import { annotationKey } from './annotations';

/** Annotations, of which those that are undefined are not written. */
export type MaybeAnnotations = Readonly<Record<string, string | undefined>>;

/** A length of time, as the Duration of cdk8s has it, or a number of seconds. */
export type Time = number | { toSeconds(): number };

/** A port on which a load balancer listens. */
export interface ListenPort {
  readonly protocol: 'HTTP' | 'HTTPS';
  readonly port: number;
}

/** What a load balancer is like. */
export interface LoadBalancerSettings {
  /** With `sslRedirect` alone, HTTP on 80 and HTTPS on 443. */
  readonly listenPorts?: readonly ListenPort[];
  /** ARNs. */
  readonly certificates?: readonly string[];
  readonly sslPolicy?: string;
  readonly sslRedirect?: boolean;
  readonly healthCheck?: {
    readonly path?: string;
    readonly port?: number | string;
    readonly protocol?: 'HTTP' | 'HTTPS';
    readonly interval?: Time;
    readonly timeout?: Time;
    readonly healthyThreshold?: number;
    readonly unhealthyThreshold?: number;
    readonly successCodes?: string;
  };
  /** An ARN. */
  readonly wafAclArn?: string;
  readonly auth?: { readonly annotations: MaybeAnnotations };
}

/** The annotations of a load balancer, without their prefix. */
export function loadBalancerAnnotations(settings: LoadBalancerSettings): MaybeAnnotations {
  const { certificates = [], healthCheck = {} } = settings;
  const ports = listenPortsOf(settings);
  return {
    'listen-ports': ports && JSON.stringify(ports.map(({ protocol, port }) => ({ [protocol]: port }))),
    'certificate-arn': certificates.length === 0 ? undefined : certificates.join(','),
    'ssl-policy': settings.sslPolicy,
    'ssl-redirect': settings.sslRedirect === true ? text(redirectPortOf(settings)) : undefined,
    'wafv2-acl-arn': settings.wafAclArn,
    'healthcheck-path': healthCheck.path,
    'healthcheck-port': text(healthCheck.port),
    'healthcheck-protocol': healthCheck.protocol,
    'healthcheck-interval-seconds': seconds(healthCheck.interval),
    'healthcheck-timeout-seconds': seconds(healthCheck.timeout),
    'healthy-threshold-count': text(healthCheck.healthyThreshold),
    'unhealthy-threshold-count': text(healthCheck.unhealthyThreshold),
    'success-codes': healthCheck.successCodes,
    ...settings.auth?.annotations,
  };
}

/** The port that `sslRedirect` leads to; undefined where none speaks HTTPS. */
export function redirectPortOf(settings: LoadBalancerSettings): number | undefined {
  return listenPortsOf(settings)?.find(({ protocol }) => protocol === 'HTTPS')?.port;
}

/** The same annotations with the prefix of the controller. */
export function prefixed(annotations: MaybeAnnotations): MaybeAnnotations {
  return Object.fromEntries(Object.entries(annotations).map(([suffix, value]) => [annotationKey(suffix), value]));
}

/** A value as an annotation has it. */
export function text(value: number | string | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function listenPortsOf({ listenPorts, sslRedirect }: LoadBalancerSettings): readonly ListenPort[] | undefined {
  if (listenPorts !== undefined || sslRedirect !== true) return listenPorts;
  return [
    { protocol: 'HTTP', port: 80 },
    { protocol: 'HTTPS', port: 443 },
  ];
}

function seconds(time: Time | undefined): string | undefined {
  return time === undefined ? undefined : String(typeof time === 'number' ? time : time.toSeconds());
}
