/** What the rehearsal is told of a release of Kruise Rollouts: steps, routes, waits, the objects that it needs. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { type KruiseReleaseOptions, kruise, releasesOf } from '../../../src/kruise/release/releases';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { deployment, PARTITION, stack } from '../controller/moments';
import { object, rollout, rolloutV1alpha1, service } from '../rules/stack';

const worldOf = (objects: readonly object[]) => World.of(objects.map((each) => Manifest.of(each)));
const releaseOf = (objects: readonly object[], options?: KruiseReleaseOptions) =>
  releasesOf(worldOf(objects), options)[0]!;
/** A release without its functions, and with the names of what it needs. */
const dataOf = (objects: readonly object[], options?: KruiseReleaseOptions) => {
  const {
    manifest,
    needs,
    play: _play,
    advise: _advise,
    stories: _stories,
    tell: _tell,
    ...data
  } = releaseOf(objects, options);
  return { ...data, manifest: manifest.name, needs: needs.map(({ kind, name }) => `${kind} ${name}`) };
};

const CANARY = ['spec', 'strategy', 'canary'];
const MATCH = { headers: [{ type: 'Exact', name: 'a', value: 'b' }] };
const ingressRef = (name: string) => ({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name });
const notReached = (path: readonly (string | number)[], ...absent: readonly object[]) => ({
  rule: 'rehearsal-incomplete',
  message: 'no load balancer in these manifests sends requests to Service "web", so only the controller was rehearsed',
  path: [...path, 'service'],
  absent: [{ kind: 'Service', name: 'web' }, ...absent].map((each) => ({ ...each, namespace: 'shop' })),
});
const step = (index: number, field?: string, path: readonly string[] = CANARY) => ({
  path: [...path, 'steps', index],
  trafficPath: [...path, 'steps', index, ...(field === undefined ? [] : [field])],
});

