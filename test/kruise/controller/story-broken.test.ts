/** Stories of versions whose pods never become ready. */
import { describe, expect, it } from 'vitest';
import type { StoryAction } from '../../../src/release';
import { ONE_SERVICE, PARTITION, percentStep, release, stack, storyOf, told, until } from './moments';

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

  it('lets the next version pass once somebody has enabled the Rollout again, so that everybody gets it at once', () => {
    const { lines, end } = told({ steps: STEPS }, BROKEN, 'disable', 'enable', release('v3'), 'finish');
    expect(lines.at(-1)).toContain('the workload replaces all pods, without a release');
    expect(end).toBe('released');
  });

  it('gets requests after a jump to a step with as many pods, and none after one to a step with more', () => {
    const steps = [percentStep(20), { ...percentStep(30), replicas: '20%' }, { ...percentStep(40), replicas: '20%' }];
    const same = told({ steps }, BROKEN, { jump: 3 });
    expect(same.lines.at(-1)).toContain('"traffic":"40%"');
    expect(same.end).toBe('stuck: it waits for an approval');
    const more = told({ steps: [...steps.slice(0, 2), percentStep(50)] }, BROKEN, { jump: 3 });
    expect(more.lines.join()).not.toContain('traffic');
    expect(more.end).toBe('stuck: no pod of the new version becomes ready');
  });

  it('ends after the last step, with a Healthy Rollout and a workload that waits', () => {
    const steps = [percentStep(20), { ...percentStep(30), replicas: '20%' }, { ...percentStep(40), replicas: '20%' }];
    const { lines, end } = told({ steps, ...PARTITION }, BROKEN, { jump: 3 }, 'approve');
    expect(podsIn(lines.at(-1))).toBe('8 stable');
    expect(end).toMatch(/^stuck: the Rollout is Healthy, and the workload waits for pods of the new version/);
  });

  it('keeps the pods of the old version when the workload is scaled after the end of the Rollout', () => {
    for (const style of [{}, PARTITION]) {
      const { lines } = told({ steps: STEPS, ...style }, BROKEN, 'delete', { scale: 20 });
      expect(podsIn(lines.at(-1))).toBe('15 stable');
    }
  });

  it('leaves the stable Service as it is before a step without traffic', () => {
    const { lines } = told({ steps: [{ replicas: '20%', pause: {} }, percentStep(50)] }, BROKEN);
    expect(lines.at(-1)).not.toContain('Service');
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

describe('a Rollout that waits before its first step', () => {
  const told = (...actions: readonly StoryAction[]) =>
    storyOf(stack({ steps: STEPS, blueGreen: true, ...ONE_SERVICE }), [release('v2'), ...actions]);

  it('leaves the workload paused when somebody deletes or disables it', () => {
    for (const deed of ['delete', 'disable'] as const) {
      const { lines, end } = told(deed);
      expect(lines.at(-1)).toMatch(/the workload stays paused, and keeps the old pods.* \| 10 stable$/);
      expect(end).toBe('stuck: the workload stays paused, and nobody resumes it');
    }
  });

  it('does not keep people from scaling the workload', () => {
    expect(podsIn(told({ scale: 12 }).lines.at(-1))).toBe('12 stable');
  });
});
