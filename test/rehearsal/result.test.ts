/** What reports get of a release, from a controller that plays moments as they are given. */
import { describe, expect, it } from 'vitest';
import { type JsonObject, Manifest, type ObjectRef, World } from '../../src/core';
import { rehearse } from '../../src/rehearsal';
import type { Moment, PodGroup, Release, ReleaseController, ReleasePlay, ToldStory } from '../../src/release';

const RELEASE = Manifest.of({
  apiVersion: 'example.com/v1',
  kind: 'Release',
  metadata: { name: 'web', namespace: 'shop' },
});
const object = (kind: string, name: string, spec: object = {}): Manifest =>
  Manifest.of({ apiVersion: 'v1', kind, metadata: { name, namespace: 'shop' }, spec: spec as JsonObject });
const service = (name: string, selector: object) => object('Service', name, { selector });
const pods = (stable: number, canary = 0): PodGroup[] => [
  { revision: 'stable', replicas: stable, labels: { app: 'web', hash: 'stable' } },
  { revision: 'canary', replicas: canary, labels: { app: 'web', hash: 'canary' } },
];
const EMPTY = World.of([]);

type Parts = Partial<Moment>;
const moment = (parts: Parts = {}): Moment => ({ phase: 'step', event: 'event', world: EMPTY, pods: [], ...parts });
const idle = (parts: Parts = {}) => moment({ phase: 'before', ...parts });

interface Given extends Partial<Release> {
  readonly moments?: readonly Moment[];
  readonly told?: readonly Moment[];
  readonly story?: Partial<ToldStory>;
  readonly play?: never;
  readonly more?: Partial<ReleasePlay>;
}

function rehearsalOf({ moments = [idle()], told, story, more, ...release }: Given) {
  const traffic = {
    namespace: 'shop',
    path: ['spec'],
    stableService: 'web',
    canaryService: 'web-canary',
    objects: [],
    names: ['web'],
    notReached: { rule: 'rehearsal-incomplete' as const, message: 'not reached' },
  };
  const made: Release = {
    manifest: RELEASE,
    namespace: 'shop',
    style: 'own',
    path: ['spec'],
    steps: [],
    traffic,
    needs: [],
    matches: [],
    ...release,
    play: () => ({ moments, revisionLabel: 'hash', ...more }),
    ...(told && {
      tell: () => [{ name: 'mine', end: 'released' as const, moments: told, ...story }],
    }),
  };
  const controller = { name: 'own', reads: [], rules: {}, releasesOf: () => [made] } as unknown as ReleaseController;
  const stories = told === undefined ? [] : [{ name: 'mine', actions: [] }];
  return rehearse(World.of([RELEASE]), { controllers: [controller], stories })[0]!;
}

describe('who makes the next moment of a story', () => {
  const steps = [
    { path: ['a'], trafficPath: ['a'], approval: 'approve' as const },
    { path: ['b'], trafficPath: ['b'], lasts: { seconds: 60, field: 'pause' } },
    { path: ['c'], trafficPath: ['c'], lasts: { seconds: 0, field: 'pause' } },
  ];
  const next = (told: readonly Moment[], more: Given = {}) =>
    rehearsalOf({ steps, told, ...more }).stories![0]!.moments.map((each) => each.next);
  const at = (step: number, parts: Parts = {}) => moment({ step, ...parts });

  it('is a person who approves, at the last moment of a step', () => {
    expect(next([idle(), at(0), at(1)])[1]).toEqual({ who: 'person', does: ['approve'] });
    expect(next([idle(), at(0), at(0), at(1)]).slice(1, 3)).toEqual([
      { who: 'controller' },
      { who: 'person', does: ['approve'] },
    ]);
    expect(next([idle(), at(0), moment({ phase: 'finish' })])[1]).toEqual({ who: 'person', does: ['approve'] });
  });

  it('is whoever does what is done, before all else', () => {
    expect(next([idle(), at(0), at(1, { did: ['release v3'] })])[1]).toEqual({ who: 'person', does: ['release v3'] });
    expect(next([idle(), at(1, { did: ['an analysis fails'] })])[0]).toEqual({
      who: 'analysis',
      does: ['an analysis fails'],
    });
    const follows = 'the load balancer takes over everything again';
    expect(next([idle(), at(1, { did: [follows] })])[0]).toEqual({ who: 'load balancer', does: [follows] });
    expect(next([idle(), at(1, { did: [follows, 'promote'] })])[0]).toMatchObject({ who: 'person' });
    expect(next([idle(), at(1, { did: ['promote', 'an analysis fails'] })])[0]).toMatchObject({ who: 'analysis' });
  });

  it('is the time that a step or a moment lasts', () => {
    expect(next([idle(), at(1), at(2)])[1]).toEqual({ who: 'time', seconds: 60, field: 'pause' });
    expect(next([idle(), at(1, { lasts: { seconds: 5, field: 'own' } }), at(2)])[1]).toEqual({
      who: 'time',
      seconds: 5,
      field: 'own',
    });
    expect(next([idle(), at(2), moment({ phase: 'finish' })])[1]).toEqual({ who: 'controller' });
  });

  it('is the grace of the controller outside of steps, but not before the release', () => {
    const grace = { seconds: 30, field: 'grace' };
    const finish = moment({ phase: 'finish' });
    expect(next([idle(), moment({ phase: 'prepare' }), at(2), finish, finish], { grace })).toEqual([
      { who: 'controller' },
      { who: 'time', seconds: 30, field: 'grace' },
      { who: 'controller' },
      { who: 'time', seconds: 30, field: 'grace' },
      undefined,
    ]);
  });

  it('is a person where the story is stuck, and nobody where it is over', () => {
    expect(next([idle(), at(1)], { story: { end: 'stuck', why: 'it waits' } }).at(-1)).toEqual({
      who: 'person',
      does: [],
    });
    expect(next([idle(), at(1)], { story: { end: 'rolled back' } }).at(-1)).toBeUndefined();
    expect(next([idle(), at(1)]).at(-1)).toBeUndefined();
  });
});