describe('the release of a Rollout', () => {
  it('has steps, routes and a workload', () => {
    const path = [...CANARY, 'trafficRoutings', 0];
    expect(dataOf(stack())).toStrictEqual({
      manifest: 'web',
      namespace: 'shop',
      style: 'canary',
      path: CANARY,
      steps: [
        { ...step(0, 'traffic'), matches: [] },
        { ...step(1, 'traffic'), matches: [] },
      ],
      traffic: {
        namespace: 'shop',
        path,
        stableService: 'web',
        canaryService: 'web-canary',
        objects: [ingressRef('web'), ingressRef('web-canary')],
        names: ['web'],
        classTypes: ['nginx'],
        notReached: notReached(path, { kind: 'Ingress' }),
      },
      grace: { seconds: 3, field: 'gracePeriodSeconds' },
      isDisabled: false,
      needs: ['Deployment web'],
      matches: [],
      changesTargetGroups: true,
    });
  });

  it('may have every kind of route, and a grace period of its own', () => {
    const route = {
      service: 'web',
      gracePeriodSeconds: 0,
      customNetworkRefs: [{ apiVersion: 'a.b/v1', kind: 'Mesh', name: 'front' }],
      gateway: { httpRouteName: 'route' },
    };
    const { traffic, grace } = dataOf(stack({ route }));
    expect(grace).toEqual({ seconds: 0, field: 'gracePeriodSeconds' });
    expect(traffic).toMatchObject({
      objects: [
        { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', name: 'route' },
        { apiVersion: 'a.b/v1', kind: 'Mesh', name: 'front' },
      ],
      names: ['web', 'front'],
      classTypes: [],
      notReached: notReached(
        [...CANARY, 'trafficRoutings', 0],
        { kind: 'HTTPRoute' },
        { apiVersion: 'a.b/v1', kind: 'Mesh' },
      ),
    });
  });

  it('may have no route, and waits for none', () => {
    const data = dataOf(stack({ route: null, blueGreen: true }));
    const path = ['spec', 'strategy', 'blueGreen'];
    expect(data).toStrictEqual({
      manifest: 'web',
      namespace: 'shop',
      style: 'blueGreen',
      path,
      steps: [
        { ...step(0, 'traffic', path), matches: [] },
        { ...step(1, 'traffic', path), matches: [] },
      ],
      isDisabled: false,
      needs: ['Deployment web'],
      matches: [],
      changesTargetGroups: true,
    });
    expect(releaseOf(stack({ route: null })).advise).toBeUndefined();
    expect(releaseOf(stack()).advise).toBeDefined();
  });

  it('has the first field of a step that declares traffic, and the pauses that the controller honours', () => {
    const matches = [{ headers: [{ name: 'a', value: 'b' }] }];
    const steps = [
      { traffic: '10%', replicas: '10%', pause: {} },
      { traffic: '20%', matches, replicas: '20%', pause: { duration: 60 } },
      { replicas: '30%', pause: { duration: 0 } },
      { matches, replicas: '40%' },
      { replicas: '100%', pause: {} },
    ];
    const read = dataOf(stack({ steps }));
    expect(read.steps).toStrictEqual([
      { ...step(0, 'traffic'), approval: 'approve', matches: [] },
      { ...step(1, 'matches'), lasts: { seconds: 60, field: 'pause.duration' }, matches: [MATCH] },
      { ...step(2), lasts: { seconds: 0, field: 'pause.duration' }, matches: [] },
      { ...step(3, 'matches'), matches: [MATCH] },
      { ...step(4), matches: [] },
    ]);
    expect(read.matches).toEqual([MATCH]);
  });

  it('in v1alpha1 has weights', () => {
    const steps = [{ weight: 20, pause: {} }, { matches: [{ headers: [{ name: 'a', value: 'b' }] }] }];
    const read = dataOf([rolloutV1alpha1({ steps }), deployment]);
    expect(read.steps).toStrictEqual([
      { ...step(0, 'weight'), approval: 'approve', matches: [] },
      { ...step(1, 'matches'), matches: [MATCH] },
    ]);
    expect(read).not.toHaveProperty('grace');
  });

  it('needs the autoscaler of the workload too, and only what is there', () => {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const autoscaler = object('autoscaling/v2', 'HorizontalPodAutoscaler', { scaleTargetRef });
    expect(dataOf([...stack(), autoscaler]).needs).toEqual(['Deployment web', 'HorizontalPodAutoscaler web']);
    expect(dataOf([rollout(), autoscaler]).needs).toEqual(['HorizontalPodAutoscaler web']);
    expect(dataOf([rollout(), service()]).needs).toEqual([]);
    expect(dataOf([rollout({ workloadRef: 'web' as never }), deployment]).needs).toEqual([]);
  });

  it('is off where the Rollout is disabled', () => {
    const { spec, ...rest } = rollout();
    const isDisabled = (disabled: unknown) => dataOf([{ ...rest, spec: { ...spec, disabled } }]).isDisabled;
    expect([isDisabled(true), isDisabled(false), isDisabled('true')]).toEqual([true, false, false]);
  });

  it('is not played where the webhook of this release, with this flag, refuses it', () => {
    const objects = stack({ ...PARTITION, steps: [{ traffic: '20%', replicas: '60%' }] });
    const refused = releaseOf(objects);
    expect(refused.notPlayed).toStrictEqual({
      rule: 'rehearsal-refused',
      message:
        'the webhook refuses the Rollout, so it is not rehearsed: spec.strategy.canary.steps[0].replicas: "60%" is more than 50% in a step that routes traffic',
      path: [...CANARY, 'steps', 0, 'replicas'],
    });
    expect(refused.play(worldOf(objects)).moments.map(({ phase }) => phase)).toEqual(['before']);
    expect(releaseOf(objects, { partitionPercentLimit: 60 }).notPlayed).toBeUndefined();
    expect(releaseOf(objects, { partitionPercentLimit: 59 }).notPlayed).toBeDefined();
    expect(releaseOf(objects, { kruiseVersion: KruiseRolloutVersion.V0_5_5 }).notPlayed).toBeUndefined();
  });

  it('is played with the scripts of the ConfigMap in the namespace of the controller', () => {
    const route = { service: 'web', ingress: { name: 'web', classType: 'own' } };
    const configMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kruise-rollout-configuration', namespace: 'rollouts' },
      data: { 'lua.traffic.routing.ingress.own': 'return obj.annotations or {}' },
    };
    const objects = [...stack({ route }), configMap];
    const stopIn = (options?: KruiseReleaseOptions) => releaseOf(objects, options).play(worldOf(objects)).stop?.class;
    expect(stopIn()).toBe('script-not-found');
    expect(stopIn({ controllerNamespace: 'rollouts' })).toBeUndefined();
  });

  it('has the moments of its play, and where that stops', () => {
    const objects = stack();
    const { revisionLabel, moments, ...others } = releaseOf(objects).play(worldOf(objects));
    expect([revisionLabel, Object.keys(others)]).toEqual(['pod-template-hash', []]);
    expect(
      moments.map(({ phase, declared, summary, lasts, routesTraffic }) => [
        phase,
        declared?.share,
        summary,
        lasts?.seconds,
        routesTraffic,
      ]),
    ).toEqual([
      ['before', 0, undefined, undefined, undefined],
      ['prepare', 0, undefined, 0, undefined],
      ['step', 0.2, '20%', undefined, true],
      ['step', 1, '100%', undefined, true],
      ...Array(4).fill(['finish', undefined, undefined, undefined, undefined]),
      ...Array(3).fill(['abort', 0, undefined, undefined, undefined]),
    ]);
    const without = [rollout(), deployment, service()];
    const { stop } = releaseOf(without).play(worldOf(without));
    expect(stop).toMatchObject({ class: 'not-found', step: 0, remark: { path: [...CANARY, 'steps', 0] } });
  });

  it('tells stories in the same words', () => {
    const objects = stack();
    const straight = { name: 'straight', actions: [{ release: 'v2' }, 'finish'] } as const;
    const [told] = releaseOf(objects).tell!(worldOf(objects), [straight]);
    expect(told).toMatchObject({ name: 'straight', end: 'released' });
    expect(Object.keys(told!).sort()).toEqual(['end', 'moments', 'name']);
    expect(told!.moments[1]).toMatchObject({ did: ['release v2'], lasts: { seconds: 0 }, versions: { canary: 'v2' } });
    const without = [rollout(), deployment, service()];
    const [stuck] = releaseOf(without).tell!(worldOf(without), [straight]);
    expect(stuck).toMatchObject({
      end: 'stuck',
      why: 'Ingress "web" not found',
      stop: { class: 'not-found', step: 0, remark: { path: [...CANARY, 'steps', 0] } },
    });
  });
});

