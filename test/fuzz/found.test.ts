/** Inputs that `npm run fuzz` has found, and some of each subject. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SUBJECTS } from './subjects';

const FOUND = join(__dirname, 'found');
const found = readdirSync(FOUND).filter((name) => name.endsWith('.json'));

beforeEach(() => {
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('an input that was found', () => {
  it.each(found)('%s has no fault any more', async (name) => {
    const { subject, input } = JSON.parse(readFileSync(join(FOUND, name), 'utf8'));
    expect(await SUBJECTS[subject]!.fault(input)).toBeUndefined();
  });
});

it.each(Object.entries(SUBJECTS))('%s have no fault in their first inputs', async (_name, { make, fault }) => {
  for (let seed = 1; seed <= 25; seed++) expect(await fault(make(seed)), `seed ${seed}`).toBeUndefined();
});
