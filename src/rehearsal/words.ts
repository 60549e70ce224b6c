/** How findings speak of requests, shares and answers. */
import type { RehearsedAnswer, RehearsedShares } from '../core/rehearsal-result';
import type { TrafficRoutingStrategy } from '../kruise/api';
import { summaryOf } from './requests';
import type { PlayedMoment } from './run';

/** `20%`, `33.3%` */
export function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}

/** What users meet at a moment, for the middle of a sentence: `at steps[1]`. */
export function whenOf(moment: Pick<PlayedMoment, 'phase' | 'step' | 'event' | 'strategy'>): string {
  const step = `steps[${moment.step ?? 0}]`;
  switch (moment.phase) {
    case 'before':
      return 'before the release';
    case 'prepare':
      return moment.step === undefined
        ? `before the switch (${moment.event})`
        : `before ${step} takes effect (${moment.event})`;
    case 'step':
      return `at ${step}`;
    case 'finish':
      return `at the end of the release (${moment.event})`;
    case 'abort':
      return moment.step === undefined
        ? `on a rollback (${moment.event})`
        : `on a rollback at ${step} (${moment.event})`;
  }
}

/** The head of a row: `steps[1]: 20%`. */
export function titleOf(moment: PlayedMoment): string {
  const step = `steps[${moment.step ?? 0}]`;
  switch (moment.phase) {
    case 'before':
      return 'before';
    case 'prepare':
      return `${moment.step === undefined ? 'prepare' : step}: ${moment.event}`;
    case 'step':
      if (moment.summary !== undefined) return `${step}: ${moment.summary}`;
      return `${step}: ${moment.strategy === undefined ? moment.event : declaredOf(moment.strategy)}`;
    case 'finish':
      return `end: ${moment.event}`;
    case 'abort':
      return `rollback: ${moment.event}`;
  }
}

/** What a step asks for: `20%`, `user-agent: pc or ?v=2`. */
export function declaredOf(strategy: TrafficRoutingStrategy): string {
  const matches = strategy.matches ?? [];
  return matches.length > 0 ? matches.map(summaryOf).join(' or ') : (strategy.traffic ?? 'no traffic');
}

/** Where a request goes: `100% to Service shop/web`, `503 Backend service does not exist`. */
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
    case 'nothing':
      return 'no answer, as nothing listens any more';
  }
}

/**
 * The canary's part: `20% of the requests reach the canary`.
 * @param whom `them` in a sentence that has named the requests
 */
export function canaryText({ canary }: RehearsedShares, whom: 'the requests' | 'them' = 'the requests'): string {
  if (canary <= 0) return `none of ${whom} reaches the canary`;
  return `${canary >= 1 ? 'all' : percent(canary)} of ${whom} reach the canary`;
}
