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

/** What changes traffic for a Rollout. Those in the second line are plugins, which have to be named in `plugins` too. */
export type ArgoTrafficRouter =
  | ('alb' | 'ambassador' | 'apisix' | 'appMesh' | 'istio' | 'nginx' | 'smi' | 'traefik')
  | ('contour' | 'gatewayApi' | 'glooPlatform');

/** What the controller may do apart from routing traffic. */
export interface ArgoRolloutsPermissions {
  /**
   * Read any Secret, by name, that an analysis takes an argument from. Without, only those of the controller's own
   * namespace.
   * @default true
   */
  readonly analysisSecrets?: boolean;
  /**
   * Make and delete Jobs, for analyses with a metric of the provider `job`. It is the right to run any pod, wherever the
   * controller works.
   * @default true
   */
  readonly analysisJobs?: boolean;
}

/** An install of Argo Rollouts. */
export interface ArgoInstallOptions extends ControllerOptions {
  /**
   * The release to install.
   * @default ArgoRolloutsVersion.LATEST
   */
  readonly version?: ArgoRolloutsVersion;

  /**
   * The controller's namespace. With `namespaced` it has to be named.
   * @default 'argo-rollouts'
   */
  readonly namespace?: string;

  /**
   * Whether the controller looks after its own namespace alone. It then needs no right beyond it: no CRDs and no
   * ClusterRoles are installed unless asked for, and no ClusterAnalysisTemplate is read.
   * @default false
   */
  readonly namespaced?: boolean;

  /**
   * Whether the namespace is part of the install.
   * @default - true, and false with `namespaced`
   */
  readonly createNamespace?: boolean;

  /**
   * Labels of the namespace. One of a cluster install gets `pod-security.kubernetes.io/enforce: restricted` as well,
   * unless this says otherwise.
   * @default - none
   */
  readonly namespaceLabels?: { readonly [key: string]: string };

  /**
   * Annotations of the namespace.
   * @default - none
   */
  readonly namespaceAnnotations?: { readonly [key: string]: string };

  /**
   * What becomes of the CRDs, and with them of every Rollout in the cluster. `keep` installs them and lets them stay
   * when Helm, Argo CD or Flux removes the rest; `remove` lets them go with the rest; `skip` leaves them to others.
   * @default - 'keep', and 'skip' with `namespaced`
   */
  readonly crds?: 'keep' | 'remove' | 'skip';

  /**
   * Whether Kubernetes' own roles `admin`, `edit` and `view` come to cover Rollouts.
   * @default - true, and false with `namespaced`
   */
  readonly aggregateRoles?: boolean;

  /**
   * How many controllers there are: one works, the others stand by.
   * @default 2
   */
  readonly replicas?: number;

  /**
   * Where the image comes from.
   * @default - `quay.io/argoproj/argo-rollouts`, with the tag of the version
   */
  readonly image?: ArgoRolloutsImage;

  /**
   * When images are pulled.
   * @default 'IfNotPresent'
   */
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';

  /**
   * CPU, memory, and the disk for plugins.
   * @default - 100m and 256Mi requested, at most 1Gi of disk
   */
  readonly resources?: ResourceRequirements;

  /**
   * A ServiceAccount of the controller's namespace that somebody else makes, as `eksctl create iamserviceaccount` does.
   * @default - one of the install's own, `argo-rollouts`
   */
  readonly serviceAccountName?: string;

  /**
   * Annotations of the ServiceAccount, as in `{ 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/rollouts' }`.
   * @default - none
   */
  readonly serviceAccountAnnotations?: { readonly [key: string]: string };

  /**
   * Which traffic routers the controller may work with: each comes with the rights that it needs. A Rollout with another
   * one stops, as its controller is refused. `[]` is for Rollouts that route no traffic.
   * @default - all that are built in
   */
  readonly trafficRouters?: readonly ArgoTrafficRouter[];

  /**
   * What else the controller may do.
   * @default - all that Rollouts can ask of it
   */
  readonly permissions?: ArgoRolloutsPermissions;

  /**
   * Further rights, for plugins that this library does not know.
   * @default - none
   */
  readonly additionalRules?: readonly PolicyRule[];

