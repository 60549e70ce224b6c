import type { AwsAccess } from '../../../aws';
import type { ServiceMonitorOptions } from '../../../kubernetes/controller-options';

/** An image. */
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
   * @default - the tag of the version, `v1.9.1`
   */
  readonly tag?: string;
  /**
   * Pins the image to exact content: `sha256:…`. The tag stays, for information.
   * @default - none
   */
  readonly digest?: string;
}

/** The controller's access to AWS. */
export interface ArgoRolloutsAws {
  /**
   * Whether the controller verifies in AWS that a target group has the weight and the pods before it continues. This needs
   * AWS permissions, see `access`.
   * @default false
   */
  readonly verifyTargetGroup?: boolean;
  /**
   * How the controller gets AWS permissions: annotations of the ServiceAccount, the pods and the namespace, and environment
   * variables.
   * @default - the permissions of the node, or of an EKS association
   */
  readonly access?: Pick<AwsAccess, 'serviceAccountAnnotations' | 'podAnnotations' | 'namespaceAnnotations' | 'env'>;
  /**
   * The region, set as `AWS_REGION`. `verifyTargetGroup` needs it.
   * @default - none
   */
  readonly region?: string;
  /**
   * The API of TargetGroupBindings: `eks.amazonaws.com/v1` in EKS Auto Mode. Since 1.9.
   * @default 'elbv2.k8s.aws/v1beta1'
   */
  readonly targetGroupBindingApiVersion?: string;
  /**
   * The tag that identifies the target group of a Service. EKS Auto Mode uses a different tag. Since 1.9.
   * @default 'ingress.k8s.aws/resource'
   */
  readonly resourceIdTagKey?: string;
}

/** Metrics for Prometheus. */
export interface ArgoRolloutsMetrics {
  /**
   * The port of the metrics.
   * @default 8090
   */
  readonly port?: number;
  /**
   * Annotations of the Service, such as `{ 'prometheus.io/scrape': 'true' }`.
   * @default - none
   */
  readonly serviceAnnotations?: { readonly [key: string]: string };
  /**
   * A ServiceMonitor of the Prometheus operator. The cluster needs its CRD.
   * @default - none
   */
  readonly serviceMonitor?: ArgoRolloutsServiceMonitor;
}

/** How the Prometheus operator scrapes the metrics. */
export interface ArgoRolloutsServiceMonitor extends ServiceMonitorOptions {}