describe('a story', () => {
  it('has its name, its end, and why it ends so', () => {
    const told = [idle(), moment({ step: 0, did: ['promote'], versions: { canary: 'v3' } })];
    const stop = {
      class: 'own',
      message: 'broken',
      step: 2,
      remark: { rule: 'rehearsal-incomplete' as const, message: '' },
    };
    const [story] = rehearsalOf({ told, story: { end: 'stuck', why: 'it waits', stop } }).stories!;
    expect(story).toMatchObject({
      name: 'mine',
      end: 'stuck',
      why: 'it waits',
      stopped: { class: 'own', message: 'broken', step: 2 },
    });
    expect(story!.moments.map(({ did, versions }) => [did, versions])).toEqual([
      [undefined, { stable: 'v1', canary: 'v2' }],
      [['promote'], { canary: 'v3' }],
    ]);
    const [plain] = rehearsalOf({ told }).stories!;
    expect(Object.keys(plain!).sort()).toEqual(['end', 'moments', 'name']);
  });

  it('has the pods of each version, as a share of those before the release', () => {
    const capacity = (...told: Moment[]) => rehearsalOf({ told }).stories![0]!.moments.map((each) => each.capacity);
    expect(capacity(idle({ pods: pods(4) }), moment({ pods: pods(4, 1) }), moment({ pods: pods(0, 8) }))).toEqual([
      { v1: 1 },
      { v1: 1, v2: 0.25 },
      { v2: 2 },
    ]);
    const third: PodGroup[] = [
      { revision: 'stable', hash: 'aaa', replicas: 2 },
      { revision: 'canary', hash: 'bbb', replicas: 1 },
      { revision: 'canary', hash: 'ccc', replicas: 1 },
    ];
    const versions = { aaa: 'v5', canary: 'v6' };
    expect(capacity(idle({ pods: pods(4) }), moment({ pods: third, versions })).at(-1)).toEqual({ v5: 0.5, v6: 0.5 });
    expect(capacity(idle({ pods: pods(4) }), moment({ pods: third, versions: {} })).at(-1)).toEqual({
      stable: 0.5,
      canary: 0.5,
    });
    expect(capacity(idle({ pods: pods(0) }), moment({ pods: pods(4) }))).toEqual([{}, {}]);
  });

  it('has the pods behind Services: its own always, and others that select some', () => {
    const world = World.of([
      service('web', { app: 'web' }),
      service('web-canary', { app: 'web', hash: 'canary' }),
      service('extra', { app: 'nobody' }),
      service('other', { app: 'nobody' }),
      service('shared', { app: 'web' }),
      object('Service', 'open', {}),
    ]);
    const told = [idle({ world, pods: pods(4) }), moment({ world, pods: pods(3, 1) })];
    const [story] = rehearsalOf({ told, more: { otherServices: ['extra'] } }).stories!;
    expect(story!.moments.map((each) => each.pods)).toEqual([
      [
        { service: 'extra', versions: {} },
        { service: 'shared', versions: { v1: 4 } },
        { service: 'web', versions: { v1: 4 } },
        { service: 'web-canary', versions: {} },
      ],
      [
        { service: 'extra', versions: {} },
        { service: 'shared', versions: { v1: 3, v2: 1 } },
        { service: 'web', versions: { v1: 3, v2: 1 } },
        { service: 'web-canary', versions: { v2: 1 } },
      ],
    ]);
  });
});

