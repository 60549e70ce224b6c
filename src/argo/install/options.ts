import type { JsonObject } from '../../core/json';
import type { PropTable } from '../../core/props';
import type { EnvVar, PolicyRule, ResourceRequirements } from '../../kubernetes/api';
import type { ControllerOptions } from '../../kubernetes/controller-options';
import type { ArgoRolloutsVersion } from '../version';
import type { ArgoRolloutsDashboard } from './options/dashboard';
import type { ArgoRolloutsAws, ArgoRolloutsImage, ArgoRolloutsMetrics } from './options/process';
import type { ArgoRolloutsDisruptionBudget, ArgoRolloutsNotifications, ArgoRolloutsPlugins } from './options/settings';

export type * from './options/dashboard';
export type * from './options/process';
export type * from './options/settings';

/** A traffic router. Those in the second line are plugins, which also need an entry in `plugins`. */
export type ArgoTrafficRouter =
  | ('alb' | 'ambassador' | 'apisix' | 'appMesh' | 'istio' | 'nginx' | 'smi' | 'traefik')
  | ('contour' | 'gatewayApi' | 'glooPlatform');

/** Permissions of the controller in addition to traffic routing. */
export interface ArgoRolloutsPermissions {
  /**
   * Read any Secret by name, for arguments of analyses. Otherwise the controller reads only Secrets of its own namespace.
   * @default true
   */
  readonly analysisSecrets?: boolean;
  /**
   * Create and delete Jobs, for analyses with a metric of the provider `job`. This allows the controller to run any pod in
   * its namespaces.
   * @default true
   */
  readonly analysisJobs?: boolean;
  /**
   * Grants the verbs that upstream's manifests grant for these features and routers, also those that no line of the
   * controller uses, such as to update Experiments.
   * @default false
   */
  readonly upstream?: boolean;
}

/** An install of Argo Rollouts. */
export interface ArgoInstallOptions extends ControllerOptions {
  /**
   * The release to install.
   * @default ArgoRolloutsVersion.LATEST
   */
  readonly version?: ArgoRolloutsVersion;

  /**
   * The controller's namespace. Required with `namespaced`.
   * @default 'argo-rollouts'
   */
  readonly namespace?: string;

  /**
   * Whether the controller manages only its own namespace. It then needs no cluster permissions: by default the install has
   * no CRDs and no ClusterRoles, and the controller reads no ClusterAnalysisTemplates.
   * @default false
   */
  readonly namespaced?: boolean;

  /**
   * Whether to create the namespace.
   * @default - true, and false with `namespaced`
   */
  readonly createNamespace?: boolean;

  /**
   * Labels of the namespace. For a cluster install, in addition to `pod-security.kubernetes.io/enforce: restricted`, or to
   * replace it.
   * @default - none
   */
  readonly namespaceLabels?: { readonly [key: string]: string };

  /**
   * Annotations of the namespace.
   * @default - none
   */
  readonly namespaceAnnotations?: { readonly [key: string]: string };

  /**
   * How to handle the CRDs, and with them every Rollout in the cluster. With `keep`, Helm, Argo CD and Flux keep them when
   * they remove the rest; with `remove`, they remove them too; with `skip`, the install does not include them.
   * @default - 'keep', and 'skip' with `namespaced`
   */
  readonly crds?: 'keep' | 'remove' | 'skip';

  /**
   * Whether to extend the built-in roles `admin`, `edit` and `view` to Rollouts.
   * @default - true, and false with `namespaced`
   */
  readonly aggregateRoles?: boolean;

  /**
   * The number of controllers: one is the leader, the others stand by.
   * @default 2
   */
  readonly replicas?: number;

  /**
   * The controller's image.
   * @default - `quay.io/argoproj/argo-rollouts`, with the tag of the version
   */
  readonly image?: ArgoRolloutsImage;

  /**
   * When to pull images.
   * @default 'IfNotPresent'
   */
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';

  /**
   * CPU, memory, and disk space for plugins.
   * @default - 100m and 256Mi requested, at most 1Gi of disk
   */
  readonly resources?: ResourceRequirements;

  /**
   * An existing ServiceAccount in the controller's namespace, for example from `eksctl create iamserviceaccount`.
   * @default - a new ServiceAccount, `argo-rollouts`
   */
  readonly serviceAccountName?: string;

  /**
   * Annotations of the ServiceAccount, such as `{ 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/rollouts' }`.
   * @default - none
   */
  readonly serviceAccountAnnotations?: { readonly [key: string]: string };

