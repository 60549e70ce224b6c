/** Counts work instead of time: how often V8 has run each block of the library's code. The same work gives the same number. */
import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/** How many times as many there are the second time. */
export const TIMES = 4;
/** Work that grows with N is 4 times as much, with the square of N 16 times; sorting is in between. */
const GROWTH = 8;
/** Functions that run less often, for each Rollout, depend on single objects. */
const OFTEN = 8;

/**
 * How often the block of a function ran that ran most: V8 tells only of blocks that ran more or less often than what is around them.
 * Functions are named `file.ts:name@place`, with the place of the first character, as few have names.
 */
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

/**
 * What has run since it was asked last. Counting begins here, before the library does anything: V8 counts the blocks of what it compiles
 * from then on, if it does not optimise it. So the tests of speed have a process of their own.
 */
const taken = ((): (() => Coverage['result']) => {
  for (const flag of ['--no-opt', '--no-maglev', '--no-sparkplug', '--no-flush-bytecode']) setFlagsFromString(flag);
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
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return () => (post('Profiler.takePreciseCoverage') as Coverage).result;
})();

/** What a run does. */
export function workOf(run: () => void): Work {
  taken();
  run();
  const work = new Map<string, number>();
  for (const { url, functions } of taken()) {
    const file = OWN.exec(url)?.[1];
    if (file === undefined) continue;
    for (const { functionName, ranges } of functions) {
      work.set(`${file}:${functionName}@${ranges[0]!.startOffset}`, Math.max(...ranges.map(({ count }) => count)));
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
