import type { EnvVar, KubernetesObject } from '../../kubernetes/api';
import { METRICS_PORT_NAME } from '../../kubernetes/monitoring';
import { podSettings, RESTRICTED_CONTAINER } from '../../kubernetes/pods';
import { CONFIG_CHECKSUM_ANNOTATION, configChecksum } from './config';
import { CONTROLLER_LABELS, CONTROLLER_NAME, PLUGIN_FOLDER, SELECTOR_LABELS } from './names';
import { processArgs } from './process-args';
import type { Settings } from './settings';

/** The Deployment of the controller. */
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
    ...podSettings(settings, settings.serviceAccountName, SELECTOR_LABELS),
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
    // Standby replicas are ready too: the controller serves both ports before leader election.
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
