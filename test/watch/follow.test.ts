/** One release, looked at again and again: its place on the road, its story, its end. */
import { describe, expect, it } from 'vitest';
import { parseManifests } from '../../src/core';
import type { WatchedMoment } from '../../src/core/watched-release';
import { groupKindOfRead, LiveCluster, READ_KINDS } from '../../src/doctor';
import { Follower, Verdict } from '../../src/watch';
import { argoCluster } from '../doctor/argo-cluster';
import { kruiseCluster } from '../doctor/kruise-cluster';

const SERVED = new Set(READ_KINDS.map(groupKindOfRead));
const START = Date.parse('2026-01-01T00:00:10Z');

/** Looks at one cluster after the other, ten seconds apart. */
function followed(name: string, clusters: readonly string[]): readonly WatchedMoment[] {
  const follower = new Follower({ namespace: 'shop', name });
  return clusters.map((objects, index) => {
    const at = new Date(START + index * 10_000);
    const { manifests } = parseManifests(objects, 'test.yaml');
    return follower.look({ cluster: new LiveCluster({ from: 'test', manifests, served: SERVED, now: at }), at });
  });
}

const last = (moments: readonly WatchedMoment[]) => moments.at(-1)!;
const placeOf = ({ road }: WatchedMoment) => road.find(({ is }) => is === 'at' || is === 'towards');
const healthyArgo = argoCluster({ status: 'idle' });
const before = healthyArgo.replaceAll('new2', 'old1');

describe('the road', () => {
  it.each([
    ['is not begun', 'web', [kruiseCluster({ phase: 'Healthy' })], { title: 'before', is: 'at' }],
    [
      'leads to the canary Ingress while it is not there',
      'web',
      [kruiseCluster({ stepState: 'StepUpgrade', hasCanaryIngress: false })],
      { title: 'steps[0]: canary Ingress created', is: 'towards' },
    ],
    [
      'leads to the weight while the canary Ingress has none',
      'web',
      [kruiseCluster({ stepState: 'StepTrafficRouting', weight: 0 })],
      { title: 'steps[0]: 20%', is: 'towards' },
    ],
    ['is at the step that waits', 'web', [kruiseCluster()], { title: 'steps[0]: 20%', is: 'at' }],
    ['is at its end', 'shop', [argoCluster(), healthyArgo], { title: 'end: the old pods are gone', is: 'at' }],
    [
      'is that of the abort',
      'shop',
      [argoCluster(), argoCluster({ status: 'aborted' })],
      { title: 'rollback: the new pods are gone', is: 'towards' },
    ],
  ] as const)('%s', (_what, name, clusters, place) => {
    expect(placeOf(last(followed(name, clusters)))).toMatchObject(place);
  });
});

describe('the story', () => {
  it('is straight from before the release to its end', () => {
    const moments = followed('shop', [before, argoCluster(), argoCluster({ step: 3, weight: 50 }), healthyArgo]);
    expect(moments.map(({ story }) => story.name)).toEqual(['straight', 'straight', 'straight', 'straight']);
    expect(moments.map(({ state }) => state.kind)).toEqual(['healthy', 'waiting', 'releasing', 'healthy']);
    expect(last(moments).state.ended).toBe('released');
  });

  it('is a third revision once another version comes', () => {
    const third = argoCluster({ step: 0, weight: 0 }).replaceAll('new2', 'more3');
    const { story } = last(followed('shop', [argoCluster(), third]));
    expect(story).toEqual({
      name: 'third-revision',
      why: 'the version more3 came while new2 was on its way',
      ends: 'released',
    });
  });

  it('is a third revision, also of a controller that has no hash in between', () => {
    const between = kruiseCluster({ stepState: 'BeforeStepUpgrade', hasCanaryIngress: false });
    const moments = followed('web', [
      kruiseCluster(),
      between.replace('podTemplateHash: bbb2', "podTemplateHash: ''"),
      between.replaceAll('bbb2', 'ccc3'),
      kruiseCluster({ phase: 'Healthy' }),
    ]);
    expect(moments.map(({ story }) => story.name)).toEqual([
      'straight',
      'straight',
      'third-revision',
      'third-revision',
    ]);
    expect(last(moments).state.ended).toBe('released');
  });

  it('is a roll-back of Kruise Rollouts, whose status keeps both hashes', () => {
    const cancelling = kruiseCluster().replace('reason: InRolling', 'reason: Cancelling');
    const over = kruiseCluster({ phase: 'Healthy' }).replace(
      'status: {phase: Healthy,',
      'status: {phase: Healthy, message: Rollout progressing has been cancelled,',
    );
    const moments = followed('web', [kruiseCluster(), cancelling, over]);
    expect(moments.map(({ state }) => state.kind)).toEqual(['waiting', 'leaving', 'healthy']);
    expect(last(moments)).toMatchObject({ state: { ended: 'rolled back' }, story: { name: 'roll-back' } });
  });

  it('is an edit once the steps differ, and not when the pods do', () => {
    const edited = argoCluster().replace('setWeight: 50', 'setWeight: 60');
    const other = argoCluster().replace("image: 'shop:2'", "image: 'shop:3'");
    expect(last(followed('shop', [argoCluster(), edited])).story.name).toBe('edit-step');
    expect(last(followed('shop', [argoCluster(), other])).story.name).toBe('straight');
  });

  it('is an undo when the old version comes back', () => {
    const moments = followed('shop', [argoCluster(), before]);
    expect(last(moments).state).toMatchObject({ kind: 'healthy', ended: 'rolled back' });
    expect(last(moments).story).toMatchObject({ name: 'undo', ends: 'rolled back' });
  });

  it('is a deletion once the Rollout is gone', () => {
    const without = kruiseCluster()
      .split('---\n')
      .filter((text) => !text.includes('kind: Rollout\n'))
      .join('---\n');
    const { state, story } = last(followed('web', [kruiseCluster(), without]));
    expect([state.kind, state.text, story.name]).toEqual(['gone', 'the Rollout was deleted', 'delete']);
  });

  it('begins anew with the next release', () => {
    const moments = followed('shop', [argoCluster(), before, argoCluster()]);
    expect(last(moments).story.name).toBe('straight');
    expect(last(moments).state.ended).toBeUndefined();
  });
});

