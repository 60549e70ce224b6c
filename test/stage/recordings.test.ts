/** Every rehearsal against every recording: what is written, with its content, its order, and the pods behind each Service. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { differencesOf } from './compare';
import { KNOWN_DIFFERENCES } from './known-differences';
import { labsOf } from './labs';
import { MODELS } from './models';
import { digestOf } from './play';
import type { Recording } from './recording';

const RECORDINGS = join(__dirname, 'recordings');
const used = new Set<unknown>();

const programs = Object.keys(MODELS).flatMap((controller) =>
  readdirSync(join(RECORDINGS, controller)).map((release) => ({ controller, release })),
);

describe.each(programs)('$controller@$release', ({ controller, release }) => {
  const folder = join(RECORDINGS, controller, release);
  const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
  const labs = new Map(labsOf(controller, release).map((lab) => [lab.name, lab]));

  test.each(names)('%s: the rehearsal is what the controller did', (name) => {
    expect(labs.has(name), `there is no lab ${name}: delete its recordings`).toBe(true);
    const recording: Recording = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    expect(digestOf(labs.get(name)!), 'the lab has changed since: play it again').toBe(recording.lab);
    const differences = differencesOf(labs.get(name)!, recording, MODELS[controller]!);
    const known = KNOWN_DIFFERENCES.filter(
      ({ releases, labs }) => releases.test(`${controller}@${release}`) && labs.test(name),
    );
    for (const { about, rehearsed, recorded } of differences) {
      const reason = known.find((each) => each.about === undefined || each.about === about);
      if (reason === undefined) expect({ about, is: rehearsed }).toEqual({ about, is: recorded });
      else used.add(reason);
    }
  });
});

describe('the list of known differences', () => {
  test('names recordings of each controller', () => {
    expect(new Set(programs.map(({ controller }) => controller))).toEqual(new Set(Object.keys(MODELS)));
  });

  afterAll(() => {
    expect(KNOWN_DIFFERENCES.filter((known) => !used.has(known))).toEqual([]);
  });
});
