/**
 * Argo 1.7, where one write brings another version and another number of pods in the middle of a release. What a real one does is in
 * test/stage/recordings/argo/1.7.2.
 */
import { describe, expect, it } from 'vitest';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import type { JsonObject } from '../../../src/core';
import type { StoryAction } from '../../../src/release';
import { linesOf, tell } from './told';

const STEPS = [{ setWeight: 25 }, { pause: {} }, { setWeight: 50 }, { pause: {} }] as const;
const V2: StoryAction = { release: 'v2' };
const PAUSED: StoryAction = { until: { phase: 'Paused' } };
const BACK: StoryAction = { release: 'v1', replicas: 8 };
const WAITS =
  'stuck: one write brought another version and another number of pods: the controller waits for the version in between, and does not scale it';
const waits = (stable: number) => `waits for the pods of the version in between, with ${stable} of the stable one`;

/** What comes after the story of `V2, PAUSED`, by release. */
function toldAfter(
  release: string,
  route: 'alb' | 'services' | 'blueGreen',
  ...actions: readonly StoryAction[]
): string[] {
  const controller = { version: ArgoRolloutsVersion.of(release) };
  const steps = route === 'blueGreen' ? undefined : [...STEPS];
  const lines = (story: readonly StoryAction[]) => linesOf(tell({ route, ...(steps && { steps }) }, story, controller));
  return lines([V2, PAUSED, ...actions]).slice(lines([V2, PAUSED]).length - 1);
}

describe('a canary of Argo 1.7', () => {
  it('goes back with another number of pods: the old version gets those of the step, and the weight stays', () => {
    expect(toldAfter('1.7.2', 'alb', BACK)).toEqual([
      `(release v1 with 8 pods) prepare 1: ${waits(2)} [2 stable, 1 canary] canary>canary stable>stable`,
      WAITS,
    ]);
    expect(toldAfter('1.8.0', 'alb', BACK).at(-1)).toBe('rolled back');
    // As many as before are no change, and without a router the controller scales every version.
    expect(toldAfter('1.7.2', 'alb', { release: 'v1', replicas: 4 }).at(-1)).toBe('rolled back');
    expect(toldAfter('1.7.2', 'services', BACK).at(-1)).toBe('rolled back');
  });

  it.each(['promote', 'finish', 'abort', 'retry', 'promote-full', { watch: 3600 }, PAUSED] as const)(
    'does not hear %j while it waits',
    (action) => expect(toldAfter('1.7.2', 'alb', BACK, action)).toEqual(toldAfter('1.7.2', 'alb', BACK)),
  );

  it('does not hear a change of its steps while it waits', () => {
    const spec: JsonObject = { strategy: { canary: { steps: [{ setWeight: 10 }] } } };
    const patch = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'shop', with: { spec } };
    expect(toldAfter('1.7.2', 'alb', BACK, { patch })).toEqual(toldAfter('1.7.2', 'alb', BACK));
  });

  it('goes on with the number of pods from before', () => {
    expect(toldAfter('1.7.2', 'alb', BACK, { scale: 4 }).slice(1)).toEqual([
      '(scale to 4 pods) abort: the old version is released again [4 stable, 1 canary] canary>stable stable>stable = 0 % for 30 s of scaleDownDelaySeconds',
      'abort: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
    expect(toldAfter('1.7.2', 'alb', BACK, { scale: 6 }).slice(1)).toEqual([
      `(scale to 6 pods) prepare 1: ${waits(2)} [2 stable, 1 canary] canary>canary stable>stable`,
      WAITS,
    ]);
  });

  it('goes on with the version that gave way, or with one that has never run', () => {
    expect(toldAfter('1.7.2', 'alb', BACK, V2).slice(1)).toEqual([
      '(release v2) step 1: goes on where it was [8 stable, 2 canary] canary>canary stable>stable = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
    expect(toldAfter('1.7.2', 'alb', BACK, { release: 'v3' }, 'finish').at(-1)).toBe('released');
    expect(toldAfter('1.7.2', 'alb', { release: 'v3', replicas: 8 }, 'finish').at(-1)).toBe('released');
  });

  it('comes to a third version that has run before', () => {
    const third = [{ release: 'v3' }, PAUSED, { release: 'v2', replicas: 8 }] as const;
    expect(toldAfter('1.7.2', 'alb', ...third).slice(-2)).toEqual([
      `(release v2 with 8 pods) prepare 1: ${waits(8)} [8 stable, 1 canary v3, 2 canary] canary>v3 stable>stable`,
      WAITS,
    ]);
    expect(toldAfter('1.7.2', 'alb', ...third, { scale: 4 }, 'finish').at(-1)).toBe('released');
    expect(toldAfter('1.8.0', 'alb', ...third, 'finish').at(-1)).toBe('released');
  });
});

describe('a blue-green release of Argo 1.7', () => {
  it('goes back, or to a third version, with another number of pods: the Services stay', () => {
    const line = (deed: string) =>
      `(${deed}) prepare: ${waits(8)} [8 stable, 4 canary] active>stable preview>canary = 0 %`;
    expect(toldAfter('1.7.2', 'blueGreen', BACK)).toEqual([line('release v1 with 8 pods'), WAITS]);
    expect(toldAfter('1.7.2', 'blueGreen', { release: 'v3', replicas: 8 }, 'finish')).toEqual([
      line('release v3 with 8 pods'),
      WAITS,
    ]);
    expect(toldAfter('1.8.0', 'blueGreen', BACK).at(-1)).toBe('rolled back');
  });

  it('goes on with the number of pods from before, or with the version that gave way', () => {
    expect(toldAfter('1.7.2', 'blueGreen', BACK, { scale: 6 }).at(-1)).toBe(WAITS);
    expect(toldAfter('1.7.2', 'blueGreen', BACK, { release: 'v3' }).at(-1)).toBe(WAITS);
    expect(toldAfter('1.7.2', 'blueGreen', BACK, { scale: 4 }).at(-1)).toBe('rolled back');
    expect(toldAfter('1.7.2', 'blueGreen', { release: 'v3', replicas: 8 }, { scale: 4 }, 'finish').at(-1)).toBe(
      'released',
    );
    expect(toldAfter('1.7.2', 'blueGreen', BACK, V2)[1]).toBe(
      '(release v2) prepare: goes on where it was [8 stable, 8 canary] active>stable preview>canary = 0 %',
    );
    expect(toldAfter('1.7.2', 'blueGreen', BACK, V2, 'finish').at(-1)).toBe('released');
  });

  it('waits after an abort, too, while the new pods are there', () => {
    expect(toldAfter('1.7.2', 'blueGreen', 'abort', BACK).at(-1)).toBe(WAITS);
    expect(toldAfter('1.7.2', 'blueGreen', 'abort', { watch: 60 }, BACK).at(-1)).toBe('rolled back');
  });
});
