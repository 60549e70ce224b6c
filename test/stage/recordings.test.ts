/** Every rehearsal against every recording: the same writes to Services and routes, with the same content, in the same order. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { recordedWrites, rehearsalOf, rehearsedWrites, straightPart } from './compare';
import { kruiseInstall } from './controllers/kruise';
import { KNOWN_DIFFERENCES } from './known-differences';
import { kruiseLabs } from './labs/kruise';
import type { Recording } from './recording';

const RECORDINGS = join(__dirname, 'recordings', 'kruise');
const LABS = new Map(kruiseLabs().map((lab) => [lab.name, lab]));
const used = new Set<unknown>();

/** What differs, or nothing. */
function differenceOf(
  name: string,
  release: string,
  install: ReturnType<typeof kruiseInstall>,
): string[][] | undefined {
  const recording: Recording = JSON.parse(readFileSync(join(RECORDINGS, release, `${name}.json`), 'utf8'));
  const { events, left } = straightPart(recording);
  const recorded = recordedWrites(events);
  const rehearsal = rehearsalOf(LABS.get(name)!, release, install);
  const rehearsed = rehearsal === undefined ? [] : rehearsedWrites(rehearsal);
  // Who leaves the straight road leaves the rehearsal there.
  const compared = left === undefined && !recording.hangs ? rehearsed : rehearsed.slice(0, recorded.length);
  return JSON.stringify(compared) === JSON.stringify(recorded) ? undefined : [compared, recorded];
}

describe.each(readdirSync(RECORDINGS))('Kruise Rollouts %s', (release) => {
  const names = readdirSync(join(RECORDINGS, release)).map((file) => file.replace(/\.json$/, ''));
  const install = kruiseInstall(release);

  test.each(names)('%s: the rehearsal writes what the controller wrote', (name) => {
    expect(LABS.has(name), `there is no lab ${name}: delete its recordings`).toBe(true);
    const known = KNOWN_DIFFERENCES.find(({ releases, labs }) => releases.test(`kruise@${release}`) && labs.test(name));
    const difference = differenceOf(name, release, install);
    if (known === undefined) expect(difference?.[0]).toEqual(difference?.[1]);
    else if (difference !== undefined) used.add(known);
  });
});

describe('the list of known differences', () => {
  test('has a recording for each release on the stage', () => {
    expect(existsSync(RECORDINGS)).toBe(true);
  });

  afterAll(() => {
    expect(KNOWN_DIFFERENCES.filter((known) => !used.has(known))).toEqual([]);
  });
});
