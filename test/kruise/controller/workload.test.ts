/** The pods of a workload: how many a release has of each version, and what Services see of them. */
import { describe, expect, it } from 'vitest';
import { Manifest } from '../../../src/core';
import {
  abandonedHash,
  podManifests,
  podsDivided,
  podsIn,
  podsNeverReady,
  podsOf,
  podsOnly,
  twoVersions,
  type Workload,
  workloadOf,
} from '../../../src/kruise/controller';

const ref = (kind: string, apiVersion = 'apps/v1') => ({ kind, apiVersion, name: 'web' });
const manifestOf = (kind: string, spec: unknown, apiVersion = 'apps/v1') =>
  Manifest.of({ apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, spec });
const autoscaler = (spec: object) =>
  Manifest.of({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { scaleTargetRef: ref('Deployment'), ...spec },
  });
const read = (kind: string, spec: object, apiVersion?: string) =>
  workloadOf(ref(kind, apiVersion), manifestOf(kind, spec, apiVersion));

describe('what a workload is', () => {
  it('without a manifest is known by its kind alone', () => {
    expect(workloadOf(ref('Deployment'), undefined)).toStrictEqual({
      kind: 'Deployment',
      revisionLabel: 'pod-template-hash',
      replicas: 100,
      maxUnavailable: '25%',
      maxSurge: '25%',
      recreates: false,
      waitsForDeletion: false,
      keepsBrokenPods: false,
    });
    expect(workloadOf(undefined, undefined)).toStrictEqual(workloadOf(ref('Deployment'), undefined));
    expect(workloadOf(ref('StatefulSet'), undefined)).toStrictEqual({
      kind: 'StatefulSet',
      revisionLabel: 'controller-revision-hash',
      replicas: 100,
      maxUnavailable: 1,
      maxSurge: 0,
      recreates: false,
      waitsForDeletion: false,
      keepsBrokenPods: true,
    });
  });

  it('has the labels of its pod template that are texts', () => {
    const spec = { replicas: 4, template: { metadata: { labels: { app: 'web', count: 1, on: true, none: null } } } };
    expect(read('Deployment', spec)).toStrictEqual({
      kind: 'Deployment',
      revisionLabel: 'pod-template-hash',
      labels: { app: 'web' },
      replicas: 4,
      maxUnavailable: '25%',
      maxSurge: '25%',
      recreates: false,
      waitsForDeletion: false,
      keepsBrokenPods: false,
    });
    expect(workloadOf(ref('Deployment'), manifestOf('Deployment', null)).labels).toStrictEqual({});
  });

  it.each([
    ['Deployment', 'apps/v1', 'pod-template-hash', undefined],
    ['ReplicaSet', 'apps/v1', 'pod-template-hash', undefined],
    ['CloneSet', 'apps.kruise.io/v1alpha1', 'pod-template-hash', undefined],
    ['StatefulSet', 'apps/v1', 'controller-revision-hash', undefined],
    ['StatefulSet', 'apps.kruise.io/v1beta1', 'controller-revision-hash', undefined],
    ['DaemonSet', 'apps/v1', 'controller-revision-hash', undefined],
    ['DaemonSet', 'apps.kruise.io/v1alpha1', 'controller-revision-hash', 'by its kind'],
    ['DaemonSet', 'apps.kruise.io/v1beta1', 'controller-revision-hash', 'by its kind'],
  ])('%s of %s tells versions apart by %s, and lacks the old revision %s', (kind, apiVersion, label, lacks) => {
    const { revisionLabel, lacksStableRevision } = read(kind, {}, apiVersion);
    expect([revisionLabel, lacksStableRevision]).toStrictEqual([label, lacks]);
  });

  it.each<[kind: string, spec: object, replicas: number]>([
    ['Deployment', {}, 1],
    ['Deployment', { replicas: 0 }, 0],
    ['Deployment', { replicas: 7 }, 7],
    ['Deployment', { replicas: '7' }, 1],
    ['DaemonSet', { replicas: 7 }, 100],
  ])('%s with %j has %i pods', (kind, spec, replicas) => {
    expect(read(kind, spec).replicas).toBe(replicas);
  });

  it('has as many pods as its autoscaler lets it have', () => {
    const scaled = (replicas: number, spec: object) =>
      workloadOf(ref('Deployment'), manifestOf('Deployment', { replicas }), autoscaler(spec)).replicas;
    expect(scaled(2, { minReplicas: 4, maxReplicas: 8 })).toBe(4);
    expect(scaled(6, { minReplicas: 4, maxReplicas: 8 })).toBe(6);
    expect(scaled(9, { minReplicas: 4, maxReplicas: 8 })).toBe(8);
    const unknown = workloadOf(ref('Deployment'), undefined, autoscaler({ minReplicas: 4, maxReplicas: 8 }));
    expect(unknown.replicas).toBe(100);
  });

  it.each<[kind: string, spec: object, keeps: boolean]>([
    ['StatefulSet', {}, true],
    ['StatefulSet', { podManagementPolicy: 'OrderedReady' }, true],
    ['StatefulSet', { podManagementPolicy: 'Parallel' }, false],
    ['Deployment', {}, false],
    ['CloneSet', {}, false],
  ])('%s with %j keeps pods that never get ready: %s', (kind, spec, keeps) => {
    expect(read(kind, spec).keepsBrokenPods).toBe(keeps);
  });

  const rolling = (maxUnavailable: unknown) => ({ rollingUpdate: { maxUnavailable } });
  it.each<[kind: string, spec: object, maxUnavailable: number]>([
    ['Deployment', { replicas: 10 }, 2],
    ['Deployment', { replicas: 12 }, 3],
    ['Deployment', { replicas: 3 }, 0],
    ['CloneSet', { replicas: 11 }, 3],
    ['CloneSet', { replicas: 10 }, 2],
    ['StatefulSet', { replicas: 10 }, 1],
    ['DaemonSet', {}, 1],
    ['constructor', { replicas: 10 }, 1],
    ['Deployment', { replicas: 10, strategy: rolling(4) }, 4],
    ['Deployment', { replicas: 10, strategy: rolling('35%') }, 3],
    ['Deployment', { replicas: 10, strategy: rolling('0%') }, 0],
    ['Deployment', { replicas: 10, strategy: rolling(0) }, 0],
    ['Deployment', { replicas: 10, strategy: rolling('x35%') }, 0],
    ['Deployment', { replicas: 10, strategy: rolling('35%x') }, 0],
    ['Deployment', { replicas: 10, strategy: rolling('%') }, 0],
    ['Deployment', { replicas: 10, strategy: rolling('1000000000%') }, 0],
    ['Deployment', { replicas: 10, strategy: rolling('4') }, 0],
    ['CloneSet', { replicas: 10, updateStrategy: { maxUnavailable: '35%' } }, 4],
    ['CloneSet', { replicas: 10, updateStrategy: { maxUnavailable: 5 } }, 5],
    ['StatefulSet', { replicas: 10, updateStrategy: rolling('35%') }, 3],
    ['StatefulSet', { replicas: 10, updateStrategy: rolling(2), strategy: rolling(3) }, 3],
    ['StatefulSet', { replicas: 10, updateStrategy: { maxUnavailable: 4, ...rolling(2) } }, 4],
    ['DaemonSet', { updateStrategy: rolling('10%') }, 10],
    ['Deployment', { replicas: 3, strategy: { rollingUpdate: { maxSurge: 0 } } }, 1],
    ['Deployment', { replicas: 3, strategy: { type: 'Recreate' } }, 1],
    ['Deployment', { replicas: 4, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } } }, 2],
  ])('%s with %j takes away %i pods at once', (kind, spec, maxUnavailable) => {
    const workload = read(kind, spec);
    const [ready] = podsNeverReady(podsOnly(workload, 'stable'), workload, workload.replicas);
    expect(workload.replicas - ready!.replicas).toBe(maxUnavailable);
  });
});

