/** Options of an Argo Rollout behind an AWS load balancer. */
import type { DurationLike } from '../../core/duration';
import type { PropTable } from '../../core/props';
import type { LabelsAndAnnotations, PodTemplateSpec, WorkloadRef } from '../api';
import type { ArgoAlbIngressOptions } from './ingress-options';
import type { ArgoAlbStrategy } from './strategy';

/** Name, namespace, labels and annotations of an object. */
export interface ArgoObjectMetadata extends LabelsAndAnnotations {
  /**
   * The name of the object.
   * @default - a name from the path of the construct
   */
  readonly name?: string;
  /**
   * The namespace of the object.
   * @default - that of the chart
   */
  readonly namespace?: string;
}

/** A workload whose pod template a Rollout uses; `scaleDown` decides what happens to the workload's own pods. */
export interface ArgoWorkloadRef extends Omit<WorkloadRef, 'apiVersion' | 'kind'> {
  /**
   * The API of the workload.
   * @default 'apps/v1'
   */
  readonly apiVersion?: string;
  /**
   * The kind of the workload.
   * @default 'Deployment'
   */
  readonly kind?: string;
}

/** A Rollout with its Services and Ingresses. */
export interface ArgoAlbRolloutOptions {
  /**
   * The pods. Services and Rollout select their labels, unless `selector` is given.
   * @default - the template of `workloadRef`
   */
  readonly template?: PodTemplateSpec;

  /**
   * A Deployment, or another workload, whose pod template is released. It needs `selector`.
   * @default - `template` is released
   */
  readonly workloadRef?: ArgoWorkloadRef;

  /**
   * Labels that select the pods. They cannot change after the Rollout exists.
   * @default - all labels of `template`
   */
  readonly selector?: Readonly<Record<string, string>>;

  /**
   * The number of pods. Leave it out if an autoscaler sets it.
   * @default 1
   */
  readonly replicas?: number;

  /**
   * The port of the Services, to which the load balancer sends requests.
   * @default 80
   */
  readonly port?: number;

  /**
   * The port of the pods, by number or by name.
   * @default - the first port of the containers of `template`, or the same as `port`
   */
  readonly targetPort?: number | string;

  /** The strategy of a release, with its steps. */
  readonly strategy: ArgoAlbStrategy;

  /**
   * Hosts, paths and the load balancer.
   * @default - every host and path, on an internal load balancer of the class `alb`
   */
  readonly ingress?: ArgoAlbIngressOptions;

  /**
   * Several Ingresses instead of `ingress`, for several load balancers, such as an internal and a public one. Argo writes the
   * same weights to all of them.
   * @default - one
   */
  readonly ingresses?: readonly ArgoAlbIngressOptions[];

  /**
   * `prepare` is the first of two steps to migrate a live Ingress to Argo without 503 responses: the Ingress keeps its port
   * number, and Argo already writes the action, which has no effect yet. The second step is to remove this option after the
   * action exists. docs/argo-alb.md explains what must stay the same.
   * @default - the Ingress uses the action
   */
  readonly migration?: 'prepare';

  /**
   * How long a pod must be ready before it is available.
   * @default 0
   */
  readonly minReady?: number | DurationLike;

  /**
   * How long a step may make no progress. It must be longer than `minReady`.
   * @default - 10 minutes
   */
  readonly progressDeadline?: number | DurationLike;

  /**
   * Whether to abort a release that makes no progress.
   * @default false
   */
  readonly progressDeadlineAbort?: boolean;

  /**
   * The number of old ReplicaSets to keep.
   * @default 10
   */
  readonly revisionHistoryLimit?: number;

  /**
   * A rollback to one of the last revisions, up to this number, skips all steps. In a blue-green Rollout it never ends by itself before
   * release 1.10, once the old pods have gone.
   * @default - no rollback skips steps
   */
  readonly rollbackWindow?: number;

  /**
   * Pauses a release.
   * @default false
   */
  readonly paused?: boolean;
}

/** The same at run time. */
export const ARGO_ALB_ROLLOUT_PROPS: PropTable<ArgoAlbRolloutOptions> = {
  template: true,
  workloadRef: true,
  selector: true,
  replicas: true,
  port: true,
  targetPort: true,
  strategy: true,
  ingress: true,
  ingresses: true,
  migration: true,
  minReady: true,
  progressDeadline: true,
  progressDeadlineAbort: true,
  revisionHistoryLimit: true,
  rollbackWindow: true,
  paused: true,
};

/** A Service of a Rollout: a new one, or one that exists. */
export class ArgoAlbService {
  /** A new Service. */
  static named(name: string, metadata: LabelsAndAnnotations = {}): ArgoAlbService {
    return new ArgoAlbService(name, true, metadata);
  }

  /**
   * A Service that exists in the app or in the cluster. It must have the port, and select the pods.
   * @param service an ApiObject, a Service of cdk8s-plus, or the name
   */
  static existing(service: string | { readonly name: string }): ArgoAlbService {
    return new ArgoAlbService(typeof service === 'string' ? service : service.name, false, {});
  }

  private constructor(
    /** The name of the Service. */
    readonly name: string,
    /** Whether it is created with the Rollout. */
    readonly isMade: boolean,
    /** Labels and annotations of a new Service. */
    readonly metadata: LabelsAndAnnotations,
  ) {}
}
