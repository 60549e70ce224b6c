/** How canary releases go on, moment by moment. What real controllers do is in test/stage/recordings. */
import { describe, expect, it } from 'vitest';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
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
const at = (step: number): StoryAction => ({ until: { step } });
const TIMED = { steps: [{ setWeight: 25 }, { pause: { duration: 10 } }, { setWeight: 50 }] };
const DEADLINE = { spec: { progressDeadlineSeconds: 20, progressDeadlineAbort: true } };
const DYNAMIC = { strategy: { dynamicStableScale: true } };
const TEMPLATES = [
  { name: 'new', specRef: 'canary', weight: 10 },
  { name: 'old', specRef: 'stable', weight: 5, replicas: 2 },
];
const EXPERIMENT = { steps: [{ setWeight: 25 }, { experiment: { templates: TEMPLATES } }, { pause: {} }] };

const told = (options: Partial<StackOptions>, ...actions: StoryAction[]) =>
  linesOf(tell({ route: 'alb', ...options }, actions));

describe('a canary', () => {
  it('runs to the first pause', () => {
    expect(told({}, V2, PAUSED).slice(1)).toEqual([
      '(release v2) prepare 0: no pod of the new version is ready [4 stable, 0 canary] canary>stable stable>stable',
      'step 0: setWeight [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('goes on after a pause that ends by itself', () => {
    expect(told(TIMED, V2, PAUSED, HEALTHY).slice(2)).toEqual([
      'step 0: setWeight [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'step 2: setWeight [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      'finish: all steps are done [4 stable, 4 canary] canary>canary stable>stable = 100 %',
      'finish: the new version is stable [4 stable, 4 canary] canary>canary stable>canary = 100 % for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] canary>canary stable>canary = 100 %',
      'released',
    ]);
  });

  it('goes to a step, and not further', () => {
    expect(told({}, V2, at(0), at(1), at(3), 'promote', at(3)).slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'step 2: setWeight [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      'step 3: pause [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      '(promote) step 4: setWeight [4 stable, 3 canary] canary>canary stable>stable = 75 %',
      'finish: all steps are done [4 stable, 4 canary] canary>canary stable>stable = 100 %',
      'finish: the new version is stable [4 stable, 4 canary] canary>canary stable>canary = 100 % for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] canary>canary stable>canary = 100 %',
      'released',
    ]);
  });

  it('is promoted pause after pause', () => {
    expect(told({}, V2, PAUSED, 'promote', 'promote').slice(4)).toEqual([
      '(promote) step 2: setWeight [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      'step 3: pause [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      '(promote) step 4: setWeight [4 stable, 3 canary] canary>canary stable>stable = 75 %',
      'finish: all steps are done [4 stable, 4 canary] canary>canary stable>stable = 100 %',
      'finish: the new version is stable [4 stable, 4 canary] canary>canary stable>canary = 100 % for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] canary>canary stable>canary = 100 %',
      'released',
    ]);
  });

  it('is promoted at pauses only', () => {
    expect(told(TIMED, V2, at(0), 'promote', at(2), 'promote').slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'step 2: setWeight [4 stable, 2 canary] canary>canary stable>stable = 50 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('is promoted at once', () => {
    expect(
      told({ strategy: { scaleDownDelaySeconds: 7 } }, V2, PAUSED, 'promote-full', 'promote-full', 'abort').slice(3),
    ).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(fully promote the Rollout) finish: all new pods are ready [4 stable, 4 canary] canary>canary stable>stable',
      'finish: the new version is stable [4 stable, 4 canary] canary>canary stable>canary = 100 % for 7 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] canary>canary stable>canary = 100 %',
      'released',
    ]);
  });

  it('is promoted at once with few stable pods', () => {
    expect(told(DYNAMIC, V2, PAUSED, 'promote-full').slice(3)).toEqual([
      'step 1: pause [3 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(fully promote the Rollout) finish: all new pods are ready [3 stable, 4 canary] canary>canary stable>stable',
      'finish: the new version is stable [0 stable, 4 canary] canary>canary stable>canary = 100 %',
      'released',
    ]);
  });

  it('is promoted at once during an experiment', () => {
    expect(told(EXPERIMENT, V2, at(1), 'promote-full').slice(4)).toEqual([
      '(fully promote the Rollout) finish: all new pods are ready [4 stable, 4 canary, 1 canary canary-new, 2 stable stable-old] 1-new>canary-new 1-old>stable-old canary>canary stable>stable',
      'finish: the new version is stable [4 stable, 4 canary, 1 canary canary-new, 2 stable stable-old] 1-new>canary-new 1-old>stable-old canary>canary stable>canary = 100 % for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary, 1 canary canary-new, 2 stable stable-old] 1-new>canary-new 1-old>stable-old canary>canary stable>canary = 100 %',
      'finish: the pods of the experiment are gone [4 canary] canary>canary stable>canary = 100 %',
      'released',
    ]);
  });

  it('ends where the old pods stay', () => {
    expect(told({ strategy: { scaleDownDelaySeconds: 0 } }, V2, PAUSED, 'promote-full').slice(4)).toEqual([
      '(fully promote the Rollout) finish: all new pods are ready [4 stable, 4 canary] canary>canary stable>stable',
      'finish: the new version is stable, and the old pods stay [4 stable, 4 canary] canary>canary stable>canary = 100 %',
      'released',
    ]);
  });

  it('has no effect of promotions before it, nor of an abort', () => {
    expect(told({}, 'promote', 'abort', 'retry', 'promote-full', V2, at(0)).slice(1)).toEqual([
      '(release v2) prepare 0: no pod of the new version is ready [4 stable, 0 canary] canary>stable stable>stable',
      'step 0: setWeight [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });
});

describe('an abort of a canary', () => {
  it('takes the weight back, and the Service moves until the new pods are gone', () => {
    expect(told({}, V2, PAUSED, 'abort').slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(abort the Rollout) abort 1: aborted, and the steps begin again [4 stable, 1 canary] canary>stable stable>stable = 0 %',
      'abort 1: Service shop-canary goes to the new pods and back at each reconcile [4 stable, 1 canary] canary>canary stable>stable = 0 % for 30 s of abortScaleDownDelaySeconds',
      'abort 1: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('can be retried', () => {
    expect(told({}, V2, PAUSED, 'abort', 'retry', PAUSED).slice(6)).toEqual([
      'abort 1: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      '(retry the Rollout) prepare 0: no pod of the new version is ready [4 stable, 0 canary] canary>stable stable>stable',
      'step 0: setWeight [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('is not repeated, and no retry comes before it', () => {
    expect(told({}, V2, PAUSED, 'retry', 'abort', 'abort', 'promote').slice(6)).toEqual([
      'abort 1: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('ends with a full promotion, at once for all users', () => {
    expect(told({}, V2, PAUSED, 'abort', 'promote-full').slice(7)).toEqual([
      '(fully promote the Rollout) finish: all new pods are ready [4 stable, 4 canary] canary>canary stable>stable',
      'finish: the new version is stable [4 stable, 4 canary] canary>canary stable>canary = 100 % for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] canary>canary stable>canary = 100 %',
      'released',
    ]);
  });

  it('before any pod is ready has no pods to remove', () => {
    expect(told({}, V2_NEVER, 'abort').slice(2)).toEqual([
      '(abort the Rollout) abort 0: aborted, and the steps begin again [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('during an experiment removes its Services at the end', () => {
    expect(told(EXPERIMENT, V2, at(1), 'abort').slice(3)).toEqual([
      'step 1: experiment [4 stable, 1 canary, 1 canary canary-new, 2 stable stable-old] 1-new>canary-new 1-old>stable-old canary>canary stable>stable = 35 %',
      '(abort the Rollout) abort 1: aborted, and the steps begin again [4 stable, 1 canary, 1 canary canary-new, 2 stable stable-old] 1-new>canary-new 1-old>stable-old canary>stable stable>stable = 0 %',
      'abort 1: Service shop-canary goes to the new pods and back at each reconcile [4 stable, 1 canary, 1 canary canary-new, 2 stable stable-old] 1-new>canary-new 1-old>stable-old canary>canary stable>stable = 0 % for 30 s of abortScaleDownDelaySeconds',
      'abort 1: the new pods are gone [4 stable, 1 canary canary-new, 2 stable stable-old] 1-new>canary-new 1-old>stable-old canary>stable stable>stable = 0 %',
      'abort 1: the pods of the experiment are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('brings the stable pods back before the weight is 0', () => {
    expect(told(DYNAMIC, V2, PAUSED, 'promote', 'abort').slice(5)).toEqual([
      'step 3: pause [2 stable, 2 canary] canary>canary stable>stable = 50 %',
      '(abort the Rollout) abort 3: aborted, and not all stable pods are back yet [2 stable, 2 canary] canary>canary stable>stable',
      'abort 3: aborted, and the stable pods for the weight of an earlier step are back [3 stable, 1 canary] canary>canary stable>stable',
      'abort 3: aborted, and the steps begin again [4 stable, 1 canary] canary>stable stable>stable = 0 %',
      'abort 3: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('after the last step is at the last step', () => {
    expect(
      told({ steps: [{ setWeight: 25 }, { pause: {} }] }, V2, PAUSED, 'abort', { watch: 700 }, 'retry', 'finish').slice(
        6,
      ),
    ).toEqual([
      'abort 1: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      '(retry the Rollout) prepare 0: no pod of the new version is ready [4 stable, 0 canary] canary>stable stable>stable',
      'step 0: setWeight [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(promote) finish: all steps are done [4 stable, 4 canary] canary>canary stable>stable = 100 %',
      'finish: the new version is stable [4 stable, 4 canary] canary>canary stable>canary = 100 % for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] canary>canary stable>canary = 100 %',
      'released',
    ]);
  });

  it('keeps the new pods for good where the delay is 0 and the first step scales them', () => {
    const strategy = { abortScaleDownDelaySeconds: 0 };
    const steps = [{ setCanaryScale: { replicas: 2 } }, { setWeight: 25 }, { pause: {} }];
    expect(told({ strategy, steps }, V2, PAUSED, 'abort').slice(-4)).toEqual([
      '(abort the Rollout) abort 2: aborted, and the steps begin again [4 stable, 2 canary] canary>stable stable>stable = 0 %',
      'abort 2: Service shop-canary goes to the new pods and back at each reconcile [4 stable, 2 canary] canary>canary stable>stable = 0 %',
      'abort 2: the new pods stay, as the first step scales them [4 stable, 2 canary] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
    const weighted = [{ setWeight: 25 }, { pause: {} }];
    expect(told({ strategy, steps: weighted }, V2, PAUSED, 'abort').slice(-3)).toEqual([
      '(abort the Rollout) abort 1: aborted, and the steps begin again [4 stable, 1 canary] canary>stable stable>stable = 0 %',
      'abort 1: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('comes with the deadline', () => {
    expect(told(DEADLINE, V2_NEVER, { watch: 20 }).slice(2)).toEqual([
      'abort 0: aborted, and the steps begin again [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('does not come before the deadline, and people can skip the step', () => {
    expect(told(DEADLINE, V2_NEVER, { watch: 19 }, 'promote', 'finish').slice(2)).toEqual([
      '(promote) step 1: pause [4 stable, 0 canary] canary>stable stable>stable',
      '(promote) prepare 2: no pod of the new version is ready [4 stable, 0 canary] canary>stable stable>stable',
      'stuck: no pod of the new version becomes ready',
    ]);
  });

  it('does not come with a pause', () => {
    expect(told(DEADLINE, V2, PAUSED, { watch: 100 }).slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('does not come without progressDeadlineAbort', () => {
    expect(told({ spec: { progressDeadlineSeconds: 20 } }, V2_NEVER, { watch: 20 }).slice(2)).toEqual([
      'stuck: no pod of the new version becomes ready',
    ]);
  });
});

describe('another version of a canary', () => {
  it('is the old one, which has everything at once', () => {
    expect(told({}, V2, PAUSED, V1).slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(release v1) abort: the old version is released again [4 stable, 1 canary] canary>stable stable>stable = 0 % for 30 s of scaleDownDelaySeconds',
      'abort: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('is the old one with dynamicStableScale: the weight and the canary Service wait for the old pods', () => {
    const dynamic = { strategy: { dynamicStableScale: true }, spec: { replicas: 8 } };
    const story = tell({ route: 'alb', ...dynamic }, [V2, PAUSED, 'promote', PAUSED, V1]);
    const isBack = (line: string) => line.includes('is released again');
    expect(linesOf(story).filter(isBack)).toEqual([
      '(release v1) abort 3: the old version is released again, and not all of its pods are back yet [4 stable, 4 canary] canary>canary stable>stable',
      'abort: the old version is released again [8 stable] canary>stable stable>stable = 0 %',
    ]);
    const action = ['metadata', 'annotations', 'alb.ingress.kubernetes.io/actions.shop-stable'];
    const weights = story.moments.map(
      ({ world }) => /"Weight":(\d+)/.exec(`${world.list('Ingress.networking.k8s.io')[0]!.get(action)}`)?.[1],
    );
    expect(weights.slice(-3)).toEqual(['50', '50', '0']);
  });

  it('is the old one, before the new one has pods', () => {
    expect(told({}, V2_NEVER, V1).slice(2)).toEqual([
      '(release v1) abort: the old version is released again [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('is the old one after an abort', () => {
    expect(told({}, V2, PAUSED, 'abort', V1).slice(6)).toEqual([
      'abort 1: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      '(release v1) abort: the old version is released again [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('is a third one, which begins at the first step, while the pods of the second stay until it has some', () => {
    expect(told({}, V2, PAUSED, V3, PAUSED).slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(release v3) prepare 0: no pod of the new version is ready [4 stable, 0 canary v3, 1 canary] canary>canary stable>stable',
      'step 0: setWeight [4 stable, 1 canary v3] canary>v3 stable>stable = 25 %',
      'step 1: pause [4 stable, 1 canary v3] canary>v3 stable>stable = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('is a third one without pods, and ping-pong leaves none to the second', () => {
    expect(told({ route: 'alb-ping-pong' }, V2, PAUSED, V3_NEVER).at(-2)).toBe(
      '(release v3) prepare 0: no pod of the new version is ready [4 stable, 0 canary v3] ping>stable pong>v3',
    );
  });

  it('is a third one without pods, which is aborted', () => {
    expect(told({}, V2, PAUSED, V3_NEVER, 'abort').slice(3)).toEqual([
      'step 1: pause [4 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(release v3) prepare 0: no pod of the new version is ready [4 stable, 0 canary v3, 1 canary] canary>canary stable>stable',
      '(abort the Rollout) abort 0: aborted, and the steps begin again [4 stable, 1 canary] canary>stable stable>stable = 0 %',
      'abort 0: the pods of the version in between are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('is a third one without pods, and the old one comes after it', () => {
    expect(told({}, V2, PAUSED, V3_NEVER, V1).slice(4)).toEqual([
      '(release v3) prepare 0: no pod of the new version is ready [4 stable, 0 canary v3, 1 canary] canary>canary stable>stable',
      '(release v1) abort: the old version is released again [4 stable, 1 canary] canary>stable stable>stable = 0 % for 30 s of scaleDownDelaySeconds',
      'abort: the new pods are gone [4 stable] canary>stable stable>stable = 0 %',
      'rolled back',
    ]);
  });

  it('keeps the weight of the one before, with dynamicStableScale', () => {
    expect(told(DYNAMIC, V2, PAUSED, V3_NEVER).slice(3)).toEqual([
      'step 1: pause [3 stable, 1 canary] canary>canary stable>stable = 25 %',
      '(release v3) prepare 0: no pod of the new version is ready [3 stable, 0 canary v3, 1 canary] canary>canary stable>stable',
      'stuck: no pod of the new version becomes ready',
    ]);
  });

  it('is the one of before, after the release: a release like any', () => {
    expect(told({}, V2, 'finish', V1, PAUSED).slice(9)).toEqual([
      'finish: the old pods are gone [4 canary] canary>canary stable>canary = 100 %',
      '(release v1) step 0: setWeight [4 stable canary, 1 canary stable] canary>stable stable>canary = 25 %',
      'step 1: pause [4 stable canary, 1 canary stable] canary>stable stable>canary = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('within the rollback window skips all steps', () => {
    expect(told({ spec: { rollbackWindow: { revisions: 2 } } }, V2, 'finish', V1, PAUSED).slice(9)).toEqual([
      'finish: the old pods are gone [4 canary] canary>canary stable>canary = 100 %',
      '(release v1) finish: all steps are done [4 stable canary, 4 canary stable] canary>stable stable>canary = 100 %',
      'finish: the new version is stable [4 stable canary, 4 canary stable] canary>stable stable>stable = 100 % for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary stable] canary>stable stable>stable = 100 %',
      'released',
    ]);
  });

  it('is new, and skips no step within the rollback window', () => {
    expect(told({ spec: { rollbackWindow: { revisions: 2 } } }, V2, 'finish', V3, at(0)).slice(9)).toEqual([
      'finish: the old pods are gone [4 canary] canary>canary stable>canary = 100 %',
      '(release v3) prepare 0: no pod of the new version is ready [4 stable canary, 0 canary v3] canary>canary stable>canary',
      'step 0: setWeight [4 stable canary, 1 canary v3] canary>v3 stable>canary = 25 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });
});

describe('header routes of a release that is taken back', () => {
  it('go with it, also where the controller keeps them without pods', () => {
    const match = [{ headerName: 'x-beta', headerValue: { exact: '1' } }];
    const steps = [{ setCanaryScale: { replicas: 1 } }, { setHeaderRoute: { name: 'beta', match } }, { pause: {} }];
    const routing = { managedRoutes: [{ name: 'beta' }] };
    for (const release of ['1.7.2', '1.9.1']) {
      const version = ArgoRolloutsVersion.of(release);
      const annotated = (...actions: StoryAction[]) =>
        tell({ route: 'alb', steps, routing }, actions, { version })
          .moments.at(-1)!
          .world.list('Ingress.networking.k8s.io')
          .flatMap(({ annotations }) => Object.keys(annotations).filter((key) => key.endsWith('.beta')));
      expect(annotated(V2, PAUSED)).toEqual([
        'alb.ingress.kubernetes.io/actions.beta',
        'alb.ingress.kubernetes.io/conditions.beta',
      ]);
      expect(annotated(V2, PAUSED, V1)).toEqual([]);
      expect(annotated(V2, PAUSED, 'abort')).toEqual([]);
      expect(annotated(V2, PAUSED, 'promote-full')).toEqual([]);
    }
  });
});
