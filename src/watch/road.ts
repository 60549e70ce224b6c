/** Where a release is on the road that the rehearsal says. */
import type { ObjectRef } from '../core';
import type { CheckupTraffic } from '../core/checkup';
import type {
  Rehearsal,
  RehearsedNext,
  RehearsedShares,
  RehearsedStory,
  RehearsedStoryMoment,
} from '../core/rehearsal-result';
import type { WatchedPlace, WatchedPods } from '../core/watched-release';
import { percent } from '../release';
import type { LiveState } from './live-state';

/** What is seen of a cluster, to compare with rehearsed moments. */
export interface Sight {
  readonly traffic: CheckupTraffic | undefined;
  readonly pods: readonly WatchedPods[];
  isThere(ref: ObjectRef): boolean;
}

/** A road, and the place of a release on it. */
export interface Road {
  readonly story: RehearsedStory;
  readonly moments: readonly RehearsedStoryMoment[];
  /** The index of the moment that is reached. */
  readonly at: number;
  /** Whether the controller is on its way to the next moment. */
  readonly isMoving: boolean;
}

/**
 * Finds the place.
 * @param from the first moment that is possible, behind what people did
 * @param reached the moment that was reached before; in between two moments, routes can look like those of an earlier one
 */
export function roadOf(
  rehearsal: Rehearsal,
  story: RehearsedStory,
  state: LiveState,
  sight: Sight,
  { from = 0, reached: earlier = 0 }: { readonly from?: number; readonly reached?: number } = {},
): Road {
  const { moments } = story;
  const range = rangeOf(moments, state, from);
  if (range.isSure) return { story, moments, at: range.high, isMoving: false };
  const reached = lastReached(
    rehearsal,
    moments,
    sight,
    Math.max(range.low, Math.min(earlier, range.high)),
    range.high,
  );
  // The status decides when a step is done, not the routes.
  const at = range.isStep && reached === range.high ? Math.max(reached - 1, range.low) : reached;
  // At its end, a story that is not over waits for the controller only.
  return { story, moments, at, isMoving: at < moments.length - 1 };
}

interface Range {
  readonly low: number;
  /** The last moment that can be reached by now. */
  readonly high: number;
  /** Whether it is the last one. */
  readonly isSure: boolean;
  /** Whether the last one is a step that is not done yet. */
  readonly isStep?: boolean;
}

function rangeOf(moments: readonly RehearsedStoryMoment[], state: LiveState, from: number): Range {
  const all = { low: from, high: moments.length - 1, isSure: false };
  if (state.isIdle) return from === 0 ? { low: 0, high: 0, isSure: true } : all;
  if (state.turn?.isBack) return all;
  const { step } = state;
  if (step === undefined) return state.isEnding ? { ...all, low: lastStep(moments, from) } : all;
  const isOf = (index: number) => moments[index]!.phase === 'step' && moments[index]!.step === step;
  const last = lastIndex(moments, from, isOf);
  if (state.isEnding) return { ...all, low: lastStep(moments, from) };
  if (last < 0) return all;
  if (state.isSettled) return { low: last, high: last, isSure: true };
  const before = lastIndex(moments.slice(0, last), from, (index) => {
    const { phase, step: of = 0 } = moments[index]!;
    return phase === 'before' || (phase === 'step' && of < step);
  });
  return { low: Math.max(before, from), high: last, isSure: false, isStep: true };
}

function lastStep(moments: readonly RehearsedStoryMoment[], from: number): number {
  return Math.max(
    lastIndex(moments, from, (index) => moments[index]!.phase === 'step'),
    from,
  );
}

function lastIndex(moments: readonly unknown[], from: number, holds: (index: number) => boolean): number {
  for (let index = moments.length - 1; index >= from; index--) if (holds(index)) return index;
  return -1;
}