  /**
   * The traffic routers that the controller may use, with their permissions. A Rollout with another router hangs, because
   * the API server refuses the controller's writes. `[]` is for Rollouts without traffic routing.
   * @default - all built-in routers
   */
  readonly trafficRouters?: readonly ArgoTrafficRouter[];

  /**
   * Other permissions of the controller.
   * @default - all permissions that Rollouts can need
   */
  readonly permissions?: ArgoRolloutsPermissions;

  /**
   * Additional permissions, for plugins that this library does not know.
   * @default - none
   */
  readonly additionalRules?: readonly PolicyRule[];

  /**
   * Verification of target groups in AWS.
   * @default - the controller does not call AWS
   */
  readonly aws?: ArgoRolloutsAws;

  /**
   * The ALB Ingress classes that the controller watches. It reacts immediately to changes of these Ingresses, and resets
   * their weights when a Rollout is deleted. They replace the default. The empty string means Ingresses without a class.
   * @default - the controller's default, ['alb']
   */
  readonly albIngressClasses?: readonly string[];

  /**
   * The nginx Ingress classes that the controller watches.
   * @default - the controller's default, ['nginx']
   */
  readonly nginxIngressClasses?: readonly string[];

  /**
   * Manages only Rollouts with this value of the label `argo-rollouts.argoproj.io/controller-instance-id`.
   * @default - Rollouts without the label
   */
  readonly instanceId?: string;

  /**
   * The log level.
   * @default - the controller's default, 'info'
   */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';

  /**
   * The log format.
   * @default - the controller's default, 'text'
   */
  readonly logFormat?: 'text' | 'json';

  /**
   * The log level of the Kubernetes client.
   * @default - the controller's default, 0
   */
  readonly kubernetesLogLevel?: number;

  /**
   * Additional flags of the controller, such as `--rollout-threads=20`. The install rejects flags that the release does not
   * have, because the controller would exit.
   * @default - none
   */
  readonly extraArgs?: readonly string[];

  /**
   * Additional environment variables.
   * @default - none
   */
  readonly extraEnv?: readonly EnvVar[];

  /**
   * Additional volumes of the pods, in the Kubernetes format, for example for custom plugins or certificates.
   * @default - none
   */
  readonly extraVolumes?: readonly JsonObject[];

  /**
   * Mounts of the additional volumes.
   * @default - none
   */
  readonly extraVolumeMounts?: readonly JsonObject[];

  /**
   * Containers that run before the controller, in the Kubernetes format, for example to download a plugin to `plugin-bin`.
   * @default - none
   */
  readonly initContainers?: readonly JsonObject[];

  /**
   * The port of the liveness and readiness probes.
   * @default 8080
   */
  readonly healthPort?: number;

  /**
   * Metrics for Prometheus; `false` for no Service.
   * @default - a Service with port 8090
   */
  readonly metrics?: ArgoRolloutsMetrics | false;

  /**
   * How many pods a drain of nodes keeps; `false` for no budget.
   * @default - with more than one replica, one may be down
   */
  readonly podDisruptionBudget?: ArgoRolloutsDisruptionBudget | false;

  /**
   * Plugins that the controller loads at startup.
   * @default - none
   */
  readonly plugins?: ArgoRolloutsPlugins;

  /**
   * Notifications about Rollouts.
   * @default - none
   */
  readonly notifications?: ArgoRolloutsNotifications;

  /**
   * The dashboard. It has no authentication: everyone who reaches its Service has its permissions.
   * @default - none
   */
  readonly dashboard?: ArgoRolloutsDashboard;
}

/** The same at run time. */
export const ARGO_INSTALL_PROPS: PropTable<ArgoInstallOptions> = {
  version: true,
  namespace: true,
  namespaced: true,
  createNamespace: true,
  namespaceLabels: true,
  namespaceAnnotations: true,
  crds: true,
  aggregateRoles: true,
  replicas: true,
  image: true,
  imagePullPolicy: true,
  resources: true,
  serviceAccountName: true,
  serviceAccountAnnotations: true,
  trafficRouters: true,
  permissions: true,
  additionalRules: true,
  aws: true,
  albIngressClasses: true,
  nginxIngressClasses: true,
  instanceId: true,
  logLevel: true,
  logFormat: true,
  kubernetesLogLevel: true,
  extraArgs: true,
  extraEnv: true,
  extraVolumes: true,
  extraVolumeMounts: true,
  initContainers: true,
  healthPort: true,
  metrics: true,
  podDisruptionBudget: true,
  plugins: true,
  notifications: true,
  dashboard: true,
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
