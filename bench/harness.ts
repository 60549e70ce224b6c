import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/** One comparison of a benchmark: our way against a named alternative, measured in turn in one run. */
export interface Comparison {
  readonly name: string;
  /** What is compared with what, as printed. */
  readonly ours: string;
  readonly alternative: string;
  readonly unit: 'us' | 'ms' | 'KB';
  /** Medians over the rounds. */
  readonly oursMedian: number;
  readonly alternativeMedian: number;
  /** Median over the rounds of alternative/ours (`faster`) or ours/alternative (`cost`): pairs of one round, so that drift cancels. */
  readonly ratio: number;
  readonly goal: Goal;
}

/** `faster`: ours should be at least `than` times as fast. `cost`: ours may take at most `than` times as long. */
export type Goal =
  | { readonly kind: 'faster'; readonly than: number }
  | { readonly kind: 'cost'; readonly than: number };

export interface Measured {
  readonly name: string;
  readonly ours: { readonly label: string; readonly measure: () => number };
  readonly alternative: { readonly label: string; readonly measure: () => number };
  readonly unit: 'us' | 'ms' | 'KB';
  readonly goal: Goal;
  readonly rounds: number;
  /**
   * Why the alternative cannot be measured here; undefined if it can.
   * @default - it can everywhere
   */
  readonly missing?: () => string | undefined;
}

/** Measures both sides in turn, `rounds` times after one round that is not counted. */
export function compare(measured: Measured): Comparison {
  const ours: number[] = [];
  const alternative: number[] = [];
  for (let round = -1; round < measured.rounds; round++) {
    const alternativeTime = measured.alternative.measure();
    const oursTime = measured.ours.measure();
    if (round < 0) continue;
    ours.push(oursTime);
    alternative.push(alternativeTime);
  }
  const ratios = ours.map((time, i) =>
    measured.goal.kind === 'faster' ? alternative[i] / time : time / alternative[i],
  );
  return {
    name: measured.name,
    ours: measured.ours.label,
    alternative: measured.alternative.label,
    unit: measured.unit,
    oursMedian: median(ours),
    alternativeMedian: median(alternative),
    ratio: median(ratios),
    goal: measured.goal,
  };
}

export function reached({ ratio, goal }: Comparison): boolean {
  return goal.kind === 'faster' ? ratio >= goal.than : ratio <= goal.than;
}

export function describe(comparison: Comparison): string {
  const { name, ours, alternative, unit, oursMedian, alternativeMedian, ratio, goal } = comparison;
  const relation =
    goal.kind === 'faster'
      ? `${ratio.toFixed(2)} times as fast (goal: at least ${goal.than})`
      : `${ratio.toFixed(2)} times the cost (goal: at most ${goal.than})`;
  return [
    `${reached(comparison) ? 'ok  ' : 'MISS'} ${name}: ${relation}`,
    `       ${ours}: ${oursMedian.toFixed(1)} ${unit}`,
    `       ${alternative}: ${alternativeMedian.toFixed(1)} ${unit}`,
  ].join('\n');
}

/** Microseconds per call of `run`, over at least `milliseconds`. */
export function timePerCall(run: () => void, milliseconds: number): number {
  const start = performance.now();
  let calls = 0;
  let now = start;
  while (now - start < milliseconds) {
    for (let i = 0; i < 20; i++) run();
    calls += 20;
    now = performance.now();
  }
  return ((now - start) * 1000) / calls;
}

/** Runs JavaScript in a fresh Node process; it prints one number, which is returned. */
export function inFreshProcess(code: string): number {
  return Number(execFileSync(process.execPath, ['-e', code], { cwd: root, encoding: 'utf8' }));
}

/** The project's folder, from which fresh processes resolve packages. */
export const root = `${__dirname}/..`;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
