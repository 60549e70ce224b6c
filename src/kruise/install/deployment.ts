import type { EnvVar, KubernetesObject } from '../../kubernetes/api';
import { METRICS_PORT_NAME } from '../../kubernetes/monitoring';
import { podSettings, RESTRICTED_CONTAINER } from '../../kubernetes/pods';
import { CONTROLLER_LABELS, CONTROLLER_NAME, WEBHOOK_CERT_DIR } from './names';
import { SCRIPTS_CHECKSUM_ANNOTATION, type Settings } from './settings';
import { WEBHOOK_PORT_NAME } from './webhooks';

/** The Deployment of the controller, which meets the restricted pod security standard. */
export function deploymentObject(settings: Settings): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: CONTROLLER_NAME, namespace: settings.namespace, labels: { ...CONTROLLER_LABELS } },
    spec: {
      replicas: settings.replicas,
      minReadySeconds: 3,
      selector: { matchLabels: { ...CONTROLLER_LABELS } },
      // Keeps the webhooks available: without them, nobody can update a workload of a Rollout.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '100%' } },
      template: {
        metadata: {
          labels: { ...settings.podLabels, ...CONTROLLER_LABELS },
          annotations: {
            ...settings.podAnnotations,
            ...(settings.scriptsChecksum === undefined
              ? {}
              : { [SCRIPTS_CHECKSUM_ANNOTATION]: settings.scriptsChecksum }),
          },
        },
        spec: podSpec(settings),
      },
    },
  };
}

function podSpec(settings: Settings) {
  return {
    ...podSettings(settings, CONTROLLER_NAME, CONTROLLER_LABELS),
    containers: [container(settings)],
    volumes: [{ name: 'webhook-certs', emptyDir: {} }],
  };
}

function container(settings: Settings) {
  const { webhookPort, healthPort, metrics } = settings;
  return {
    name: 'kruise-rollout',
    image: settings.image,
    imagePullPolicy: settings.imagePullPolicy,
    command: ['/manager'],
    args: processArgs(settings),
    env: environment(settings),
    ports: [
      { name: WEBHOOK_PORT_NAME, containerPort: webhookPort, protocol: 'TCP' },
      { name: 'health', containerPort: healthPort, protocol: 'TCP' },
      ...(metrics === undefined ? [] : [{ name: METRICS_PORT_NAME, containerPort: metrics.port, protocol: 'TCP' }]),
    ],
    livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, initialDelaySeconds: 5, periodSeconds: 10 },
    resources: settings.resources,
    securityContext: { ...RESTRICTED_CONTAINER, readOnlyRootFilesystem: true },
    volumeMounts: [{ name: 'webhook-certs', mountPath: WEBHOOK_CERT_DIR }],
  };
}

function processArgs(settings: Settings): string[] {
  const gates = Object.entries(settings.featureGates)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([gate, on]) => `${gate}=${on}`);
  return [
    '--leader-elect',
    `--health-probe-bind-address=:${settings.healthPort}`,
    `--metrics-bind-address=${settings.metricsBindAddress}`,
    `--v=${settings.logLevel}`,
    ...(gates.length === 0 ? [] : [`--feature-gates=${gates.join(',')}`]),
    ...(settings.partitionPercentLimit === undefined
      ? []
      : [`--partition-percent-limit=${settings.partitionPercentLimit}`]),
    ...settings.extraArgs,
  ];
}

/** The environment sets the port of the webhooks, and the namespace of the ConfigMap and the Secret. */
function environment({ webhookPort, extraEnv }: Settings): EnvVar[] {
  return [
    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    { name: 'WEBHOOK_PORT', value: String(webhookPort) },
    ...extraEnv,
  ];
}
