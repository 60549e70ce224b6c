/** The annotations of an Ingress for the options of its load balancer. */
import { type DurationLike, secondsOf } from '../../core/duration';
import { annotationKey } from '../ingress/alb-annotations';
import { AlbListenPort, type AlbLoadBalancerOptions } from './load-balancer-options';

/** Annotations; those that are undefined are not written. */
export type MaybeAnnotations = Readonly<Record<string, string | undefined>>;

/** The annotations for the options, without their prefix. Target type and scheme also depend on the class. */
export function loadBalancerAnnotations(options: AlbLoadBalancerOptions): MaybeAnnotations {
  const { certificates = [], healthCheck = {} } = options;
  const ports = listenPortsOf(options);
  return {
    'listen-ports': ports && JSON.stringify(ports.map(({ protocol, port }) => ({ [protocol]: port }))),
    'certificate-arn': certificates.length === 0 ? undefined : certificates.join(','),
    'ssl-policy': options.sslPolicy,
    'ssl-redirect': options.sslRedirect === true ? text(redirectPortOf(options)) : undefined,
    'wafv2-acl-arn': options.wafAclArn,
    'healthcheck-path': healthCheck.path,
    'healthcheck-port': text(healthCheck.port),
    'healthcheck-protocol': healthCheck.protocol,
    'healthcheck-interval-seconds': seconds(healthCheck.interval),
    'healthcheck-timeout-seconds': seconds(healthCheck.timeout),
    'healthy-threshold-count': text(healthCheck.healthyThreshold),
    'unhealthy-threshold-count': text(healthCheck.unhealthyThreshold),
    'success-codes': healthCheck.successCodes,
    ...options.auth?.annotations,
  };
}

/** The port that `sslRedirect` leads to; undefined if no port has HTTPS. */
export function redirectPortOf(options: AlbLoadBalancerOptions): number | undefined {
  return listenPortsOf(options)?.find(({ protocol }) => protocol === 'HTTPS')?.port;
}

/** The same annotations with the prefix of the controller. */
export function prefixed(annotations: MaybeAnnotations): MaybeAnnotations {
  return Object.fromEntries(Object.entries(annotations).map(([suffix, value]) => [annotationKey(suffix), value]));
}

/** A value as the text of an annotation. */
export function text(value: number | string | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function listenPortsOf({ listenPorts, sslRedirect }: AlbLoadBalancerOptions): readonly AlbListenPort[] | undefined {
  if (listenPorts !== undefined || sslRedirect !== true) return listenPorts;
  return [AlbListenPort.http(), AlbListenPort.https()];
}

function seconds(time: number | DurationLike | undefined): string | undefined {
  return time === undefined ? undefined : String(secondsOf(time));
}
