/** What people, analyses and experiments do to canary releases. What real controllers do is in test/stage/recordings. */
import { describe, expect, it } from 'vitest';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import type { JsonObject } from '../../../src/core';
import type { StoryAction } from '../../../src/release';
import type { StackOptions } from '../../stage/labs/argo/stack';
import { linesOf, tell } from './told';

const V1: StoryAction = { release: 'v1' };
const V2: StoryAction = { release: 'v2' };
const V3: StoryAction = { release: 'v3' };
const PAUSED: StoryAction = { until: { phase: 'Paused' } };
const at = (step: number): StoryAction => ({ until: { step } });
const BACKGROUND = { strategy: { analysis: { templates: [{ templateName: 'a' }] } } };
const ANALYSIS = {
  steps: [{ setWeight: 25 }, { analysis: { templates: [{ templateName: 'a' }] } }, { setWeight: 50 }, { pause: {} }],
};
const TEMPLATES = [
  { name: 'new', specRef: 'canary', weight: 10 },
  { name: 'old', specRef: 'stable', weight: 5, replicas: 2 },
];
const EXPERIMENT = { steps: [{ setWeight: 25 }, { experiment: { templates: TEMPLATES } }, { pause: {} }] };
const patch = (apiVersion: string, kind: string, name: string, change: object | null): StoryAction => ({
  patch: { apiVersion, kind, name, with: change as JsonObject | null },
});
const service = (name: string, change: object | null) => patch('v1', 'Service', name, change);
const ingress = (change: object | null) => patch('networking.k8s.io/v1', 'Ingress', 'shop', change);
const rollout = (change: object | null) => patch('argoproj.io/v1alpha1', 'Rollout', 'shop', change);

const told = (options: Partial<StackOptions>, ...actions: StoryAction[]) =>
  linesOf(tell({ route: 'alb', ...options }, actions));

/** The same with a release that waits for exactly as many pods as `replicas` says. */
const toldBefore19 = (options: Partial<StackOptions>, ...actions: StoryAction[]) =>
  linesOf(tell({ route: 'alb', ...options }, actions, { version: ArgoRolloutsVersion.V1_8_5 }));

