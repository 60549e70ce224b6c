/** Holds the delays that rehearsals tell against those of the controllers: a controller waits at least so long, a machine longer. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SHORT_DELAYS } from './known-differences';
import { seenDelays } from './times';

/** The controllers keep times in whole seconds. */
const SECOND = 1;

const used = new Set<object>();
const folder = join(__dirname, 'times');
const programs = readdirSync(folder).flatMap((controller) =>
  readdirSync(join(folder, controller)).map((file) => [controller, file.replace(/\.json$/, '')] as const),
);

describe.each(programs)('%s@%s', (controller, release) => {
  test('waits at least as long as its rehearsals tell', () => {
    const short = seenDelays(controller, release).filter(({ told, seen }) => seen < told - SECOND);
    const unknown = short.filter(({ lab }) => {
      const known = SHORT_DELAYS.find(
        ({ releases, labs }) => releases.test(`${controller}@${release}`) && labs.test(lab),
      );
      if (known !== undefined) used.add(known);
      return known === undefined;
    });
    expect(unknown).toEqual([]);
  });
});

test('every delay that may be short was seen to be', () => {
  expect(SHORT_DELAYS.filter((known) => !used.has(known))).toEqual([]);
});

test('delays of both controllers were seen', () => {
  const fields = (name: string) =>
    programs
      .filter(([controller]) => controller === name)
      .flatMap(([controller, release]) => seenDelays(controller, release).map(({ field }) => field));
  expect(new Set(fields('kruise'))).toContain('gracePeriodSeconds');
  expect(fields('argo').length).toBeGreaterThan(0);
});
