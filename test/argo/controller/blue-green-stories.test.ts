/** How blue-green releases go on, moment by moment. What real controllers do is in test/stage/recordings. */
import { describe, expect, it } from 'vitest';
import type { StoryAction } from '../../../src/release';
import type { StackOptions } from '../../stage/labs/argo/stack';
import { linesOf, tell } from './told';

const V1: StoryAction = { release: 'v1' };
const V2: StoryAction = { release: 'v2' };
const V3: StoryAction = { release: 'v3' };
const V2_NEVER: StoryAction = { release: 'v2', ready: 'never' };
const V3_NEVER: StoryAction = { release: 'v3', ready: 'never' };
const PAUSED: StoryAction = { until: { phase: 'Paused' } };
const HEALTHY: StoryAction = { until: { phase: 'Healthy' } };

const told = (options: Partial<StackOptions>, ...actions: StoryAction[]) =>
  linesOf(tell({ route: 'blueGreen', ...options }, actions));

describe('the promotion', () => {
  it('starts the other new pods before it switches, after few previews', () => {
    expect(told({ strategy: { previewReplicaCount: 1 } }, V2, 'finish').slice(2)).toEqual([
      'prepare: 1 of 4 new pods are ready [4 stable, 1 canary] active>stable preview>canary = 0 % preview 1',
      '(promote) prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      'finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('waits for nobody with as many previews as pods, but before the switch', () => {
    expect(told({ strategy: { previewReplicaCount: 4 } }, V2, PAUSED).slice(2)).toEqual([
      'prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('declares nothing for a preview without pods', () => {
    expect(told({ strategy: { previewReplicaCount: 0 } }, V2, PAUSED).slice(2)).toEqual([
      'prepare: 0 of 4 new pods are ready [4 stable, 0 canary] active>stable preview>canary = 0 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('of everything goes through all stages, and ends the release', () => {
    expect(told({ strategy: { previewReplicaCount: 1 } }, V2, PAUSED, 'promote-full', 'abort').slice(3)).toEqual([
      '(fully promote the Rollout) prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      'finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('of everything does nothing while no pod becomes ready', () => {
    expect(told({}, V2_NEVER, 'promote-full').slice(2)).toEqual(['stuck: no pod of the new version becomes ready']);
  });

  it('happens by itself with autoPromotionEnabled', () => {
    expect(told({ strategy: { autoPromotionEnabled: true } }, V2, PAUSED).slice(2)).toEqual([
      'prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      'finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('happens by itself after few previews', () => {
    expect(told({ strategy: { autoPromotionEnabled: true, previewReplicaCount: 1 } }, V2, PAUSED).slice(2)).toEqual([
      'prepare: 1 of 4 new pods are ready [4 stable, 1 canary] active>stable preview>canary = 0 % preview 1',
      'prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      'finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('comes after autoPromotionSeconds, and a release is at a pause until then', () => {
    expect(told({ strategy: { autoPromotionEnabled: true, autoPromotionSeconds: 10 } }, V2, PAUSED).slice(2)).toEqual([
      'prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1 for 10 s of autoPromotionSeconds',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('comes after autoPromotionSeconds, if nobody stops it', () => {
    expect(
      told({ strategy: { autoPromotionEnabled: true, autoPromotionSeconds: 10 } }, V2, PAUSED, HEALTHY).slice(2),
    ).toEqual([
      'prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1 for 10 s of autoPromotionSeconds',
      'finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('comes after autoPromotionSeconds with few previews', () => {
    expect(
      told({ strategy: { autoPromotionEnabled: true, autoPromotionSeconds: 10, previewReplicaCount: 2 } }, V2, PAUSED, {
        watch: 0,
      }).slice(2),
    ).toEqual([
      'prepare: 2 of 4 new pods are ready [4 stable, 2 canary] active>stable preview>canary = 0 % preview 1',
      'prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      'finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('comes after autoPromotionSeconds at the few previews, and not once more with all pods', () => {
    const timed = { strategy: { autoPromotionEnabled: true, autoPromotionSeconds: 10, previewReplicaCount: 2 } };
    expect(told(timed, V2, PAUSED).length).toBe(4);
    expect(told(timed, V2, PAUSED, PAUSED).at(-1)).toBe('released');
  });

  it('is for people alone, though there are autoPromotionSeconds', () => {
    expect(told({ strategy: { autoPromotionSeconds: 10 } }, V2, PAUSED).slice(2)).toEqual([
      'prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('has no effect before a release', () => {
    expect(told({}, 'promote', 'abort', 'retry', 'promote-full', V2, PAUSED, 'approve', 'promote').slice(1)).toEqual([
      '(release v2) prepare: no pod of the new version is ready [4 stable] active>stable preview>canary = 0 %',
      'prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      '(promote) finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });
});

describe('a version without ready pods', () => {
  it('fails at the deadline', () => {
    expect(
      told({ spec: { progressDeadlineSeconds: 20, progressDeadlineAbort: true } }, V2_NEVER, { watch: 20 }).slice(2),
    ).toEqual(['abort: aborted [4 stable] active>stable preview>canary = 0 %', 'rolled back']);
  });

  it('waits before the deadline', () => {
    expect(
      told({ spec: { progressDeadlineSeconds: 20, progressDeadlineAbort: true } }, V2_NEVER, { watch: 19 }).slice(2),
    ).toEqual(['stuck: no pod of the new version becomes ready']);
  });

  it('waits where the Rollout does not abort', () => {
    expect(told({ spec: { progressDeadlineSeconds: 20 } }, V2_NEVER, { watch: 20 }).slice(2)).toEqual([
      'stuck: no pod of the new version becomes ready',
    ]);
  });

  it('has a deadline of ten minutes', () => {
    expect(told({ spec: { progressDeadlineAbort: true } }, V2_NEVER, { watch: 599 }, { watch: 600 }).slice(2)).toEqual([
      'abort: aborted [4 stable] active>stable preview>canary = 0 %',
      'rolled back',
    ]);
  });

  it('has no pods that go after an abort, and starts again with a retry', () => {
    expect(told({}, V2_NEVER, 'abort', 'retry', 'finish').slice(2)).toEqual([
      '(abort the Rollout) abort: aborted [4 stable] active>stable preview>canary = 0 %',
      '(retry the Rollout) prepare: no pod of the new version is ready [4 stable] active>stable preview>canary = 0 %',
      'prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      '(promote) finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('gives way to the old one at once', () => {
    expect(told({}, V2_NEVER, V1).slice(2)).toEqual([
      '(release v1) abort: the old version is released again [4 stable] active>stable preview>stable = 0 % preview 0',
      'rolled back',
    ]);
  });
});

describe('an abort', () => {
  it('keeps the new pods for a while, and a retry finds them', () => {
    expect(told({}, V2, PAUSED, 'abort', { watch: 29 }, 'retry').slice(3)).toEqual([
      '(abort the Rollout) abort: aborted [4 stable, 4 canary] active>stable preview>canary = 0 %',
      '(retry the Rollout) prepare: the new pods are still there [4 stable, 4 canary] active>stable preview>canary = 0 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('keeps the new pods for a while, and a retry starts others after it', () => {
    expect(told({}, V2, PAUSED, 'abort', { watch: 30 }, 'retry', PAUSED).slice(3)).toEqual([
      '(abort the Rollout) abort: aborted [4 stable, 4 canary] active>stable preview>canary = 0 % for 30 s of abortScaleDownDelaySeconds',
      'abort: the new pods are gone [4 stable] active>stable preview>canary = 0 %',
      '(retry the Rollout) prepare: no pod of the new version is ready [4 stable] active>stable preview>canary = 0 %',
      'prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('keeps the new pods for good with a delay of 0', () => {
    expect(told({ strategy: { abortScaleDownDelaySeconds: 0 } }, V2, PAUSED, 'abort').slice(3)).toEqual([
      '(abort the Rollout) abort: aborted [4 stable, 4 canary] active>stable preview>canary = 0 %',
      'rolled back',
    ]);
  });

  it('has a delay of its own', () => {
    expect(
      told({ strategy: { abortScaleDownDelaySeconds: 7, scaleDownDelaySeconds: 8 } }, V2, PAUSED, 'abort').slice(3),
    ).toEqual([
      '(abort the Rollout) abort: aborted [4 stable, 4 canary] active>stable preview>canary = 0 % for 7 s of abortScaleDownDelaySeconds',
      'abort: the new pods are gone [4 stable] active>stable preview>canary = 0 %',
      'rolled back',
    ]);
  });

  it('can be followed by another version', () => {
    expect(told({}, V2, PAUSED, 'abort', V3, 'finish').slice(4)).toEqual([
      '(release v3) prepare: no pod of the new version is ready [4 stable, 4 stable canary] active>stable preview>v3 = 0 %',
      'prepare: the new pods are ready [4 stable, 4 canary v3] active>stable preview>v3 = 0 % preview 1',
      '(promote) finish: Service shop-active selects the new pods [4 stable, 4 canary v3] active>v3 preview>v3 = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary v3] active>v3 preview>v3 = 100 % preview 1',
      'released',
    ]);
  });

  it('is no retry, and no retry comes without it', () => {
    expect(told({}, V2, PAUSED, 'retry', 'retry').slice(3)).toEqual(['stuck: it waits for somebody to promote it']);
  });
});

describe('another version', () => {
  it('is the old one: both Services go back, and the new pods go after the delay', () => {
    expect(told({}, V2, PAUSED, V1).slice(3)).toEqual([
      '(release v1) abort: the old version is released again [4 stable, 4 canary] active>stable preview>stable = 0 % preview 0 for 30 s of scaleDownDelaySeconds',
      'abort: the new pods are gone [4 stable] active>stable preview>stable = 0 %',
      'rolled back',
    ]);
  });

  it('takes the preview, and the pods of the version before are gone when its own are ready', () => {
    expect(told({}, V2, PAUSED, V3, PAUSED).slice(3)).toEqual([
      '(release v3) prepare: no pod of the new version is ready [4 stable, 4 stable canary] active>stable preview>v3 = 0 %',
      'prepare: the new pods are ready [4 stable, 4 canary v3] active>stable preview>v3 = 0 % preview 1',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('that has no pods leaves none behind', () => {
    expect(told({}, V2, PAUSED, V3_NEVER, V2, 'finish').slice(3)).toEqual([
      '(release v3) prepare: no pod of the new version is ready [4 stable, 4 stable canary] active>stable preview>v3 = 0 %',
      '(release v2) prepare: the pods of this version are still there [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      'finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('stays without pods, and those of the version before go', () => {
    expect(told({}, V2, PAUSED, V3_NEVER, { watch: 600 }).slice(3)).toEqual([
      '(release v3) prepare: no pod of the new version is ready [4 stable, 4 stable canary] active>stable preview>v3 = 0 % for 30 s of scaleDownDelaySeconds',
      'prepare: the pods of the version before are gone [4 stable] active>stable preview>v3 = 0 %',
      'stuck: no pod of the new version becomes ready',
    ]);
  });

  it('is the same: its pods are there, and nothing waits', () => {
    expect(told({}, V2, PAUSED, V2, HEALTHY).slice(3)).toEqual([
      '(release v2) prepare: the pods of this version are still there [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      'finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('is the one of before, whose pods are still there', () => {
    expect(told({ strategy: { scaleDownDelaySeconds: 9 } }, V2, 'finish', { watch: 8 }, V1, PAUSED).slice(4)).toEqual([
      '(release v1) prepare: the pods of this version are still there [4 canary stable, 4 stable canary] active>canary preview>stable = 0 % preview 1',
      'finish: Service shop-active selects the new pods [4 canary stable, 4 stable canary] active>stable preview>stable = 100 % preview 1 for 9 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary stable] active>stable preview>stable = 100 % preview 1',
      'released',
    ]);
  });

  it('is the one of before, whose pods are gone', () => {
    expect(told({ strategy: { scaleDownDelaySeconds: 9 } }, V2, 'finish', { watch: 9 }, V1, PAUSED).slice(4)).toEqual([
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      '(release v1) prepare: no pod of the new version is ready [4 stable canary] active>canary preview>stable = 0 %',
      'prepare: the new pods are ready [4 stable canary, 4 canary stable] active>canary preview>stable = 0 % preview 1',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('is a third one after the second', () => {
    expect(told({}, V2, 'finish', { watch: 30 }, V3, 'finish').slice(5)).toEqual([
      '(release v3) prepare: no pod of the new version is ready [4 stable canary] active>canary preview>v3 = 0 %',
      'prepare: the new pods are ready [4 stable canary, 4 canary v3] active>canary preview>v3 = 0 % preview 1',
      '(promote) finish: Service shop-active selects the new pods [4 stable canary, 4 canary v3] active>v3 preview>v3 = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary v3] active>v3 preview>v3 = 100 % preview 1',
      'released',
    ]);
  });
});
