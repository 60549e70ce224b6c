/** Differences between a rehearsal and a recording that are known. Each line says why; a line that no recording needs fails. */
import type { Comparison } from './compare';

export interface KnownDifference {
  /** `kruise@0.6.2`. */
  readonly releases: RegExp;
  readonly labs: RegExp;
  /** @default - everything that is compared */
  readonly about?: Comparison['about'];
  readonly reason: string;
}

/** Delays that a controller was seen to cut short. A line that no recording needs fails. */
export const SHORT_DELAYS: readonly Omit<KnownDifference, 'about'>[] = [
  {
    releases: /^kruise@0\.[45]\./,
    labs: /^(alpha-advanced-statefulset-rollback-1|canary-(aws-alb-route-gone|rollout-id)|partition-((aws-alb-rollback|gateway-api-delete)-2|all-new-third|scale-from-0))$/,
    reason: 'the delay begins in the status; where that write conflicts with another, it is lost, and nothing waits',
  },
];

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    releases: /^kruise@0\.4\.0$/,
    labs: /^example-kruise-traffic-routing-/,
    about: 'writes',
    reason:
      'the API server refuses the Rollout of v1beta1 and the lab ends, while the TrafficRouting of it works by itself',
  },
  {
    releases: /^argo@/,
    labs: /-dynamic-(abort|full|retry|third|undo-scaled|aborted-undo-scaled)$/,
    about: 'writes',
    reason:
      'with dynamicStableScale the weight follows the stable pods that are back, and they come back as the cluster likes',
  },
  {
    releases: /^argo@1\.7/,
    labs: /^services-undo-scaled-up$/,
    about: 'Services without a pod',
    reason: 'the pod of the new version may go before the canary Service selects the old one',
  },
  {
    releases: /^argo@1\.(8|10)/,
    labs: /-third-scaled$/,
    about: 'writes',
    reason: 'the weight becomes 0 once all stable pods are there, unless new pods are ready before them',
  },
  {
    releases: /^argo@/,
    labs: /^alb-(abort-delay-0(-scaled)?|aborted-undo-scaled-delay-0)$/,
    reason: 'the canary Service may go to the new pods and back as long as these end',
  },
  {
    releases: /^argo@/,
    labs: /^istio-experiment-weight-two$/,
    about: 'writes',
    reason: 'the controller writes the destinations of an experiment in any order',
  },
  {
    releases: /^argo@/,
    labs: /^alb-analysis-background$/,
    about: 'writes',
    reason: 'an analysis in the background may fail before or after the weight of the next step is written',
  },
  {
    releases: /^argo@/,
    labs: /^alb-analysis-background-inconclusive$/,
    about: 'pods at each pause',
    reason: 'the status already counts the step after the skipped pause, whose weight is not written yet',
  },
];
