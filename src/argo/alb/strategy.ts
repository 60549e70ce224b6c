/** How a release happens behind an AWS load balancer. */
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

/** What canaries with and without ping-pong have in common. */
export interface ArgoCanaryOptions {
  /**
   * The steps of a release, each from `ArgoStep` or as the API has it. `managedRoutes` follows from them: of two header
   * routes the one that is set first wins.
   */
  readonly steps: readonly ArgoCanaryStep[];

  /**
   * How long a client stays with the version that it got first, from 1 second to 7 days.
   * @default - every request is decided anew
   */
  readonly stickiness?: number | DurationLike;

  /**
   * Measurements that run from a step on until the end, and give the release up when they fail: of `argoAnalysis`.
   * @default - none
   */
  readonly analysis?: RolloutBackgroundAnalysis;

  /**
   * How many pods there may be more than wanted, as a number or a percentage.
   * @default - 25 pods: the number, not the percentage
   */
  readonly maxSurge?: IntOrString;

  /**
   * How many pods may be missing, as a number or a percentage.
   * @default - 25 pods: the number, not the percentage
   */
  readonly maxUnavailable?: IntOrString;

  /**
   * How long the old pods stay after a release, so that the load balancer has time to forget them.
   * @default - 30 seconds
   */
  readonly scaleDownDelay?: number | DurationLike;

  /**
   * How long the canary's pods stay after a release was given up; 0 is for ever.
   * @default - 30 seconds
   */
  readonly abortScaleDownDelay?: number | DurationLike;

  /**
   * Whether the stable pods get fewer as the weight of the canary grows. Not with `scaleDownDelay`.
   * @default false
   */
  readonly dynamicStableScale?: boolean;

  /**
   * How many pods each version has at least while it gets traffic.
   * @default 1
   */
  readonly minPodsPerReplicaSet?: number;

  /**
   * When the pods of a step are enough.
   * @default - all of them
   */
  readonly replicaProgressThreshold?: ReplicaProgressThreshold;

  /**
   * Whether pods of both versions keep away from one another's nodes.
   * @default - none
   */
  readonly antiAffinity?: AntiAffinity;

  /**
   * Labels and annotations that pods have while they are the canary.
   * @default - none
   */
  readonly canaryMetadata?: LabelsAndAnnotations;

  /**
   * Labels and annotations that pods have while they are stable.
   * @default - none
   */
  readonly stableMetadata?: LabelsAndAnnotations;

  /**
   * The prefix of the annotations that Argo writes. The AWS Load Balancer Controller reads no other than the default one,
   * which the check says of any other.
   * @default 'alb.ingress.kubernetes.io'
   */
  readonly annotationPrefix?: string;
}

/** A canary with a stable and a canary Service. */
export interface ArgoStableCanaryOptions extends ArgoCanaryOptions {
  /**
   * The Service of the stable version.
   * @default - one called `<name of the Rollout>-stable` is made
   */
  readonly stableService?: ArgoAlbService;
  /**
   * The Service of the canary.
   * @default - one called `<name of the Rollout>-canary` is made
   */
  readonly canaryService?: ArgoAlbService;
  /**
   * The name of the action and of the backend, where it is not the stable Service: as a name alone, or with a Service for
   * requests inside the cluster, which reach both versions. With it Argo cannot reset the weights when the Rollout is
   * deleted.
   * @default - the stable Service
   */
  readonly rootService?: string | ArgoAlbService;
}

/** A canary whose two Services change places with every release. */
export interface ArgoPingPongOptions extends ArgoCanaryOptions {
  /**
   * The canary of the first release.
   * @default - one called `<name of the Rollout>-ping` is made
   */
  readonly pingService?: ArgoAlbService;
  /**
   * The stable one until the first release is done.
   * @default - one called `<name of the Rollout>-pong` is made
   */
  readonly pongService?: ArgoAlbService;
  /**
   * The name of the action and of the backend, as a name alone, or with a Service for requests inside the cluster.
   * @default - `<name of the Rollout>-root`, a name alone
   */
  readonly rootService?: string | ArgoAlbService;
}

