import { describe, expect, it, test } from 'vitest';
import { workloadChangeOf } from '../../src/kruise/controller/play/workload-change';
import { kruiseRollout, kruiseTrafficRouting } from '../../src/kruise/objects';
import { nameOf, type TrafficRoutingOptions, trafficRoutingRef } from '../../src/kruise/references';
import { KruiseRolloutStep } from '../../src/kruise/steps';
import { KruiseRolloutStrategy } from '../../src/kruise/strategy';
import { KruiseRolloutVersion } from '../../src/kruise/version';

const workload = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' };
const steps = [KruiseRolloutStep.traffic('20%')];
const routing = { service: 'web', ingress: 'web' };

describe('a Rollout from its options', () => {
  it('names its workload, and has nothing that is not asked for', () => {
    const rollout = kruiseRollout({ workload, strategy: KruiseRolloutStrategy.partition({ steps }) });
    expect(rollout).toEqual({
      apiVersion: 'rollouts.kruise.io/v1beta1',
      kind: 'Rollout',
      metadata: {},
      spec: {
        workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        strategy: { canary: { steps } },
      },
    });
    expect(Object.keys(rollout.spec)).toEqual(['workloadRef', 'strategy']);
    expect(Object.keys(rollout.spec.strategy.canary!)).toEqual(['steps']);
  });

  it('has a style, routes and what holds it', () => {
    const options = { steps, failureThreshold: '10%', disableGenerateCanaryService: true };
    const canary = KruiseRolloutStrategy.canary({ ...options, patchPodTemplateMetadata: { labels: { a: 'b' } } });
    expect(
      kruiseRollout({ workload, strategy: canary, trafficRouting: routing, paused: true, disabled: false }).spec,
    ).toMatchObject({
      disabled: false,
      strategy: {
        paused: true,
        canary: {
          enableExtraWorkloadForCanary: true,
          patchPodTemplateMetadata: { labels: { a: 'b' } },
          steps,
          failureThreshold: '10%',
          trafficRoutings: [{ service: 'web', ingress: { name: 'web' } }],
          disableGenerateCanaryService: true,
        },
      },
    });
    expect(kruiseRollout({ workload, strategy: KruiseRolloutStrategy.blueGreen({ steps }) }).spec.strategy).toEqual({
      blueGreen: { steps },
    });
  });

  it('writes the reference to a TrafficRouting twice', () => {
    const strategy = KruiseRolloutStrategy.canary({ steps });
    const { metadata, spec } = kruiseRollout(
      { workload, strategy, trafficRoutingRef: { name: 'front' } },
      { name: 'web', annotations: { a: 'b' } },
    );
    expect(metadata).toEqual({ name: 'web', annotations: { a: 'b', 'rollouts.kruise.io/trafficrouting': 'front' } });
    expect(spec.strategy.canary).toMatchObject({ trafficRoutingRef: 'front' });
    const annotated = (name: string) => ({ annotations: { 'rollouts.kruise.io/trafficrouting': name } });
    expect(() => kruiseRollout({ workload, strategy, trafficRoutingRef: 'front' }, annotated('other'))).toThrow(
      'the annotation rollouts.kruise.io/trafficrouting names "other", but trafficRoutingRef names "front"',
    );
    expect(kruiseRollout({ workload, strategy, trafficRoutingRef: 'front' }, annotated('front')).metadata).toEqual(
      annotated('front'),
    );
  });

  it('needs a release with v1beta1', () => {
    const options = { workload, strategy: KruiseRolloutStrategy.canary({ steps }) };
    expect(() => kruiseRollout(options, {}, KruiseRolloutVersion.V0_4_4)).toThrow('v0.4.4 has no v1beta1 Rollout');
    expect(kruiseRollout(options, {}, KruiseRolloutVersion.V0_5_0).kind).toBe('Rollout');
  });
});

