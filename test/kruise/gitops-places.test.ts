/** The fields that the controller rewrites, for each kind of workload and route, and the objects that it leaves alone. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../src/core';
import { rewrittenByInstall, rewrittenByRollout, rewrittenIn } from '../../src/kruise/gitops';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { object, type RolloutOptions, rollout } from './rules/stack';

const { LATEST, V0_5_5 } = KruiseRolloutVersion;
const UNROUTED = { route: null, steps: [{ replicas: '100%' }] };
const worldOf = (...objects: readonly object[]) => World.of(objects.map((each) => Manifest.of(each)));
const fieldsOf = (options: RolloutOptions | object, others: readonly object[] = [], version = LATEST) => {
  const manifest = Manifest.of('kind' in options ? options : rollout(options));
  return rewrittenByRollout(manifest, World.of([manifest, ...others.map((each) => Manifest.of(each))]), version);
};
const lines = (...args: Parameters<typeof fieldsOf>) =>
  fieldsOf(...args).map(
    ({ object: { apiVersion, kind, namespace, name }, pointers }) =>
      `${apiVersion} ${kind} ${namespace ?? '-'}/${name}: ${pointers.join(' ')}`,
  );

const PARTITION = { strategy: { enableExtraWorkloadForCanary: false } };
const BLUE_GREEN = { blueGreen: true };
const named = (apiVersion: string, kind: string) => ({ workloadRef: { apiVersion, kind, name: 'web' } });
const KRUISE = 'apps.kruise.io/v1alpha1';

describe('a workload', () => {
  const UPDATE = '/spec/updateStrategy';
  it.each<[apiVersion: string, kind: string, options: RolloutOptions, pointers: string | undefined]>([
    ['apps/v1', 'Deployment', {}, '/spec/paused'],
    ['apps/v1', 'Deployment', PARTITION, '/spec/paused /spec/strategy'],
    [
      'apps/v1',
      'Deployment',
      BLUE_GREEN,
      '/spec/minReadySeconds /spec/paused /spec/progressDeadlineSeconds /spec/strategy',
    ],
    [KRUISE, 'CloneSet', {}, `${UPDATE}/partition ${UPDATE}/paused`],
    [
      KRUISE,
      'CloneSet',
      BLUE_GREEN,
      `/spec/minReadySeconds ${UPDATE}/maxSurge ${UPDATE}/maxUnavailable ${UPDATE}/partition ${UPDATE}/paused`,
    ],
    ['apps/v1', 'StatefulSet', {}, `${UPDATE}/rollingUpdate/partition`],
    [KRUISE, 'StatefulSet', {}, `${UPDATE}/rollingUpdate/partition ${UPDATE}/rollingUpdate/paused`],
    ['apps/v1', 'DaemonSet', {}, `${UPDATE}/rollingUpdate/partition`],
    [KRUISE, 'DaemonSet', {}, `${UPDATE}/rollingUpdate/partition ${UPDATE}/rollingUpdate/paused`],
    ['apps/v1', 'ReplicaSet', {}, undefined],
  ])('of %s %s with %j', (apiVersion, kind, options, pointers) => {
    expect(lines({ ...UNROUTED, ...options, ...named(apiVersion, kind) })).toEqual(
      pointers === undefined ? [] : [`${apiVersion} ${kind} shop/web: ${pointers}`],
    );
  });

  it('that no Rollout names is not rewritten', () => {
    expect(lines({ ...UNROUTED, workloadRef: 'web' as never })).toEqual([]);
  });

  it('has no namespace where the Rollout has none', () => {
    const { metadata, ...rest } = rollout(UNROUTED);
    expect(lines({ ...rest, metadata: { name: metadata.name } })).toEqual(['apps/v1 Deployment -/web: /spec/paused']);
  });
});

describe('an autoscaler', () => {
  const autoscaler = (kind: string, name: string, namespace = 'shop') =>
    object('autoscaling/v2', 'HorizontalPodAutoscaler', { scaleTargetRef: { kind, name } }, { name: 'hpa', namespace });
  const POINTED = 'autoscaling/v2 HorizontalPodAutoscaler shop/hpa: /spec/scaleTargetRef/name';

  it.each<[what: string, options: RolloutOptions, hpa: object, found: boolean]>([
    ['of the workload in blue-green style', BLUE_GREEN, autoscaler('Deployment', 'web'), true],
    ['of the workload in canary style', {}, autoscaler('Deployment', 'web'), false],
    ['of another workload', BLUE_GREEN, autoscaler('Deployment', 'api'), false],
    ['of another kind', BLUE_GREEN, autoscaler('StatefulSet', 'web'), false],
    ['of another namespace', BLUE_GREEN, autoscaler('Deployment', 'web', 'other'), false],
    ['of no workload', { ...BLUE_GREEN, workloadRef: 'web' as never }, autoscaler('Deployment', 'web'), false],
  ])('%s is rewritten or not', (_, options, hpa, found) => {
    expect(lines({ ...UNROUTED, ...options }, [hpa]).includes(POINTED)).toBe(found);
  });
});

describe('a route', () => {
  const SERVICE = 'v1 Service shop/web: /spec/selector/';
  const BOTH = `${SERVICE}controller-revision-hash /spec/selector/pod-template-hash`;
  const routes = (options: RolloutOptions, version?: KruiseRolloutVersion) =>
    lines(options, [], version).filter((line) => !line.includes(' Deployment ') && !line.includes('Set '));
  const custom = (...kinds: readonly string[]) => ({
    service: 'web',
    customNetworkRefs: kinds.map((kind) => ({ apiVersion: 'example.com/v1', kind, name: 'web' })),
  });

  it.each<[what: string, options: RolloutOptions, expected: readonly string[]]>([
    ['through an Ingress', {}, [`${SERVICE}pod-template-hash`]],
    ['of another kind of workload', named(KRUISE, 'CloneSet'), [BOTH]],
    ['of no workload', { workloadRef: 'web' as never }, [BOTH]],
    ['without a Service', { route: { service: '', ingress: { name: 'web' } } }, []],
    ['without a canary Service', { strategy: { disableGenerateCanaryService: true } }, []],
    [
      'through an HTTPRoute',
      { route: { service: 'web', gateway: { httpRouteName: 'r' } } },
      ['gateway.networking.k8s.io/v1 HTTPRoute shop/r: /spec/rules', `${SERVICE}pod-template-hash`],
    ],
    [
      'through custom objects',
      { route: custom('A', 'B') },
      [
        'example.com/v1 A shop/web: /metadata/annotations /metadata/labels /spec',
        'example.com/v1 B shop/web: /metadata/annotations /metadata/labels /spec',
        `${SERVICE}pod-template-hash`,
      ],
    ],
    ['that no step uses', { steps: [{ replicas: 1 }] }, []],
    [
      'that one step uses',
      { steps: [{ replicas: 1 }, { traffic: '20%', replicas: 2 }] },
      [`${SERVICE}pod-template-hash`],
    ],
  ])('%s', (_, options, expected) => {
    expect([...routes(options)].sort()).toEqual([...expected].sort());
  });

  it('has a canary Service in releases that can not turn it off', () => {
    const options = { strategy: { disableGenerateCanaryService: true } };
    expect(routes(options, V0_5_5)).toEqual([`${SERVICE}pod-template-hash`]);
  });
});

describe('an install', () => {
  const crd = (spec: object) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'rollouts.rollouts.kruise.io' },
    spec,
  });
  const hooks = (kind: string, name: string, webhooks?: readonly object[]) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
    ...(webhooks === undefined ? {} : { webhooks }),
  });
  const found = (...objects: readonly object[]) =>
    rewrittenByInstall(worldOf(...objects)).map(
      ({ object: { kind, name }, pointers }) => `${kind} ${name}: ${pointers.join(' ')}`,
    );
  const NAME = 'kruise-rollout-validating-webhook-configuration';

  it('has its own CRDs and webhooks rewritten', () => {
    expect(found(crd({ group: 'rollouts.kruise.io' }))).toEqual([]);
    expect(found(crd({ group: 'other', conversion: { strategy: 'Webhook' } }))).toEqual([]);
    expect(found(crd({ group: 'rollouts.kruise.io', conversion: { strategy: 'Webhook' } }))).toHaveLength(1);
    expect(found(hooks('ValidatingWebhookConfiguration', NAME, [{}]))).toEqual([
      `ValidatingWebhookConfiguration ${NAME}: /metadata/annotations/template /webhooks/0/clientConfig/caBundle`,
    ]);
    expect(found(hooks('ValidatingWebhookConfiguration', NAME))).toEqual([
      `ValidatingWebhookConfiguration ${NAME}: /metadata/annotations/template`,
    ]);
    expect(found(hooks('ValidatingWebhookConfiguration', 'other', [{}]))).toEqual([]);
    expect(found(hooks('MutatingWebhookConfiguration', NAME, [{}]))).toEqual([]);
  });

  it('comes before the Rollouts of a World, of which some may be meant', () => {
    const configuration = hooks('ValidatingWebhookConfiguration', NAME, []);
    const world = worldOf(
      rollout(UNROUTED),
      rollout({ ...UNROUTED, name: 'b', ...named(KRUISE, 'CloneSet') }),
      configuration,
    );
    const kinds = (isMeant?: (manifest: Manifest) => boolean) =>
      rewrittenIn(world, LATEST, isMeant)
        .map(({ object: { kind } }) => kind)
        .sort();
    expect(kinds()).toEqual(['CloneSet', 'Deployment', 'ValidatingWebhookConfiguration']);
    expect(kinds(({ name }) => name === 'b')).toEqual(['CloneSet']);
    expect(kinds(({ kind }) => kind !== 'Rollout')).toEqual(['ValidatingWebhookConfiguration']);
    expect(kinds(() => false)).toEqual([]);
  });
});
