import { describe, expect, it } from 'vitest';
import { EQUIVALENTS, isThe } from './equivalents';
import { instrument, sampleOf, sourcesOf } from './mutants';
import { SUITES, testsOf } from './suites';

describe('mutants that mean the same as the source', () => {
  it('are still mutants of it, each with a reason', async () => {
    const { mutants } = await instrument([...new Set(EQUIVALENTS.map(({ file }) => file))]);
    const stale = EQUIVALENTS.filter((one) => !mutants.some((mutant) => isThe(one, mutant)));
    expect(stale).toEqual([]);
    expect(EQUIVALENTS.filter(({ because }) => because.length < 20)).toEqual([]);
  });
});

describe('a sample of mutants', () => {
  it('is the same for the same seed, another for another, and holds no text for people', async () => {
    const { mutants } = await instrument(sourcesOf('release').slice(0, 6));
    const sample = sampleOf(mutants, 1, 20);
    expect(sample).toHaveLength(20);
    expect(sampleOf([...mutants].reverse(), 1, 20)).toEqual(sample);
    expect(sampleOf(mutants, 2, 20)).not.toEqual(sample);
    expect(mutants.filter(({ mutator, original }) => mutator === 'StringLiteral' && /\s/.test(original))).toEqual([]);
  });

  it('has tests for each folder', () => {
    for (const folder of Object.keys(SUITES)) expect(testsOf(folder), folder).not.toEqual([]);
  });
});
