import type { ResourceRequirements } from '../../kubernetes/api';
import {
  type ControllerSettings,
  controllerSettings,
  imageName as nameOfImage,
} from '../../kubernetes/controller-settings';
import { ArgoRolloutsVersion } from '../version';
import { CONTROLLER_NAME, DEFAULT_HEALTH_PORT, DEFAULT_METRICS_PORT, DEFAULT_NAMESPACE } from './names';
import type { ArgoInstallOptions, ArgoRolloutsImage, ArgoRolloutsMetrics, ArgoTrafficRouter } from './options';

type Defaulted =
  | 'namespace'
  | 'namespaced'
  | 'createNamespace'
  | 'namespaceLabels'
  | 'namespaceAnnotations'
  | 'crds'
  | 'aggregateRoles'
  | 'replicas'
  | 'imagePullPolicy'
  | 'resources'
  | 'serviceAccountName'
  | 'serviceAccountAnnotations'
  | 'trafficRouters'
  | 'permissions'
  | 'additionalRules'
  | 'aws'
  | 'extraArgs'
  | 'extraEnv'
  | 'extraVolumes'
  | 'extraVolumeMounts'
  | 'initContainers'
  | 'healthPort'
  | 'plugins'
  | 'notifications';

type Optional =
  | 'albIngressClasses'
  | 'nginxIngressClasses'
  | 'instanceId'
  | 'logLevel'
  | 'logFormat'
  | 'kubernetesLogLevel'
  | 'dashboard';

/** The options of an install, with all defaults. */
export interface Settings
  extends ControllerSettings,
    Required<Pick<ArgoInstallOptions, Defaulted>>,
    Pick<ArgoInstallOptions, Optional> {
  readonly version: ArgoRolloutsVersion;
  /** Whether the install creates the ServiceAccount. */
  readonly ownServiceAccount: boolean;
  /** The full name of the image. */
  readonly image: string;
  /** The port of the metrics, which the controller always serves. */
  readonly metricsPort: number;
  readonly metrics: ArgoRolloutsMetrics | undefined;
}

/** The built-in traffic routers; the others are plugins. */
const BUILT_IN_ROUTERS: readonly ArgoTrafficRouter[] = [
  'alb',
  'ambassador',
  'apisix',
  'appMesh',
  'istio',
  'nginx',
  'smi',
  'traefik',
];

/** No memory limit: memory grows with the number of Rollouts, and a killed controller stops all of them. */
const RESOURCES: ResourceRequirements = {
  limits: { 'ephemeral-storage': '1Gi' },
  requests: { cpu: '100m', memory: '256Mi' },
};

/** Applies the defaults. */
export function settingsOf(options: ArgoInstallOptions): Settings {
  const { version = ArgoRolloutsVersion.LATEST, replicas = 2, namespaced = false } = options;
  const { serviceAccountAnnotations, podAnnotations, namespaceAnnotations, env = [] } = options.aws?.access ?? {};
  const controller = controllerSettings(options, replicas);
  const metrics = options.metrics === false ? undefined : (options.metrics ?? {});
  return {
    ...controller,
    version,
    namespace: options.namespace ?? DEFAULT_NAMESPACE,
    namespaced,
    createNamespace: options.createNamespace ?? !namespaced,
    namespaceLabels: options.namespaceLabels ?? {},
    namespaceAnnotations: { ...namespaceAnnotations, ...options.namespaceAnnotations },
    crds: options.crds ?? (namespaced ? 'skip' : 'keep'),
    aggregateRoles: options.aggregateRoles ?? !namespaced,
    replicas,
    image: imageName('argoproj/argo-rollouts', options.image, version),
    imagePullPolicy: options.imagePullPolicy ?? 'IfNotPresent',
    resources: options.resources ?? RESOURCES,
    podAnnotations: { ...podAnnotations, ...controller.podAnnotations },
    serviceAccountName: options.serviceAccountName ?? CONTROLLER_NAME,
    ownServiceAccount: options.serviceAccountName === undefined,
    serviceAccountAnnotations: { ...serviceAccountAnnotations, ...options.serviceAccountAnnotations },
    trafficRouters: options.trafficRouters ?? BUILT_IN_ROUTERS,
    permissions: options.permissions ?? {},
    additionalRules: options.additionalRules ?? [],
    aws: options.aws ?? {},
    albIngressClasses: options.albIngressClasses,
    nginxIngressClasses: options.nginxIngressClasses,
    instanceId: options.instanceId,
    logLevel: options.logLevel,
    logFormat: options.logFormat,
    kubernetesLogLevel: options.kubernetesLogLevel,
    extraArgs: options.extraArgs ?? [],
    extraEnv: [...env, ...(options.extraEnv ?? [])],
    extraVolumes: options.extraVolumes ?? [],
    extraVolumeMounts: options.extraVolumeMounts ?? [],
    initContainers: options.initContainers ?? [],
    healthPort: options.healthPort ?? DEFAULT_HEALTH_PORT,
    metricsPort: metrics?.port ?? DEFAULT_METRICS_PORT,
    metrics,
    plugins: options.plugins ?? {},
    notifications: options.notifications ?? {},
    dashboard: options.dashboard,
  };
}

/** The full name of an image: `quay.io/argoproj/argo-rollouts:v1.9.1`, with its digest if given. */
export function imageName(
  defaultRepository: string,
  image: ArgoRolloutsImage = {},
  version: ArgoRolloutsVersion = ArgoRolloutsVersion.LATEST,
): string {
  const { registry = 'quay.io', repository = defaultRepository, tag = String(version), digest } = image;
  return nameOfImage(`${registry}/${repository}`, tag, digest);
}
