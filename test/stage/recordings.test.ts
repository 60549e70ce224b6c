/**
 * Every rehearsal against every recording: what is written, with its content and its order, the pods behind each Service, and
 * the delays. A controller waits at least so long as a rehearsal tells, and a machine longer.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { recordingsPage } from '../../scripts/write-recordings-page';
import { textOf } from '../docs/pages';
import { differencesOf, playedOf, rehearsalOf } from './compare';
import { KNOWN_DIFFERENCES, SHORT_DELAYS } from './known-differences';
import { labsOf } from './labs';
import { MODELS } from './models';
import { digestOf } from './play';
import type { Recording } from './recording';
import { delaysOf, type SeenDelay, timesFile, timesIn } from './times';

const RECORDINGS = join(__dirname, 'recordings');
const used = new Set<unknown>();
/** The delays that were seen, by program. */
const delayed = new Map<string, SeenDelay[]>();
/** The controllers keep times in whole seconds. */
const SECOND = 1;

const programs = Object.keys(MODELS).flatMap((controller) =>
  readdirSync(join(RECORDINGS, controller)).map((release) => ({ controller, release })),
);

describe.each(programs)('$controller@$release', ({ controller, release }) => {
  const program = `${controller}@${release}`;
  const folder = join(RECORDINGS, controller, release);
  const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
  const times = timesIn(timesFile(controller, release));
  const labs = new Map(labsOf(controller, release).map((lab) => [lab.name, lab]));

  test.each(names)('%s: the rehearsal is what the controller did', (name) => {
    expect(labs.has(name), `there is no lab ${name}: delete its recordings`).toBe(true);
    const recording: Recording = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    expect(digestOf(labs.get(name)!), 'the lab has changed since: play it again').toBe(recording.lab);
    const lab = labs.get(name)!;
    const rehearsal = rehearsalOf(lab, release, MODELS[controller]!, playedOf(lab, recording));
    const differences = differencesOf(lab, recording, MODELS[controller]!, rehearsal);
    const isHere = (each: { readonly releases: RegExp; readonly labs: RegExp }) =>
      each.releases.test(program) && each.labs.test(name);
    const known = KNOWN_DIFFERENCES.filter(isHere);
    for (const { about, rehearsed, recorded } of differences) {
      const reason = known.find((each) => each.about === undefined || each.about === about);
      if (reason === undefined) expect({ about, is: rehearsed }).toEqual({ about, is: recorded });
      else used.add(reason);
    }
    const delays = delaysOf(lab, recording, times[name] ?? [], rehearsal);
    delayed.set(program, [...(delayed.get(program) ?? []), ...delays]);
    const short = delays.filter(({ told, seen }) => seen < told - SECOND);
    const reason = SHORT_DELAYS.find(isHere);
    if (reason === undefined) expect(short).toEqual([]);
    else if (short.length > 0) used.add(reason);
  });
});

describe('the list of known differences', () => {
  test('names recordings of each controller', () => {
    expect(new Set(programs.map(({ controller }) => controller))).toEqual(new Set(Object.keys(MODELS)));
  });

  afterAll(() => {
    expect([...KNOWN_DIFFERENCES, ...SHORT_DELAYS].filter((known) => !used.has(known))).toEqual([]);
  });
});

describe('docs/recordings.md', () => {
  test('lists the recordings that are there, and the delays that were seen', () => {
    const page = recordingsPage((controller, release) => delayed.get(`${controller}@${release}`) ?? []);
    expect(
      textOf('docs/recordings.md') === page,
      'run "npx tsx scripts/write-recordings-page.ts" and commit docs',
    ).toBe(true);
    const fields = [...delayed].map(([program, delays]) => [program, delays.map(({ field }) => field)] as const);
    const fieldsOf = (controller: string) =>
      fields.flatMap(([program, some]) => (program.startsWith(controller) ? some : []));
    expect(fieldsOf('kruise')).toContain('gracePeriodSeconds');
    expect(fieldsOf('argo')).toContain('pause.duration');
  });
});
