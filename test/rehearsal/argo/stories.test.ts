/** Stories of Argo Rollouts. What real controllers do in them is in test/stage/recordings. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { rehearse } from '../../../src/rehearsal';
import type { StoryAction } from '../../../src/release';
import { argoLabs } from '../../stage/labs/argo';

const OBJECTS = argoLabs().find(({ name }) => name === 'alb-straight')!.manifests;

function stories(asked: 'all' | readonly StoryAction[]) {
  const world = World.of(OBJECTS.map((object) => Manifest.of(object)));
  const [rehearsal] = rehearse(world, { stories: asked === 'all' ? 'all' : [{ name: 'mine', actions: asked }] });
  return rehearsal!.stories!;
}

describe('stories of Argo Rollouts', () => {
  it('are told at every pause', () => {
    const ends = stories('all').map(({ name, end }) => `${name}: ${end}`);
    expect(ends).toEqual([
      'straight: released',
      'abort@1: rolled back',
      'abort@3: rolled back',
      'retry@1: released',
      'retry@3: released',
      'undo@1: rolled back',
      'undo@3: rolled back',
      'third-revision@1: released',
      'third-revision@3: released',
      'promote-full@1: released',
      'promote-full@3: released',
      'delete@1: stuck',
      'delete@3: stuck',
      'scale@1: released',
      'never-ready: rolled back',
    ]);
  });

  it('move the canary Service to the new pods and back after an abort', () => {
    const [, story] = stories([{ release: 'v2' }, { until: { step: 1 } }, 'abort']);
    expect(story!.moments.slice(-3).map(({ title }) => title)).toEqual([
      'rollback: aborted, and the steps begin again',
      'rollback: Service shop-canary goes to the new pods and back at each reconcile',
      'rollback: the new pods are gone',
    ]);
    expect(story!.moments.slice(-3).map(({ pods }) => pods[0])).toEqual([
      { service: 'shop-canary', versions: { v1: 4 } },
      { service: 'shop-canary', versions: { v2: 1 } },
      { service: 'shop-canary', versions: { v1: 4 } },
    ]);
  });

  it('leave nobody who answers when the Rollout is deleted', () => {
    const [, story] = stories([{ release: 'v2' }, { until: { step: 1 } }, 'delete']);
    const last = story!.moments.at(-1)!;
    expect(story).toMatchObject({ end: 'stuck', why: 'the pods are deleted with the Rollout, so nobody answers' });
    expect(last.cells.map(({ shares }) => shares.failed)).toContain(1);
  });

  it('wait for a promotion where an analysis is inconclusive', () => {
    const [, story] = stories([{ release: 'v2' }, { analysis: 'inconclusive' }]);
    expect(story).toMatchObject({ end: 'stuck', why: expect.stringContaining('inconclusive') });
    const [, promoted] = stories([{ release: 'v2' }, { analysis: 'inconclusive' }, 'promote', 'finish']);
    expect(promoted!.end).toBe('released');
  });
});
