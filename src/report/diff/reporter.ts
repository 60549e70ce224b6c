import { counted } from '../../core/counted';
import type { DiffedCell, MergeEffect, ReleaseDiff, StackDiff } from '../../core/stack-diff';
import { objectNameOf, type ReportContext } from '../reporter';

/** The input of a format in addition to the difference. */
export interface DiffContext extends ReportContext {
  /**
   * The number of columns of the terminal.
   * @default 100
   */
  readonly width?: number;
}

/** Writes a difference in one format. */
export type DiffReporter = (diff: StackDiff, context: DiffContext) => string;

/** `2 of 5 releases differ; 1 new finding, 3 fixed` */
export function summaryOf({ releases, unchanged, findings }: StackDiff): string {
  const all = releases.length + unchanged;
  const differ =
    all === 0
      ? 'no Rollouts'
      : releases.length === 0
        ? `${all === 1 ? 'the release does' : `all ${all} releases do`} not differ`
        : `${releases.length} of ${counted(all, 'release')} ${releases.length === 1 ? 'differs' : 'differ'}`;
  const { added, fixed, unchanged: kept } = findings;
  const parts = [`${counted(added.length, 'new finding')}`, `${fixed.length} fixed`, `${kept} as before`];
  return `${differ}; ${parts.join(', ')}`;
}

/** What a merge starts, in one sentence. */
export function mergeSummary({ effects }: StackDiff): string {
  const names = (kinds: readonly MergeEffect['kind'][]) => [
    ...new Set(effects.filter(({ kind }) => kinds.includes(kind)).map(({ rollout }) => objectNameOf(rollout))),
  ];
  const started = names(['starts-release']);
  const past = names(['no-canary', 'bypass']);
  const start =
    started.length === 0
      ? 'Merged and applied, this change starts no release.'
      : `Merged and applied, this change starts ${counted(started.length, 'release')}: ${listed(started)}.`;
  return past.length === 0 ? start : `${start} It replaces pods without a canary: ${listed(past)}.`;
}

const LISTED = 5;

function listed(names: readonly string[]): string {
  const more = names.length - LISTED;
  return `${names.slice(0, LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The columns of a short table: requests that differ somewhere, or that only one side has. */
export function changedColumns({ requests, moments, change }: ReleaseDiff): number[] {
  const all = [...requests.keys()];
  if (change !== 'changed') return all;
  return all.filter((at) => requests[at]!.on !== 'both' || moments.some(({ cells }) => cells[at]!.differs));
}

/** The rows of a short table: moments that only one side has, or in which one of the columns differs. */
export function changedRows({ moments, requests, change }: ReleaseDiff, columns: readonly number[]): number[] {
  const isShown = (cell: DiffedCell, at: number) =>
    cell.differs || (requests[at]!.on !== 'both' && change === 'changed');
  return [...moments.keys()].filter((row) => {
    const { on, cells, phase } = moments[row]!;
    if (change !== 'changed') return phase === 'step';
    return on !== 'both' || columns.some((at) => isShown(cells[at]!, at) && (cells[at]!.differs || phase === 'step'));
  });
}

/** `steps[1]: 20% → steps[1]: 30%`; once where both are the same. */
export function momentTitle({ before, after }: ReleaseDiff['moments'][number], arrow: string): string {
  if (before === undefined || after === undefined) return (after ?? before)!;
  return before === after ? after : `${before} ${arrow} ${after}`;
}
