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
    labs: /-dynamic-(abort|full|retry|third)$/,
    about: 'writes',
    reason:
      'with dynamicStableScale the weight follows the stable pods that are back, and they come back as the cluster likes',
  },
  {
    releases: /^argo@/,
    labs: /^alb-abort-delay-0(-scaled)?$/,
    reason: 'the canary Service may go to the new pods and back as long as these end',
  },
  {
    releases: /^argo@/,
    labs: /^services-delete-2$/,
    about: 'writes',
    reason: 'the controller may write its selectors once more before it sees that the Rollout is gone',
  },
  {
    releases: /^argo@/,
    labs: /^alb-analysis-background$/,
    about: 'writes',
    reason: 'an analysis in the background may fail before or after the weight of the next step is written',
  },
];
