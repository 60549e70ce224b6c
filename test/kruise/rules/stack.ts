import { collectFindings, Manifest, World } from '../../../src/core';
import { checkRollouts, type RolloutCheckOptions } from '../../../src/kruise/rules';

/** The input of the tests of this folder: fields of a strategy, its steps and its routing. */
export interface RolloutOptions {
  readonly steps?: readonly object[];
  readonly strategy?: object;
  readonly blueGreen?: boolean;
  readonly route?: object | null;
  readonly annotations?: object;
  readonly workloadRef?: object;
  readonly name?: string;
  readonly namespace?: string;
}

const STEPS = [
  { traffic: '20%', replicas: '20%' },
  { traffic: '100%', replicas: '100%' },
];

/** A v1beta1 Rollout in canary style, without a finding. */
export function rollout(options: RolloutOptions = {}) {
  const { steps = STEPS, route = { service: 'web', ingress: { name: 'web', classType: 'nginx' } } } = options;
  const strategy = {
    ...(options.blueGreen ? {} : { enableExtraWorkloadForCanary: true }),
    steps,
    ...(route && { trafficRoutings: [route] }),
    ...options.strategy,
  };
  return {
    apiVersion: 'rollouts.kruise.io/v1beta1',
    kind: 'Rollout',
    metadata: {
      name: options.name ?? 'web',
      namespace: options.namespace ?? 'shop',
      ...(options.annotations && { annotations: options.annotations }),
    },
    spec: {
      workloadRef: options.workloadRef ?? { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      strategy: options.blueGreen ? { blueGreen: strategy } : { canary: strategy },
    },
  };
}

/** A v1alpha1 Rollout. */
export function rolloutV1alpha1(canary: object, annotations?: object) {
  return {
    apiVersion: 'rollouts.kruise.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop', ...(annotations && { annotations }) },
    spec: {
      objectRef: { workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
      strategy: { canary },
    },
  };
}

/** An object of any kind in the namespace of the Rollout. */
export function object(apiVersion: string, kind: string, spec: object = {}, metadata: object = {}) {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'shop', ...metadata }, spec };
}

export const deployment = (spec: object = {}, metadata: object = {}) =>
  object('apps/v1', 'Deployment', { replicas: 5, ...spec }, metadata);

export const service = (spec: object = {}, metadata: object = {}) =>
  object('v1', 'Service', { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec }, metadata);

export const ingress = (backend = 'web', spec: object = {}, metadata: object = {}) =>
  object(
    'networking.k8s.io/v1',
    'Ingress',
    {
      ingressClassName: 'nginx',
      rules: [{ http: { paths: [{ path: '/', backend: { service: { name: backend, port: { number: 80 } } } }] } }],
      ...spec,
    },
    metadata,
  );

export const httpRoute = (backendRef: object, rule: object = {}, metadata: object = {}) =>
  object('gateway.networking.k8s.io/v1', 'HTTPRoute', { rules: [{ backendRefs: [backendRef], ...rule }] }, metadata);

export const configMap = (data: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kruise-rollout-configuration', namespace: 'kruise-rollout' },
  data,
});

/** The findings without notes, one per line: `severity rule path: message`. */
export function found(objects: readonly object[], options: RolloutCheckOptions = {}): string[] {
  return findings(objects, options)
    .filter(({ severity }) => severity !== 'note')
    .map(({ severity, rule, path = '', message }) => `${severity} ${rule} ${path}: ${message}`);
}

/** The rules of the findings. */
export function rules(objects: readonly object[], options: RolloutCheckOptions = {}): string[] {
  return [...new Set(found(objects, options).map((line) => line.split(' ')[1]!))];
}

/** All findings. */
export function findings(objects: readonly object[], options: RolloutCheckOptions = {}) {
  return collectFindings(checkRollouts(World.of(objects.map((each) => Manifest.of(each))), options));
}
