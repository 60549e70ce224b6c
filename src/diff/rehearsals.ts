/** Joins two rehearsals of one Rollout: their requests by text, their moments by step and event. */
import type { Rehearsal, RehearsedMoment, RehearsedRequest } from '../core/rehearsal-result';
import type { DiffedCell, DiffedMoment, DiffedOn, DiffedRequest } from '../core/stack-diff';
import { compareLines } from '../core/text-diff';
import { differs } from './cells';
import type { StepPair } from './steps';

/** Two rehearsals as one table. */
export interface JoinedRehearsals {
  readonly requests: readonly DiffedRequest[];
  readonly moments: readonly DiffedMoment[];
  /** For each moment its two moments, for callers that look further. */
  readonly pairs: readonly MomentPair[];
}

/** A moment of either rehearsal, or of both. */
export interface MomentPair {
  readonly before?: RehearsedMoment;
  readonly after?: RehearsedMoment;
}

/** Joins them; one of them may be missing. */
export function joinRehearsals(
  base: Rehearsal | undefined,
  head: Rehearsal | undefined,
  steps: readonly StepPair[],
): JoinedRehearsals {
  const columns = joinRequests(base, head);
  const pairs = joinMoments(base?.moments ?? [], head?.moments ?? [], steps);
  return {
    requests: columns.map(({ request }) => request),
    moments: pairs.map((pair) => momentOf(pair, columns)),
    pairs,
  };
}

interface Column {
  readonly request: DiffedRequest;
  /** The index in the base. */
  readonly before?: number;
  /** The index in the head. */
  readonly after?: number;
}

function joinRequests(base: Rehearsal | undefined, head: Rehearsal | undefined): Column[] {
  const left = (base?.requests ?? []).map((request, index) => ({ index, ...named(base!, request) }));
  const take = (find: (one: (typeof left)[number]) => boolean): number | undefined => {
    const at = left.findIndex(find);
    return at < 0 ? undefined : left.splice(at, 1)[0]!.index;
  };
  const wanted = (head?.requests ?? []).map((request, after) => ({ after, ...named(head!, request) }));
  // Requests of the same load balancer first: a text may be sent to several.
  const exact = wanted.map((one) => ({
    ...one,
    before: take(({ text, loadBalancer }) => text === one.text && loadBalancer === one.loadBalancer),
  }));
  const joined = exact.map(({ before, ...one }) => ({
    ...one,
    before: before ?? take(({ text }) => text === one.text),
  }));
  return [
    ...joined.map(({ after, before, ...request }): Column => {
      const on: DiffedOn = before === undefined ? 'head' : 'both';
      return { request: { on, ...request }, after, ...(before === undefined ? {} : { before }) };
    }),
    ...left.map(({ index, ...request }): Column => ({ request: { on: 'base', ...request }, before: index })),
  ];
}

function named({ loadBalancers }: Rehearsal, { class: kind, label, text, loadBalancer }: RehearsedRequest) {
  const { router, name, protocol, port } = loadBalancers[loadBalancer]!;
  const where = `${router === name ? name : `${router} ${name}`}, ${protocol}:${port}`;
  return { class: kind, label, text, loadBalancer: where };
}

function joinMoments(
  before: readonly RehearsedMoment[],
  after: readonly RehearsedMoment[],
  steps: readonly StepPair[],
): MomentPair[] {
  const keys = (moments: readonly RehearsedMoment[], side: keyof StepPair) => {
    const seen = new Map<string, number>();
    return moments.map((moment) => {
      const key = keyOf(moment, steps, side);
      const count = seen.get(key) ?? 0;
      seen.set(key, count + 1);
      return `${key}\n${count}`;
    });
  };
  let [left, right] = [0, 0];
  return compareLines(keys(before, 'before'), keys(after, 'after')).map(({ mark }) => ({
    ...(mark === '+' ? {} : { before: before[left++]! }),
    ...(mark === '-' ? {} : { after: after[right++]! }),
  }));
}

/** What identifies a moment in both rehearsals. The share of a step may differ, and its number where steps come or go. */
function keyOf({ phase, step, title }: RehearsedMoment, steps: readonly StepPair[], side: keyof StepPair): string {
  const pair = step === undefined ? -1 : steps.findIndex((one) => one[side] === step);
  const event = title.replace(/^steps\[\d+\]: /, '');
  const known = pair < 0 ? `${side} ${step}` : pair;
  return step === undefined ? `${phase}\n${event}` : `${phase}\n${known}\n${phase === 'step' ? '' : event}`;
}

function momentOf({ before, after }: MomentPair, columns: readonly Column[]): DiffedMoment {
  return {
    on: before === undefined ? 'head' : after === undefined ? 'base' : 'both',
    phase: (after ?? before)!.phase,
    ...(before && { before: before.title }),
    ...(after && { after: after.title }),
    cells: columns.map((column): DiffedCell => {
      const old = column.before === undefined ? undefined : before?.cells[column.before];
      const now = column.after === undefined ? undefined : after?.cells[column.after];
      const isDifferent = old !== undefined && now !== undefined && differs(old, now);
      return { ...(old && { before: old }), ...(now && { after: now }), differs: isDifferent };
    }),
  };
}
