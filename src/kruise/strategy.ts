import { compact } from '../core/json';
import type { CanaryStep, IntOrString, PatchPodTemplateMetadata, RolloutStrategy, TrafficRoutingRef } from './api';

/** Options of every strategy. */
export interface StrategyOptions {
  /** The steps in order: created by `KruiseRolloutStep`, or plain objects in the API's format. */
  readonly steps: readonly CanaryStep[];

  /**
   * The number or percentage of updated pods that may fail in a completed step.
   * @default - the maxUnavailable of the workload
   */
  readonly failureThreshold?: IntOrString;

  /**
   * Creates no canary Service and routes to the stable Service. Only for routes that distinguish versions in another way,
   * such as the subsets of a DestinationRule. Since 0.6.
   * @default false
   */
  readonly disableGenerateCanaryService?: boolean;
}

/** Options of a strategy with an extra canary workload. */
export interface CanaryStrategyOptions extends StrategyOptions {
  /**
   * Labels and annotations that only the canary pods get.
   * @default - none
   */
  readonly patchPodTemplateMetadata?: PatchPodTemplateMetadata;
}

/** Fields of the Rollout that are part of the strategy in the API. */
export interface StrategyContext {
  readonly trafficRouting?: TrafficRoutingRef;
  readonly trafficRoutingRef?: string;
  readonly paused?: boolean;
}

/**
 * The strategy of a release.
 *
 * @example
 * KruiseRolloutStrategy.canary({ steps: [KruiseRolloutStep.traffic('20%'), KruiseRolloutStep.traffic('100%')] });
 */
export class KruiseRolloutStrategy {
  /**
   * Runs the new version in an extra Deployment until the end of the release. Only for apps/v1 Deployments.
   */
  static canary(options: CanaryStrategyOptions): KruiseRolloutStrategy {
    const { patchPodTemplateMetadata } = options;
    return new KruiseRolloutStrategy('canary', options, {
      enableExtraWorkloadForCanary: true,
      patchPodTemplateMetadata,
    });
  }

  /**
   * Replaces the pods of the workload step by step. Supports every kind of workload; a Deployment needs the feature gate
   * AdvancedDeployment. A step that routes traffic may replace at most half of the pods (since 0.6).
   */
  static partition(options: StrategyOptions): KruiseRolloutStrategy {
    return new KruiseRolloutStrategy('partition', options, {});
  }

  /**
   * Runs both versions with all of their pods, and switches the traffic. For Deployments and CloneSets. Since 0.6.
   */
  static blueGreen(options: StrategyOptions): KruiseRolloutStrategy {
    return new KruiseRolloutStrategy('blueGreen', options, {});
  }

  private constructor(
    /** How the controller replaces pods. */
    readonly style: 'canary' | 'partition' | 'blueGreen',
    private readonly options: StrategyOptions,
    private readonly extra: object,
  ) {}

  /** `spec.strategy` in the API's format. */
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
