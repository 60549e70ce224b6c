/** Stories of versions whose pods never become ready. */
import { describe, expect, it } from 'vitest';
import type { StoryAction } from '../../../src/release';
import { PARTITION, percentStep, release, told, until } from './moments';

const STEPS = [percentStep(20), percentStep(50)];
const BROKEN: StoryAction = { release: 'v2', ready: 'never' };
const LATER: StoryAction = { release: 'v3', ready: 'never' };
const podsIn = (line: string | undefined) => line?.split(' | ')[1];

describe('a version whose pods never become ready', () => {
  it('is not released by the end of the Rollout, which leaves the old pods but those that may be unavailable', () => {
    for (const deed of ['delete', 'disable'] as const) {
      const { lines, end } = told({ steps: STEPS }, BROKEN, deed);
      expect(podsIn(lines.at(-1))).toBe('8 stable');
      expect(end).toBe('stuck: the workload waits for pods of the new version, which never become ready');
    }
  });

  it('does not hold up the next release, once somebody has enabled the Rollout again', () => {
    expect(told({ steps: STEPS }, BROKEN, 'disable', 'enable', release('v3'), 'finish').end).toBe('released');
  });

  it('arrives in the middle, and no step begins', () => {
    const { lines, end } = told({ steps: STEPS, ...PARTITION }, release('v2'), until(2), LATER, 'finish');
    expect(end).toBe('stuck: no pod of the new version becomes ready');
    expect(podsIn(lines.at(-1))).toBe('5 stable, 3 abandoned-v2');
  });

  it('keeps the pods of the old version when the workload is scaled', () => {
    const scaled = (replicas: number) => podsIn(told({ steps: STEPS }, BROKEN, { scale: replicas }).lines.at(-1));
    expect([4, 20].map(scaled)).toEqual(['4 stable', '20 stable']);
  });
});
