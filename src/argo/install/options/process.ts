import type { AwsAccess } from '../../../aws';
import type { ServiceMonitorOptions } from '../../../kubernetes/controller-options';

/** Where an image comes from. */
export interface ArgoRolloutsImage {
  /**
   * The registry, for a mirror.
   * @default 'quay.io'
   */
  readonly registry?: string;
  /**
   * The image without registry and tag.
   * @default - 'argoproj/argo-rollouts', and 'argoproj/kubectl-argo-rollouts' for the dashboard
   */
  readonly repository?: string;
  /**
   * The image's tag.
   * @default - that of the version, `v1.9.1`
   */
  readonly tag?: string;
  /**
   * Pins the image to exact content: `sha256:…`. The tag is kept for the reader.
   * @default - none
   */
  readonly digest?: string;
}

/** What the controller asks of AWS. */
export interface ArgoRolloutsAws {
  /**
   * Whether the controller asks AWS if a target group has the weight, and the pods, before it goes on. It needs rights
   * in AWS, and `access` to them.
   * @default false
   */
  readonly verifyTargetGroup?: boolean;
  /**
   * How the controller comes by its rights in AWS: the annotations of ServiceAccount, pods and namespace, and variables
   * of the environment.
   * @default - none but those of the node, or of an association that EKS has
   */
  readonly access?: Pick<AwsAccess, 'serviceAccountAnnotations' | 'podAnnotations' | 'namespaceAnnotations' | 'env'>;
  /**
   * The region, as `AWS_REGION`. There is no flag for it.
   * @default - none, which `verifyTargetGroup` does not work with
   */
  readonly region?: string;
  /**
   * The API of TargetGroupBindings: `eks.amazonaws.com/v1` in EKS Auto Mode. From 1.9 on.
   * @default 'elbv2.k8s.aws/v1beta1'
   */
  readonly targetGroupBindingApiVersion?: string;
  /**
   * The tag by which the controller finds the target group of a Service. EKS Auto Mode has another. From 1.9 on.
   * @default 'ingress.k8s.aws/resource'
   */
  readonly resourceIdTagKey?: string;
}

/** Metrics for Prometheus. */
export interface ArgoRolloutsMetrics {
  /**
   * The port on which the controller tells them.
   * @default 8090
   */
  readonly port?: number;
  /**
   * Annotations of the Service, as in `{ 'prometheus.io/scrape': 'true' }`.
   * @default - none
   */
  readonly serviceAnnotations?: { readonly [key: string]: string };
  /**
   * A ServiceMonitor of the Prometheus operator, whose CRD has to be in the cluster.
   * @default - none
   */
  readonly serviceMonitor?: ArgoRolloutsServiceMonitor;
}

/** How the Prometheus operator scrapes. */
export interface ArgoRolloutsServiceMonitor extends ServiceMonitorOptions {}
