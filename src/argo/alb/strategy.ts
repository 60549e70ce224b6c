/** Release strategies behind an AWS load balancer. */
import type { DurationLike } from '../../core/duration';
import type {
  AntiAffinity,
  IntOrString,
  LabelsAndAnnotations,
  ReplicaProgressThreshold,
  RolloutBackgroundAnalysis,
} from '../api';
import type { ArgoAnalysis, ArgoCanaryStep } from '../steps';
import type { ArgoAlbIngressOptions } from './ingress-options';
import type { ArgoAlbService } from './options';

/** Options of canaries with and without ping-pong. */
export interface ArgoCanaryOptions {
  /**
   * The steps of a release, from `ArgoStep` or as plain API objects. `managedRoutes` is derived from them: if two header
   * routes match, the one that a step sets first wins.
   */
  readonly steps: readonly ArgoCanaryStep[];

  /**
   * How long a client stays with its first version, from 1 second to 7 days.
   * @default - no stickiness
   */
  readonly stickiness?: number | DurationLike;

  /**
   * Measurements that run from a step until the end, and abort the release if they fail, from `argoAnalysis`.
   * @default - none
   */
  readonly analysis?: RolloutBackgroundAnalysis;

  /**
   * How many pods may exist above the desired number, as a number or a percentage.
   * @default - 25 pods: the number, not the percentage
   */
  readonly maxSurge?: IntOrString;

  /**
   * How many pods may be unavailable, as a number or a percentage.
   * @default - 25 pods: the number, not the percentage
   */
  readonly maxUnavailable?: IntOrString;

  /**
   * How long the old pods stay after a release, so that the load balancer can deregister them. With 0, they stay until the next release.
   * @default - 30 seconds
   */
  readonly scaleDownDelay?: number | DurationLike;

  /**
   * How long the pods of the canary stay after an aborted release; 0 removes them with the abort.
   * @default - 30 seconds
   */
  readonly abortScaleDownDelay?: number | DurationLike;

  /**
   * Whether to scale down the stable pods as the weight of the canary grows. Not with `scaleDownDelay`.
   * @default false
   */
  readonly dynamicStableScale?: boolean;

  /**
   * The minimum number of pods of each version while it gets traffic.
   * @default 1
   */
  readonly minPodsPerReplicaSet?: number;

  /**
   * How many pods of a step must be available before it continues.
   * @default - all of them
   */
  readonly replicaProgressThreshold?: ReplicaProgressThreshold;

  /**
   * Keeps pods of both versions on different nodes.
   * @default - none
   */
  readonly antiAffinity?: AntiAffinity;

  /**
   * Labels and annotations of the pods of the canary.
   * @default - none
   */
  readonly canaryMetadata?: LabelsAndAnnotations;

  /**
   * Labels and annotations of the stable pods.
   * @default - none
   */
  readonly stableMetadata?: LabelsAndAnnotations;

  /**
   * The prefix of the annotations that Argo writes. The AWS Load Balancer Controller reads only the default one, so a check
   * reports any other.
   * @default 'alb.ingress.kubernetes.io'
   */
  readonly annotationPrefix?: string;
}

/** A canary with a stable and a canary Service. */
export interface ArgoStableCanaryOptions extends ArgoCanaryOptions {
  /**
   * The Service of the stable version.
   * @default - a new one named `<name of the Rollout>-stable`
   */
  readonly stableService?: ArgoAlbService;
  /**
   * The Service of the canary.
   * @default - a new one named `<name of the Rollout>-canary`
   */
  readonly canaryService?: ArgoAlbService;
  /**
   * The name of the action and of the backend, if it differs from the stable Service: only a name, or a Service for requests
   * inside the cluster, which reach both versions. Argo cannot reset the weights of such an action when the Rollout is
   * deleted.
   * @default - the stable Service
   */
  readonly rootService?: string | ArgoAlbService;
}

/** A canary whose two Services swap roles with every release. */
export interface ArgoPingPongOptions extends ArgoCanaryOptions {
  /**
   * The Service of the canary in the first release.
   * @default - a new one named `<name of the Rollout>-ping`
   */
  readonly pingService?: ArgoAlbService;
  /**
   * The Service of the stable version until the first release completes.
   * @default - a new one named `<name of the Rollout>-pong`
   */
  readonly pongService?: ArgoAlbService;
  /**
   * The name of the action and of the backend: only a name, or a Service for requests inside the cluster.
   * @default - the name `<name of the Rollout>-root`
   */
  readonly rootService?: string | ArgoAlbService;
}

