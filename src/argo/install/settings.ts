import type { ResourceRequirements } from '../../core/kubernetes';
import { ArgoRolloutsVersion } from '../version';
import { CONTROLLER_NAME, DEFAULT_HEALTH_PORT, DEFAULT_METRICS_PORT, DEFAULT_NAMESPACE } from './names';
import type {
  ArgoInstallOptions,
  ArgoRolloutsDisruptionBudget,
  ArgoRolloutsImage,
  ArgoRolloutsMetrics,
  ArgoTrafficRouter,
} from './options';

type Defaulted =
  | 'namespace'
  | 'namespaced'
  | 'createNamespace'
  | 'namespaceLabels'
  | 'namespaceAnnotations'
  | 'crds'
  | 'aggregateRoles'
  | 'labels'
  | 'replicas'
  | 'imagePullPolicy'
  | 'imagePullSecrets'
  | 'resources'
  | 'podLabels'
  | 'podAnnotations'
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
  | 'nodeSelector'
  | 'tolerations'
  | 'affinity'
  | 'topologySpreadConstraints'
  | 'priorityClassName'
  | 'albIngressClasses'
  | 'nginxIngressClasses'
  | 'instanceId'
  | 'logLevel'
  | 'logFormat'
  | 'kubernetesLogLevel'
  | 'dashboard';

/** The options of an install with every default in place. */
export interface Settings extends Required<Pick<ArgoInstallOptions, Defaulted>>, Pick<ArgoInstallOptions, Optional> {
  readonly version: ArgoRolloutsVersion;
  /** Whether the ServiceAccount is part of the install. */
  readonly ownServiceAccount: boolean;
  /** The image as the container names it. */
  readonly image: string;
  /** The port at which the process serves metrics, asked for or not. */
  readonly metricsPort: number;
  readonly metrics: ArgoRolloutsMetrics | undefined;
  readonly podDisruptionBudget: ArgoRolloutsDisruptionBudget | undefined;
}

/** The traffic routers that the controller has built in; the others are plugins. */
export const BUILT_IN_ROUTERS: readonly ArgoTrafficRouter[] = [
  'alb',
  'ambassador',
  'apisix',
  'appMesh',
  'istio',
  'nginx',
  'smi',
  'traefik',
];

/** No limit of memory: what the controller takes grows with the Rollouts, and one that is killed stops all of them. */
const RESOURCES: ResourceRequirements = {
  limits: { 'ephemeral-storage': '1Gi' },
  requests: { cpu: '100m', memory: '256Mi' },
};

/** Puts the defaults in place. */
export function settingsOf(options: ArgoInstallOptions): Settings {
  const { version = ArgoRolloutsVersion.LATEST, replicas = 2, namespaced = false } = options;
  const { serviceAccountAnnotations, podAnnotations, namespaceAnnotations, env = [] } = options.aws?.access ?? {};
  const metrics = options.metrics === false ? undefined : (options.metrics ?? {});
  return {
    version,
    namespace: options.namespace ?? DEFAULT_NAMESPACE,
    namespaced,
    createNamespace: options.createNamespace ?? !namespaced,
    namespaceLabels: options.namespaceLabels ?? {},
    namespaceAnnotations: { ...namespaceAnnotations, ...options.namespaceAnnotations },
    crds: options.crds ?? (namespaced ? 'skip' : 'keep'),
    aggregateRoles: options.aggregateRoles ?? !namespaced,
    labels: options.labels ?? {},
    replicas,
    image: imageName('argoproj/argo-rollouts', options.image, version),
    imagePullPolicy: options.imagePullPolicy ?? 'IfNotPresent',
    imagePullSecrets: options.imagePullSecrets ?? [],
    resources: options.resources ?? RESOURCES,
    nodeSelector: options.nodeSelector,
    tolerations: options.tolerations,
    affinity: options.affinity,
    topologySpreadConstraints: options.topologySpreadConstraints,
    priorityClassName: options.priorityClassName,
    podLabels: options.podLabels ?? {},
    podAnnotations: { ...podAnnotations, ...options.podAnnotations },
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
    podDisruptionBudget: budgetOf(options, replicas),
    plugins: options.plugins ?? {},
    notifications: options.notifications ?? {},
    dashboard: options.dashboard,
  };
}

/** `quay.io/argoproj/argo-rollouts:v1.9.1`, with the digest where one is given. */
export function imageName(
  defaultRepository: string,
  image: ArgoRolloutsImage = {},
  version: ArgoRolloutsVersion = ArgoRolloutsVersion.LATEST,
): string {
  const { registry = 'quay.io', repository = defaultRepository, tag = String(version), digest } = image;
  const name = `${registry}/${repository}:${tag}`;
  return digest === undefined ? name : `${name}@${digest}`;
}

function budgetOf(
  { podDisruptionBudget }: ArgoInstallOptions,
  replicas: number,
): ArgoRolloutsDisruptionBudget | undefined {
  if (podDisruptionBudget === false) return undefined;
  if (podDisruptionBudget !== undefined) return podDisruptionBudget;
  return replicas > 1 ? { maxUnavailable: 1 } : undefined;
}