describe('differences', () => {
  const wrong = kruiseCluster({ weight: 50 });

  it('are told once they have been there for a while', () => {
    const [first, second] = followed('web', [wrong, wrong]);
    expect(first!.differences).toEqual([]);
    expect(second!.differences.map(({ id }) => id)).toEqual(['kruise-expected', 'kruise-requests']);
    expect(second!.differences[0]!.since).toBe(first!.at);
  });

  it('are gone when the cluster is as rehearsed again', () => {
    expect(last(followed('web', [wrong, wrong, kruiseCluster()])).differences).toEqual([]);
  });

  it('say what a Service has that is not pinned', () => {
    const unpinned = kruiseCluster().replace(', pod-template-hash: aaa1}\n', '}\n');
    const { differences } = last(followed('web', [unpinned, unpinned]));
    expect(differences[0]!.details).toContain('Service shop/web');
  });
});

describe('changes', () => {
  it('are those of the objects of the release', () => {
    const { changes } = last(followed('web', [kruiseCluster({ hasCanaryIngress: false }), kruiseCluster()]));
    expect(changes.map(({ action, object }) => `${action} ${object.kind}/${object.name}`)).toEqual([
      'created Ingress/web-canary',
    ]);
  });
});

describe('the goal', () => {
  const verdict = (goal: 'healthy' | 'waiting', clusters: readonly string[], patience = 15) => {
    const judge = new Verdict(goal, patience);
    return followed('shop', clusters).map((moment) => judge.of(moment)?.isReached);
  };

  it('healthy is reached at the end, and given up when the release is rolled back', () => {
    expect(verdict('healthy', [argoCluster(), healthyArgo])).toEqual([undefined, true]);
    expect(verdict('healthy', [argoCluster(), before])).toEqual([undefined, false]);
    expect(verdict('healthy', [argoCluster({ status: 'aborted' })])).toEqual([false]);
  });

  it('healthy waits until the controller has seen the newest Rollout', () => {
    const unseen = before
      .replace('uid: u-2', 'uid: u-2, generation: 4')
      .replace('phase: Healthy', "phase: Healthy\n  observedGeneration: '3'");
    const seen = unseen.replace("'3'", "'4'");
    expect(verdict('healthy', [unseen, seen])).toEqual([undefined, true]);
  });

  it('waiting is reached at a pause, and not before the release', () => {
    expect(verdict('waiting', [before, argoCluster()])).toEqual([undefined, true]);
    expect(verdict('waiting', [argoCluster({ step: 0, weight: 0 }), healthyArgo])).toEqual([true, false]);
  });

  it('is given up when the release is stuck for longer than the patience', () => {
    const stuck = argoCluster().replace(
      '  currentStepIndex: 1',
      '  currentStepIndex: 1\n  conditions: [{type: InvalidSpec, status: "True", reason: InvalidSpec, message: ingress "shop" not found}]',
    );
    expect(verdict('healthy', [stuck, stuck, stuck])).toEqual([undefined, undefined, false]);
    expect(verdict('healthy', [stuck, argoCluster(), stuck, stuck])).toEqual(Array(4).fill(undefined));
  });
});