describe('the release of a TrafficRouting', () => {
  const front = {
    apiVersion: 'rollouts.kruise.io/v1alpha1',
    kind: 'TrafficRouting',
    metadata: { name: 'front', namespace: 'shop' },
    spec: {
      objectRef: [{ service: 'web', ingress: { name: 'web', classType: 'nginx' } }],
      strategy: { weight: 20 },
    },
  };

  it('has one step, and one Service', () => {
    const path = ['spec', 'objectRef', 0];
    expect(dataOf([front])).toStrictEqual({
      manifest: 'front',
      namespace: 'shop',
      style: 'traffic-routing',
      path: ['spec', 'strategy'],
      steps: [{ path: ['spec', 'strategy'], trafficPath: ['spec', 'strategy'] }],
      traffic: {
        namespace: 'shop',
        path,
        stableService: 'web',
        canaryService: 'web',
        objects: [ingressRef('web'), ingressRef('web-canary')],
        names: ['web'],
        classTypes: ['nginx'],
        notReached: notReached(path, { kind: 'Ingress' }),
      },
      needs: [],
      matches: [],
      changesTargetGroups: true,
    });
  });

  it('declares no share of the canary', () => {
    const objects = [front, ...stack().slice(1)];
    const { moments, stop } = releaseOf(objects).play(worldOf(objects));
    expect(stop).toBeUndefined();
    expect(moments.map(({ phase }) => phase)).toContain('step');
    expect(moments.filter((moment) => 'declared' in moment)).toEqual([]);
  });

  it('comes after those of Rollouts, and is not played where Rollouts name it in a field that nobody reads', () => {
    const naming = rollout({ route: null, strategy: { trafficRoutingRef: 'front' }, name: 'other' });
    const releases = releasesOf(worldOf([front, naming]));
    expect(releases.map(({ manifest, notPlayed }) => [manifest.name, notPlayed?.rule])).toEqual([
      ['other', undefined],
      ['front', 'rehearsal-incomplete'],
    ]);
  });
});

describe('what is installed', () => {
  it('is the ConfigMap of scripts and the controller, not other ConfigMaps and Deployments', () => {
    const image = 'openkruise/kruise-rollout:v0.6.2';
    const template = { spec: { containers: [{ name: 'manager', image, command: ['/manager'] }] } };
    const world = worldOf([
      object('v1', 'ConfigMap', {}, { name: 'kruise-rollout-configuration' }),
      object('v1', 'ConfigMap', {}, { name: 'other' }),
      object('apps/v1', 'Deployment', { template }, { name: 'controller' }),
      deployment,
    ]);
    expect(kruise.installed(world).map(({ name }) => name)).toEqual(['kruise-rollout-configuration', 'controller']);
  });

  it('reads Rollouts and TrafficRoutings', () => {
    expect(kruise.reads).toEqual([
      { group: 'rollouts.kruise.io', kind: 'Rollout', plural: 'rollouts' },
      { group: 'rollouts.kruise.io', kind: 'TrafficRouting', plural: 'trafficroutings' },
    ]);
    expect(kruise.name).toBe('Kruise Rollouts');
  });
});
