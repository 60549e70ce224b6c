import type { Affinity, EnvVar, KubernetesObject, TopologySpreadConstraint } from '../../core/kubernetes';
import { CONFIG_CHECKSUM_ANNOTATION, configChecksum } from './config';
import { CONTROLLER_LABELS, CONTROLLER_NAME, PLUGIN_FOLDER, SELECTOR_LABELS } from './names';
import { processArgs } from './process-args';
import type { Settings } from './settings';

/** The name of the container's port, by which Service and ServiceMonitor find it whatever its number. */
export const METRICS_PORT_NAME = 'metrics';

/** As restricted as Kubernetes' pod security standards know. */
export const RESTRICTED_POD = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };

/** As restricted as Kubernetes' pod security standards know. */
export const RESTRICTED_CONTAINER = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** The controller. */
export function deploymentObject(settings: Settings): KubernetesObject {
  const checksum = configChecksum(settings);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: CONTROLLER_NAME, namespace: settings.namespace, labels: { ...CONTROLLER_LABELS } },
    spec: {
      replicas: settings.replicas,
      selector: { matchLabels: { ...SELECTOR_LABELS } },
      strategy: { type: 'RollingUpdate' },
      template: {
        metadata: {
          labels: { ...settings.podLabels, ...CONTROLLER_LABELS },
          annotations: {
            ...settings.podAnnotations,
            ...(checksum === undefined ? {} : { [CONFIG_CHECKSUM_ANNOTATION]: checksum }),
          },
        },
        spec: podSpec(settings),
      },
    },
  };
}

function podSpec(settings: Settings) {
  return {
    serviceAccountName: settings.serviceAccountName,
    imagePullSecrets: settings.imagePullSecrets.map((name) => ({ name })),
    // No user: the image has one, and OpenShift gives one of its own.
    securityContext: RESTRICTED_POD,
    nodeSelector: settings.nodeSelector,
    tolerations: settings.tolerations,
    affinity: settings.affinity ?? apart(),
    topologySpreadConstraints: settings.topologySpreadConstraints ?? [acrossZones()],
    priorityClassName: settings.priorityClassName,
    initContainers: settings.initContainers,
    containers: [container(settings)],
    volumes: [{ name: 'plugin-bin', emptyDir: {} }, { name: 'tmp', emptyDir: {} }, ...settings.extraVolumes],
  };
}

function container(settings: Settings) {
  return {
    name: CONTROLLER_NAME,
    image: settings.image,
    imagePullPolicy: settings.imagePullPolicy,
    args: processArgs(settings),
    env: environment(settings),
    ports: [
      { name: METRICS_PORT_NAME, containerPort: settings.metricsPort, protocol: 'TCP' },
      { name: 'healthz', containerPort: settings.healthPort, protocol: 'TCP' },
    ],
    livenessProbe: {
      httpGet: { path: '/healthz', port: 'healthz' },
      initialDelaySeconds: 30,
      periodSeconds: 20,
      failureThreshold: 3,
      successThreshold: 1,
      timeoutSeconds: 10,
    },
    // Those that stand by are ready too: both ports are served before the leader is chosen.
    readinessProbe: {
      httpGet: { path: '/healthz', port: 'healthz' },
      initialDelaySeconds: 5,
      periodSeconds: 10,
      timeoutSeconds: 4,
    },
    resources: settings.resources,
    securityContext: {
      ...RESTRICTED_CONTAINER,
      readOnlyRootFilesystem: true,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    volumeMounts: [
      { name: 'plugin-bin', mountPath: PLUGIN_FOLDER },
      { name: 'tmp', mountPath: '/tmp' },
      ...settings.extraVolumeMounts,
    ],
  };
}

function environment({ aws, extraEnv }: Settings): EnvVar[] {
  return [...(aws.region === undefined ? [] : [{ name: 'AWS_REGION', value: aws.region }]), ...extraEnv];
}

function apart(): Affinity {
  return {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 100,
          podAffinityTerm: { labelSelector: { matchLabels: SELECTOR_LABELS }, topologyKey: 'kubernetes.io/hostname' },
        },
      ],
    },
  };
}

function acrossZones(): TopologySpreadConstraint {
  return {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: SELECTOR_LABELS },
  };
}