describe('people who change a canary', () => {
  it('delete the Rollout', () => {
    expect(told({}, V2, PAUSED, 'delete', 'promote', 'abort', 'retry').slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(delete the Rollout) finish: Service shop-canary selects all pods again [4 stable, 1 canary] stable>stable',
      'finish: Service shop-stable selects all pods again [4 stable, 1 canary]',
      'finish: the pods are deleted with the Rollout []',
      'stuck: the pods are deleted with the Rollout, so nobody answers',
    ]);
  });

  it('delete the Rollout with a patch', () => {
    expect(told({}, V2, PAUSED, rollout(null)).slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(delete Rollout "shop") finish: Service shop-canary selects all pods again [4 stable, 1 canary] stable>stable',
      'finish: Service shop-stable selects all pods again [4 stable, 1 canary]',
      'finish: the pods are deleted with the Rollout []',
      'stuck: the pods are deleted with the Rollout, so nobody answers',
    ]);
  });

  it('go back with another number of pods in one write', () => {
    const back: StoryAction = { release: 'v1', replicas: 8 };
    expect(told({}, V2, PAUSED, back).slice(4)).toEqual([
      '(release v1 with 8 pods) abort 1: the old version is scaled like the new one: to 2 pods [2 stable, 1 canary] canary>canary stable>stable',
      'abort: the old version is released again [8 stable, 1 canary] canary>stable stable>stable = 0 % for 30 s of scaleDownDelaySeconds',
      'abort: the new pods are gone [8 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
    const noPods = { steps: [{ setCanaryScale: { replicas: 0 } }, { pause: {} }, { setWeight: 20 }] };
    expect(told(noPods, V2, PAUSED, back)).toContain(
      '(release v1 with 8 pods) abort 1: the old version is scaled like the new one: to 0 pods [0 stable] canary>stable stable>stable',
    );
    // As many pods as before are no change, and other pods than before are a patch, too.
    const same = told({}, V2, PAUSED, { release: 'v1', replicas: 4 });
    expect(same.map((line) => line.replace(' with 4 pods', ''))).toEqual(told({}, V2, PAUSED, V1));
    const template = { spec: { containers: [{ name: 'main', image: 'example.com/shop:v1' }] } };
    const patched = told({}, V2, PAUSED, rollout({ spec: { replicas: 8, template } }));
    expect(patched.map((line) => line.replace('edit Rollout "shop"', 'release v1 with 8 pods'))).toEqual(
      told({}, V2, PAUSED, back),
    );
  });

  it('go back with another number of pods after an abort', () => {
    const back: StoryAction = { release: 'v1', replicas: 8 };
    const waits =
      'the old version of an aborted release came back with another number of pods: the controller waits for them, and adds or removes none';
    const aborted = [V2, PAUSED, 'abort', { watch: 60 }] as const;
    expect(told({}, ...aborted, back).slice(-2)).toEqual([
      '(release v1 with 8 pods) abort: the old version keeps its pods [4 stable] canary>stable stable>stable = 0 %',
      `stuck: ${waits}`,
    ]);
    expect(told({}, ...aborted, back, { scale: 6 }).at(-1)).toBe(`stuck: ${waits}`);
    expect(told({}, ...aborted, back, V1).at(-1)).toBe(`stuck: ${waits}`);
    expect(told({}, ...aborted, back, { release: 'v1', replicas: 4 }).at(-1)).toBe('rolled back');
    expect(told({}, ...aborted, back, { scale: 4 }).slice(-2)).toEqual([
      '(scale to 4 pods) abort: the old version is released again [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
    expect(told({}, ...aborted, back, 'retry').slice(-3)).toEqual([
      '(retry the Rollout) abort 0: the old version is scaled like the new one: to 2 pods [2 stable] canary>stable stable>stable',
      'abort: the old version is released again [8 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
    const kept = { strategy: { abortScaleDownDelaySeconds: 0 } };
    expect(told(kept, ...aborted, back).slice(-3)[0]).toContain('to 0 pods [0 stable]');
    const dynamic = { strategy: { dynamicStableScale: true } };
    expect(told(dynamic, ...aborted, back).slice(-3)[0]).toContain('to 2 pods [2 stable]');
    expect(toldBefore19(dynamic, ...aborted, back).slice(-3)[0]).toContain('to 0 pods [0 stable]');
  });

  it('scale it in the middle', () => {
    expect(told({}, V2, PAUSED, { scale: 8 }, 'promote').slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(scale to 8 pods) step 1: scaled to 8 pods [8 stable, 2 canary] canary>canary stable>stable = 25 %',
      '(promote) step 2: setWeight [8 stable, 4 canary] canary>canary stable>stable = 50 %',
      'step 3: pause [8 stable, 4 canary] canary>canary stable>stable = 50 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('scale it after the release', () => {
    expect(told({}, V2, 'finish', { scale: 8 }).slice(9)).toEqual([
      'finish: the old pods are gone [4 canary] canary>canary stable>canary = 100 %',
      '(scale to 8 pods) finish: scaled to 8 pods [8 stable canary] canary>canary stable>canary',
      'released',
    ]);
  });

  it('scale it with a patch', () => {
    expect(told({}, V2, PAUSED, rollout({ spec: { replicas: 8 } })).slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(edit Rollout "shop") step 1: scaled to 8 pods [8 stable, 2 canary] canary>canary stable>stable = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('edit a step: it begins again at the first one', () => {
    expect(
      told(
        {},
        V2,
        PAUSED,
        rollout({ spec: { strategy: { canary: { steps: [{ setWeight: 40 }, { pause: {} }] } } } }),
      ).slice(3),
    ).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(edit Rollout "shop") prepare 0: the steps begin again, and it does not have the pods of the first one [4 stable, 1 canary] canary>canary stable>stable',
      'step 0: setWeight [4 stable, 2 canary] canary>canary stable>stable = 40 %',
      'step 1: pause [4 stable, 2 canary] canary>canary stable>stable = 40 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('edit something else than steps: it goes on', () => {
    expect(
      told({}, V2, PAUSED, rollout({ spec: { strategy: { canary: { maxSurge: 2 } } } }), 'promote').slice(3),
    ).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(edit Rollout "shop", promote) step 2: setWeight [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      'step 3: pause [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('remove all steps: the version is released to everybody', () => {
    expect(
      told({}, V2, PAUSED, rollout({ spec: { strategy: { canary: { steps: null } } } }))
        .slice(3)
        .map((line) => line.split(' [')[0]),
    ).toEqual([
      'step 1: pause',
      '(edit Rollout "shop") finish: all steps are done',
      'finish: the new version is stable',
      'finish: the old pods are gone',
      'released',
    ]);
  });

  it('edit what the API server refuses: nothing changes, and the story says so', () => {
    const refused = rollout({ spec: { strategy: { canary: { steps: [{ setWeight: 'all' }] } } } });
    const lines = told({}, V2, PAUSED, refused, 'promote').slice(3);
    expect(lines.slice(0, -1).map((line) => line.split(' [')[0])).toEqual([
      'step 1: pause',
      '(edit Rollout "shop", promote) step 2: setWeight',
      'step 3: pause',
    ]);
    expect(lines.at(-1)).toMatch(
      /^refused: the API server refuses the edit: spec\.strategy\.canary\.steps\[0\]\.setWeight: /,
    );
  });

  it('edit what Argo finds invalid: it does nothing until somebody corrects it', () => {
    const steps = (list: readonly object[]) => rollout({ spec: { strategy: { canary: { steps: list } } } });
    const invalid = steps([{ setWeight: 140 }]);
    const stuck = told({}, V2, PAUSED, invalid, 'abort', { release: 'v1' }, 'promote').slice(3);
    expect(stuck).toHaveLength(3);
    expect(stuck.at(-1)).toMatch(
      /^stuck: the edit makes the Rollout invalid, and the controller does nothing until it is corrected: spec\.strategy\.canary\.steps\[0\]/,
    );
    const corrected = told({}, V2, PAUSED, invalid, steps([{ setWeight: 25 }, { pause: {} }]), 'finish').slice(3);
    expect(corrected.at(-1)).toBe('released');
  });

  it.each<[what: string, deed: StoryAction, lines: readonly string[]]>([
    [
      'an abort',
      'abort',
      ['(edit Rollout "shop", abort the Rollout) abort 1: aborted, and the steps begin again [4 stable, 1 canary]'],
    ],
    [
      'a roll-back',
      { release: 'v1' },
      ['(edit Rollout "shop", release v1) abort: the old version is released again [4 stable, 1 canary]'],
    ],
    [
      'a promotion',
      'promote',
      ['(edit Rollout "shop", promote) step 2: setWeight [4 stable, 2 canary]', 'step 3: pause [4 stable, 2 canary]'],
    ],
  ])('pause the Rollout: %s changes routes, and no pods until it is resumed', (_, deed, lines) => {
    const pause = rollout({ spec: { paused: true } });
    const seen = told({}, V2, PAUSED, pause, deed).slice(4, -1);
    expect(seen.map((line) => `${line.split('] ')[0]}]`).slice(0, lines.length)).toEqual(lines);
  });

  it('edit steps before the release', () => {
    expect(
      told({}, rollout({ spec: { strategy: { canary: { steps: [{ setWeight: 40 }] } } } }), V2, at(0)).slice(1),
    ).toEqual([
      '(edit Rollout "shop", release v2) prepare 0: no pod of the new version is ready [4 stable, 0 canary] canary>stable stable>stable',
      'step 0: setWeight [4 stable, 2 canary] canary>canary stable>stable = 40 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('remove the action of an Ingress, and the controller writes it again', () => {
    expect(told({}, V2, PAUSED, ingress({ metadata: { annotations: null } })).slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(edit Ingress "shop") step 1: Ingress "shop" edited [4 stable, 1 canary] canary>canary stable>stable',
      'step 1: Ingress "shop" written again [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('edit what the controller does not write', () => {
    expect(told({}, V2, PAUSED, ingress({ metadata: { labels: { a: 'b' } } })).slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(edit Ingress "shop") step 1: Ingress "shop" edited [4 stable, 1 canary] canary>canary stable>stable',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('edit what does not exist', () => {
    expect(told({}, V2, PAUSED, service('shop-none', { metadata: { labels: { a: 'b' } } })).slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('edit an object before the release', () => {
    expect(told({}, ingress({ metadata: { labels: { a: 'b' } } }), V2, at(0)).slice(1)).toEqual([
      '(edit Ingress "shop") before: Ingress "shop" edited [4 stable, 0 canary] canary>stable stable>stable',
      '(release v2) prepare 0: no pod of the new version is ready [4 stable, 0 canary] canary>stable stable>stable',
      'step 0: setWeight [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('delete a Service that the Rollout names', () => {
    expect(told({}, V2, PAUSED, service('shop-canary', null), 'promote', 'abort').slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(delete Service "shop-canary") step 1: Service "shop-canary" deleted [4 stable, 1 canary] stable>stable',
      'stuck: Service "shop-canary" is gone, and Argo changes nothing until somebody creates it again',
    ]);
  });

  it('delete the Ingress', () => {
    expect(told({}, V2, PAUSED, ingress(null), 'promote').slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(delete Ingress "shop") step 1: Ingress "shop" deleted [4 stable, 1 canary] canary>canary stable>stable',
      'stuck: Ingress "shop" is gone, and Argo changes nothing until somebody creates it again',
    ]);
  });
});

describe('an analysis of a canary', () => {
  it('of a step that fails aborts', () => {
    expect(told(ANALYSIS, V2, { analysis: 'failed' }).slice(3)).toEqual([
      'step 1: analysis [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(an analysis fails) abort 1: aborted, and the steps begin again [4 stable, 1 canary] canary>stable stable>stable = 0 %',
      'abort 1: Service shop-canary goes to the new pods and back at each reconcile [4 stable, 1 canary] canary>canary stable>stable = 0 % for 30 s of abortScaleDownDelaySeconds',
      'abort 1: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('of a step that ends with an error aborts', () => {
    expect(told(ANALYSIS, V2, { analysis: 'error' }).slice(3)).toEqual([
      'step 1: analysis [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(an analysis ends with an error) abort 1: aborted, and the steps begin again [4 stable, 1 canary] canary>stable stable>stable = 0 %',
      'abort 1: Service shop-canary goes to the new pods and back at each reconcile [4 stable, 1 canary] canary>canary stable>stable = 0 % for 30 s of abortScaleDownDelaySeconds',
      'abort 1: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('of a step that is inconclusive waits there, and a promotion goes on', () => {
    expect(told(ANALYSIS, V2, { analysis: 'inconclusive' }, { watch: 99 }, 'promote').slice(3)).toEqual([
      'step 1: analysis [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(an analysis is inconclusive, promote) step 2: setWeight [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      'step 3: pause [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('in the background fails from its step on', () => {
    expect(
      told({ strategy: { analysis: { templates: [{ templateName: 'a' }], startingStep: 2 } } }, V2, PAUSED, 'promote', {
        analysis: 'failed',
      }).slice(5),
    ).toEqual([
      'step 3: pause [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      '(an analysis fails) abort 3: aborted, and the steps begin again [4 stable, 2 canary] canary>stable stable>stable = 0 %',
      'abort 3: Service shop-canary goes to the new pods and back at each reconcile [4 stable, 2 canary] canary>canary stable>stable = 0 % for 30 s of abortScaleDownDelaySeconds',
      'abort 3: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('in the background fails at the first step', () => {
    expect(told(BACKGROUND, V2, { analysis: 'failed' }).slice(2)).toEqual([
      'step 0: setWeight [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(an analysis fails) abort 0: aborted, and the steps begin again [4 stable, 1 canary] canary>stable stable>stable = 0 %',
      'abort 0: Service shop-canary goes to the new pods and back at each reconcile [4 stable, 1 canary] canary>canary stable>stable = 0 % for 30 s of abortScaleDownDelaySeconds',
      'abort 0: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('in the background that is inconclusive takes the pause with it', () => {
    expect(told(BACKGROUND, V2, { analysis: 'inconclusive' }).slice(2)).toEqual([
      'step 0: setWeight [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(an analysis is inconclusive) step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'stuck: an analysis is inconclusive, and it waits for somebody to promote it',
    ]);
  });

  it('in the background that is inconclusive at a pause waits there once', () => {
    expect(told(BACKGROUND, V2, PAUSED, { analysis: 'inconclusive' }, 'promote').slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(an analysis is inconclusive, promote) step 2: setWeight [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      'step 3: pause [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });
});

describe('ping and pong', () => {
  it('swap with each release', () => {
    expect(told({ route: 'alb-ping-pong' }, V2, 'finish', V3, PAUSED).slice(1)).toEqual([
      '(release v2) prepare 0: no pod of the new version is ready [4 stable, 0 canary] ping>stable pong>canary',
      'step 0: setWeight [4 stable, 1 canary] ping>stable pong>canary = 25 %',
      'step 1: pause [4 stable, 1 canary] ping>stable pong>canary = 25 %',
      '(promote) step 2: setWeight [4 stable, 2 canary] ping>stable pong>canary = 50 %',
      'step 3: pause [4 stable, 2 canary] ping>stable pong>canary = 50 %',
      '(promote) step 4: setWeight [4 stable, 3 canary] ping>stable pong>canary = 75 %',
      'finish: all steps are done [4 stable, 4 canary] ping>stable pong>canary = 100 %',
      'finish: the new version is stable [4 stable, 4 canary] ping>stable pong>canary = 100 % for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] ping>stable pong>canary = 100 %',
      '(release v3) prepare 0: no pod of the new version is ready [4 stable canary, 0 canary v3] ping>v3 pong>canary',
      'step 0: setWeight [4 stable canary, 1 canary v3] ping>v3 pong>canary = 25 %',
      'step 1: pause [4 stable canary, 1 canary v3] ping>v3 pong>canary = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('go back with an abort', () => {
    expect(told({ route: 'alb-ping-pong' }, V2, PAUSED, 'abort').slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] ping>stable pong>canary = 25 %',
      '(abort the Rollout) abort 1: aborted, and the steps begin again [4 stable, 1 canary] ping>stable pong>canary = 0 % for 30 s of abortScaleDownDelaySeconds',
      'abort 1: the new pods are gone [4 stable] ping>stable pong>canary = 0 %',
      'rolled back',
    ]);
  });

  it('go back with the old version', () => {
    expect(told({ route: 'alb-ping-pong' }, V2, PAUSED, V1).slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] ping>stable pong>canary = 25 %',
      '(release v1) abort: the old version is released again [4 stable, 1 canary] ping>stable pong>canary = 0 % for 30 s of scaleDownDelaySeconds',
      'abort: the new pods are gone [4 stable] ping>stable pong>canary = 0 %',
      'rolled back',
    ]);
  });

  it('select all pods when the Rollout is deleted', () => {
    expect(told({ route: 'alb-ping-pong' }, V2, PAUSED, 'delete').slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] ping>stable pong>canary = 25 %',
      '(delete the Rollout) finish: Service shop-ping selects all pods again [4 stable, 1 canary] pong>canary',
      'finish: Service shop-pong selects all pods again [4 stable, 1 canary]',
      'finish: the pods are deleted with the Rollout []',
      'stuck: the pods are deleted with the Rollout, so nobody answers',
    ]);
  });
});

describe('a canary with more pods than replicas', () => {
  const above = { steps: [{ setCanaryScale: { replicas: 6 } }, { setWeight: 50 }, { pause: {} }] };
  const kept = { replicas: 1, strategy: { minPodsPerReplicaSet: 2 } };
  const last = 'step 2: pause [4 stable, 6 canary] canary>canary stable>stable = 50 %';

  it('is stable after its last step', () => {
    expect(told(above, V2, 'finish').slice(4, 6)).toEqual([
      last,
      '(promote) finish: the new version is stable [4 stable, 4 canary] canary>canary stable>canary = 100 % for 30 s of scaleDownDelaySeconds',
    ]);
  });

  it('loses them first before 1.9', () => {
    expect(toldBefore19(above, V2, 'finish').slice(4, 6)).toEqual([
      last,
      '(promote) finish: all steps are done [4 stable, 4 canary] canary>canary stable>stable = 100 %',
    ]);
  });

  it.each([['finish'], ['promote-full']] as const)(
    'never ends before 1.9 where minPodsPerReplicaSet keeps them: %s',
    (deed) => {
      const end = 'stuck: the controller waits for exactly 1 ready pods, and minPodsPerReplicaSet keeps 2';
      expect(toldBefore19(kept, V2, PAUSED, deed, { watch: 10 }).at(-1)).toBe(end);
      expect(told(kept, V2, PAUSED, deed, { watch: 10 }).at(-1)).toBe('released');
    },
  );
});

describe('a canary without pods', () => {
  it('gets no weight when it is promoted fully', () => {
    const steps = [{ setCanaryScale: { replicas: 0 } }, { setWeight: 20 }, { pause: {} }];
    const { moments } = tell({ route: 'alb', steps }, [V2, PAUSED, 'promote-full']);
    const weights = moments.flatMap(({ world }) =>
      [...JSON.stringify(world.list('Ingress.networking.k8s.io')).matchAll(/shop-canary.{0,40}?Weight\\*":(\d+)/g)].map(
        ([, weight]) => weight,
      ),
    );
    expect(new Set(weights)).toEqual(new Set(['0']));
  });
});

describe('a canary that gets pods after its last step', () => {
  it('has the weight of that step with its first pod', () => {
    const steps = [{ setCanaryScale: { replicas: 0 } }, { setWeight: 80 }, { pause: {} }];
    expect(told({ steps }, V2, 'finish').slice(4, 7)).toEqual([
      '(promote) finish: no pod of the new version is ready [4 stable, 0 canary] canary>stable stable>stable',
      'finish: only one pod of the new version is ready [4 stable, 1 canary] canary>canary stable>stable',
      'finish: all steps are done [4 stable, 4 canary] canary>canary stable>stable = 100 %',
    ]);
  });
});

describe('a canary without a router', () => {
  const never: StoryAction = { release: 'v3', ready: 'never' };
  const lastOf = (options: Partial<StackOptions>, ...actions: StoryAction[]) =>
    told({ route: 'services', ...options }, V2, PAUSED, ...actions).at(-2);

  it('loses pods of the version before while those of the next one are not ready, as many as may be unavailable', () => {
    // Of 7 pods one may be unavailable.
    expect(lastOf({ replicas: 7, steps: [{ setWeight: 34 }, { pause: {} }] }, never)).toBe(
      '(release v3) prepare 0: no pod of the new version is ready [5 stable, 0 canary v3, 1 canary] canary>canary stable>stable',
    );
    expect(
      lastOf({ replicas: 2, steps: [{ setWeight: 5 }, { pause: {} }], strategy: { maxUnavailable: 1 } }, never),
    ).toBe(
      '(release v3) prepare 0: no pod of the new version is ready [2 stable, 0 canary v3] canary>canary stable>stable',
    );
  });

  it('keeps as many pods as must be available when it is promoted without a ready pod', () => {
    const one = { replicas: 2, strategy: { maxUnavailable: 1 } };
    expect(lastOf(one, never, 'promote-full')).toBe(
      '(fully promote the Rollout) finish: no pod of the new version is ready [1 stable, 0 canary v3] canary>canary stable>stable',
    );
  });

  it('has as many pods as the weights say', () => {
    expect(told({ route: 'none' }, V2, PAUSED).slice(1)).toEqual([
      // One of four pods may be unavailable.
      '(release v2) prepare 0: no pod of the new version is ready [3 stable, 0 canary]',
      'step 0: setWeight [3 stable, 1 canary] = 25 %',
      'step 1: pause [3 stable, 1 canary] = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('loses its pods with an abort at once', () => {
    expect(told({ route: 'none' }, V2, PAUSED, 'promote', 'abort').slice(4)).toEqual([
      '(promote) step 2: setWeight [2 stable, 2 canary] = 50 %',
      'step 3: pause [2 stable, 2 canary] = 50 %',
      '(abort the Rollout) abort 3: the new pods are gone [4 stable] = 0 %',
      'rolled back',
    ]);
  });

  it('ends with the pods of one version', () => {
    expect(told({ route: 'none' }, V2, PAUSED, 'promote-full').slice(3)).toEqual([
      'step 1: pause [3 stable, 1 canary] = 25 %',
      '(fully promote the Rollout) finish: the old pods are gone [0 stable, 4 canary]',
      'finish: the new version is stable [0 stable, 4 canary] = 100 %',
      'released',
    ]);
  });

  it('can be deleted', () => {
    expect(told({ route: 'none' }, V2, PAUSED, 'delete').slice(3)).toEqual([
      'step 1: pause [3 stable, 1 canary] = 25 %',
      '(delete the Rollout) finish: the pods are deleted with the Rollout []',
      'stuck: the pods are deleted with the Rollout, so nobody answers',
    ]);
  });
});

describe('an experiment', () => {
  it('has pods and Services from its step on', () => {
    expect(told(EXPERIMENT, V2, at(1), at(2)).slice(3)).toEqual([
      'step 1: experiment [4 stable, 1 canary, 1 canary canary-new, 2 stable stable-old] 1-new>canary-new 1-old>stable-old canary>canary stable>stable = 35 %',
      'step 1: the experiment is over [4 stable, 1 canary, 1 canary canary-new, 2 stable stable-old] 1-new>canary-new 1-old>stable-old canary>canary stable>stable = 25 %',
      'step 2: pause [4 stable, 1 canary, 1 canary canary-new, 2 stable stable-old] 1-new>canary-new 1-old>stable-old canary>canary stable>stable = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('is deleted with the Rollout', () => {
    expect(told(EXPERIMENT, V2, at(1), 'delete').at(-2)).toBe('finish: the pods are deleted with the Rollout []');
  });

  it('runs until somebody goes on where nothing else ends it', () => {
    expect(told(EXPERIMENT, V2, { watch: 60 }).at(-1)).toBe('stuck: it waits for somebody to promote it');
    expect(told(EXPERIMENT, V2, { watch: 60 }, 'promote').at(-2)).toContain('step 2: pause');
  });

  it('loses its Services with the old version', () => {
    expect(told(EXPERIMENT, V2, at(1), V1).slice(4)).toEqual([
      '(release v1) abort: the old version is released again [4 stable, 1 canary, 1 canary canary-new, 2 stable stable-old] 1-new>canary-new 1-old>stable-old canary>stable stable>stable = 0 % for 30 s of scaleDownDelaySeconds',
      'abort: the new pods are gone [4 stable, 1 canary canary-new, 2 stable stable-old] 1-new>canary-new 1-old>stable-old canary>stable stable>stable = 0 %',
      'abort: the pods of the experiment are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });
});

describe('what the controller writes', () => {
  const writes = (options: Partial<StackOptions>, ...actions: StoryAction[]) =>
    tell({ route: 'alb', ...options }, actions).moments.map(({ written }) =>
      written.map(({ kind, name }) => `${kind} ${name}`).join(', '),
    );

  it('is what changes with each moment of a release and of its abort', () => {
    expect(writes({}, V2, PAUSED, 'abort')).toEqual([
      'Service shop-stable, Service shop-canary, Ingress shop',
      '',
      'Service shop-canary, Ingress shop',
      '',
      'Service shop-canary, Ingress shop',
      'Service shop-canary',
      'Service shop-canary',
    ]);
  });

  it('includes the Services of experiments, made and removed', () => {
    expect(writes(EXPERIMENT, V2, at(2)).slice(3)).toEqual([
      'Service shop-1-new, Service shop-1-old, Ingress shop',
      'Ingress shop',
      '',
    ]);
    const aborted = writes(EXPERIMENT, V2, at(1), 'abort');
    expect([aborted[4], aborted.at(-1)]).toEqual([
      'Service shop-canary, Ingress shop',
      'Service shop-1-new, Service shop-1-old',
    ]);
  });

  it('is an Ingress that an edit has changed', () => {
    expect(writes({}, V2, PAUSED, ingress({ metadata: { annotations: null } })).slice(3)).toEqual([
      '',
      '',
      'Ingress shop',
    ]);
  });

  it('is nothing where the Rollout routes no traffic', () => {
    expect(writes({ route: 'none' }, V2, PAUSED, 'abort')).toEqual(['', '', '', '', '']);
  });
});
