/** Rollouts and TrafficRoutings as the checks and the plays read them, in full. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../src/core';
import {
  honoursPause,
  percentOf,
  ROLLOUT,
  type RolloutSubject,
  readRollout,
  rolloutsOf,
  TRAFFIC_ROUTING,
  trafficRoutingsOf,
} from '../../src/kruise/subject';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { rollout, rolloutV1alpha1 } from './rules/stack';

const { V0_5_5, V0_6_0, V0_6_2 } = KruiseRolloutVersion;
const read = (object: object, version = V0_6_2): RolloutSubject => readRollout(Manifest.of(object), 'shop', version);
const withSpec = (spec: object, apiVersion = 'v1beta1') => ({
  apiVersion: `rollouts.kruise.io/${apiVersion}`,
  kind: 'Rollout',
  metadata: { name: 'web', namespace: 'shop' },
  spec,
});
const CANARY = ['spec', 'strategy', 'canary'];
const WORKLOAD = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

describe('a Rollout', () => {
  it('has a workload, steps and a route', () => {
    const object = rollout();
    const manifest = Manifest.of(object);
    const path = [...CANARY, 'trafficRoutings', 0];
    const steps = [
      { traffic: '20%', replicas: '20%' },
      { traffic: '100%', replicas: '100%' },
    ];
    expect(readRollout(manifest, 'shop', V0_6_2)).toStrictEqual({
      manifest,
      namespace: 'shop',
      v1alpha1: false,
      style: 'canary',
      strategy: { path: CANARY, object: object.spec.strategy.canary },
      workload: { path: ['spec', 'workloadRef'], ref: WORKLOAD },
      steps: steps.map((step, index) => ({
        index,
        object: step,
        path: [...CANARY, 'steps', index],
        percent: [20, 100][index],
        hasMatches: false,
        routes: true,
        replicas: step.replicas,
      })),
      route: {
        manifest,
        namespace: 'shop',
        path,
        service: 'web',
        canaryService: 'web-canary',
        makesCanaryService: true,
        ingress: { path: [...path, 'ingress'], name: 'web', classType: 'nginx' },
        customNetworkRefs: [],
      },
    });
  });

  it('of v1alpha1 has its workload elsewhere', () => {
    const { workload, v1alpha1, style, steps } = read(rolloutV1alpha1({ steps: [{ weight: 20 }] }));
    expect(workload).toEqual({ path: ['spec', 'objectRef', 'workloadRef'], ref: WORKLOAD });
    expect([v1alpha1, style]).toEqual([true, 'canary']);
    expect(steps).toStrictEqual([
      { index: 0, object: { weight: 20 }, path: [...CANARY, 'steps', 0], percent: 20, hasMatches: false, routes: true },
    ]);
  });

  it('of a wrong shape has nothing', () => {
    for (const spec of [{}, { strategy: 5 }, { strategy: { canary: [] } }]) {
      const { manifest: _manifest, ...rest } = read(withSpec(spec));
      expect(rest).toStrictEqual({
        namespace: 'shop',
        v1alpha1: false,
        style: 'partition',
        strategy: { path: CANARY, object: {} },
        steps: [],
      });
    }
    expect(read(withSpec({ workloadRef: {} })).workload?.ref).toEqual({ apiVersion: '', kind: '', name: '' });
    expect(read(withSpec({ workloadRef: { apiVersion: 1, kind: 2, name: 3 } })).workload?.ref).toEqual({
      apiVersion: '',
      kind: '',
      name: '',
    });
    expect(read(withSpec({ workloadRef: 'web' }))).not.toHaveProperty('workload');
  });

  const styled = (strategy: object, workloadRef: object = WORKLOAD) => withSpec({ workloadRef, strategy });
  const extra = { enableExtraWorkloadForCanary: true };
  it.each<[what: string, object: object, version: KruiseRolloutVersion, style: string]>([
    ['with a canary workload', styled({ canary: extra }), V0_6_2, 'canary'],
    ['without one', styled({ canary: {} }), V0_6_2, 'partition'],
    ['with one that is no boolean', styled({ canary: { enableExtraWorkloadForCanary: 'true' } }), V0_6_2, 'partition'],
    [
      'with a canary workload of another kind',
      styled({ canary: extra }, { ...WORKLOAD, kind: 'StatefulSet' }),
      V0_6_2,
      'partition',
    ],
    [
      'with a canary workload of another group',
      styled({ canary: extra }, { ...WORKLOAD, apiVersion: 'apps/v1beta1' }),
      V0_6_2,
      'partition',
    ],
    ['with a canary workload and no workload', withSpec({ strategy: { canary: extra } }), V0_6_2, 'partition'],
    ['blue-green', styled({ blueGreen: {} }), V0_6_0, 'blueGreen'],
    ['blue-green before 0.6', styled({ blueGreen: {} }), V0_5_5, 'partition'],
    ['both', styled({ blueGreen: {}, canary: extra }), V0_6_2, 'canary'],
    ['blue-green, and a canary that is no object', styled({ blueGreen: {}, canary: 1 }), V0_6_2, 'blueGreen'],
    ['blue-green that is no object', styled({ blueGreen: 1 }), V0_6_2, 'partition'],
    [
      'blue-green in v1alpha1',
      withSpec({ objectRef: { workloadRef: WORKLOAD }, strategy: { blueGreen: {} } }, 'v1alpha1'),
      V0_6_2,
      'canary',
    ],
  ])('is of a style: %s', (_, object, version, style) => {
    expect(read(object, version).style).toBe(style);
  });

  it.each<[annotation: string | undefined, style: string]>([
    [undefined, 'canary'],
    ['', 'canary'],
    ['canary', 'canary'],
    ['anything', 'canary'],
    ['partition', 'partition'],
    ['Partition', 'partition'],
  ])('of v1alpha1 is of the style of its annotation %j: %s', (annotation, style) => {
    const annotations = annotation === undefined ? undefined : { 'rollouts.kruise.io/rolling-style': annotation };
    expect(read(rolloutV1alpha1({}, annotations)).style).toBe(style);
  });

  it.each<[step: unknown, expected: object]>([
    [{}, { hasMatches: false, routes: false }],
    [{ traffic: '20%' }, { percent: 20, hasMatches: false, routes: true }],
    [{ traffic: '+20%' }, { percent: 20, hasMatches: false, routes: true }],
    [{ traffic: '0%' }, { percent: 0, hasMatches: false, routes: true }],
    [{ traffic: '20' }, { hasMatches: false, routes: true }],
    [{ traffic: 'x20%' }, { hasMatches: false, routes: true }],
    [{ traffic: '20%x' }, { hasMatches: false, routes: true }],
    [{ traffic: '1000000000%' }, { hasMatches: false, routes: true }],
    [{ traffic: 20 }, { hasMatches: false, routes: true }],
    [{ weight: 20 }, { percent: 20, hasMatches: false, routes: true }],
    [{ weight: 2.5 }, { hasMatches: false, routes: true }],
    [{ weight: '20' }, { hasMatches: false, routes: true }],
    [
      { traffic: '30%', weight: 20 },
      { percent: 30, hasMatches: false, routes: true },
    ],
    [{ matches: [{}] }, { hasMatches: true, routes: true }],
    [{ matches: [] }, { hasMatches: false, routes: false }],
    [{ matches: 'x' }, { hasMatches: false, routes: false }],
    [{ replicas: 3 }, { hasMatches: false, routes: false, replicas: 3 }],
    [{ replicas: '3%' }, { hasMatches: false, routes: false, replicas: '3%' }],
    [{ replicas: true }, { hasMatches: false, routes: false }],
    ['text', { hasMatches: false, routes: false }],
  ])('has a step %j', (step, expected) => {
    const [found] = read(rollout({ steps: [step as object] })).steps;
    const { index: _index, object: _object, path: _path, ...rest } = found!;
    expect(rest).toStrictEqual(expected);
  });

  const routed = (route: object, strategy: object = {}, version = V0_6_2) => {
    const {
      manifest: _manifest,
      namespace: _namespace,
      path: _path,
      ...rest
    } = read(rollout({ route, strategy }), version).route!;
    return rest;
  };
  const PATH = [...CANARY, 'trafficRoutings', 0];
  const MADE = { canaryService: 'web-canary', makesCanaryService: true };

  it.each<[route: object, expected: object]>([
    [{ service: 'web' }, { service: 'web', ...MADE, customNetworkRefs: [] }],
    [{}, { service: '', ...MADE, canaryService: '-canary', customNetworkRefs: [] }],
    [
      { service: 'web', gracePeriodSeconds: 0 },
      { service: 'web', ...MADE, gracePeriodSeconds: 0, customNetworkRefs: [] },
    ],
    [
      { service: 'web', gracePeriodSeconds: '5' },
      { service: 'web', ...MADE, customNetworkRefs: [] },
    ],
    [
      { service: 'web', ingress: {} },
      {
        service: 'web',
        ...MADE,
        ingress: { path: [...PATH, 'ingress'], name: '', classType: '' },
        customNetworkRefs: [],
      },
    ],
    [
      { service: 'web', ingress: 'web', gateway: 'web' },
      { service: 'web', ...MADE, customNetworkRefs: [] },
    ],
    [
      { service: 'web', gateway: { httpRouteName: 'a' } },
      { service: 'web', ...MADE, gateway: { path: [...PATH, 'gateway'], httpRouteName: 'a' }, customNetworkRefs: [] },
    ],
    [
      { service: 'web', gateway: {} },
      { service: 'web', ...MADE, gateway: { path: [...PATH, 'gateway'], httpRouteName: '' }, customNetworkRefs: [] },
    ],
    [
      { service: 'web', customNetworkRefs: [{ apiVersion: 'a/v1', kind: 'B', name: 'c', more: 1 }, 'x'] },
      {
        service: 'web',
        ...MADE,
        customNetworkRefs: [
          { path: [...PATH, 'customNetworkRefs', 0], ref: { apiVersion: 'a/v1', kind: 'B', name: 'c' } },
          { path: [...PATH, 'customNetworkRefs', 1], ref: { apiVersion: '', kind: '', name: '' } },
        ],
      },
    ],
  ])('has a route %j', (route, expected) => {
    expect(routed(route)).toStrictEqual(expected);
  });

  it('makes no canary Service where that is off, which v1alpha1 and old releases do not know', () => {
    const off = { disableGenerateCanaryService: true };
    const none = { service: 'web', canaryService: 'web', makesCanaryService: false, customNetworkRefs: [] };
    const made = { service: 'web', ...MADE, customNetworkRefs: [] };
    expect(routed({ service: 'web' }, off)).toStrictEqual(none);
    expect(routed({ service: 'web' }, { disableGenerateCanaryService: 'true' })).toStrictEqual(made);
    expect(routed({ service: 'web' }, off, V0_5_5)).toStrictEqual(made);
    expect(read(rolloutV1alpha1({ ...off, trafficRoutings: [{ service: 'web' }] })).route?.makesCanaryService).toBe(
      true,
    );
  });

  it('has the first of several routes, if it is an object', () => {
    const strategy = { trafficRoutings: [{ service: 'a' }, { service: 'b' }] };
    expect(read(rollout({ strategy })).route?.service).toBe('a');
    expect(read(rollout({ strategy: { trafficRoutings: ['a'] } }))).not.toHaveProperty('route');
    expect(read(rollout({ strategy: { trafficRoutings: 'a' } }))).not.toHaveProperty('route');
  });
});

describe('the pause of a step', () => {
  const of = (replicas: unknown, options: object = {}) => {
    const subject = read(rollout({ steps: [{ replicas: '100%' }, { replicas } as object], ...options }));
    return [honoursPause(subject, 0), honoursPause(subject, 1)];
  };
  it('is honoured, but not on a last step of all pods, except in blue-green style', () => {
    expect(of('50%')).toEqual([true, true]);
    expect(of('100%')).toEqual([true, false]);
    expect(of(100)).toEqual([true, true]);
    expect(of(undefined)).toEqual([true, true]);
    expect(of('100%', { blueGreen: true })).toEqual([true, true]);
    expect(honoursPause({ steps: [], style: 'canary' }, 0)).toBe(true);
  });
});

describe('a World', () => {
  const routing = (name: string, objectRef: unknown) => ({
    apiVersion: 'rollouts.kruise.io/v1alpha1',
    kind: 'TrafficRouting',
    metadata: { name, namespace: 'shop' },
    spec: { objectRef },
  });

  it('has Rollouts, read once for each release', () => {
    const world = World.of([rollout(), rollout({ name: 'b' })].map((each) => Manifest.of(each)));
    expect(rolloutsOf(world, V0_6_2).map(({ manifest }) => manifest.name)).toEqual(['b', 'web']);
    expect(rolloutsOf(world, V0_6_2)).toBe(rolloutsOf(world, V0_6_2));
    expect(rolloutsOf(world, V0_5_5)).not.toBe(rolloutsOf(world, V0_6_2));
    expect([ROLLOUT, TRAFFIC_ROUTING]).toEqual(['Rollout.rollouts.kruise.io', 'TrafficRouting.rollouts.kruise.io']);
  });

  it('has the routes of TrafficRoutings, whose Service has no copy', () => {
    const objects = [routing('a', [{ service: 'web' }]), routing('b', ['x']), routing('c', undefined)];
    const manifests = objects.map((each) => Manifest.of(each));
    const world = World.of(manifests);
    expect(trafficRoutingsOf(world)).toStrictEqual([
      {
        manifest: manifests[0],
        namespace: 'shop',
        path: ['spec', 'objectRef', 0],
        service: 'web',
        canaryService: 'web',
        makesCanaryService: false,
        customNetworkRefs: [],
      },
    ]);
    expect(trafficRoutingsOf(world)).toBe(trafficRoutingsOf(world));
  });
});

describe('a percentage', () => {
  it.each([
    ['20%', 20],
    ['+20%', 20],
    ['0%', 0],
    ['2.5%', undefined],
    ['20', undefined],
    ['', undefined],
    [3, undefined],
  ])('%j is %s', (value, percent) => {
    expect(percentOf(value)).toBe(percent);
  });
});
