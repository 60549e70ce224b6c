/** Stories in a few words: how each ends, and its worst moment. */
import type { Rehearsal, RehearsedShares, RehearsedStory, RehearsedStoryMoment } from '../../core/rehearsal-result';
import { percent } from './cell';

/** The moment of a story that is worst for users. */
export interface WorstMoment {
  readonly moment: RehearsedStoryMoment;
  /** `50% of GET https://shop.example.com/ fail` */
  readonly text: string;
}

/**
 * The moment at which most requests fail that were answered before. Without one, the moment at which most requests get the
 * new version although nobody approved that: after what people do, and before the next approval.
 */
export function worstMomentOf({ moments }: RehearsedStory, { requests }: Rehearsal): WorstMoment | undefined {
  const textOf = (share: number, request: number, verb: string) =>
    `${percent(share)} of ${requests[request]!.text} ${verb}`;
  const failed = worst(moments, moments[0], ({ failed: share }) => share);
  if (failed !== undefined) return { moment: failed.moment, text: textOf(failed.share, failed.request, 'fail') };
  const turn = moments.findIndex(({ did = [] }, index) => index > 1 && did.some((deed) => !isApproval(deed)));
  if (turn < 0) return undefined;
  const end = moments.findIndex(({ did = [] }, index) => index > turn && did.some(isApproval));
  const reached = worst(moments.slice(turn, end < 0 ? undefined : end), moments[turn - 1], ({ canary }) => canary);
  if (reached === undefined) return undefined;
  return { moment: reached.moment, text: textOf(reached.share, reached.request, 'reach the new version') };
}

function isApproval(deed: string): boolean {
  return deed === 'approve' || deed === 'promote';
}

/** The largest share that is larger than it was before. */
function worst(
  moments: readonly RehearsedStoryMoment[],
  before: RehearsedStoryMoment | undefined,
  shareOf: (shares: RehearsedShares) => number,
) {
  let found: { readonly moment: RehearsedStoryMoment; readonly request: number; readonly share: number } | undefined;
  for (const moment of moments) {
    for (const [request, { shares }] of moment.cells.entries()) {
      const share = shareOf(shares);
      const earlier = before === undefined ? 0 : shareOf(before.cells[request]!.shares);
      if (share > earlier + LEAST && share > (found?.share ?? 0)) found = { moment, request, share };
    }
  }
  return found;
}

/** Smaller differences of shares come from rounding. */
const LEAST = 0.001;

/** The pods behind each Service: `web: 10 v1, web-canary: 2 v2`. */
export function podsText({ pods }: RehearsedStoryMoment): string {
  return pods
    .map(({ service, versions }) => {
      const counts = Object.entries(versions).map(([version, count]) => `${count} ${version}`);
      return `${service}: ${counts.join(' + ') || 'none'}`;
    })
    .join(', ');
}

/** How long a moment lasts, where that is no matter of the cluster: `at least 30 s (scaleDownDelaySeconds)`. */
export function lastsText({ next }: RehearsedStoryMoment): string {
  if (next?.who === 'time') return `at least ${durationText(next.seconds)} (${next.field})`;
  // What else people do is the next line.
  return next?.who === 'person' && next.does.some(isApproval) ? `until somebody: ${next.does.join(', ')}` : '';
}

/** `30 s`, `10 min` */
export function durationText(seconds: number): string {
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
