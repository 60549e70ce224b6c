/**
 * Work for each Rollout does not grow with the number of others. It is counted, not timed: how often each function and block of
 * the library runs for N Rollouts and for 4 N.
 */
import { describe, expect, test } from 'vitest';
import { checkStack } from '../../src/check';
import { STACKS, worldOf } from './stacks';
import { type Work, workOf } from './work';

const FEW = 6;
const MANY = 4 * FEW;
/** Work that grows with N is 4 times as much, with the square of N 16 times; sorting is in between. */
const GROWTH = 8;
/** Functions that run less often depend on single objects. */
const OFTEN = 8 * MANY;

/** Functions whose runs grow faster than the Rollouts. */
function growing(few: Work, many: Work): string[] {
  return [...many]
    .filter(([name, runs]) => runs > OFTEN && runs > GROWTH * (few.get(name) ?? 0))
    .map(([name, runs]) => `${name} ran ${few.get(name) ?? 0} times for ${FEW} Rollouts, ${runs} times for ${MANY}`);
}

function workFor(name: string, count: number): Work {
  const world = worldOf(name, count);
  return workOf(() => checkStack(world, { isProven: () => true }));
}

describe('checks and rehearsals of Rollouts with a host each', () => {
  test.each(Object.keys(STACKS))('%s: the work grows as the Rollouts do', (name) => {
    workFor(name, 2);
    expect(growing(workFor(name, FEW), workFor(name, MANY))).toEqual([]);
  });
});

describe('the count of work', () => {
  const read = (times: number) => {
    const world = worldOf('nginx', 2);
    return workOf(() => {
      for (let time = 0; time < times; time += 1) world.list('Service').map((service) => world.namespaceOf(service));
    });
  };

  test('is the same for the same work', () => {
    read(10);
    expect(read(10)).toEqual(read(10));
  });

  test('tells a square from a line', () => {
    expect(growing(read(FEW * 100), read(MANY * 100))).toEqual([]);
    expect(growing(read(FEW * FEW * 100), read(MANY * MANY * 100))).not.toEqual([]);
  });
});
