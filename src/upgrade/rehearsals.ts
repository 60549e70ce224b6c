/** Compares the rehearsals of the same manifests with two releases: whose requests go elsewhere, and what is written otherwise. */
import type {
  Rehearsal,
  RehearsedCell,
  RehearsedMoment,
  RehearsedRequest,
  RehearsedStop,
} from '../core/rehearsal-result';
import type {
  UpgradedCell,
  UpgradedMoment,
  UpgradedRequest,
  UpgradedRollout,
  UpgradedStory,
  UpgradeSide,
} from '../core/upgrade-result';
import { type Aligned, aligned } from './align';
import { cellKey, objectKey } from './outcome';
import { differentWrites } from './writes';

/** The Rollouts whose release takes another course, in the order of the new side. */
export function comparedRehearsals(from: readonly Rehearsal[], to: readonly Rehearsal[]): UpgradedRollout[] {
  const pairs = aligned(sorted(from), sorted(to), ({ rollout }) => objectKey(rollout));
  return pairs.flatMap((pair) => comparedRollout(pair) ?? []);
}

function sorted(rehearsals: readonly Rehearsal[]): Rehearsal[] {
  return [...rehearsals].sort((a, b) => (objectKey(a.rollout) < objectKey(b.rollout) ? -1 : 1));
}

function comparedRollout({ from, to }: Aligned<Rehearsal>): UpgradedRollout | undefined {
  const { rollout, source } = (to ?? from)!;
  const subject = { rollout, ...(source && { source }) };
  if (from === undefined || to === undefined) return { ...subject, only: sideOf(from), stories: [] };
  const pairs = aligned(storiesOf(from), storiesOf(to), ({ name }) => name);
  const stories = pairs.flatMap((pair) => comparedStory(pair, from, to) ?? []);
  return stories.length === 0 ? undefined : { ...subject, stories };
}

function sideOf(from: unknown): UpgradeSide {
  return from === undefined ? 'to' : 'from';
}

/** The straight road, or a story. */
interface Story {
  readonly name: string;
  readonly moments: readonly RehearsedMoment[];
  readonly end?: string;
  readonly stopped?: RehearsedStop;
}

/** The stories; the straight road is the first of them, or all that there is. */
function storiesOf({ stories, moments, stopped }: Rehearsal): readonly Story[] {
  const straight: Story = { name: STRAIGHT, moments, ...(stopped && { stopped }) };
  return [straight, ...(stories ?? []).filter(({ name }) => name !== STRAIGHT)];
}

const STRAIGHT = 'straight';

function comparedStory({ from, to }: Aligned<Story>, before: Rehearsal, after: Rehearsal): UpgradedStory | undefined {
  if (from === undefined || to === undefined) {
    const { name, end = 'told' } = (to ?? from)!;
    const none = 'not told';
    const ends = from === undefined ? { from: none, to: end } : { from: end, to: none };
    return { name, moments: [], writes: [], ends };
  }
  const columns = sharedRequests(before.requests, after.requests);
  const moments = comparedMoments(from, to, columns);
  const writes = differentWrites(from.moments, to.moments);
  const isEnd = from.end !== to.end;
  const isStop = stopKey(from.stopped) !== stopKey(to.stopped);
  if (moments.length === 0 && writes.length === 0 && !isEnd && !isStop) return undefined;
  return {
    name: from.name,
    moments,
    writes,
    ...(isEnd && { ends: { from: from.end!, to: to.end! } }),
    ...(isStop && {
      stops: { ...(from.stopped && { from: from.stopped }), ...(to.stopped && { to: to.stopped }) },
    }),
  };
}

function stopKey(stopped: RehearsedStop | undefined): string {
  return stopped === undefined ? '' : `${stopped.class} ${stopped.step}`;
}

/** A request that both sides send, and its column on each. */
interface Column {
  readonly request: RehearsedRequest;
  readonly from: number;
  readonly to: number;
}

