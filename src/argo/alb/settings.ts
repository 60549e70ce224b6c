/** The annotations of an Ingress that say what its load balancer is like. */
import { ALB_ANNOTATION_PREFIX } from '../controller/alb-rollout';
import { compact } from '../values';
import type { ArgoAlbIngressOptions } from './ingress-options';
import { secondsOf } from './options';
import type { PlannedIngress } from './plan';

/** Annotations by their keys. */
export type Annotations = Readonly<Record<string, string>>;

type MaybeAnnotations = Readonly<Record<string, string | undefined>>;

/** All annotations that props of an Ingress stand for. */
export function settingsOf({ options, ingressClass, targetType }: PlannedIngress): Annotations {
  const { certificates = [], healthCheck = {}, group = {} } = options;
  const ports = listenPortsOf(options);
  const { by, settings } = ingressClass;
  return compact({
    'kubernetes.io/ingress.class': by === 'annotation' ? settings.name : undefined,
    ...prefixed({
      'target-type': targetType,
      scheme: options.scheme,
      'group.name': group.name ?? settings.group,
      'group.order': text(group.order),
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
      ...otherActions(options),
    }),
  }) as Annotations;
}

/** The port that `sslRedirect` leads to. */
export function redirectPortOf(options: ArgoAlbIngressOptions): number | undefined {
  return listenPortsOf(options)?.find(({ protocol }) => protocol === 'HTTPS')?.port;
}

function listenPortsOf({ listenPorts, sslRedirect }: ArgoAlbIngressOptions) {
  if (listenPorts !== undefined || sslRedirect !== true) return listenPorts;
  return [{ protocol: 'HTTP', port: 80 } as const, { protocol: 'HTTPS', port: 443 } as const];
}

function otherActions({ rules = [] }: ArgoAlbIngressOptions): MaybeAnnotations {
  return Object.fromEntries(
    rules
      .flatMap(({ paths = [] }) => paths)
      .flatMap(({ backend }) =>
        backend?.action === undefined ? [] : [[`actions.${backend.name}`, JSON.stringify(backend.action)] as const],
      ),
  );
}

function prefixed(annotations: MaybeAnnotations): MaybeAnnotations {
  return Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [`${ALB_ANNOTATION_PREFIX}/${key}`, value]),
  );
}

function text(value: number | string | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function seconds(time: Parameters<typeof secondsOf>[0] | undefined): string | undefined {
  return time === undefined ? undefined : String(secondsOf(time));
}