/** Two complete versions; one of them gets all traffic. */
export interface ArgoBlueGreenOptions {
  /**
   * The Service that gets all traffic.
   * @default - a new one named `<name of the Rollout>-active`
   */
  readonly activeService?: ArgoAlbService;
  /**
   * The Service of the new version before its promotion.
   * @default - a new one named `<name of the Rollout>-preview`
   */
  readonly previewService?: ArgoAlbService;
  /**
   * An Ingress for the new version before its promotion.
   * @default - none
   */
  readonly previewIngress?: ArgoAlbIngressOptions;
  /**
   * Whether Argo promotes the new version without approval.
   * @default true
   */
  readonly autoPromotion?: boolean;
  /**
   * How long Argo waits for approval before it promotes the new version anyway. Has no effect with `autoPromotion: false`.
   * @default - no wait
   */
  readonly autoPromotionDelay?: number | DurationLike;
  /**
   * The number of pods of the new version before its promotion.
   * @default - the same as the stable version
   */
  readonly previewReplicaCount?: number;
  /**
   * Measurements before the new version gets the traffic.
   * @default - none
   */
  readonly prePromotionAnalysis?: ArgoAnalysis;
  /**
   * Measurements after the new version got the traffic; a failure switches back.
   * @default - none
   */
  readonly postPromotionAnalysis?: ArgoAnalysis;
  /**
   * How long the old pods stay after the switch. The load balancer has this time to register the new ones.
   * @default - 30 seconds
   */
  readonly scaleDownDelay?: number | DurationLike;
  /**
   * How many old versions may wait for their scale-down at the same time.
   * @default - no limit
   */
  readonly scaleDownDelayRevisionLimit?: number;
  /**
   * How long the new pods stay after an aborted release; 0 keeps them.
   * @default - 30 seconds
   */
  readonly abortScaleDownDelay?: number | DurationLike;
  /**
   * How many pods may be unavailable during a restart, as a number or a percentage.
   * @default '25%'
   */
  readonly maxUnavailable?: IntOrString;
  /**
   * Keeps pods of both versions on different nodes.
   * @default - none
   */
  readonly antiAffinity?: AntiAffinity;
  /**
   * Labels and annotations of the active pods.
   * @default - none
   */
  readonly activeMetadata?: LabelsAndAnnotations;
  /**
   * Labels and annotations of the preview pods.
   * @default - none
   */
  readonly previewMetadata?: LabelsAndAnnotations;
}

/** The strategy of a release. */
export type ArgoAlbStrategyOptions =
  | { readonly kind: 'canary'; readonly options: ArgoStableCanaryOptions }
  | { readonly kind: 'pingPong'; readonly options: ArgoPingPongOptions }
  | { readonly kind: 'blueGreen'; readonly options: ArgoBlueGreenOptions };

/** The strategy of a release. */
export class ArgoAlbStrategy {
  /** A growing share of the traffic goes to the new version. */
  static canary(options: ArgoStableCanaryOptions): ArgoAlbStrategy {
    return new ArgoAlbStrategy({ kind: 'canary', options });
  }

  /**
   * A canary whose two Services swap roles instead of selectors, so that readiness gates of pods can wait for the load
   * balancer. For targets of the type `ip`.
   */
  static pingPong(options: ArgoPingPongOptions): ArgoAlbStrategy {
    return new ArgoAlbStrategy({ kind: 'pingPong', options });
  }

  /**
   * All traffic switches in one moment. There are no weights: the Ingress refers to the port of the active Service.
   * docs/argo-alb.md explains what that means on an ALB.
   */
  static blueGreen(options: ArgoBlueGreenOptions = {}): ArgoAlbStrategy {
    return new ArgoAlbStrategy({ kind: 'blueGreen', options });
  }

  private constructor(
    /** The kind of strategy, with its options. */
    readonly definition: ArgoAlbStrategyOptions,
  ) {}
}
