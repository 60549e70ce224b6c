import type { Affinity, ResourceRequirements, Toleration } from '../../../kubernetes/api';
import type { ArgoRolloutsImage } from './process';

/** A web UI that shows, promotes, aborts and restarts Rollouts. */
export interface ArgoRolloutsDashboard {
  /**
   * Whether the dashboard is read-only.
   * @default false
   */
  readonly readOnly?: boolean;
  /**
   * The number of pods.
   * @default 1
   */
  readonly replicas?: number;
  /**
   * The dashboard's image.
   * @default - `quay.io/argoproj/kubectl-argo-rollouts`, with the tag of the version
   */
  readonly image?: ArgoRolloutsImage;
  /**
   * The root path of the UI, behind a proxy.
   * @default - the dashboard's default, 'rollouts'
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
   * The node selector of the pods.
   * @default - the controller's node selector
   */
  readonly nodeSelector?: { readonly [key: string]: string };
  /**
   * The tolerations of the pods.
   * @default - the controller's tolerations
   */
  readonly tolerations?: readonly Toleration[];
  /**
   * The affinity of the pods.
   * @default - none
   */
  readonly affinity?: Affinity;
}
