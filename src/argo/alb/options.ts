/** What a Rollout of Argo behind an AWS load balancer is made of. */
import type { DurationLike } from '../../core/duration';
import type { PropTable } from '../../core/props';
import type { LabelsAndAnnotations, PodTemplateSpec, WorkloadRef } from '../api';
import type { ArgoAlbIngressOptions } from './ingress-options';
import type { ArgoAlbStrategy } from './strategy';

/** Name, namespace, labels and annotations of an object. */
export interface ArgoObjectMetadata extends LabelsAndAnnotations {
  /**
   * The name of the object.
   * @default - a name made of the path of the construct
   */
  readonly name?: string;
  /**
   * The namespace of the object.
   * @default - that of the chart
   */
  readonly namespace?: string;
}

/** A workload whose pods a Rollout takes over; `scaleDown` says what becomes of those that it has itself. */
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
   * The pods. Their labels are what Services and Rollout select, unless `selector` is given.
   * @default - `workloadRef` has them
   */
  readonly template?: PodTemplateSpec;

  /**
   * A Deployment, or another workload, whose pods are released. It needs `selector`.
   * @default - `template` has the pods
   */
  readonly workloadRef?: ArgoWorkloadRef;

  /**
   * Labels by which the pods are found. They cannot be changed once the Rollout exists.
   * @default - all labels of `template`
   */
  readonly selector?: Readonly<Record<string, string>>;

  /**
   * How many pods there are. Leave it out where an autoscaler decides.
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

  /** How a release happens, with its steps. */
  readonly strategy: ArgoAlbStrategy;

  /**
   * Hosts and paths, and the load balancer.
   * @default - every host and path, on an internal load balancer of the class `alb`
   */
  readonly ingress?: ArgoAlbIngressOptions;

  /**
   * Several Ingresses in the place of `ingress`, for several load balancers: one that is internal and one for the internet.
   * Argo writes the same weights to all of them.
   * @default - one
   */
  readonly ingresses?: readonly ArgoAlbIngressOptions[];

  /**
   * `prepare` is the first of two steps by which a live Ingress comes to Argo without a moment of 503: the Ingress keeps
   * its port number, and Argo already writes the action, which has no effect yet. The second step is to leave this out,
   * once the action is there. docs/argo-alb.md tells what has to be the same before and after.
   * @default - the Ingress uses the action
   */
  readonly migration?: 'prepare';

  /**
   * How long a pod has to be ready before it counts as available.
   * @default 0
   */
  readonly minReady?: number | DurationLike;

  /**
   * How long a step may make no progress. It has to be longer than `minReady`.
   * @default - 10 minutes
   */
  readonly progressDeadline?: number | DurationLike;

  /**
   * Whether a release that made no progress is given up.
   * @default false
   */
  readonly progressDeadlineAbort?: boolean;

  /**
   * How many old ReplicaSets are kept.
   * @default 10
   */
  readonly revisionHistoryLimit?: number;

  /**
   * Going back to one of this many last revisions skips all steps.
   * @default - no revision is that near
   */
  readonly rollbackWindow?: number;

  /**
   * Holds a release where it is.
   * @default false
   */
  readonly paused?: boolean;
}

/** The same at run time. */
export const ARGO_ALB_ROLLOUT_PROPS: PropTable<ArgoAlbRolloutOptions> = {
  template: 'object',
  workloadRef: 'object',
  selector: 'object',
  replicas: 'number',
  port: 'number',
  targetPort: 'string or number',
  strategy: 'object, required',
  ingress: 'object',
  ingresses: 'list',
  migration: 'string',
  minReady: 'number or object',
  progressDeadline: 'number or object',
  progressDeadlineAbort: 'boolean',
  revisionHistoryLimit: 'number',
  rollbackWindow: 'number',
  paused: 'boolean',
};

/** A Service of a Rollout: one that is made with it, or one that is there. */
export class ArgoAlbService {
  /** One that is made with the Rollout. */
  static named(name: string, metadata: LabelsAndAnnotations = {}): ArgoAlbService {
    return new ArgoAlbService(name, true, metadata);
  }

  /**
   * One that is in the app, or in the cluster, already. It has to have the port, and to select the pods.
   * @param service an ApiObject, a Service of cdk8s-plus, or the name
   */
  static existing(service: string | { readonly name: string }): ArgoAlbService {
    return new ArgoAlbService(typeof service === 'string' ? service : service.name, false, {});
  }

  private constructor(
    /** The name of the Service. */
    readonly name: string,
    /** Whether it is made with the Rollout. */
    readonly isMade: boolean,
    /** Labels and annotations of the Service, where it is made here. */
    readonly metadata: LabelsAndAnnotations,
  ) {}
}
