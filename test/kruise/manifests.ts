/** Manifests shared by the tests of this folder: small, complete and valid by default. */

/** A v1beta1 canary Rollout that routes the Service `web`, by default with an Ingress. */
export function rollout(
  step: unknown,
  options: { strategy?: object; trafficRouting?: object; blueGreen?: boolean } = {},
) {
  const strategy = {
    steps: [step],
    trafficRoutings: [options.trafficRouting ?? { service: 'web', ingress: { name: 'web', classType: 'demo' } }],
    ...options.strategy,
  };
  return {
    apiVersion: 'rollouts.kruise.io/v1beta1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      strategy: options.blueGreen ? { blueGreen: strategy } : { canary: strategy },
    },
  };
}

/** A v1alpha1 canary Rollout that routes the Service `web` by an Ingress. */
export function rolloutV1alpha1(step: unknown, strategy: object = {}) {
  return {
    apiVersion: 'rollouts.kruise.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      objectRef: { workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
      strategy: {
        canary: {
          steps: [step],
          trafficRoutings: [{ service: 'web', ingress: { name: 'web', classType: 'demo' } }],
          ...strategy,
        },
      },
    },
  };
}

/** A TrafficRouting of the Service `web` by an Ingress. */
export function trafficRouting(strategy: unknown) {
  return {
    apiVersion: 'rollouts.kruise.io/v1alpha1',
    kind: 'TrafficRouting',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { objectRef: [{ service: 'web', ingress: { name: 'web' } }], strategy },
  };
}

/** One path of an Ingress. */
export function path(service: string, at = '/', port: object = { number: 80 }) {
  return { path: at, pathType: 'Prefix', backend: { service: { name: service, port } } };
}

/** The stable Ingress `web`, by default with a path to the Service `web`. */
export function ingress(
  annotations?: object,
  spec: object = { rules: [{ host: 'a.example.com', http: { paths: [path('web')] } }] },
) {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', namespace: 'shop', ...(annotations && { annotations }) },
    spec,
  };
}

/** A custom object `web` of a kind without built-in script. */
export function route(spec: unknown, metadata: object = {}) {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Route',
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    ...(spec === undefined ? {} : { spec }),
  };
}

/** The ConfigMap of routing scripts. */
export function configMap(data: object) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kruise-rollout-configuration', namespace: 'kruise-rollout' },
    data,
  };
}