describe('what changes between moments', () => {
  const ref = (kind: string, name: string): ObjectRef => ({ apiVersion: 'v1', kind, name, namespace: 'shop' });
  const a = object('Service', 'a', { n: 1 });
  const [b, c] = [object('Service', 'b', { n: 1 }), object('Service', 'c', { n: 1 })];
  const a2 = object('Service', 'a', { n: 2 });
  const changes = (...moments: Moment[]) =>
    rehearsalOf({ moments }).moments.map((each) =>
      each.changes.map(({ action, object: one }) => `${action} ${one.kind} ${one.name}`),
    );

  it('is what is created, changed and deleted, with the objects before and after', () => {
    const [, step] = rehearsalOf({
      moments: [idle({ world: World.of([a, b]) }), moment({ step: 0, world: World.of([a2, c]) })],
    }).moments;
    expect(step!.changes).toStrictEqual([
      { object: a2.ref, action: 'changed', before: a.object, after: a2.object },
      { object: c.ref, action: 'created', after: c.object },
      { object: b.ref, action: 'deleted', before: b.object },
    ]);
  });

  it('is in the order in which it was written, and what nobody wrote is last', () => {
    const written = [ref('Service', 'c'), ref('Service', 'b')];
    const world = World.of([a2, c]);
    expect(changes(idle({ world: World.of([a, b]) }), moment({ step: 0, world, written }))[1]).toEqual([
      'created Service c',
      'deleted Service b',
      'changed Service a',
    ]);
  });

  it('is nothing where an object is the same, and pods are left out', () => {
    const same = Manifest.of(structuredClone(a.object) as JsonObject);
    const pod = object('Pod', 'p');
    expect(changes(idle({ world: World.of([a]) }), moment({ step: 0, world: World.of([same, pod]) }))).toEqual([
      [],
      [],
    ]);
    const own = Manifest.of({ apiVersion: 'own.example.com/v1', kind: 'Pod', metadata: { name: 'p' } });
    expect(changes(idle(), moment({ step: 0, world: World.of([own]) }))[1]).toEqual(['created Pod p']);
  });

  it('goes through the states in between', () => {
    const passed = [{ world: World.of([c]), written: [ref('Service', 'c')] }];
    expect(changes(idle(), moment({ step: 0, world: World.of([a, c]), passed, written: [] }))[1]).toEqual([
      'created Service c',
      'created Service a',
    ]);
  });

  it('is, after an abort, what differs from the step that was aborted', () => {
    const all = changes(
      idle(),
      moment({ step: 0, world: World.of([a]) }),
      moment({ step: 1, world: World.of([a, b]) }),
      moment({ phase: 'finish', world: World.of([b]) }),
      moment({ phase: 'abort', step: 0, world: World.of([a2]) }),
      moment({ phase: 'abort', step: 0, world: World.of([]) }),
    );
    expect(all).toEqual([
      [],
      ['created Service a'],
      ['created Service b'],
      ['deleted Service a'],
      ['changed Service a'],
      ['deleted Service a'],
    ]);
  });
});

describe('a rehearsal', () => {
  it('has the titles and the phases of its moments', () => {
    const moments = [
      idle(),
      moment({ phase: 'prepare', event: 'wait' }),
      moment({ phase: 'prepare', step: 1, event: 'wait' }),
      moment({ step: 1, summary: '20%' }),
      moment({ event: 'pause' }),
      moment({ phase: 'finish', event: 'done' }),
      moment({ phase: 'abort', event: 'back', step: 1 }),
    ];
    expect(rehearsalOf({ moments }).moments.map(({ phase, step, title }) => [phase, step, title])).toEqual([
      ['before', undefined, 'before'],
      ['prepare', undefined, 'prepare: wait'],
      ['prepare', 1, 'steps[1]: wait'],
      ['step', 1, 'steps[1]: 20%'],
      ['step', undefined, 'steps[0]: pause'],
      ['finish', undefined, 'end: done'],
      ['abort', 1, 'rollback: back'],
    ]);
  });

  it('names its release, its Services, and where it stopped', () => {
    const remark = { rule: 'rehearsal-controller-stuck' as const, message: 'it stopped' };
    const stop = { class: 'own', message: 'broken', step: 0, remark };
    expect(rehearsalOf({ more: { stop } })).toMatchObject({
      rollout: RELEASE.ref,
      style: 'own',
      stableService: 'web',
      canaryService: 'web-canary',
      loadBalancers: [],
      requests: [],
      stopped: { class: 'own', message: 'broken', step: 0 },
      findings: [{ rule: 'rehearsal-controller-stuck', message: 'it stopped' }],
    });
    expect(rehearsalOf({})).not.toHaveProperty('stopped');
    expect(rehearsalOf({})).not.toHaveProperty('stories');
    expect(rehearsalOf({})).not.toHaveProperty('source');
  });
});
