import type { DisruptionBudget } from '../../../kubernetes/controller-options';

/** How many pods a drain of nodes keeps. Set one of the two. */
export interface ArgoRolloutsDisruptionBudget extends DisruptionBudget {}

/** A program that the controller loads at startup. The controller does not start if it cannot download a plugin. */
export interface ArgoRolloutsPlugin {
  /** The name of the plugin in Rollouts and analyses: `argoproj-labs/gatewayAPI`. */
  readonly name: string;
  /** The URL of the plugin: `https://…`, or `file://…` for one in the image or a volume. */
  readonly location: string;
  /**
   * The hexadecimal SHA-256 digest of the program. The controller does not load a program with another digest.
   * @default - not verified
   */
  readonly sha256?: string;
  /**
   * Command line arguments.
   * @default - none
   */
  readonly args?: readonly string[];
  /**
   * Secrets in the controller's namespace with HTTP headers for the download.
   * @default - none
   */
  readonly headersFromSecrets?: readonly string[];
}

/** The plugins of a controller, by type. */
export interface ArgoRolloutsPlugins {
  /**
   * Metric providers for analyses.
   * @default - none
   */
  readonly metricProviders?: readonly ArgoRolloutsPlugin[];
  /**
   * Steps of a canary.
   * @default - none
   */
  readonly steps?: readonly ArgoRolloutsPlugin[];
  /**
   * Traffic routers. `trafficRouters` or `additionalRules` grants their permissions.
   * @default - none
   */
  readonly trafficRouters?: readonly ArgoRolloutsPlugin[];
}

/** Notifications about all Rollouts, or about those with annotations. */
export interface ArgoRolloutsNotifications {
  /**
   * The entries of the ConfigMap `argo-rollouts-notification-configmap`: `service.slack`, `template.…`, `trigger.…`,
   * `subscriptions`, each as text.
   * @default - the install does not create the ConfigMap
   */
  readonly config?: { readonly [key: string]: string };
  /**
   * The entries of the Secret `argo-rollouts-notification-secret`. They are plain text in the manifests, so use this only
   * for tests. Otherwise create a Secret with this name with kubectl or a secrets operator.
   * @default - the install does not create the Secret
   */
  readonly secret?: { readonly [key: string]: string };
  /**
   * Whether the controller also reads a ConfigMap and a Secret with these names in the namespace of each Rollout. It may
   * then list all Secrets of the cluster.
   * @default false
   */
  readonly selfService?: boolean;
}
