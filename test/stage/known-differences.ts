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
    releases: /^kruise@/,
    labs: /-hpa$/,
    about: 'pods at the end',
    reason: 'an autoscaler decides on the number of pods, and a rehearsal does not play it',
  },
  {
    releases: /^argo@/,
    labs: /^(alb-header-(first|kept|root)|istio-header)$/,
    about: 'writes',
    reason:
      'the controller removes a header route and then writes the weight within 0.1 s; a moment has both in one change',
  },
];