describe('a TrafficRouting from its options', () => {
  it('has one route and a strategy', () => {
    expect(kruiseTrafficRouting({ trafficRouting: routing, weight: 20 }, { name: 'front' })).toEqual({
      apiVersion: 'rollouts.kruise.io/v1alpha1',
      kind: 'TrafficRouting',
      metadata: { name: 'front' },
      spec: { objectRef: [{ service: 'web', ingress: { name: 'web' } }], strategy: { weight: 20 } },
    });
    const headers = [{ name: 'x-user', value: 'a' }];
    const requestHeaderModifier = { set: [{ name: 'a', value: 'b' }] };
    const { spec } = kruiseTrafficRouting({ trafficRouting: routing, matches: [{ headers }], requestHeaderModifier });
    expect(spec.strategy).toEqual({ matches: [{ headers }], requestHeaderModifier });
  });

  test.each([{ path: { value: '/' } }, { queryParams: [{ name: 'a', value: 'b' }] }])(
    'matches headers only: %j',
    (match) => {
      expect(() => kruiseTrafficRouting({ trafficRouting: routing, matches: [{}, match] })).toThrow(
        'matches headers only',
      );
    },
  );
});

describe('what routes to a Service', () => {
  const virtualService = { apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', name: 'web', namespace: 'x' };
  test.each<[TrafficRoutingOptions, object]>([
    [
      { service: { name: 'web' }, ingress: { name: 'front' } },
      { service: 'web', ingress: { name: 'front' } },
    ],
    [
      { service: 'web', ingress: { name: 'front', classType: 'mse' } },
      { service: 'web', ingress: { name: 'front', classType: 'mse' } },
    ],
    [
      { service: 'web', ingress: 'front', classType: 'mse' },
      { service: 'web', ingress: { name: 'front', classType: 'mse' } },
    ],
    [
      { service: 'web', ingress: { name: 'front', classType: 'mse' }, classType: 'mse' },
      { service: 'web', ingress: { name: 'front', classType: 'mse' } },
    ],
    [
      { service: 'web', gateway: 'front' },
      { service: 'web', gateway: { httpRouteName: 'front' } },
    ],
    [
      { service: 'web', gateway: { name: 'front' } },
      { service: 'web', gateway: { httpRouteName: 'front' } },
    ],
    [
      { service: 'web', gateway: { httpRouteName: 'front' } },
      { service: 'web', gateway: { httpRouteName: 'front' } },
    ],
    [
      { service: 'web', customNetworkRefs: [virtualService], gracePeriodSeconds: 30 },
      {
        service: 'web',
        gracePeriodSeconds: 30,
        customNetworkRefs: [{ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', name: 'web' }],
      },
    ],
    [
      { ...routing, gracePeriodSeconds: { toSeconds: () => 5 } },
      { service: 'web', ingress: { name: 'web' }, gracePeriodSeconds: 5 },
    ],
  ])('%j', (options, reference) => {
    expect(trafficRoutingRef(options)).toEqual(reference);
    expect(Object.keys(trafficRoutingRef(options)).sort()).toEqual(Object.keys(reference).sort());
  });

  it('has to be named, once, and to be of the right kind', () => {
    expect(() => trafficRoutingRef({ service: 'web' })).toThrow('trafficRouting of the service "web" has no route');
    expect(() =>
      trafficRoutingRef({ service: 'web', ingress: { name: 'a', classType: 'mse' }, classType: 'nginx' }),
    ).toThrow('classType is "nginx", but the classType of ingress is "mse": set only one of them');
    const object = (kind: string) => ({ kind, name: 'web' });
    expect(nameOf(object('Service'), 'Service', 'service')).toBe('web');
    expect(() => trafficRoutingRef({ service: object('Ingress'), ingress: 'a' })).toThrow(
      'service is the Ingress "web": pass the Service, or its name',
    );
    expect(() => trafficRoutingRef({ service: 'web', ingress: object('Service') })).toThrow(
      'ingress is the Service "web": pass the Ingress, or its name',
    );
    expect(() => trafficRoutingRef({ service: 'web', gateway: object('Gateway') })).toThrow(
      'gateway is the Gateway "web": pass the HTTPRoute, or its name',
    );
  });
});

describe('what an edit of a workload means', () => {
  const pods = (image?: string, more: object = {}) => ({
    spec: { template: { spec: { containers: image === undefined ? [] : [{ name: 'web', image }] }, ...more } },
  });
  const before = pods('web:1');
  const nothing = { bypasses: false, changesTemplate: false, changesReleaseId: false };
  const id = (value: unknown) => ({ metadata: { annotations: { 'rollouts.kruise.io/rollout-id': value } } }) as never;

  test.each([
    ['web:2', '2'],
    ['registry:5000/web:2', '2'],
    ['registry:5000/web', 'registry:5000/web'],
    ['web@sha256:ab', 'web@sha256:ab'],
  ])('another image is a version: %s', (image, version) => {
    const change = workloadChangeOf({}, before, pods(image));
    if (image.includes('@')) expect(change.version).toBeDefined();
    else expect(change).toEqual({ ...nothing, version });
  });

  it('the same image, or none, is no version', () => {
    expect(workloadChangeOf({}, before, before)).toEqual(nothing);
    expect(workloadChangeOf({}, before, pods())).toEqual({ ...nothing, changesTemplate: true });
    expect(workloadChangeOf({}, before, pods('web:1', { metadata: { labels: { a: 'b' } } }))).toEqual({
      ...nothing,
      changesTemplate: true,
    });
  });

  it('a number of pods is told, and lets a new image pass if it is zero', () => {
    expect(workloadChangeOf({ spec: { replicas: 3 } }, before, pods('web:2'))).toEqual({
      ...nothing,
      version: '2',
      replicas: 3,
    });
    expect(workloadChangeOf({ spec: { replicas: 0 } }, before, pods('web:2')).bypasses).toBe(true);
    expect(workloadChangeOf({ spec: { replicas: 0 } }, before, before)).toEqual({ ...nothing, replicas: 0 });
    expect(workloadChangeOf({ spec: { replicas: '3' } }, before, before)).toEqual(nothing);
  });

  it('a workload without the label of the controller is let pass', () => {
    const labels = (value: unknown) =>
      ({ metadata: { labels: { 'rollouts.kruise.io/workload-type': value } } }) as never;
    expect(workloadChangeOf(labels(null), before, pods('web:2')).bypasses).toBe(true);
    expect(workloadChangeOf(labels(null), before, before).bypasses).toBe(false);
    expect(workloadChangeOf(labels('deployment'), before, pods('web:2')).bypasses).toBe(false);
  });

  const identified = (object: object, value: string) => ({ ...object, ...(id(value) as object) }) as never;

  it('another release id alone begins a release', () => {
    const changes = (from: object, to: object) => workloadChangeOf({}, from as never, to as never).changesReleaseId;
    expect(changes(before, identified(before, '2'))).toBe(true);
    expect(changes(identified(before, '1'), identified(before, '2'))).toBe(true);
    expect(changes(identified(before, '1'), identified(before, '1'))).toBe(false);
    expect(changes(identified(before, '1'), before)).toBe(false);
    expect(changes(before, identified(pods('web:2'), '2'))).toBe(false);
  });

  it('other pods with the same release id are let pass', () => {
    const passes = (from: object, to: object) => workloadChangeOf({}, from as never, to as never).bypasses;
    expect(passes(identified(before, '1'), identified(pods('web:2'), '1'))).toBe(true);
    expect(passes(identified(before, '1'), identified(pods('web:1', { metadata: { labels: { a: 'b' } } }), '1'))).toBe(
      true,
    );
    expect(passes(identified(before, '1'), identified(pods('web:2'), '2'))).toBe(false);
    expect(passes(identified(before, '1'), pods('web:2'))).toBe(false);
    expect(passes(identified(before, ''), identified(pods('web:2'), ''))).toBe(false);
    expect(passes(identified(before, '1'), identified(before, '1'))).toBe(false);
  });
});