describe('the pods of a step', () => {
  it.each<[value: unknown, total: number, pods: number]>([
    ['20%', 10, 2],
    ['21%', 10, 3],
    ['+20%', 10, 2],
    ['++20%', 10, 0],
    ['0%', 10, 0],
    ['1%', 10, 1],
    ['100%', 10, 10],
    ['250%', 10, 25],
    ['999999999%', 0, 0],
    ['1000000000%', 10, 0],
    ['x20%', 10, 0],
    ['20%x', 10, 0],
    ['%', 10, 0],
    ['20', 10, 0],
    [3, 10, 3],
    [3.9, 10, 3],
    [0, 10, 0],
    [0.5, 10, 0],
    [-1, 10, 0],
    [30, 10, 30],
    [undefined, 10, 0],
    [null, 10, 0],
    [{}, 10, 0],
  ])('for %j of %i are %i', (value, total, pods) => {
    expect(podsIn(value, total)).toBe(pods);
  });
});

const ten: Workload = {
  kind: 'Deployment',
  revisionLabel: 'pod-template-hash',
  labels: { app: 'web' },
  replicas: 10,
  maxUnavailable: 2,
  maxSurge: 1,
  recreates: false,
  waitsForDeletion: false,
  keepsBrokenPods: false,
};
const group = (revision: string, replicas: number, more: object = {}) => ({
  revision,
  replicas,
  labels: { app: 'web', ...more, 'pod-template-hash': revision },
});
const abandoned = (replicas: number) => ({
  revision: 'canary',
  hash: 'abandoned-v2',
  replicas,
  labels: { app: 'web', 'pod-template-hash': 'abandoned-v2' },
});

