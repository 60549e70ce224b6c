import type { DisruptionBudget } from '../../../kubernetes/controller-options';

/** How many pods a drain of nodes leaves. Give one of the two. */
export interface ArgoRolloutsDisruptionBudget extends DisruptionBudget {}

/** A program that the controller loads at its start. It does not start when one of them cannot be fetched. */
export interface ArgoRolloutsPlugin {
  /** The name by which Rollouts and analyses ask for it: `argoproj-labs/gatewayAPI`. */
  readonly name: string;
  /** Where it is: `https://…`, or `file://…` for one in the image or in a volume. */
  readonly location: string;
  /**
   * The digest of the program, in hexadecimal digits: what has another is not loaded.
   * @default - it is not looked at
   */
  readonly sha256?: string;
  /**
   * Arguments of its command line.
   * @default - none
   */
  readonly args?: readonly string[];
  /**
   * Secrets of the controller's namespace that hold headers for the download, from a private place.
   * @default - none
   */
  readonly headersFromSecrets?: readonly string[];
}

/** The plugins of a controller, by what they are for. */
export interface ArgoRolloutsPlugins {
  /**
   * Metrics for analyses.
   * @default - none
   */
  readonly metricProviders?: readonly ArgoRolloutsPlugin[];
  /**
   * Steps of a canary.
   * @default - none
   */
  readonly steps?: readonly ArgoRolloutsPlugin[];
  /**
   * Traffic routers. Their rights come with `trafficRouters` or `additionalRules`.
   * @default - none
   */
  readonly trafficRouters?: readonly ArgoRolloutsPlugin[];
}

/** Notifications on Rollouts, for all of them or as their annotations ask. */
export interface ArgoRolloutsNotifications {
  /**
   * The entries of the ConfigMap `argo-rollouts-notification-configmap`: `service.slack`, `template.…`, `trigger.…`,
   * `subscriptions`, each as text.
   * @default - the ConfigMap is left to others
   */
  readonly config?: { readonly [key: string]: string };
  /**
   * The entries of the Secret `argo-rollouts-notification-secret`. They end up in the manifests as plain text, so this is
   * for tests; let an operator for secrets, or kubectl, make the Secret under this name.
   * @default - the Secret is left to others
   */
  readonly secret?: { readonly [key: string]: string };
  /**
   * Whether a ConfigMap and a Secret of these names are also read in the namespace of each Rollout. The controller may
   * then list the Secrets of the whole cluster.
   * @default false
   */
  readonly selfService?: boolean;
}
