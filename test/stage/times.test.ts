/** The delays that rehearsals tell against those of the controllers: a controller waits at least so long, and a machine longer. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seenDelays } from './times';

/** The controllers keep times in whole seconds. */
const SECOND = 1;

const folder = join(__dirname, 'times');
const programs = readdirSync(folder).flatMap((controller) =>
  readdirSync(join(folder, controller)).map((file) => [controller, file.replace(/\.json$/, '')] as const),
);

describe.each(programs)('%s@%s', (controller, release) => {
  test('waits at least as long as its rehearsals tell', () => {
    const short = seenDelays(controller, release).filter(({ told, seen }) => seen < told - SECOND);
    expect(short).toEqual([]);
  });
});

test('delays of both controllers were seen', () => {
  const fields = (name: string) =>
    programs
      .filter(([controller]) => controller === name)
      .flatMap(([controller, release]) => seenDelays(controller, release).map(({ field }) => field));
  expect(new Set(fields('kruise'))).toContain('gracePeriodSeconds');
  expect(fields('argo').length).toBeGreaterThan(0);
});
