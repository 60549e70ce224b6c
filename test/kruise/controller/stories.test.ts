/** What people do with a release: every moment of it, and how it ends. */
import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import type { StoryAction } from '../../../src/release';
import {
  BEGUN,
  BEGUN_IN_PARTITION,
  PARTITION,
  percentStep,
  release,
  STEPS,
  stack,
  storyOf,
  told,
  until,
} from './moments';

const HALF = [percentStep(20), percentStep(50), { replicas: '100%' }];
const before06 = (options: object, ...actions: readonly StoryAction[]) =>
  storyOf(stack({ steps: STEPS, ...options }), actions, KruiseRolloutVersion.V0_5_5);

describe('a release', () => {
  it('goes on after each approval, up to the end', () => {
    const { lines, end } = told({}, release('v2'), 'finish');
    expect(lines).toEqual([
      ...BEGUN,
      'approve -> step 1: settled ({"traffic":"50%"} stable=v1 canary=v2) | 10 stable, 5 canary | Ingress web-canary',
      'approve -> step 2: settled ({"traffic":"100%"} stable=v1 canary=v2) | 10 stable, 10 canary | Ingress web-canary',
      'finish: Service web selects all pods again (stable=v1 canary=v2) | 10 stable, 10 canary | Service web',
      'finish: routes restored (stable=v1 canary=v2) | 10 stable, 10 canary | Ingress web-canary',
      'finish: Service web-canary deleted (stable=v1 canary=v2) | 10 stable, 10 canary | Service web-canary',
      'finish: released (stable=v1 canary=v2) | 10 canary',
    ]);
    expect(end).toBe('released');
  });

  it('takes one step for each approval', () => {
    const { lines, end } = told({}, release('v2'), until(1), 'approve');
    expect(lines).toEqual([
      ...BEGUN,
      'approve -> step 1: settled ({"traffic":"50%"} stable=v1 canary=v2) | 10 stable, 5 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('takes no approval before it waits for one', () => {
    const { lines, end } = told({}, 'approve', 'promote', release('v2'), 'approve', 'promote');
    expect(lines).toEqual([]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('takes all steps at once where somebody promotes it fully', () => {
    const { lines, end } = told({}, release('v2'), until(1), 'promote-full');
    expect(lines).toEqual([
      ...BEGUN,
      'fully promote the Rollout -> step 1: settled ({"traffic":"50%"} stable=v1 canary=v2) | 10 stable, 5 canary | Ingress web-canary',
      'step 2: settled ({"traffic":"100%"} stable=v1 canary=v2) | 10 stable, 10 canary | Ingress web-canary',
      'finish: Service web selects all pods again (stable=v1 canary=v2) | 10 stable, 10 canary | Service web',
      'finish: routes restored (stable=v1 canary=v2) | 10 stable, 10 canary | Ingress web-canary',
      'finish: Service web-canary deleted (stable=v1 canary=v2) | 10 stable, 10 canary | Service web-canary',
      'finish: released (stable=v1 canary=v2) | 10 canary',
    ]);
    expect(end).toBe('released');
  });

  it('goes back to the old version', () => {
    const { lines, end } = told({}, release('v2'), until(1), release('v1'));
    expect(lines).toEqual([
      ...BEGUN,
      'release v1 -> abort 0: routes restored (stable=v1 canary=v2) | 10 stable, 2 canary | Ingress web-canary',
      'abort 0: Service web selects all pods again (stable=v1 canary=v2) | 10 stable | Service web',
      'abort 0: Service web-canary deleted (stable=v1 canary=v2) | 10 stable | Service web-canary',
    ]);
    expect(end).toBe('rolled back');
  });

  it('goes back in partition style, before 0.6', () => {
    const { lines, end } = before06(PARTITION, release('v2'), until(1), release('v1'));
    expect(lines).toEqual([
      'release v2 -> prepare 0: canary pods ready (stable=v1 canary=v2) | 8 stable, 2 canary',
      'prepare 0: canary Ingress created (goes on stable=v1 canary=v2) | 8 stable, 2 canary | Service web-canary, Service web, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v1 canary=v2) | 8 stable, 2 canary | Ingress web-canary',
      'release v1 -> abort 0: Service web selects all pods again (stable=v1 canary=v2) | 8 stable, 2 canary | Service web',
      'abort 0: the workload has only pods of the old version (stable=v1 canary=v2) | 10 stable',
      'abort 0: the canary gets weight 0 (stable=v1 canary=v2) | 10 stable | Ingress web-canary',
      'abort 0: routes restored, Service web-canary deleted (stable=v1 canary=v2) | 10 stable | Ingress web-canary, Service web-canary',
    ]);
    expect(end).toBe('rolled back');
  });

  it('begins again with a third version', () => {
    const { lines, end } = told({}, release('v2'), until(2), release('v3'), until(1));
    expect(lines).toEqual([
      ...BEGUN,
      'step 1: settled ({"traffic":"50%"} stable=v1 canary=v2) | 10 stable, 5 canary | Ingress web-canary',
      'release v3 -> prepare 1: routes restored (mixed stable=v1 canary=v2) | 10 stable, 5 canary | Ingress web-canary',
      'prepare 1: Service web-canary deleted (mixed stable=v1 canary=v2) | 10 stable | Service web-canary',
      'prepare 0: canary Ingress created (goes on stable=v1 canary=v3 abandoned-v2=v2) | 10 stable, 2 canary | Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v1 canary=v3 abandoned-v2=v2) | 10 stable, 2 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('begins again with a third version in partition style', () => {
    const { lines, end } = told({ ...PARTITION, steps: HALF }, release('v2'), until(2), release('v3'), until(2));
    expect(lines).toEqual([
      ...BEGUN_IN_PARTITION,
      'step 1: settled ({"traffic":"50%"} stable=v1 canary=v2) | 5 stable, 5 canary | Ingress web-canary',
      'release v3 -> prepare 1: routes restored (mixed stable=v1 canary=v2) | 5 stable, 5 canary | Ingress web-canary',
      'prepare 1: Service web-canary deleted (mixed stable=v1 canary=v2) | 5 stable, 5 canary | Service web-canary',
      'prepare 0: canary Ingress created (goes on stable=v1 canary=v3 abandoned-v2=v2) | 5 stable, 2 canary, 3 abandoned-v2 | Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v1 canary=v3 abandoned-v2=v2) | 5 stable, 2 canary, 3 abandoned-v2 | Ingress web-canary',
      'step 1: settled ({"traffic":"50%"} stable=v1 canary=v3 abandoned-v2=v2) | 5 stable, 5 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('waits for a roll-back in blue-green style when a third version comes', () => {
    const { lines, end } = told({ blueGreen: true }, release('v2'), until(1), release('v3'), 'finish');
    expect(lines).toEqual([
      ...BEGUN,
      'release v3 -> step 0: the controller waits for a roll-back ({"traffic":"20%"} stable=v1 canary=v2) | 10 stable, 2 canary',
    ]);
    expect(end).toBe('stuck: another version arrived in the middle, and blue-green style first wants a roll-back');
  });

  it('gets that roll-back', () => {
    const { lines, end } = told({ blueGreen: true }, release('v2'), until(1), release('v3'), release('v1'));
    expect(lines).toEqual([
      ...BEGUN,
      'release v3 -> step 0: the controller waits for a roll-back ({"traffic":"20%"} stable=v1 canary=v2) | 10 stable, 2 canary',
      'release v1 -> abort 0: routes restored (stable=v1 canary=v2) | 10 stable, 2 canary | Ingress web-canary',
      'abort 0: Service web selects all pods again (stable=v1 canary=v2) | 10 stable | Service web',
      'abort 0: Service web-canary deleted (stable=v1 canary=v2) | 10 stable | Service web-canary',
    ]);
    expect(end).toBe('rolled back');
  });

  it('ends early when the Rollout is deleted', () => {
    const { lines, end } = told({}, release('v2'), until(1), 'delete');
    expect(lines).toEqual([
      ...BEGUN,
      'delete the Rollout -> finish 0: Service web selects all pods again (stable=v1 canary=v2) | 10 stable, 2 canary | Service web',
      'finish 0: routes restored (stable=v1 canary=v2) | 10 stable, 2 canary | Ingress web-canary',
      'finish 0: Service web-canary deleted (stable=v1 canary=v2) | 10 stable, 2 canary | Service web-canary',
      'finish: the workload rolls the new version out to everybody (stable=v1 canary=v2) | 10 canary',
    ]);
    expect(end).toBe('released');
  });

  it('ends early when the Rollout is disabled', () => {
    const { lines, end } = told(PARTITION, release('v2'), until(1), 'disable');
    expect(lines).toEqual([
      ...BEGUN_IN_PARTITION,
      'disable the Rollout -> finish 0: Service web selects all pods again (stable=v1 canary=v2) | 8 stable, 2 canary | Service web',
      'finish 0: routes restored (stable=v1 canary=v2) | 8 stable, 2 canary | Ingress web-canary',
      'finish 0: Service web-canary deleted (stable=v1 canary=v2) | 8 stable, 2 canary | Service web-canary',
      'finish: the workload rolls the new version out to everybody (stable=v1 canary=v2) | 10 canary',
    ]);
    expect(end).toBe('released');
  });

  it('jumps forward', () => {
    const { lines, end } = told({}, release('v2'), until(1), { jump: 3 });
    expect(lines).toEqual([
      ...BEGUN,
      'jump to step 3 -> step 2: settled ({"traffic":"100%"} stable=v1 canary=v2) | 10 stable, 10 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('jumps back, and keeps its pods', () => {
    const { lines, end } = told({}, release('v2'), until(2), { jump: 1 });
    expect(lines).toEqual([
      ...BEGUN,
      'step 1: settled ({"traffic":"50%"} stable=v1 canary=v2) | 10 stable, 5 canary | Ingress web-canary',
      'jump to step 1 -> step 0: settled ({"traffic":"20%"} stable=v1 canary=v2) | 10 stable, 5 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('is followed by another one, and by a way back from that', () => {
    const { lines, end } = told({}, release('v2'), 'promote-full', release('v3'), until(1), release('v2'));
    expect(lines).toEqual([
      ...BEGUN,
      'fully promote the Rollout -> step 1: settled ({"traffic":"50%"} stable=v1 canary=v2) | 10 stable, 5 canary | Ingress web-canary',
      'step 2: settled ({"traffic":"100%"} stable=v1 canary=v2) | 10 stable, 10 canary | Ingress web-canary',
      'finish: Service web selects all pods again (stable=v1 canary=v2) | 10 stable, 10 canary | Service web',
      'finish: routes restored (stable=v1 canary=v2) | 10 stable, 10 canary | Ingress web-canary',
      'finish: Service web-canary deleted (stable=v1 canary=v2) | 10 stable, 10 canary | Service web-canary',
      'finish: released (stable=v1 canary=v2) | 10 canary',
      'release v3 -> before: before the release (stable=v2 canary=v3) | 10 stable',
      'prepare 0: canary Ingress created (goes on stable=v2 canary=v3) | 10 stable, 2 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v2 canary=v3) | 10 stable, 2 canary | Ingress web-canary',
      'release v2 -> abort 0: routes restored (stable=v2 canary=v3) | 10 stable, 2 canary | Ingress web-canary',
      'abort 0: Service web selects all pods again (stable=v2 canary=v3) | 10 stable | Service web',
      'abort 0: Service web-canary deleted (stable=v2 canary=v3) | 10 stable | Service web-canary',
    ]);
    expect(end).toBe('rolled back');
  });

  it('is followed by another one, which waits', () => {
    const { lines, end } = told({ steps: [percentStep(20)] }, release('v2'), 'promote-full', release('v3'), until(1));
    expect(lines).toEqual([
      ...BEGUN,
      'fully promote the Rollout -> finish: Service web selects all pods again (stable=v1 canary=v2) | 10 stable, 2 canary | Service web',
      'finish: routes restored (stable=v1 canary=v2) | 10 stable, 2 canary | Ingress web-canary',
      'finish: Service web-canary deleted (stable=v1 canary=v2) | 10 stable, 2 canary | Service web-canary',
      'finish: released (stable=v1 canary=v2) | 10 canary',
      'release v3 -> before: before the release (stable=v2 canary=v3) | 10 stable',
      'prepare 0: canary Ingress created (goes on stable=v2 canary=v3) | 10 stable, 2 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v2 canary=v3) | 10 stable, 2 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('without ready pods waits, and goes back', () => {
    const { lines, end } = told({}, { release: 'v2', ready: 'never' }, 'finish', release('v1'));
    expect(lines).toEqual([
      'release v2, whose pods never become ready -> prepare 0: no pod of the new version becomes ready (stable=v1 canary=v2) | 10 stable | Service web',
      'release v1 -> abort 0: Service web selects all pods again (stable=v1 canary=v2) | 10 stable | Service web',
    ]);
    expect(end).toBe('rolled back');
  });

  it('without ready pods waits, and begins again', () => {
    const { lines, end } = told(PARTITION, { release: 'v2', ready: 'never' }, release('v3'), until(1));
    expect(lines).toEqual([
      'release v2, whose pods never become ready -> prepare 0: no pod of the new version becomes ready (stable=v1 canary=v2) | 8 stable | Service web',
      'release v3 -> prepare 0: canary Ingress created (goes on stable=v1 canary=v3 abandoned-v2=v2) | 8 stable, 2 canary | Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v1 canary=v3 abandoned-v2=v2) | 8 stable, 2 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('does not begin with the Rollout that comes with the new version', () => {
    const { lines, end } = told({}, { release: 'v2', creates: 'Rollout' });
    expect(lines).toEqual([
      'release v2, and create the Rollout -> finish: the workload replaces all pods, without a release (stable=v1 canary=v2) | 10 canary',
    ]);
    expect(end).toBe('released');
  });
});
