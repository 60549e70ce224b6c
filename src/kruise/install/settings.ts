import type { ResourceRequirements } from '../../kubernetes/api';
import { type ControllerSettings, controllerSettings, imageName } from '../../kubernetes/controller-settings';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../api/names';
import { KruiseRolloutVersion } from '../version';
import { DEFAULT_HEALTH_PORT, DEFAULT_METRICS_PORT, DEFAULT_WEBHOOK_PORT } from './names';
import type { CrdPolicy, KruiseInstallOptions, KruiseRolloutMetrics, KruiseRolloutPermissions } from './options';

/**
 * The checksum of the routing scripts, on the pod template. The controller reads the ConfigMap in every reconcile and needs
 * no restart for a change. But it retries a failed Rollout after up to 1000 seconds, and a new pod retries immediately.
 */
export const SCRIPTS_CHECKSUM_ANNOTATION = 'rollout-constructs.io/routing-scripts-checksum';

type Defaulted =
  | 'namespace'
  | 'createNamespace'
  | 'namespaceLabels'
  | 'replicas'
  | 'imagePullPolicy'
  | 'extraArgs'
  | 'extraEnv'
  | 'webhookPort'
  | 'healthPort'
  | 'logLevel'
  | 'objectSelector'
  | 'serviceAccountAnnotations';

type Optional = 'partitionPercentLimit' | 'networkPolicy';

/** The options of an install, with all defaults. */
export interface Settings
  extends ControllerSettings,
    Required<Pick<KruiseInstallOptions, Defaulted>>,
    Pick<KruiseInstallOptions, Optional> {
  readonly version: KruiseRolloutVersion;
  readonly crds: CrdPolicy;
  /** The full name of the image. */
  readonly image: string;
  readonly resources: ResourceRequirements;
  readonly featureGates: { readonly [gate: string]: boolean };
  readonly metrics: (KruiseRolloutMetrics & { readonly port: number }) | undefined;
  /** All addresses if metrics are enabled, else only the pod's loopback address. */
  readonly metricsBindAddress: string;
  readonly permissions: KruiseRolloutPermissions;
  readonly scriptsChecksum: string | undefined;
}

const RESOURCES: ResourceRequirements = {
  limits: { cpu: '500m', memory: '1Gi' },
  requests: { cpu: '100m', memory: '256Mi' },
};

/** Applies the defaults. */
export function settingsOf(options: KruiseInstallOptions, scriptsChecksum?: string): Settings {
  const { version = KruiseRolloutVersion.LATEST, replicas = 2 } = options;
  const metrics = options.metrics && { ...options.metrics, port: options.metrics.port ?? DEFAULT_METRICS_PORT };
  const { repository = 'openkruise/kruise-rollout', tag = String(version), digest } = options.image ?? {};
  return {
    ...controllerSettings(options, replicas),
    version,
    namespace: options.namespace ?? DEFAULT_CONTROLLER_NAMESPACE,
    createNamespace: options.createNamespace ?? true,
    namespaceLabels: options.namespaceLabels ?? {},
    crds: options.crds ?? 'keep',
    replicas,
    image: imageName(repository, tag, digest),
    imagePullPolicy: options.imagePullPolicy ?? 'IfNotPresent',
    resources: options.resources ?? RESOURCES,
    featureGates: gatesOf(options),
    partitionPercentLimit: options.partitionPercentLimit,
    logLevel: options.logLevel ?? 4,
    extraArgs: options.extraArgs ?? [],
    extraEnv: options.extraEnv ?? [],
    webhookPort: options.webhookPort ?? DEFAULT_WEBHOOK_PORT,
    healthPort: options.healthPort ?? DEFAULT_HEALTH_PORT,
    metrics,
    metricsBindAddress: metrics === undefined ? `127.0.0.1:${freeMetricsPort(options)}` : `0.0.0.0:${metrics.port}`,
    networkPolicy: options.networkPolicy,
    objectSelector: options.objectSelector ?? [],
    serviceAccountAnnotations: options.serviceAccountAnnotations ?? {},
    permissions: options.permissions ?? {},
    scriptsChecksum,
  };
}

function gatesOf({ featureGates = {} }: KruiseInstallOptions): Record<string, boolean> {
  const set = Object.entries(featureGates).filter((entry): entry is [string, boolean] => entry[1] !== undefined);
  return { AdvancedDeployment: true, ...Object.fromEntries(set) };
}

/** The port of unused metrics, which avoids the ports of the options. */
function freeMetricsPort({ webhookPort, healthPort }: KruiseInstallOptions): number {
  const taken = [webhookPort, healthPort];
  return [DEFAULT_METRICS_PORT, DEFAULT_METRICS_PORT + 2, DEFAULT_METRICS_PORT + 3].find(
    (port) => !taken.includes(port),
  )!;
}
