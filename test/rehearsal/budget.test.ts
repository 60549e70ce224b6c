/** What a rehearsal does when its budget is spent, and when a controller fails. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../src/core';
import { Budget } from '../../src/core/budget';
import { rehearsalFindings, rehearse } from '../../src/rehearsal';
import type { Release, ReleaseController } from '../../src/release';
import { stackOf } from '../stage/labs/argo/stack';

const WORLD = World.of(stackOf({ route: 'alb' }).map((object) => Manifest.of(object)));
const spent = () => new Budget({ seconds: 0, memory: 1, began: Date.now() - 1000 });

describe('a rehearsal whose budget is spent', () => {
  const [rehearsal, ...others] = rehearse(WORLD, { budget: spent() });

  it('says so in a finding, and has no moments', () => {
    expect(others).toEqual([]);
    expect(rehearsal).toMatchObject({
      rollout: { kind: 'Rollout', name: 'shop' },
      style: 'argo-canary',
      stableService: 'shop-stable',
      canaryService: 'shop-canary',
      loadBalancers: [],
      requests: [],
      moments: [],
    });
    expect(rehearsal!.findings.map(({ rule, message }) => [rule, message])).toEqual([
      ['rehearsal-budget-spent', 'the Rollout "shop" was not rehearsed: the time of 0 s is spent'],
    ]);
    expect(rehearsalFindings(WORLD, { budget: spent() })).toEqual(rehearsal!.findings);
  });

  it('is whole while something is left', () => {
    const budget = new Budget({ seconds: 3600, memory: 2 ** 40, began: Date.now() });
    expect(rehearse(WORLD, { budget })).toEqual(rehearse(WORLD));
  });

  it('ends in the middle when the memory is spent there', () => {
    let used = 0;
    const budget = new Budget({ seconds: 3600, memory: 0, began: Date.now() }, () => used++);
    expect(rehearse(WORLD, { budget })[0]!.moments).toEqual([]);
  });
});

describe('a controller that fails', () => {
  it('is not taken for a budget that is spent', () => {
    const manifest = WORLD.list('Rollout.argoproj.io')[0]!;
    const release = {
      manifest,
      traffic: { namespace: 'default', objects: [], names: [] },
      needs: [],
      matches: [],
      play: () => {
        throw new TypeError('of the controller');
      },
    } as unknown as Release;
    const controllers = [
      { name: 'own', reads: [], rules: {}, releasesOf: () => [release] },
    ] as unknown as ReleaseController[];
    expect(() => rehearse(WORLD, { controllers })).toThrow('of the controller');
  });
});

describe('which Rollouts are rehearsed', () => {
  it('are those that are asked for', () => {
    expect(rehearse(WORLD, { only: () => false })).toEqual([]);
    expect(rehearse(WORLD, { only: ({ name }) => name === 'shop' })).toHaveLength(1);
  });
});
