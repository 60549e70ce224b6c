import type { Affinity, Toleration, TopologySpreadConstraint } from './api';

/** What installs of controllers have in common, whatever runs in their pods. */
export interface ControllerOptions {
  /**
   * Labels of every object.
   * @default - none
   */
  readonly labels?: { readonly [key: string]: string };

  /**
   * Names of Secrets in the controller's namespace with the registry's password.
   * @default - none
   */
  readonly imagePullSecrets?: readonly string[];

  /**
   * Nodes by their labels.
   * @default - all nodes
   */
  readonly nodeSelector?: { readonly [key: string]: string };

  /**
   * Taints that the pods put up with.
   * @default - none
   */
  readonly tolerations?: readonly Toleration[];

  /**
   * Where the pods run.
   * @default - rather on different nodes
   */
  readonly affinity?: Affinity;

  /**
   * How the pods are spread.
   * @default - over zones, where that can be done
   */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];

  /**
   * The priority of the pods.
   * @default - that of the cluster
   */
  readonly priorityClassName?: string;

  /**
   * Labels of the pods.
   * @default - none
   */
  readonly podLabels?: { readonly [key: string]: string };

  /**
   * Annotations of the pods.
   * @default - none
   */
  readonly podAnnotations?: { readonly [key: string]: string };
}

/** How many pods a drain of nodes leaves. Give one of the two. */
export interface DisruptionBudget {
  /**
   * How many pods stay, as a number or as in '50%'.
   * @default - `maxUnavailable` says it
   */
  readonly minAvailable?: number | string;
  /**
   * How many pods may be down at a time, as a number or as in '50%'.
   * @default - `minAvailable` says it
   */
  readonly maxUnavailable?: number | string;
}

/** How the Prometheus operator scrapes. */
export interface ServiceMonitorOptions {
  /**
   * The labels by which your Prometheus selects ServiceMonitors: `{ release: 'kube-prometheus-stack' }`.
   * @default - none
   */
  readonly labels?: { readonly [key: string]: string };
  /**
   * How often it scrapes, as in '30s'.
   * @default - that of Prometheus
   */
  readonly interval?: string;
  /**
   * How long it waits for an answer, as in '10s'.
   * @default - that of Prometheus
   */
  readonly scrapeTimeout?: string;
}
