import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../src/core';
import { autoscaled, autoscalerOf, boundsOf } from '../../src/release/autoscaler';
import { distinctMatches, type Match, summaryOf, summaryOfAll } from '../../src/release/match';
import type { Moment, ReleasePlay } from '../../src/release/moment';
import { notPlayed } from '../../src/release/not-played';
import { selectedPods, selectorOf } from '../../src/release/pods';
import type { Release } from '../../src/release/release';
import { percent, whenOf } from '../../src/release/words';

describe('the conditions of a match in words', () => {
  it.each<[Match, string]>([
    [{ path: { value: '/cart' } }, '/cart'],
    [{ path: {} }, '/'],
    [{ headers: [{ name: 'user-agent', value: 'pc' }] }, 'user-agent: pc'],
    [{ queryParams: [{ name: 'v', value: '2' }] }, '?v=2'],
    [
      {
        path: { value: '/a' },
        headers: [
          { name: 'h', value: '1' },
          { name: 'i', value: '2' },
        ],
        queryParams: [{ name: 'v', value: '2' }],
      },
      '/a, h: 1, i: 2, ?v=2',
    ],
    [{}, 'empty match'],
    [{ headers: [], queryParams: [] }, 'empty match'],
  ])('of %j are %s', (match, words) => expect(summaryOf(match)).toBe(words));

  it('are alternatives, each of them once', () => {
    const [a, b]: Match[] = [{ headers: [{ name: 'h', value: '1' }] }, { queryParams: [{ name: 'v', value: '2' }] }];
    expect(summaryOfAll([a!, b!])).toBe('h: 1 or ?v=2');
    expect(distinctMatches([a!, b!, { ...a! }])).toEqual([a, b]);
  });
});

describe('an autoscaler', () => {
  const autoscaler = (spec: object, namespace = 'shop') =>
    Manifest.of({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web', namespace },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ...spec },
    });
  const web = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

  it('is that of a workload by group, kind, name and namespace', () => {
    const own = autoscaler({ maxReplicas: 3 });
    const world = World.of([own]);
    expect(autoscalerOf(world, web, 'shop')).toBe(own);
    // The version does not count.
    expect(autoscalerOf(world, { ...web, apiVersion: 'apps/v1beta1' }, 'shop')).toBe(own);
    expect(autoscalerOf(world, { ...web, apiVersion: 'apps.kruise.io/v1' }, 'shop')).toBeUndefined();
    expect(autoscalerOf(world, { ...web, kind: 'StatefulSet' }, 'shop')).toBeUndefined();
    expect(autoscalerOf(world, { ...web, name: 'api' }, 'shop')).toBeUndefined();
    expect(autoscalerOf(world, web, 'other')).toBeUndefined();
    expect(autoscalerOf(world, { ...web, name: 'pweb' }, 'sho')).toBeUndefined();
  });

  it.each([
    [
      { minReplicas: 2, maxReplicas: 5 },
      { min: 2, max: 5 },
    ],
    [{ maxReplicas: 5 }, { min: 1, max: 5 }],
    [{ minReplicas: 4 }, { min: 4, max: 4 }],
    [
      { minReplicas: 4, maxReplicas: 2 },
      { min: 4, max: 4 },
    ],
    [{}, { min: 1, max: 1 }],
  ])('with %j has the bounds %j', (spec, bounds) => expect(boundsOf(autoscaler(spec))).toEqual(bounds));

  it.each([
    [1, 2],
    [3, 3],
    [9, 5],
    // It never wakes up a workload without pods.
    [0, 0],
  ])('makes %i pods %i', (replicas, expected) => {
    expect(autoscaled(replicas, autoscaler({ minReplicas: 2, maxReplicas: 5 }))).toBe(expected);
    expect(autoscaled(replicas, undefined)).toBe(replicas);
  });
});

describe('the pods that a Service selects', () => {
  it('are selected by labels that are texts', () => {
    expect(selectorOf({ spec: { selector: { app: 'web', tier: 1, none: null } } })).toEqual({ app: 'web' });
    expect(selectorOf({ spec: {} })).toEqual({});
    expect(selectorOf({ spec: null })).toEqual({});
    expect(selectorOf({ spec: { selector: 'app' } })).toEqual({});
  });

  const labelled = [
    { revision: 'stable', replicas: 3, labels: { app: 'web', version: '1' } },
    { revision: 'canary', replicas: 2, labels: { app: 'web', version: '2' } },
    { revision: 'stable', replicas: 4, labels: { app: 'web', version: '1' } },
  ] as const;
  it.each([
    [{ app: 'web' }, { stable: 7, canary: 2 }],
    [
      { app: 'web', version: '2' },
      { stable: 0, canary: 2 },
    ],
    [{ app: 'api' }, { stable: 0, canary: 0 }],
    [{}, { stable: 7, canary: 2 }],
  ])('%j by their labels', (selector, counts) => expect(selectedPods(selector, labelled, 'hash')).toEqual(counts));

  const unknown = [
    { revision: 'stable', replicas: 3 },
    { revision: 'canary', hash: 'abc', replicas: 2 },
  ] as const;
  it.each([
    [{ app: 'anything' }, { stable: 3, canary: 2 }],
    [
      { app: 'anything', hash: 'stable' },
      { stable: 3, canary: 0 },
    ],
    [{ hash: 'abc' }, { stable: 0, canary: 2 }],
    [{ hash: 'canary' }, { stable: 0, canary: 0 }],
  ])('%j by their revision alone where labels are not known', (selector, counts) =>
    expect(selectedPods(selector, unknown, 'hash')).toEqual(counts),
  );
});

describe('words of shares and moments', () => {
  it.each([
    [0.2, '20%'],
    [1 / 3, '33.3%'],
    [0, '0%'],
    [1, '100%'],
    [0.9996, '100%'],
  ])('%d is %s', (share, words) => expect(percent(share)).toBe(words));

  it.each<[Pick<Moment, 'phase' | 'step' | 'event'>, string]>([
    [{ phase: 'before', event: 'e' }, 'before the release'],
    [{ phase: 'prepare', event: 'e' }, 'before the switch (e)'],
    [{ phase: 'prepare', step: 0, event: 'e' }, 'before steps[0] takes effect (e)'],
    [{ phase: 'step', step: 2, event: 'e' }, 'at steps[2]'],
    [{ phase: 'step', event: 'e' }, 'at steps[0]'],
    [{ phase: 'finish', event: 'e' }, 'at the end of the release (e)'],
    [{ phase: 'abort', event: 'e' }, 'on a rollback (e)'],
    [{ phase: 'abort', step: 1, event: 'e' }, 'on a rollback at steps[1] (e)'],
  ])('%j is %s', (moment, words) => expect(whenOf(moment)).toBe(words));
});

describe('a release that is not played', () => {
  it('has the state before it and the reason, and no error', () => {
    const world = World.of([]);
    const moments = ['before', 'step'].map((phase) => ({
      phase,
      event: phase,
      world,
      pods: [],
    })) as unknown as Moment[];
    const stop = { class: 'x', message: 'y', step: 0, remark: { rule: 'rehearsal-refused' } } as const;
    const played: ReleasePlay = { moments, revisionLabel: 'hash', stop: stop as never };
    const reason = { rule: 'rehearsal-refused', message: 'm', path: [] } as never;
    const release = notPlayed({ style: 'canary', play: () => played } as unknown as Release, reason);
    expect(release.notPlayed).toBe(reason);
    expect(release.style).toBe('canary');
    expect(release.play(world)).toEqual({ moments: [moments[0]], revisionLabel: 'hash' });
  });
});
