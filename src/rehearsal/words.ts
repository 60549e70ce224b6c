/** Formats answers and shares for findings. */
import type { RehearsedAnswer, RehearsedShares } from '../core/rehearsal-result';
import { type Moment, percent } from '../release';

/** The title of a moment: `steps[1]: 20%`. */
export function titleOf(moment: Moment): string {
  const step = `steps[${moment.step ?? 0}]`;
  switch (moment.phase) {
    case 'before':
      return 'before';
    case 'prepare':
      return `${moment.step === undefined ? 'prepare' : step}: ${moment.event}`;
    case 'step':
      return `${step}: ${moment.summary ?? moment.event}`;
    case 'finish':
      return `end: ${moment.event}`;
    case 'abort':
      return `rollback: ${moment.event}`;
  }
}

/** Formats an answer: `100% to Service shop/web`, `503 Backend service does not exist`. */
export function answerText(answer: RehearsedAnswer): string {
  switch (answer.kind) {
    case 'services': {
      const reached = answer.destinations.filter(({ share }) => share > 0);
      const parts = reached.map(
        ({ name, share, failure }) =>
          `${percent(share)} to ${failure === undefined ? name : `an error, as ${failure}`}`,
      );
      return parts.join(', ') || 'an error, as no Service has any weight';
    }
    case 'fixed-response':
      return `${answer.statusCode}${answer.messageBody ? ` "${answer.messageBody}"` : ''}`;
    case 'redirect':
      return `a redirect to ${answer.location}`;
    case 'unknown':
      return `what is not known: ${answer.why}`;
    case 'nothing':
      return 'no answer, as nothing listens any more';
  }
}

/**
 * Formats the share of the canary: `20% of the requests reach the canary`.
 * @param whom `them` if the sentence already names the requests
 */
export function canaryText({ canary }: RehearsedShares, whom: 'the requests' | 'them' = 'the requests'): string {
  if (canary <= 0) return `none of ${whom} reaches the canary`;
  return `${canary >= 1 ? 'all' : percent(canary)} of ${whom} reach the canary`;
}
