import type { Affinity, Toleration, TopologySpreadConstraint } from './api';

/** Options that the installs of all controllers share. */
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
   * Labels of the nodes on which the pods may run.
   * @default - all nodes
   */
  readonly nodeSelector?: { readonly [key: string]: string };

  /**
   * Node taints that the pods tolerate.
   * @default - none
   */
  readonly tolerations?: readonly Toleration[];

  /**
   * On which nodes, and near which pods, the pods run.
   * @default - on different nodes, if possible
   */
  readonly affinity?: Affinity;

  /**
   * How the pods are spread.
   * @default - over zones, if possible
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

/** How many pods stay available while nodes are drained. Give one of the two. */
export interface DisruptionBudget {
  /**
   * How many pods stay available, as a number or as in '50%'.
   * @default - `maxUnavailable` is given
   */
  readonly minAvailable?: number | string;
  /**
   * How many pods may be down at a time, as a number or as in '50%'.
   * @default - `minAvailable` is given
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
   * The timeout of a scrape, as in '10s'.
   * @default - that of Prometheus
   */
  readonly scrapeTimeout?: string;
}
