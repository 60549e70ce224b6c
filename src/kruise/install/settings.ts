import type { ResourceRequirements } from '../../kubernetes/api';
import { type ControllerSettings, controllerSettings, imageName } from '../../kubernetes/controller-settings';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../api/names';
import { KruiseRolloutVersion } from '../version';
import { DEFAULT_HEALTH_PORT, DEFAULT_METRICS_PORT, DEFAULT_WEBHOOK_PORT } from './names';
import type { CrdPolicy, KruiseInstallOptions, KruiseRolloutMetrics, KruiseRolloutPermissions } from './options';

/**
 * On the pod template: which routing scripts the controllers were rolled out with. The controller reads the ConfigMap at
 * every reconcile and needs no restart for a change. But what failed before is retried after up to 1000 seconds, and a
 * new pod tries at once.
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

/** The options of an install with every default in place. */
export interface Settings
  extends ControllerSettings,
    Required<Pick<KruiseInstallOptions, Defaulted>>,
    Pick<KruiseInstallOptions, Optional> {
  readonly version: KruiseRolloutVersion;
  readonly crds: CrdPolicy;
  /** The image as the container names it. */
  readonly image: string;
  readonly resources: ResourceRequirements;
  readonly featureGates: { readonly [gate: string]: boolean };
  readonly metrics: (KruiseRolloutMetrics & { readonly port: number }) | undefined;
  /** Every address where Prometheus reads, only the pod's own where nobody does. */
  readonly metricsBindAddress: string;
  readonly permissions: KruiseRolloutPermissions;
  readonly scriptsChecksum: string | undefined;
}

const RESOURCES: ResourceRequirements = {
  limits: { cpu: '500m', memory: '1Gi' },
  requests: { cpu: '100m', memory: '256Mi' },
};

/** Puts the defaults in place. */
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

/** Nobody reads there, so it gives way to a port that somebody asked for. */
function freeMetricsPort({ webhookPort, healthPort }: KruiseInstallOptions): number {
  const taken = [webhookPort, healthPort];
  return [DEFAULT_METRICS_PORT, DEFAULT_METRICS_PORT + 2, DEFAULT_METRICS_PORT + 3].find(
    (port) => !taken.includes(port),
  )!;
}
