import type { PropTable } from '../../core/props';
import type { EnvVar, LabelSelectorRequirement, NetworkPolicyPeer, ResourceRequirements } from '../../kubernetes/api';
import type { ControllerOptions, DisruptionBudget, ServiceMonitorOptions } from '../../kubernetes/controller-options';
import type { KruiseFeatureGate, KruiseRolloutVersion } from '../version';

/** Where the controller's image comes from. */
export interface KruiseRolloutImage {
  /**
   * The image without its tag.
   * @default 'openkruise/kruise-rollout'
   */
  readonly repository?: string;
  /**
   * The image's tag.
   * @default - that of the version, `v0.6.2`
   */
  readonly tag?: string;
  /**
   * Pins the image to exact content: `sha256:…`. The tag is kept for the reader.
   * @default - none
   */
  readonly digest?: string;
}

/** What the controller may read and change apart from Services, Deployments and StatefulSets. */
export interface KruiseRolloutPermissions {
  /**
   * Ingresses, for Rollouts with `trafficRoutings[].ingress` and for those that name an Ingress in `customNetworkRefs`.
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
   * CloneSets, DaemonSets and StatefulSets of OpenKruise. Turn this off only where OpenKruise is not installed: the
   * controller watches these kinds as soon as their CRDs exist, and does not start without the permission.
   * @default true
   */
  readonly kruiseWorkloads?: boolean;
  /**
   * HorizontalPodAutoscalers, which a blue-green rollout holds still.
   * @default - true where the version knows blue-green (0.6)
   */
  readonly horizontalPodAutoscalers?: boolean;
}

/** Metrics for Prometheus. */
export interface KruiseRolloutMetrics {
  /**
   * The port on which the controller tells them.
   * @default 8080
   */
  readonly port?: number;
  /**
   * A ServiceMonitor of the Prometheus operator, whose CRD has to be in the cluster.
   * @default - none
   */
  readonly serviceMonitor?: KruiseRolloutServiceMonitor;
}

/** How the Prometheus operator scrapes. */
export interface KruiseRolloutServiceMonitor extends ServiceMonitorOptions {}

/** How many pods a drain of nodes leaves. Give one of the two. */
export interface KruiseRolloutDisruptionBudget extends DisruptionBudget {}

/** Who may talk to the controller, and to whom it may talk. */
export interface KruiseRolloutNetworkPolicy {
  /**
   * Addresses of the API server, for webhooks in and requests out. It is no pod, so no selector finds it.
   * @default - all addresses
   */
  readonly apiServerCidrs?: readonly string[];
  /**
   * The ports at which the API server is reached; a policy sees the port behind the Service `kubernetes`.
   * @default [443, 6443]
   */
  readonly apiServerPorts?: readonly number[];
  /**
   * Who may read metrics; only with `metrics`.
   * @default - all pods
   */
  readonly metricsFrom?: readonly NetworkPolicyPeer[];
}

/** What becomes of the CRDs, and with them of every Rollout in the cluster. */
export type CrdPolicy =
  /** They are installed and stay when the rest is removed, by Helm or by Argo CD. */
  | 'keep'
  /** They are installed and removed with the rest, which deletes every Rollout in the cluster. */
  | 'remove'
  /** They are installed by somebody else. */
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
   * Whether the namespace is part of the install.
   * @default true
   */
  readonly createNamespace?: boolean;

  /**
   * Labels of the namespace, added to `pod-security.kubernetes.io/enforce: restricted`, or in its place.
   * @default - none
   */
  readonly namespaceLabels?: { readonly [key: string]: string };

  /**
   * What becomes of the CRDs.
   * @default 'keep'
   */
  readonly crds?: CrdPolicy;

  /**
   * How many controllers there are: one works, the others answer webhooks and stand by.
   * @default 2
   */
  readonly replicas?: number;

  /**
   * Where the image comes from.
   * @default - `openkruise/kruise-rollout`, with the tag of the version
   */
  readonly image?: KruiseRolloutImage;

  /**
   * When the image is pulled. `Always` makes every restart of the controller depend on the registry.
   * @default 'IfNotPresent'
   */
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';

  /**
   * CPU and memory.
   * @default - 100m and 256Mi requested, limits of 500m and 1Gi
   */
  readonly resources?: ResourceRequirements;

  /**
   * Switches of the controller; those left out keep their default.
   * @default - `AdvancedDeployment` on, without which Deployments cannot be rolled out in partition style
   */
  readonly featureGates?: { readonly [gate in KruiseFeatureGate]?: boolean };

  /**
   * The largest percentage of replicas that a partition-style step may have when it routes traffic. From 0.6 on.
   * @default - the controller's own, 50
   */
  readonly partitionPercentLimit?: number;

  /**
   * How much is logged. What a routing script fails with is logged at every level.
   * @default 4
   */
  readonly logLevel?: number;

  /**
   * Further flags of the process, as in `--rollout-workers=10`.
   * @default - none
   */
  readonly extraArgs?: readonly string[];

  /**
   * Further variables of the environment.
   * @default - none
   */
  readonly extraEnv?: readonly EnvVar[];

  /**
   * The port at which the pods serve webhooks. The API server has to reach it: in a private cluster that may take a
   * firewall rule.
   * @default 9876
   */
  readonly webhookPort?: number;

  /**
   * The port of liveness and readiness.
   * @default 8081
   */
  readonly healthPort?: number;

  /**
   * Serves metrics to the cluster. Without, they can be read only from inside the pod.
   * @default - none
   */
  readonly metrics?: KruiseRolloutMetrics;

  /**
   * How many pods a drain of nodes leaves; `false` for no budget.
   * @default - with more than one replica, one may be down
   */
  readonly podDisruptionBudget?: KruiseRolloutDisruptionBudget | false;

  /**
   * Closes the network around the controller.
   * @default - none
   */
  readonly networkPolicy?: KruiseRolloutNetworkPolicy;

  /**
   * Workloads that the webhooks look at: a further condition on their labels. A workload that it leaves out is updated
   * at once, without a rollout, even where a Rollout names it.
   * @default - every workload that a Rollout names
   */
  readonly objectSelector?: readonly LabelSelectorRequirement[];

  /**
   * Annotations of the ServiceAccount.
   * @default - none
   */
  readonly serviceAccountAnnotations?: { readonly [key: string]: string };

  /**
   * What the controller may read and change.
   * @default - what the release can work with
   */
  readonly permissions?: KruiseRolloutPermissions;
}

/** The same at run time. */
export const KRUISE_INSTALL_PROPS: PropTable<KruiseInstallOptions> = {
  version: 'object',
  namespace: 'string',
  createNamespace: 'boolean',
  namespaceLabels: 'object',
  crds: 'string',
  replicas: 'number',
  image: 'object',
  imagePullPolicy: 'string',
  resources: 'object',
  featureGates: 'object',
  partitionPercentLimit: 'number',
  logLevel: 'number',
  extraArgs: 'list',
  extraEnv: 'list',
  webhookPort: 'number',
  healthPort: 'number',
  metrics: 'object',
  podDisruptionBudget: 'boolean or object',
  networkPolicy: 'object',
  objectSelector: 'list',
  serviceAccountAnnotations: 'object',
  permissions: 'object',
  labels: 'object',
  imagePullSecrets: 'list',
  nodeSelector: 'object',
  tolerations: 'list',
  affinity: 'object',
  topologySpreadConstraints: 'list',
  priorityClassName: 'string',
  podLabels: 'object',
  podAnnotations: 'object',
};
