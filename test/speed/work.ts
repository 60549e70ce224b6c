/** Counts work instead of time: how often V8 has run each block of the library's code. The same work gives the same number. */
import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/** How many times as many there are the second time. */
export const TIMES = 4;
/** Work that grows with N is 4 times as much, with the square of N 16 times; sorting is in between. */
const GROWTH = 8;
/** Functions that run less often, for each Rollout, depend on single objects. */
const OFTEN = 8;

/** Blocks that ran, by function: `file.ts:name@place`, with the place of its first character: few functions have names. */
export type Work = ReadonlyMap<string, number>;

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

const OWN = /^(?!.*\/node_modules\/).*\/(?:src|lib)\/(.+)$/;

/** What a run does. */
export function workOf(run: () => void): Work {
  const session = new Session();
  session.connect();
  const post = (method: string, parameters = {}): unknown => {
    let answer: unknown;
    session.post(method, parameters, (error, result) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  };
  // Optimised code does not count. The flags stay, so that the tests of speed have a process of their own.
  for (const flag of ['--no-opt', '--no-maglev', '--no-sparkplug']) setFlagsFromString(flag);
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  run();
  const { result } = post('Profiler.takePreciseCoverage') as Coverage;
  post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const work = new Map<string, number>();
  for (const { url, functions } of result) {
    const file = OWN.exec(url)?.[1];
    if (file === undefined) continue;
    for (const { functionName, ranges } of functions) {
      work.set(
        `${file}:${functionName}@${ranges[0]!.startOffset}`,
        ranges.reduce((sum, { count }) => sum + count, 0),
      );
    }
  }
  return work;
}

/**
 * Functions whose runs grow faster than what they are for.
 * @param few the work for so many, and `many` for `TIMES` as many
 * @param besides functions that may
 */
export function growingWork(few: Work, many: Work, count: number, besides: RegExp): string[] {
  return [...many]
    .filter(([name]) => !besides.test(name))
    .filter(([name, runs]) => runs > OFTEN * TIMES * count && runs > GROWTH * (few.get(name) ?? 0))
    .map(([name, runs]) => `${name} ran ${few.get(name) ?? 0} times for ${count}, ${runs} times for ${TIMES * count}`);
}