/** Two versions side by side, of which one has all the traffic. */
export interface ArgoBlueGreenOptions {
  /**
   * The Service that has all the traffic.
   * @default - one called `<name of the Rollout>-active` is made
   */
  readonly activeService?: ArgoAlbService;
  /**
   * The Service of the new version before it is promoted.
   * @default - one called `<name of the Rollout>-preview` is made
   */
  readonly previewService?: ArgoAlbService;
  /**
   * An Ingress by which the new version can be reached before it is promoted.
   * @default - none
   */
  readonly previewIngress?: ArgoAlbIngressOptions;
  /**
   * Whether the new version is promoted without being told to.
   * @default true
   */
  readonly autoPromotion?: boolean;
  /**
   * How long the new version waits for a word before it is promoted all the same.
   * @default - it does not wait
   */
  readonly autoPromotionDelay?: number | DurationLike;
  /**
   * How many pods the new version has before it is promoted.
   * @default - as many as the stable version has
   */
  readonly previewReplicaCount?: number;
  /**
   * What is measured before the new version gets the traffic.
   * @default - none
   */
  readonly prePromotionAnalysis?: ArgoAnalysis;
  /**
   * What is measured after the new version got the traffic; a failure takes it back.
   * @default - none
   */
  readonly postPromotionAnalysis?: ArgoAnalysis;
  /**
   * How long the old pods stay after the change, which is what the load balancer has to register the new ones.
   * @default - 30 seconds
   */
  readonly scaleDownDelay?: number | DurationLike;
  /**
   * How many old versions may wait for their end at the same time.
   * @default - no limit
   */
  readonly scaleDownDelayRevisionLimit?: number;
  /**
   * How long the new pods stay after a release was given up; 0 is for ever.
   * @default - 30 seconds
   */
  readonly abortScaleDownDelay?: number | DurationLike;
  /**
   * How many pods may be missing while a version is restarted, as a number or a percentage.
   * @default '25%'
   */
  readonly maxUnavailable?: IntOrString;
  /**
   * Whether pods of both versions keep away from one another's nodes.
   * @default - none
   */
  readonly antiAffinity?: AntiAffinity;
  /**
   * Labels and annotations that pods have while they are active.
   * @default - none
   */
  readonly activeMetadata?: LabelsAndAnnotations;
  /**
   * Labels and annotations that pods have while they are the preview.
   * @default - none
   */
  readonly previewMetadata?: LabelsAndAnnotations;
}

/** How a release happens. */
export type ArgoAlbStrategyOptions =
  | { readonly kind: 'canary'; readonly options: ArgoStableCanaryOptions }
  | { readonly kind: 'pingPong'; readonly options: ArgoPingPongOptions }
  | { readonly kind: 'blueGreen'; readonly options: ArgoBlueGreenOptions };

/** How a release happens. */
export class ArgoAlbStrategy {
  /** A growing share of the traffic goes to the new version. */
  static canary(options: ArgoStableCanaryOptions): ArgoAlbStrategy {
    return new ArgoAlbStrategy({ kind: 'canary', options });
  }

  /**
   * A canary whose two Services change places instead of their selectors, so that pods can wait for the load balancer
   * (readiness gates). For targets of the type `ip`.
   */
  static pingPong(options: ArgoPingPongOptions): ArgoAlbStrategy {
    return new ArgoAlbStrategy({ kind: 'pingPong', options });
  }

  /**
   * All the traffic changes over at once. There are no weights: the Ingress leads to the active Service by its port.
   * docs/argo-alb.md tells what that means on an ALB.
   */
  static blueGreen(options: ArgoBlueGreenOptions = {}): ArgoAlbStrategy {
    return new ArgoAlbStrategy({ kind: 'blueGreen', options });
  }

  private constructor(
    /** Which strategy it is, with its options. */
    readonly definition: ArgoAlbStrategyOptions,
  ) {}
}
