import type { ArgoInstallOptions } from '../../../src/argo/install';
import { ArgoRolloutsVersion } from '../../../src/argo/version';

/** The role of AWS that the controller takes on. */
export const ROLE = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/rollouts' };

/** The controller verifies target groups. */
export const VERIFIED = { verifyTargetGroup: true, region: 'eu-west-1' };

/** Installs whose objects are kept beside the test of the construct. */
export const INSTALLS: readonly (readonly [name: string, options: ArgoInstallOptions])[] = [
  ['cluster', { crds: 'skip' }],
  ['namespaced', { namespaced: true, namespace: 'shop' }],
  [
    'everything',
    {
      version: ArgoRolloutsVersion.V1_9_0,
      crds: 'skip',
      namespace: 'delivery',
      namespaceLabels: { team: 'platform' },
      namespaceAnnotations: { owner: 'platform' },
      labels: { 'example.com/cost': 'delivery' },
      replicas: 3,
      image: { registry: 'registry.example.com', tag: 'v1.9.0', digest: `sha256:${'a'.repeat(64)}` },
      imagePullPolicy: 'Always',
      imagePullSecrets: ['registry'],
      resources: { requests: { cpu: '1' } },
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ key: 'system', operator: 'Exists' }],
      affinity: {},
      topologySpreadConstraints: [],
      priorityClassName: 'system-cluster-critical',
      podLabels: { team: 'platform' },
      podAnnotations: { 'sidecar.istio.io/inject': 'false' },
      serviceAccountAnnotations: ROLE,
      trafficRouters: ['alb', 'gatewayApi'],
      permissions: { analysisJobs: false, analysisSecrets: false },
      additionalRules: [{ apiGroups: ['acme.io'], resources: ['routes'], verbs: ['get', 'update'] }],
      aws: { ...VERIFIED, targetGroupBindingApiVersion: 'eks.amazonaws.com/v1', resourceIdTagKey: 'a' },
      albIngressClasses: ['alb', ''],
      nginxIngressClasses: ['nginx', 'edge'],
      instanceId: 'blue',
      logLevel: 'warn',
      logFormat: 'json',
      kubernetesLogLevel: 1,
      extraArgs: ['--rollout-threads=20'],
      extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }],
      extraVolumes: [{ name: 'plugins', emptyDir: {} }],
      extraVolumeMounts: [{ name: 'plugins', mountPath: '/plugins' }],
      initContainers: [{ name: 'fetch', image: 'acme/fetch:1' }],
      healthPort: 9080,
      metrics: { port: 9090, serviceMonitor: { labels: { release: 'prometheus' }, interval: '30s' } },
      podDisruptionBudget: { minAvailable: 1 },
      plugins: { trafficRouters: [{ name: 'argoproj-labs/gatewayAPI', location: 'file:///plugins/gateway' }] },
      notifications: { config: { 'service.slack': 'token: $slack-token' }, selfService: true },
      dashboard: { rootPath: 'argo', readOnly: true },
    },
  ],
];
