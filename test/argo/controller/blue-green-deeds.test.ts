/** What people, analyses and load balancers do to blue-green releases. What real controllers do is in test/stage/recordings. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core';
import type { StoryAction } from '../../../src/release';
import type { StackOptions } from '../../stage/labs/argo/stack';
import { linesOf, tell } from './told';

const ANALYSIS = { templates: [{ templateName: 'shop' }] };
const V2: StoryAction = { release: 'v2' };
const V3: StoryAction = { release: 'v3' };
const PAUSED: StoryAction = { until: { phase: 'Paused' } };
const HEALTHY: StoryAction = { until: { phase: 'Healthy' } };
const service = (name: string, change: object | null): StoryAction => ({
  patch: { apiVersion: 'v1', kind: 'Service', name, with: change as JsonObject | null },
});
const rollout = (change: object | null): StoryAction => ({
  patch: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'shop', with: change as JsonObject | null },
});

const told = (options: Partial<StackOptions>, ...actions: StoryAction[]) =>
  linesOf(tell({ route: 'blueGreen', ...options }, actions));

describe('people who change objects', () => {
  it('delete the Rollout: both Services select all pods, and nothing has an effect after it', () => {
    expect(told({}, V2, PAUSED, 'delete', V3, 'promote', 'abort', 'retry').slice(3)).toEqual([
      '(delete the Rollout) finish: Service shop-active selects all pods again [4 stable, 4 canary] preview>canary = 0 %',
      'finish: Service shop-preview selects all pods again [4 stable, 4 canary] = 0 %',
      'finish: the pods are deleted with the Rollout [] = 0 %',
      'stuck: the pods are deleted with the Rollout, so nobody answers',
    ]);
  });

  it('delete the Rollout with a patch', () => {
    expect(told({}, V2, PAUSED, rollout(null)).slice(3)).toEqual([
      '(delete Rollout "shop") finish: Service shop-active selects all pods again [4 stable, 4 canary] preview>canary = 0 %',
      'finish: Service shop-preview selects all pods again [4 stable, 4 canary] = 0 %',
      'finish: the pods are deleted with the Rollout [] = 0 %',
      'stuck: the pods are deleted with the Rollout, so nobody answers',
    ]);
  });

  it('scale both versions', () => {
    expect(told({}, V2, PAUSED, { scale: 7 }, 'finish').slice(3)).toEqual([
      '(scale to 7 pods) prepare: scaled to 7 pods [7 stable, 7 canary] active>stable preview>canary = 0 %',
      '(promote) finish: Service shop-active selects the new pods [7 stable, 7 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [7 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('scale the old version, while there are few previews', () => {
    expect(told({ strategy: { previewReplicaCount: 1 } }, V2, PAUSED, { scale: 7 }, 'finish').slice(3)).toEqual([
      '(scale to 7 pods) prepare: scaled to 7 pods [7 stable, 1 canary] active>stable preview>canary = 0 %',
      '(promote) prepare: the new pods are ready [7 stable, 7 canary] active>stable preview>canary = 0 % preview 1',
      'finish: Service shop-active selects the new pods [7 stable, 7 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [7 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('scale the new version too, once it has all pods', () => {
    const strategy = { previewReplicaCount: 1, postPromotionAnalysis: ANALYSIS };
    expect(told({ strategy }, V2, PAUSED, 'promote', { scale: 7 })[5]).toBe(
      '(scale to 7 pods) prepare: scaled to 7 pods [7 stable, 7 canary] active>canary preview>canary = 100 %',
    );
  });

  it('release the version that runs, and no pod goes', () => {
    expect(told({}, { release: 'v1' }, { until: { phase: 'Healthy' } }).slice(1)).toEqual([
      '(release v1) prepare: the pods of this version are still there [4 canary stable] active>stable preview>stable = 0 % preview 1',
      'finish: Service shop-active selects the new pods [4 canary stable] active>stable preview>stable = 0 % preview 1',
      'released',
    ]);
  });

  it('scale after the release', () => {
    expect(told({}, V2, 'finish', { watch: 30 }, { scale: 7 }).slice(5)).toEqual([
      '(scale to 7 pods) finish: scaled to 7 pods [7 canary] active>canary preview>canary = 100 %',
      'released',
    ]);
  });

  it('scale with a patch of the Rollout', () => {
    expect(told({}, V2, PAUSED, rollout({ spec: { replicas: 2 } }), 'promote').slice(3)).toEqual([
      '(edit Rollout "shop") prepare: scaled to 2 pods [2 stable, 2 canary] active>stable preview>canary = 0 %',
      '(promote) finish: Service shop-active selects the new pods [2 stable, 2 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [2 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('pause the Rollout and give it other pods: the pods follow, and the Services do when it is resumed', () => {
    const pause = (paused: boolean) => rollout({ spec: { paused } });
    expect(told({}, V2, PAUSED, rollout({ spec: { replicas: 2, paused: true } })).slice(3)).toEqual([
      '(edit Rollout "shop") prepare: scaled to 2 pods [2 stable, 2 canary] active>stable preview>canary = 0 %',
      'stuck: the Rollout is paused',
    ]);
    expect(
      told({}, V2, PAUSED, pause(true), V3, pause(false))
        .slice(3)
        .map((line) => line.split(' [')[0]),
    ).toEqual([
      '(edit Rollout "shop", release v3) prepare: no pod of the new version is ready',
      '(edit Rollout "shop") prepare: the Rollout is resumed, and the Services follow',
      'prepare: the pods of the version before are gone',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('promote by an edit: without a pause the Service switches at once', () => {
    const automatic = rollout({ spec: { strategy: { blueGreen: { autoPromotionEnabled: true } } } });
    expect(
      told({}, V2, PAUSED, automatic, { watch: 5 })
        .slice(3)
        .map((line) => line.split(' [')[0]),
    ).toEqual([
      '(edit Rollout "shop") finish: Service shop-active selects the new pods',
      'finish: the old pods are gone',
      'released',
    ]);
  });

  it('edit what Argo finds invalid: nobody can promote or abort until somebody corrects it', () => {
    const antiAffinity = (value: unknown) => rollout({ spec: { strategy: { blueGreen: { antiAffinity: value } } } });
    const stuck = told({}, V2, PAUSED, antiAffinity({}), 'promote', 'abort').slice(3);
    expect(stuck).toHaveLength(1);
    expect(stuck[0]).toMatch(/^stuck: the edit makes the Rollout invalid, .*antiAffinity/);
    expect(told({}, V2, PAUSED, antiAffinity({}), antiAffinity(null), 'finish').at(-1)).toBe('released');
    expect(told({}, V2, PAUSED, antiAffinity('all'), 'finish').at(-1)).toMatch(
      /^refused: the API server refuses the edit: .*antiAffinity/,
    );
  });

  it('take a selector away, and the controller writes it again', () => {
    expect(told({}, V2, PAUSED, service('shop-active', { spec: { selector: null } })).slice(3)).toEqual([
      '(edit Service "shop-active") prepare: Service "shop-active" edited [4 stable, 4 canary] preview>canary = 0 %',
      'prepare: Service "shop-active" written again [4 stable, 4 canary] active>stable preview>canary = 0 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('take the selector of the preview away, and the controller writes it again', () => {
    expect(told({}, V2, PAUSED, service('shop-preview', { spec: { selector: null } })).slice(3)).toEqual([
      '(edit Service "shop-preview") prepare: Service "shop-preview" edited [4 stable, 4 canary] active>stable = 0 %',
      'prepare: Service "shop-preview" written again [4 stable, 4 canary] active>stable preview>canary = 0 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('edit what the controller does not write', () => {
    expect(told({}, V2, PAUSED, service('shop-active', { metadata: { labels: { a: 'b' } } })).slice(3)).toEqual([
      '(edit Service "shop-active") prepare: Service "shop-active" edited [4 stable, 4 canary] active>stable preview>canary = 0 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('patch other fields of the Rollout, which is not told', () => {
    expect(told({}, V2, PAUSED, rollout({ metadata: { labels: { a: 'b' } } })).slice(3)).toEqual([
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('edit what does not exist, without effect', () => {
    expect(told({}, V2, PAUSED, service('shop-none', { metadata: { labels: { a: 'b' } } })).slice(3)).toEqual([
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('delete a Service of the Rollout, and nothing goes on', () => {
    expect(told({}, V2, PAUSED, service('shop-active', null), 'promote', 'abort', 'promote-full', V3).slice(3)).toEqual(
      [
        '(delete Service "shop-active") prepare: Service "shop-active" deleted [4 stable, 4 canary] preview>canary = 0 %',
        'stuck: Service "shop-active" is gone, and Argo changes nothing until somebody creates it again',
      ],
    );
  });

  it('delete a Service before the release, without a moment of its own', () => {
    expect(told({}, service('shop-active', null), V2).slice(1)).toEqual([
      '(delete Service "shop-active", release v2) prepare: no pod of the new version is ready [4 stable] preview>canary = 0 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });
});

describe('an analysis', () => {
  it('before the switch that fails takes the release back', () => {
    expect(
      told({ strategy: { autoPromotionEnabled: true, prePromotionAnalysis: ANALYSIS } }, V2, {
        analysis: 'failed',
      }).slice(3),
    ).toEqual([
      '(an analysis fails) abort: aborted [4 stable, 4 canary] active>stable preview>canary = 0 % for 30 s of abortScaleDownDelaySeconds',
      'abort: the new pods are gone [4 stable] active>stable preview>canary = 0 %',
      'rolled back',
    ]);
  });

  it('before the switch that ends with an error takes the release back', () => {
    expect(told({ strategy: { prePromotionAnalysis: ANALYSIS } }, V2, { analysis: 'error' }).slice(3)).toEqual([
      '(an analysis ends with an error) abort: aborted [4 stable, 4 canary] active>stable preview>canary = 0 % for 30 s of abortScaleDownDelaySeconds',
      'abort: the new pods are gone [4 stable] active>stable preview>canary = 0 %',
      'rolled back',
    ]);
  });

  it('before the switch that is inconclusive waits, and a promotion goes on', () => {
    expect(
      told(
        { strategy: { autoPromotionEnabled: true, prePromotionAnalysis: ANALYSIS } },
        V2,
        { analysis: 'inconclusive' },
        'promote',
      ).slice(3),
    ).toEqual([
      '(an analysis is inconclusive, promote) finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('before the switch that is inconclusive waits again at the pause', () => {
    expect(
      told({ strategy: { prePromotionAnalysis: ANALYSIS } }, V2, { analysis: 'inconclusive' }, 'promote').slice(3),
    ).toEqual(['stuck: it waits for somebody to promote it']);
  });

  it('that is not there cannot fail', () => {
    expect(told({}, V2, PAUSED, { analysis: 'failed' }).slice(3)).toEqual([
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('after the switch runs before the old pods go', () => {
    expect(
      told({ strategy: { postPromotionAnalysis: ANALYSIS } }, V2, PAUSED, 'promote', {
        until: { phase: 'Degraded' },
      }).slice(3),
    ).toEqual([
      '(promote) finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1',
      'stuck: it waits for somebody to promote it',
    ]);
  });

  it('after the switch that is inconclusive waits with the new version', () => {
    expect(
      told({ strategy: { postPromotionAnalysis: ANALYSIS } }, V2, PAUSED, 'promote', {
        analysis: 'inconclusive',
      }).slice(3),
    ).toEqual([
      '(promote) finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1',
      'stuck: an analysis is inconclusive, and it waits for somebody to promote it',
    ]);
  });

  it('after the switch that is inconclusive and promoted ends the release', () => {
    expect(
      told(
        { strategy: { postPromotionAnalysis: ANALYSIS } },
        V2,
        PAUSED,
        'promote',
        { analysis: 'inconclusive' },
        'promote',
      ).slice(4),
    ).toEqual([
      '(an analysis is inconclusive, promote) finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('after the switch that fails takes the active Service back', () => {
    expect(
      told({ strategy: { postPromotionAnalysis: ANALYSIS } }, V2, PAUSED, 'promote', { analysis: 'failed' }).slice(3),
    ).toEqual([
      '(promote) finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1',
      '(an analysis fails) abort: aborted, and Service shop-active selects the old pods [4 stable, 4 canary] active>stable preview>canary = 0 % for 30 s of abortScaleDownDelaySeconds',
      'abort: the new pods are gone [4 stable] active>stable preview>canary = 0 %',
      'rolled back',
    ]);
  });

  it('before the switch runs with few previews', () => {
    expect(
      told({ strategy: { previewReplicaCount: 1, prePromotionAnalysis: ANALYSIS } }, V2, { analysis: 'failed' }).slice(
        3,
      ),
    ).toEqual([
      '(an analysis fails) abort: aborted [4 stable, 1 canary] active>stable preview>canary = 0 % for 30 s of abortScaleDownDelaySeconds',
      'abort: the new pods are gone [4 stable] active>stable preview>canary = 0 %',
      'rolled back',
    ]);
  });

  it('before the switch does not run with all pods, if there were few previews', () => {
    expect(
      told({ strategy: { previewReplicaCount: 1, prePromotionAnalysis: ANALYSIS } }, V2, PAUSED, 'promote', {
        analysis: 'failed',
      }).slice(3),
    ).toEqual([
      '(promote) prepare: the new pods are ready [4 stable, 4 canary] active>stable preview>canary = 0 % preview 1',
      'finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('has no effect after the release', () => {
    expect(
      told({ strategy: { postPromotionAnalysis: ANALYSIS } }, V2, 'finish', { analysis: 'failed' }).slice(3),
    ).toEqual([
      '(promote) finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1 for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });
});

describe('a load balancer that registers no pod', () => {
  const keeps: StoryAction = { loadBalancer: 'keeps-targets' };
  const follows: StoryAction = { loadBalancer: 'follows' };
  const verified = (...actions: StoryAction[]) => linesOf(tell({ route: 'blueGreen' }, actions, { verifies: true }));
  const waits = 'stuck: it waits until the pods of Service "shop-active" are in its target group';

  it('holds a release after the switch, where the controller verifies', () => {
    expect(verified(V2, PAUSED, keeps, 'promote', { watch: 600 }, 'finish').slice(3)).toEqual([
      '(the load balancer registers no pod any more, promote) finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 % preview 1',
      waits,
    ]);
  });

  it('lets it go on when it takes over everything', () => {
    expect(verified(V2, PAUSED, keeps, 'promote', follows, HEALTHY).slice(4)).toEqual([
      '(the load balancer takes over everything again) finish: the load balancer has everything [4 stable, 4 canary] active>canary preview>canary = 100 % for 30 s of scaleDownDelaySeconds',
      'finish: the old pods are gone [4 canary] active>canary preview>canary = 100 % preview 1',
      'released',
    ]);
  });

  it('holds nothing where nobody verifies', () => {
    expect(told({}, V2, PAUSED, keeps, 'promote').at(-1)).toBe('released');
  });

  it('holds nothing where it keeps weights only', () => {
    expect(verified(V2, PAUSED, { loadBalancer: 'keeps-weights' }, 'promote').at(-1)).toBe('released');
  });

  it('has everything again before the switch, and after an abort', () => {
    expect(verified(V2, PAUSED, keeps, follows).slice(3)).toEqual([
      '(the load balancer registers no pod any more, the load balancer takes over everything again) finish: the load balancer has everything [4 stable, 4 canary] active>stable preview>canary = 0 %',
      'stuck: it waits for somebody to promote it',
    ]);
    expect(verified(V2, PAUSED, keeps, 'abort', follows).slice(4)[0]).toBe(
      '(the load balancer takes over everything again) abort: the load balancer has everything [4 stable, 4 canary] active>stable preview>canary = 0 % for 30 s of abortScaleDownDelaySeconds',
    );
    expect(verified(keeps, follows)).toEqual([expect.stringContaining('before: idle'), 'released']);
  });

  it('is told as the cluster is after it takes over everything', () => {
    const served = (...actions: StoryAction[]) =>
      tell({ route: 'blueGreen' }, actions).moments.map((moment) => 'served' in moment);
    expect(served(V2, PAUSED, keeps, 'promote')).toEqual([false, false, false, true, true]);
    expect(served(V2, PAUSED, keeps, 'promote', follows)).toEqual([false, false, false, true, false]);
  });

  it('does not hold a full promotion, and its end does not end the wait of an analysis', () => {
    expect(verified(V2, PAUSED, keeps, 'promote-full').at(-1)).toBe('released');
    const before = { route: 'blueGreen', strategy: { prePromotionAnalysis: ANALYSIS } } as const;
    const waiting: StoryAction[] = [V2, { analysis: 'inconclusive' }, keeps, follows];
    expect(linesOf(tell(before, waiting, { verifies: true })).at(-1)).toBe(
      'stuck: an analysis is inconclusive, and it waits for somebody to promote it',
    );
  });
});

describe('a release that waits for somebody because of an analysis', () => {
  const ANALYSED = { strategy: { prePromotionAnalysis: ANALYSIS }, spec: { progressDeadlineAbort: true } };
  const waits = 'stuck: an analysis is inconclusive, and it waits for somebody to promote it';

  it('goes on after a full promotion', () => {
    const full = told(ANALYSED, V2, { analysis: 'inconclusive' }, 'promote-full').slice(3);
    expect(full[0]).toContain('fully promote the Rollout) finish: Service shop-active selects the new pods');
    expect(full.at(-1)).toBe('released');
  });

  it.each<[string, StoryAction]>([
    ['time', { watch: 6000 }],
    ['a list of promotions', 'finish'],
    ['a look at its phase', PAUSED],
  ])('waits on after %s', (_, action) => {
    const told3 = told(ANALYSED, V2, { analysis: 'inconclusive' }, action).slice(3);
    expect(told3).toEqual([waits]);
  });

  it('is over with another version, whose promotion comes after its pods', () => {
    expect(told(ANALYSED, V2, { analysis: 'inconclusive' }, V3, 'promote').slice(4)).toEqual([
      'prepare: the pods of the version before are gone [4 stable] active>stable preview>v3 = 0 %',
      'stuck: it waits for somebody to promote it',
    ]);
  });
});