/** The last moment whose objects are there and whose requests go where they go now. */
function lastReached(
  rehearsal: Rehearsal,
  moments: readonly RehearsedStoryMoment[],
  sight: Sight,
  low: number,
  high: number,
): number {
  const live = new Map(sight.traffic?.requests.map((one) => [one.text, one.shares]));
  for (let index = high; index > low; index--) {
    const { cells } = moments[index]!;
    const isAlike = rehearsal.requests.every(({ text }, at) => {
      const shares = live.get(text);
      return shares === undefined || sameShares(shares, cells[at]!.shares);
    });
    if (isAlike && hasPods(moments[index]!, sight) && hasObjects(moments, index, sight)) return index;
  }
  return low;
}

const ROUNDING = 0.002;

function sameShares(a: RehearsedShares, b: RehearsedShares): boolean {
  return (['stable', 'canary', 'failed', 'other'] as const).every((part) => Math.abs(a[part] - b[part]) < ROUNDING);
}

/** The same versions answer behind each Service; how many pods that takes is a matter of time. */
function hasPods({ pods, versions: names }: RehearsedStoryMoment, { pods: live }: Sight): boolean {
  const old = names.stable;
  return live.every(({ service, versions }) => {
    const rehearsed = pods.find((one) => one.service === service);
    if (rehearsed === undefined) return true;
    const [was, is] = [Object.keys(rehearsed.versions), Object.keys(versions)];
    const isNew = (version: string) => version !== old;
    return (
      was.includes(old ?? '') === is.includes('old') && was.some(isNew) === is.some((version) => version !== 'old')
    );
  });
}

/** Objects that were made and not yet deleted are there, deleted ones are gone. */
function hasObjects(moments: readonly RehearsedStoryMoment[], index: number, { isThere }: Sight): boolean {
  const expected = new Map<string, { readonly ref: ObjectRef; readonly isThere: boolean }>();
  for (const { changes } of moments.slice(0, index + 1)) {
    for (const { object: ref, action } of changes) {
      if (action !== 'changed') expected.set(`${ref.kind}/${ref.name}`, { ref, isThere: action === 'created' });
    }
  }
  return [...expected.values()].every((one) => isThere(one.ref) === one.isThere);
}

/** The moments of a road for reports. */
export function placesOf({ moments, at, isMoving }: Road, rehearsal: Rehearsal): WatchedPlace[] {
  const plain = plainRequest(rehearsal);
  return moments.map(({ title, cells, next }, index): WatchedPlace => {
    const cell = plain < 0 ? undefined : cells[plain];
    const until = untilText(next);
    return {
      title,
      is:
        index < at
          ? 'done'
          : index === at
            ? isMoving
              ? 'done'
              : 'at'
            : isMoving && index === at + 1
              ? 'towards'
              : 'later',
      ...(cell === undefined || cell.answer.kind === 'unknown' ? {} : { share: cell.shares.canary }),
      ...(until === undefined ? {} : { until }),
    };
  });
}

/** The index of the request that stands for most users; -1 if there is none. */
export function plainRequest({ requests }: Pick<Rehearsal, 'requests'>): number {
  return requests.findIndex((one) => one.class === 'no-match');
}

function untilText(next: RehearsedNext | undefined): string | undefined {
  switch (next?.who) {
    case 'person':
      return next.does.join(', ') || 'somebody acts';
    case 'analysis':
    case 'load balancer':
      return next.does.join(', ');
    case 'time':
      return `${next.seconds} s (${next.field})`;
    default:
      return undefined;
  }
}

/** What a moment brings: `steps[1]: 60%: 60% of plain requests reach the new version; Ingress web-canary is changed`. */
export function arrivalText(rehearsal: Rehearsal, { title, cells, changes }: RehearsedStoryMoment): string {
  const plain = plainRequest(rehearsal);
  const cell = plain < 0 ? undefined : cells[plain];
  const share =
    cell === undefined || cell.answer.kind === 'unknown'
      ? []
      : [`${percent(cell.shares.canary)} of plain requests reach the new version`];
  const written = changes.map(({ object, action }) => `${object.kind} ${object.name} is ${action}`);
  return [title, ...share, ...written.slice(0, 3), ...(written.length > 3 ? [`${written.length - 3} more`] : [])].join(
    '; ',
  );
}