describe('the pods during a release', () => {
  const withOld = (stable: number, canary: number, hash: string, replicas: number) => ({
    old: [...twoVersions(stable).old, { hash, replicas }],
    canary,
  });
  const during = (stable: number, canary: number, abandoned = 0) =>
    podsDivided(ten, withOld(stable, canary, abandonedHash('v2'), abandoned));

  it('are those of each version, and of a version before if there are any', () => {
    expect(during(7, 3)).toStrictEqual([group('stable', 7), group('canary', 3)]);
    expect(during(0, 10)).toStrictEqual([group('stable', 0), group('canary', 10)]);
    expect(during(5, 3, 2)).toStrictEqual([group('stable', 5), group('canary', 3), abandoned(2)]);
  });

  it('have labels of their own, but not another revision', () => {
    const labels = { track: 'beta', 'pod-template-hash': 'mine' };
    const canary = podsDivided(ten, twoVersions(10, 1), labels);
    expect(canary).toStrictEqual([group('stable', 10), group('canary', 1, { track: 'beta' })]);
  });

  it('have no labels where the workload has none that are known', () => {
    const { labels: _labels, ...unknown } = ten;
    const pods = [
      { revision: 'stable', replicas: 7 },
      { revision: 'canary', replicas: 2 },
      { revision: 'canary', hash: 'old', replicas: 1 },
    ];
    expect(podsDivided(unknown, withOld(7, 2, 'old', 1))).toStrictEqual(pods);
  });

  it('that never get ready are missing where they replace old ones', () => {
    const left = (wanted: number) => podsNeverReady(podsOnly(ten, 'stable'), ten, wanted);
    expect([0, 1, 2, 5].map(left)).toStrictEqual([10, 9, 8, 8].map((ready) => [group('stable', ready)]));
  });

  it('that never get ready take the place of the newest ones that do', () => {
    const pods = podsDivided(ten, withOld(5, 0, abandonedHash('v2'), 5));
    const counts = podsNeverReady(pods, ten, 4).map(({ hash = 'stable', replicas }) => [hash, replicas]);
    expect(counts).toStrictEqual([
      ['stable', 5],
      [abandonedHash('v2'), 3],
    ]);
  });

  it('are counted by their version', () => {
    const pods = during(5, 3, 2);
    const versions = ['stable', 'canary', abandonedHash('v2')];
    expect(versions.map((version) => podsOf(pods, version))).toStrictEqual([5, 3, 2]);
    expect(podsOf([...pods, ...pods], 'stable')).toBe(10);
    expect(podsOf([], 'stable')).toBe(0);
  });

  it('are of one version before and after', () => {
    expect(podsOnly(ten, 'stable')).toStrictEqual([group('stable', 10)]);
    expect(podsOnly(ten, 'canary')).toStrictEqual([group('canary', 10)]);
  });
});

describe('the manifests of pods', () => {
  const deployment = manifestOf('Deployment', {
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'a:1' }] } },
  });
  const pod = (hash: string, labels: object) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `web-${hash}`,
      namespace: 'shop',
      labels,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
    },
    spec: { containers: [{ name: 'web', image: 'a:1' }] },
  });
  const objectsOf = (pods: Parameters<typeof podManifests>[0], workload = deployment) =>
    podManifests(pods, workload, 'shop').map(({ object }) => object);

  it('are one of each version that has pods', () => {
    const during = podsDivided(ten, { old: [...twoVersions(7).old, { hash: 'old', replicas: 2 }], canary: 1 });
    expect(objectsOf(during)).toStrictEqual([
      pod('stable', { app: 'web', 'pod-template-hash': 'stable' }),
      pod('canary', { app: 'web', 'pod-template-hash': 'canary' }),
      pod('old', { app: 'web', 'pod-template-hash': 'old' }),
    ]);
    expect(objectsOf(podsDivided(ten, twoVersions(0, 10))).map(({ metadata }) => metadata)).toMatchObject([
      { name: 'web-canary' },
    ]);
  });

  it('are none where the labels are not known', () => {
    const { labels: _labels, ...unknown } = ten;
    expect(objectsOf(podsOnly(unknown, 'stable'))).toStrictEqual([]);
  });

  it('have an empty spec where the workload has no template', () => {
    expect(objectsOf(podsOnly(ten, 'stable'), manifestOf('Deployment', {}))).toMatchObject([{ spec: {} }]);
  });
});
