import type { PropTable } from '../../core/props';
import type { EnvVar, LabelSelectorRequirement, NetworkPolicyPeer, ResourceRequirements } from '../../kubernetes/api';
import type { ControllerOptions, DisruptionBudget, ServiceMonitorOptions } from '../../kubernetes/controller-options';
import type { KruiseFeatureGate } from '../facts';
import type { KruiseRolloutVersion } from '../version';

/** The controller's image. */
export interface KruiseRolloutImage {
  /**
   * The image without its tag.
   * @default 'openkruise/kruise-rollout'
   */
  readonly repository?: string;
  /**
   * The image's tag.
   * @default - the tag of the version, `v0.6.2`
   */
  readonly tag?: string;
  /**
   * Pins the image to exact content: `sha256:…`. The tag stays, for information.
   * @default - none
   */
  readonly digest?: string;
}

/** The kinds that the controller may read and change, in addition to Services, Deployments and StatefulSets. */
export interface KruiseRolloutPermissions {
  /**
   * Ingresses, for Rollouts with `trafficRoutings[].ingress` or with an Ingress in `customNetworkRefs`.
   * @default true
   */
  readonly ingresses?: boolean;
  /**
   * HTTPRoutes of the Gateway API, for Rollouts with `trafficRoutings[].gateway`.
   * @default true
   */
  readonly gatewayApi?: boolean;
  /**
   * VirtualServices and DestinationRules of Istio, for Rollouts that name them in `customNetworkRefs`.
   * @default true
   */
  readonly istio?: boolean;
  /**
   * CloneSets, DaemonSets and StatefulSets of OpenKruise. Disable this only if OpenKruise is not installed: the controller
   * watches these kinds as soon as their CRDs exist, and does not start without the permission.
   * @default true
   */
  readonly kruiseWorkloads?: boolean;
  /**
   * HorizontalPodAutoscalers, which a blue-green rollout pauses.
   * @default - true if the version supports blue-green (0.6)
   */
  readonly horizontalPodAutoscalers?: boolean;
  /**
   * Grants the verbs that upstream's manifests and the Helm chart grant, also those that no release uses, such as to create
   * and delete any Pod.
   * @default false - only what the release was seen to use, and what its code can use
   */
  readonly upstream?: boolean;
}

/** Metrics for Prometheus. */
export interface KruiseRolloutMetrics {
  /**
   * The port of the metrics.
   * @default 8080
   */
  readonly port?: number;
  /**
   * A ServiceMonitor of the Prometheus operator. The cluster needs its CRD.
   * @default - none
   */
  readonly serviceMonitor?: KruiseRolloutServiceMonitor;
}

/** How the Prometheus operator scrapes the metrics. */
export interface KruiseRolloutServiceMonitor extends ServiceMonitorOptions {}

/** How many pods a drain of nodes keeps. Set one of the two. */
export interface KruiseRolloutDisruptionBudget extends DisruptionBudget {}

/** The network access to and from the controller. */
export interface KruiseRolloutNetworkPolicy {
  /**
   * Addresses of the API server, for incoming webhooks and outgoing requests. It is not a pod, so no selector matches it.
   * @default - all addresses
   */
  readonly apiServerCidrs?: readonly string[];
  /**
   * The ports of the API server; a policy applies to the port behind the Service `kubernetes`.
   * @default [443, 6443]
   */
  readonly apiServerPorts?: readonly number[];
  /**
   * The clients that may read metrics; only with `metrics`.
   * @default - all pods
   */
  readonly metricsFrom?: readonly NetworkPolicyPeer[];
}

/** How the install handles the CRDs, and with them every Rollout in the cluster. */
export type CrdPolicy =
  /** Installs the CRDs. Helm, Argo CD and Flux keep them when they remove the rest. */
  | 'keep'
  /** Installs the CRDs and removes them with the rest, which deletes every Rollout in the cluster. */
  | 'remove'
  /** Does not install the CRDs. */
  | 'skip';

/** An install of Kruise Rollouts. */
export interface KruiseInstallOptions extends ControllerOptions {
  /**
   * The release to install.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly version?: KruiseRolloutVersion;

  /**
   * The controller's namespace.
   * @default 'kruise-rollout'
   */
  readonly namespace?: string;

