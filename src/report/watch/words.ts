/** What the reports of a watched release say in words. */
import type { CheckupRequest } from '../../core/checkup';
import type { ObjectRef } from '../../core/finding';
import type { RehearsedAnswer } from '../../core/rehearsal-result';
import type { WatchedKind, WatchedMoment, WatchedNext, WatchedPods, WatchedState } from '../../core/watched-release';
import { cellText, percent } from '../rehearsal/cell';

/** The sign of a state, and its colour. */
export const SIGNS: Readonly<
  Record<WatchedKind, { readonly sign: string; readonly ascii: string; readonly code: number }>
> = {
  healthy: { sign: '✓', ascii: 'ok', code: 32 },
  releasing: { sign: '▶', ascii: '>', code: 36 },
  waiting: { sign: '‖', ascii: '=', code: 33 },
  leaving: { sign: '↩', ascii: '<', code: 33 },
  stuck: { sign: '✗', ascii: 'x', code: 31 },
  aborted: { sign: '✗', ascii: 'x', code: 31 },
  disabled: { sign: '-', ascii: '-', code: 33 },
  gone: { sign: '✗', ascii: 'x', code: 31 },
};

/** `shop/web` */
export function rolloutName({ namespace, name }: ObjectRef): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** `Healthy: the new version is released` */
export function stateText({ text, ended }: WatchedState): string {
  if (ended === undefined) return text;
  return `${text}: ${ended === 'released' ? 'the new version is released' : 'the release was rolled back'}`;
}

/** The requests that say something: without those that no step concerns, unless their answer is wrong. */
export function shownRequests({ requests }: WatchedMoment): readonly CheckupRequest[] {
  return requests.filter((one) => one.verdict === 'wrong' || (one.class !== 'elsewhere' && one.class !== 'near'));
}

/** Whether there are two versions, so that a share of the new one says something. */
export function hasShares({ state: { kind } }: WatchedMoment): boolean {
  return kind !== 'healthy';
}

/** `20%, declared 50%` */
export function shareText(request: CheckupRequest): string {
  const { expectedCanary } = request;
  const isOther = request.verdict === 'wrong' && expectedCanary !== undefined;
  return `${cellText(request)}${isOther ? `, declared ${percent(expectedCanary)}` : ''}`;
}

/** `80% to shop/web, 20% to shop/web-canary` */
export function answerWords(answer: RehearsedAnswer): string {
  switch (answer.kind) {
    case 'services': {
      const reached = answer.destinations.filter(({ share }) => share > 0);
      const parts = reached.map(({ name, share, failure }) => `${percent(share)} to ${failure ?? name}`);
      return parts.join(', ') || 'no Service has any weight';
    }
    case 'fixed-response':
      return `${answer.statusCode}${answer.messageBody ? ` "${answer.messageBody}"` : ''}`;
    case 'redirect':
      return `redirect to ${answer.location}`;
    case 'unknown':
      return `not known: ${answer.why}`;
    case 'nothing':
      return 'nothing listens';
  }
}

/** `web: 3 old, web-canary: 1 new` */
export function podsText(pods: readonly WatchedPods[]): string {
  return pods
    .map(({ service, versions }) => {
      const counts = Object.entries(versions).map(([version, count]) => `${count} ${version}`);
      return `${service}: ${counts.join(' + ') || 'none'}`;
    })
    .join(', ');
}

/** Who acts: `a person`. */
export function whoText({ who }: WatchedNext): string {
  return {
    person: 'a person',
    nobody: 'nobody',
    time: 'time',
    controller: 'the controller',
    analysis: 'an analysis',
    'load balancer': 'the load balancer',
  }[who];
}

/** `17:04:31Z` */
export function clock(at: string): string {
  return /T(\d\d:\d\d:\d\d)/.exec(at)?.[1]?.concat('Z') ?? at;
}

/** `1 h 5 min`, `42 s` */
export function elapsed(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
