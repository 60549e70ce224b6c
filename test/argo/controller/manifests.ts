import { readAlbRollout } from '../../../src/argo/controller';

/** A Rollout that routes through an ALB. */
export function rolloutOf(
  options: {
    readonly alb?: object;
    readonly canary?: object;
    readonly managedRoutes?: readonly string[];
    readonly spec?: object;
    readonly status?: object;
    readonly name?: string;
  } = {},
) {
  const { alb, canary, managedRoutes, spec, status, name = 'shop' } = options;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas: 5,
      ...spec,
      strategy: {
        canary: {
          stableService: 'stable',
          canaryService: 'canary',
          trafficRouting: {
            alb: { ingress: 'shop', servicePort: 80, ...alb },
            ...(managedRoutes && { managedRoutes: managedRoutes.map((route) => ({ name: route })) }),
          },
          ...canary,
        },
      },
    },
    ...(status && { status }),
  };
}

/** The same, as the input of the calls. */
export function albRolloutOf(options: Parameters<typeof rolloutOf>[0] = {}) {
  return readAlbRollout(rolloutOf(options))!;
}

/** A path of an Ingress to an action or to a port of a Service. */
export function pathTo(service: string, path = '/*', port: object = { name: 'use-annotation' }) {
  return { path, pathType: 'ImplementationSpecific', backend: { service: { name: service, port } } };
}

/** An Ingress of the class alb. */
export function ingressOf(
  options: {
    readonly name?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly rules?: readonly object[];
    readonly className?: string;
  } = {},
) {
  const { name = 'shop', annotations, className = 'alb' } = options;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: 'shop', ...(annotations && { annotations }) },
    spec: {
      ingressClassName: className,
      rules: options.rules ?? [{ host: 'shop.example.com', http: { paths: [pathTo('stable')] } }],
    },
  };
}

export const SCHEME = { 'alb.ingress.kubernetes.io/scheme': 'internal' };
export const BOOKS = 'rollouts.argoproj.io/managed-alb-annotations';
export const actionOf = (name: string) => `alb.ingress.kubernetes.io/actions.${name}`;
export const conditionsOf = (name: string) => `alb.ingress.kubernetes.io/conditions.${name}`;

/** A forward action, exactly as written. */
export function forward(...targets: readonly [service: string, weight: number][]): string {
  const groups = targets.map(
    ([service, weight]) => `{"ServiceName":"${service}","ServicePort":"80","Weight":${weight}}`,
  );
  return `{"Type":"forward","ForwardConfig":{"TargetGroups":[${groups.join(',')}]}}`;
}