  /**
   * Whether to create the namespace.
   * @default true
   */
  readonly createNamespace?: boolean;

  /**
   * Labels of the namespace, in addition to `pod-security.kubernetes.io/enforce: restricted`, or to replace it.
   * @default - none
   */
  readonly namespaceLabels?: { readonly [key: string]: string };

  /**
   * How to handle the CRDs.
   * @default 'keep'
   */
  readonly crds?: CrdPolicy;

  /**
   * The number of controllers: one is the leader, the others serve webhooks and stand by.
   * @default 2
   */
  readonly replicas?: number;

  /**
   * The controller's image.
   * @default - `openkruise/kruise-rollout`, with the tag of the version
   */
  readonly image?: KruiseRolloutImage;

  /**
   * When to pull the image. With `Always`, every restart of the controller depends on the registry.
   * @default 'IfNotPresent'
   */
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';

  /**
   * CPU and memory.
   * @default - 100m and 256Mi requested, limits of 500m and 1Gi
   */
  readonly resources?: ResourceRequirements;

  /**
   * Feature gates of the controller; others keep their default.
   * @default - `AdvancedDeployment` on, which partition style needs for Deployments
   */
  readonly featureGates?: { readonly [gate in KruiseFeatureGate]?: boolean };

  /**
   * The largest percentage of replicas of a step in partition style that routes traffic. Since 0.6.
   * @default - the controller's default, 50
   */
  readonly partitionPercentLimit?: number;

  /**
   * The log level. The controller logs errors of routing scripts at every level.
   * @default 4
   */
  readonly logLevel?: number;

  /**
   * Additional flags of the controller, such as `--rollout-workers=10`.
   * @default - none
   */
  readonly extraArgs?: readonly string[];

  /**
   * Additional environment variables.
   * @default - none
   */
  readonly extraEnv?: readonly EnvVar[];

  /**
   * The port of the webhooks in the pods. The API server must reach it: a private cluster may need a firewall rule.
   * @default 9876
   */
  readonly webhookPort?: number;

  /**
   * The port of the liveness and readiness probes.
   * @default 8081
   */
  readonly healthPort?: number;

  /**
   * Serves metrics to the cluster. By default, only the pod itself can read them.
   * @default - none
   */
  readonly metrics?: KruiseRolloutMetrics;

  /**
   * How many pods a drain of nodes keeps; `false` for no budget.
   * @default - with more than one replica, one may be down
   */
  readonly podDisruptionBudget?: KruiseRolloutDisruptionBudget | false;

  /**
   * Restricts the network access of the controller.
   * @default - none
   */
  readonly networkPolicy?: KruiseRolloutNetworkPolicy;

  /**
   * Restricts the webhooks to workloads with certain labels. Other workloads are updated immediately, without a rollout,
   * even if a Rollout names them.
   * @default - every workload that a Rollout names
   */
  readonly objectSelector?: readonly LabelSelectorRequirement[];

  /**
   * Annotations of the ServiceAccount.
   * @default - none
   */
  readonly serviceAccountAnnotations?: { readonly [key: string]: string };

  /**
   * The permissions of the controller.
   * @default - all kinds that the release supports, with the verbs that it uses
   */
  readonly permissions?: KruiseRolloutPermissions;
}

/** The same at run time. */
export const KRUISE_INSTALL_PROPS: PropTable<KruiseInstallOptions> = {
  version: true,
  namespace: true,
  createNamespace: true,
  namespaceLabels: true,
  crds: true,
  replicas: true,
  image: true,
  imagePullPolicy: true,
  resources: true,
  featureGates: true,
  partitionPercentLimit: true,
  logLevel: true,
  extraArgs: true,
  extraEnv: true,
  webhookPort: true,
  healthPort: true,
  metrics: true,
  podDisruptionBudget: true,
  networkPolicy: true,
  objectSelector: true,
  serviceAccountAnnotations: true,
  permissions: true,
  labels: true,
  imagePullSecrets: true,
  nodeSelector: true,
  tolerations: true,
  affinity: true,
  topologySpreadConstraints: true,
  priorityClassName: true,
  podLabels: true,
  podAnnotations: true,
};