  /**
   * Target groups and AWS.
   * @default - nothing is asked of AWS
   */
  readonly aws?: ArgoRolloutsAws;

  /**
   * The classes of Ingresses on ALBs whose edits the controller notices at once, and whose weights it resets when a
   * Rollout is deleted. They replace the default. The empty one is that of Ingresses without a class.
   * @default - the controller's own, ['alb']
   */
  readonly albIngressClasses?: readonly string[];

  /**
   * The same for Ingresses of nginx.
   * @default - the controller's own, ['nginx']
   */
  readonly nginxIngressClasses?: readonly string[];

  /**
   * Look after only those Rollouts that carry the label `argo-rollouts.argoproj.io/controller-instance-id` with this.
   * @default - those without the label
   */
  readonly instanceId?: string;

  /**
   * How much is logged.
   * @default - the controller's own, 'info'
   */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';

  /**
   * How it is logged.
   * @default - the controller's own, 'text'
   */
  readonly logFormat?: 'text' | 'json';

  /**
   * How much the client of the API server logs.
   * @default - the controller's own, 0
   */
  readonly kubernetesLogLevel?: number;

  /**
   * Further flags of the process, as in `--rollout-threads=20`. One that the release does not know ends the process, so it
   * is refused here.
   * @default - none
   */
  readonly extraArgs?: readonly string[];

  /**
   * Further variables of the environment.
   * @default - none
   */
  readonly extraEnv?: readonly EnvVar[];

  /**
   * Further volumes of the pods, as Kubernetes writes them: plugins of one's own, certificates.
   * @default - none
   */
  readonly extraVolumes?: readonly JsonObject[];

  /**
   * Where the controller sees the further volumes.
   * @default - none
   */
  readonly extraVolumeMounts?: readonly JsonObject[];

  /**
   * Containers that run before the controller, as Kubernetes writes them: to fetch a plugin into `plugin-bin`.
   * @default - none
   */
  readonly initContainers?: readonly JsonObject[];

  /**
   * The port of liveness and readiness.
   * @default 8080
   */
  readonly healthPort?: number;

  /**
   * Metrics for Prometheus; `false` for no Service of them.
   * @default - a Service at port 8090
   */
  readonly metrics?: ArgoRolloutsMetrics | false;

  /**
   * How many pods a drain of nodes leaves; `false` for no budget.
   * @default - with more than one replica, one may be down
   */
  readonly podDisruptionBudget?: ArgoRolloutsDisruptionBudget | false;

  /**
   * Plugins that the controller loads at its start.
   * @default - none
   */
  readonly plugins?: ArgoRolloutsPlugins;

  /**
   * Notifications on Rollouts.
   * @default - none
   */
  readonly notifications?: ArgoRolloutsNotifications;

  /**
   * The dashboard. It asks nobody for a password: who reaches its Service can do what it may do.
   * @default - none
   */
  readonly dashboard?: ArgoRolloutsDashboard;
}

/** The same at run time. */
export const ARGO_INSTALL_PROPS: PropTable<ArgoInstallOptions> = {
  version: 'object',
  namespace: 'string',
  namespaced: 'boolean',
  createNamespace: 'boolean',
  namespaceLabels: 'object',
  namespaceAnnotations: 'object',
  crds: 'string',
  aggregateRoles: 'boolean',
  replicas: 'number',
  image: 'object',
  imagePullPolicy: 'string',
  resources: 'object',
  serviceAccountName: 'string',
  serviceAccountAnnotations: 'object',
  trafficRouters: 'list',
  permissions: 'object',
  additionalRules: 'list',
  aws: 'object',
  albIngressClasses: 'list',
  nginxIngressClasses: 'list',
  instanceId: 'string',
  logLevel: 'string',
  logFormat: 'string',
  kubernetesLogLevel: 'number',
  extraArgs: 'list',
  extraEnv: 'list',
  extraVolumes: 'list',
  extraVolumeMounts: 'list',
  initContainers: 'list',
  healthPort: 'number',
  metrics: 'boolean or object',
  podDisruptionBudget: 'boolean or object',
  plugins: 'object',
  notifications: 'object',
  dashboard: 'object',
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