function sharedRequests(from: readonly RehearsedRequest[], to: readonly RehearsedRequest[]): Column[] {
  const keyOf = ({ loadBalancer, text }: RehearsedRequest) => `${loadBalancer} ${text}`;
  const places = new Map(from.map((request, index) => [keyOf(request), index]));
  return to.flatMap((request, index) => {
    const place = places.get(keyOf(request));
    return place === undefined ? [] : [{ request, from: place, to: index }];
  });
}

function comparedMoments(from: Story, to: Story, columns: readonly Column[]): UpgradedMoment[] {
  const rows = aligned(from.moments, to.moments, ({ phase, step, title }) => `${phase} ${step} ${title}`);
  const moving = columns.filter((column) => moves(column, from.moments, to.moments));
  return rows.flatMap((row, index) => {
    if (row.from === undefined || row.to === undefined) {
      const isAfterStop = isBeyond(row.to ?? row.from!, row.to === undefined ? to : from);
      return isAfterStop ? [] : momentOfOneSide(rows, index, moving);
    }
    const requests = moving.flatMap((column): UpgradedRequest[] => {
      const [before, after] = [row.from!.cells[column.from]!, row.to!.cells[column.to]!];
      if (cellKey(before) === cellKey(after)) return [];
      return [{ request: labelOf(column), from: shown(before), to: shown(after) }];
    });
    return requests.length === 0 ? [] : [momentOf(row.to, requests)];
  });
}

/** Whether a request is answered in more than one way, on any side. */
function moves(column: Column, from: readonly RehearsedMoment[], to: readonly RehearsedMoment[]): boolean {
  const keys = [
    ...from.map(({ cells }) => cellKey(cells[column.from]!)),
    ...to.map(({ cells }) => cellKey(cells[column.to]!)),
  ];
  return new Set(keys).size > 1;
}

/** Whether a side never comes to this moment of the other one, because its controller stopped before. */
function isBeyond({ phase, step = 0 }: RehearsedMoment, { stopped, moments }: Story): boolean {
  if (stopped === undefined) return false;
  return step > stopped.step || !moments.some((moment) => moment.phase === phase);
}

/** A moment that only one side has is news where users see there what they do not see before or after it on the other side. */
function momentOfOneSide(
  rows: readonly Aligned<RehearsedMoment>[],
  index: number,
  columns: readonly Column[],
): UpgradedMoment[] {
  const { from, to } = rows[index]!;
  const side = sideOf(from);
  const other = side === 'to' ? 'from' : 'to';
  const moment = (to ?? from)!;
  const isOther = (row: Aligned<RehearsedMoment>) => row[other] !== undefined;
  const near = [rows.slice(0, index).filter(isOther).at(-1), rows.slice(index + 1).find(isOther)];
  const seen = seenAt(moment, side, columns);
  if (near.some((row) => row !== undefined && seenAt(row[other]!, other, columns) === seen)) return [];
  const requests = columns.map((column): UpgradedRequest => {
    const cell = shown(moment.cells[column[side]]!);
    return { request: labelOf(column), ...(side === 'to' ? { to: cell } : { from: cell }) };
  });
  return [{ ...momentOf(moment, requests), only: side }];
}

function seenAt({ cells }: RehearsedMoment, side: UpgradeSide, columns: readonly Column[]): string {
  return JSON.stringify(columns.map((column) => cellKey(cells[column[side]]!)));
}

function momentOf({ phase, step, title }: RehearsedMoment, requests: readonly UpgradedRequest[]): UpgradedMoment {
  return { phase, ...(step === undefined ? {} : { step }), title, requests };
}

function labelOf({ request: { label, text } }: Column): UpgradedRequest['request'] {
  return { label, text };
}

function shown({ shares, answer, verdict }: RehearsedCell): UpgradedCell {
  return { shares, answer, verdict };
}
