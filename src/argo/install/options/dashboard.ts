import type { Affinity, ResourceRequirements, Toleration } from '../../../kubernetes/api';
import type { ArgoRolloutsImage } from './process';

/** A web page that shows Rollouts, and promotes, aborts and restarts them. */
export interface ArgoRolloutsDashboard {
  /**
   * Whether it can only look.
   * @default false
   */
  readonly readOnly?: boolean;
  /**
   * How many pods there are.
   * @default 1
   */
  readonly replicas?: number;
  /**
   * Where the image comes from.
   * @default - `quay.io/argoproj/kubectl-argo-rollouts`, with the tag of the version
   */
  readonly image?: ArgoRolloutsImage;
  /**
   * The path under which the page is, behind a proxy.
   * @default - the dashboard's own, 'rollouts'
   */
  readonly rootPath?: string;
  /**
   * Annotations of the Service.
   * @default - none
   */
  readonly serviceAnnotations?: { readonly [key: string]: string };
  /**
   * CPU and memory.
   * @default - 10m and 64Mi requested
   */
  readonly resources?: ResourceRequirements;
  /**
   * Nodes by their labels.
   * @default - those of the controller
   */
  readonly nodeSelector?: { readonly [key: string]: string };
  /**
   * Taints that the pods put up with.
   * @default - those of the controller
   */
  readonly tolerations?: readonly Toleration[];
  /**
   * Where the pods run.
   * @default - anywhere
   */
  readonly affinity?: Affinity;
}
