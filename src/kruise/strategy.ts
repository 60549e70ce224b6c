import type { CanaryStep, IntOrString, PatchPodTemplateMetadata, RolloutStrategy, TrafficRoutingRef } from './api';
import { compact } from './json';

/** What every style of release takes. */
export interface StrategyOptions {
  /** The steps, in order: of `KruiseRolloutStep`, or plain objects as the API has them. */
  readonly steps: readonly CanaryStep[];

  /**
   * How many updated pods may fail while a step still counts as done, as a number or a percentage.
   * @default - the maxUnavailable of the workload
   */
  readonly failureThreshold?: IntOrString;

  /**
   * Makes no canary Service and routes to the stable Service itself. Only for routes that tell versions apart by
   * something else, as the subsets of a DestinationRule do. From 0.6 on.
   * @default false
   */
  readonly disableGenerateCanaryService?: boolean;
}

/** What a release with an extra canary workload takes. */
export interface CanaryStrategyOptions extends StrategyOptions {
  /**
   * Labels and annotations that only the canary pods get.
   * @default - none
   */
  readonly patchPodTemplateMetadata?: PatchPodTemplateMetadata;
}

/** What the strategy is written with, beyond what it says itself. */
export interface StrategyContext {
  readonly trafficRouting?: TrafficRoutingRef;
  readonly trafficRoutingRef?: string;
  readonly paused?: boolean;
}

/**
 * How a release happens.
 *
 * @example
 * KruiseRolloutStrategy.canary({ steps: [KruiseRolloutStep.traffic('20%'), KruiseRolloutStep.traffic('100%')] });
 */
export class KruiseRolloutStrategy {
  /**
   * The new version runs in a Deployment of its own beside the stable one until the end. Only for apps/v1 Deployments.
   */
  static canary(options: CanaryStrategyOptions): KruiseRolloutStrategy {
    const { patchPodTemplateMetadata } = options;
    return new KruiseRolloutStrategy('canary', options, {
      enableExtraWorkloadForCanary: true,
      patchPodTemplateMetadata,
    });
  }

  /**
   * The pods of the workload itself are replaced step by step. For every kind of workload; a Deployment needs the
   * feature gate AdvancedDeployment. A step that routes traffic may replace at most half of the pods (from 0.6 on).
   */
  static partition(options: StrategyOptions): KruiseRolloutStrategy {
    return new KruiseRolloutStrategy('partition', options, {});
  }

  /**
   * Both versions run side by side with all their pods, and the traffic changes over. For Deployments and CloneSets.
   * From 0.6 on.
   */
  static blueGreen(options: StrategyOptions): KruiseRolloutStrategy {
    return new KruiseRolloutStrategy('blueGreen', options, {});
  }

  private constructor(
    /** How pods are replaced. */
    readonly style: 'canary' | 'partition' | 'blueGreen',
    private readonly options: StrategyOptions,
    private readonly extra: object,
  ) {}

  /** `spec.strategy` as the API has it. */
  toManifest({ trafficRouting, trafficRoutingRef, paused }: StrategyContext = {}): RolloutStrategy {
    const { steps, failureThreshold, disableGenerateCanaryService } = this.options;
    const strategy = compact({
      ...this.extra,
      steps,
      failureThreshold,
      trafficRoutings: trafficRouting === undefined ? undefined : [trafficRouting],
      trafficRoutingRef,
      disableGenerateCanaryService,
    });
    const common = paused === undefined ? {} : { paused };
    return this.style === 'blueGreen' ? { ...common, blueGreen: strategy } : { ...common, canary: strategy };
  }
}
