import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readVectors, runnerOf, runVectors, SETS, setOf } from './run';

const VECTORS = join(__dirname, '..', 'vectors');
const files = readdirSync(VECTORS).filter((name) => name.endsWith('.jsonl'));
const runners = readdirSync(SETS)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));

describe('the recorded answers of the controllers', () => {
  for (const file of files) {
    const set = setOf(file);
    const test = runners.includes(set) ? it : it.skip;
    // Some vectors run into the controller's limit of one second.
    const timeout = 180_000;
    test(set, { timeout }, async () => {
      const vectors = readVectors(join(VECTORS, file));
      const tally = runVectors(set, (await runnerOf(set))!, vectors);
      expect(tally.differences.slice(0, 5)).toEqual([]);
      expect(tally.failed).toBe(0);
      expect(tally.passed).toBe(vectors.length);
    });
  }

  it('has vectors for every runner', () => {
    expect(runners.length).toBeGreaterThan(0);
    expect(runners.filter((set) => !files.includes(`${set}.jsonl`))).toEqual([]);
  });
});
