/** Rollouts converted from one version of the API to the other, in full, with each reason of a loss. */
import { describe, expect, it } from 'vitest';
import { formatPath } from '../../src/core';
import type { JsonObject } from '../../src/core/json';
import { toV1alpha1, toV1beta1 } from '../../src/kruise/convert';

const WORKLOAD = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const STYLE = 'rollouts.kruise.io/rolling-style';
const ROUTING = 'rollouts.kruise.io/trafficrouting';
const ROUTES = [{ service: 'web', ingress: { name: 'web' } }];

const lossesOf = ({ losses }: { readonly losses: ReturnType<typeof toV1beta1>['losses'] }) =>
  losses.map(({ path, reason }) => `${formatPath(path)} ${reason}`);

describe('to v1beta1', () => {
  const old = (canary: unknown, more: object = {}, annotations?: object, strategy: object = {}) =>
    ({
      apiVersion: 'rollouts.kruise.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'web', namespace: 'shop', ...(annotations === undefined ? {} : { annotations }) },
      spec: { objectRef: { workloadRef: WORKLOAD }, strategy: { ...strategy, canary }, ...more },
      status: { phase: 'Healthy' },
    }) as unknown as JsonObject;

  it('keeps everything that both have, and no status', () => {
    const rest = { failureThreshold: 1, patchPodTemplateMetadata: { labels: { a: 'b' } }, trafficRoutings: ROUTES };
    const annotations = { [STYLE]: 'partition', [ROUTING]: 'front', other: 'x' };
    const steps = [
      { weight: 20, pause: { duration: 5 }, requestHeaderModifier: { remove: ['a'] } },
      { weight: 30, replicas: 3, matches: [{ headers: [{ name: 'a', value: 'b' }] }] },
      { replicas: '50%', matches: [] },
      {},
    ];
    const { rollout, losses } = toV1beta1(old({ ...rest, steps }, { disabled: true }, annotations, { paused: true }));
    expect(losses).toStrictEqual([]);
    expect(rollout).toStrictEqual({
      apiVersion: 'rollouts.kruise.io/v1beta1',
      kind: 'Rollout',
      metadata: { name: 'web', namespace: 'shop', annotations: { [ROUTING]: 'front', other: 'x' } },
      spec: {
        workloadRef: WORKLOAD,
        strategy: {
          paused: true,
          canary: {
            enableExtraWorkloadForCanary: false,
            steps: [
              { traffic: '20%', replicas: '20%', pause: { duration: 5 }, requestHeaderModifier: { remove: ['a'] } },
              { traffic: '30%', replicas: 3, matches: [{ headers: [{ name: 'a', value: 'b' }] }] },
              { replicas: '50%' },
              {},
            ],
            ...rest,
            trafficRoutingRef: 'front',
          },
        },
        disabled: true,
      },
    });
  });

  it('adds nothing', () => {
    expect(toV1beta1(old({})).rollout).toStrictEqual({
      apiVersion: 'rollouts.kruise.io/v1beta1',
      kind: 'Rollout',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { workloadRef: WORKLOAD, strategy: { canary: { enableExtraWorkloadForCanary: true } } },
    });
    expect(toV1beta1(old(undefined)).rollout.spec).toStrictEqual({ workloadRef: WORKLOAD, strategy: {} });
    expect(toV1beta1({} as JsonObject).rollout).toStrictEqual({
      apiVersion: 'rollouts.kruise.io/v1beta1',
      kind: 'Rollout',
      metadata: {},
      spec: { strategy: {} },
    });
  });

  it.each<[style: string | undefined, own: boolean]>([
    [undefined, true],
    ['', true],
    ['canary', true],
    ['other', true],
    ['partition', false],
    ['PARTITION', false],
  ])('reads the style %j', (style, own) => {
    const { rollout } = toV1beta1(old({}, {}, style === undefined ? { a: 'b' } : { [STYLE]: style, a: 'b' }));
    expect(rollout.spec.strategy.canary!.enableExtraWorkloadForCanary).toBe(own);
    expect(rollout.metadata).toStrictEqual({ name: 'web', namespace: 'shop', annotations: { a: 'b' } });
  });

  it('loses annotations that are fields, and an empty name of a TrafficRouting', () => {
    const { rollout } = toV1beta1(old({}, {}, { [STYLE]: 'canary' }));
    expect(rollout.metadata).toStrictEqual({ name: 'web', namespace: 'shop' });
    expect(toV1beta1(old({}, {}, { [ROUTING]: '' })).rollout.spec.strategy.canary).toStrictEqual({
      enableExtraWorkloadForCanary: true,
    });
  });

  const REFUSES = 'which v1beta1 refuses: v1alpha1 ignores the weight of a step with replicas';
  it.each<[canary: object, more: object, losses: readonly string[]]>([
    [
      {},
      { rolloutID: '7' },
      [
        'spec.rolloutID is dropped: set the label rollouts.kruise.io/rollout-id on the workload, which names the release on its pods',
      ],
    ],
    [
      { disableGenerateCanaryService: true },
      {},
      [
        'spec.strategy.canary.disableGenerateCanaryService is dropped by the conversion webhook, so that the controller creates a canary Service: set it in the v1beta1 Rollout',
      ],
    ],
    [{ disableGenerateCanaryService: false }, {}, []],
    [{ steps: [{ weight: 1 }, { weight: 100 }] }, {}, []],
    [
      {
        steps: [
          { weight: 0, replicas: 1 },
          { weight: 101, replicas: 1 },
        ],
      },
      {},
      [
        `spec.strategy.canary.steps[0].weight becomes traffic "0%", ${REFUSES}`,
        `spec.strategy.canary.steps[1].weight becomes traffic "101%", ${REFUSES}`,
      ],
    ],
  ])('loses of %j with %j', (canary, more, losses) => {
    expect(lossesOf(toV1beta1(old(canary, more)))).toEqual(losses);
  });
});

describe('to v1alpha1', () => {
  const beta = (strategy: object, more: object = {}, metadata: object = {}, workloadRef: object = WORKLOAD) =>
    ({
      apiVersion: 'rollouts.kruise.io/v1beta1',
      kind: 'Rollout',
      metadata: { name: 'web', ...metadata },
      spec: { workloadRef, strategy, ...more },
    }) as unknown as JsonObject;

  it('keeps everything that both have', () => {
    const rest = { failureThreshold: 1, patchPodTemplateMetadata: { labels: { a: 'b' } }, trafficRoutings: ROUTES };
    const headers = [{ name: 'a', value: 'b' }];
    const steps = [
      { traffic: '20%', replicas: 1, pause: {} },
      { matches: [{ headers }], replicas: '50%' },
      { matches: [], replicas: '60%' },
    ];
    const canary = { ...rest, enableExtraWorkloadForCanary: true, trafficRoutingRef: 'front', steps };
    const { rollout, losses } = toV1alpha1(
      beta({ paused: false, canary }, { disabled: false }, { annotations: { a: 'b' } }),
    );
    expect(losses).toStrictEqual([]);
    expect(rollout).toStrictEqual({
      apiVersion: 'rollouts.kruise.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'web', annotations: { a: 'b', [STYLE]: 'canary', [ROUTING]: 'front' } },
      spec: {
        objectRef: { workloadRef: WORKLOAD },
        strategy: {
          paused: false,
          canary: {
            steps: [
              { weight: 20, replicas: 1, pause: {} },
              { matches: [{ headers }], replicas: '50%' },
              { replicas: '60%' },
            ],
            ...rest,
          },
        },
        disabled: false,
      },
    });
  });

  const annotationsOf = (canary: object, annotations?: object) =>
    toV1alpha1(beta({ canary }, {}, annotations === undefined ? {} : { annotations })).rollout.metadata.annotations;

  it('writes the style and the TrafficRouting as annotations', () => {
    expect(annotationsOf({})).toStrictEqual({ [STYLE]: 'partition' });
    expect(annotationsOf({ enableExtraWorkloadForCanary: false })).toStrictEqual({ [STYLE]: 'partition' });
    expect(annotationsOf({}, { [STYLE]: 'canary' })).toStrictEqual({ [STYLE]: 'partition' });
    expect(annotationsOf({}, { [ROUTING]: 'a' })).toStrictEqual({ [STYLE]: 'partition', [ROUTING]: 'a' });
    expect(annotationsOf({ trafficRoutingRef: 'b' }, { [ROUTING]: 'a' })).toStrictEqual({
      [STYLE]: 'partition',
      [ROUTING]: 'b',
    });
    expect(annotationsOf({ trafficRoutingRef: '' }, { [ROUTING]: 'a' })).toStrictEqual({
      [STYLE]: 'partition',
      [ROUTING]: 'a',
    });
  });

  it.each<[strategy: object, loss: string]>([
    [{ blueGreen: {} }, 'spec.strategy.blueGreen does not exist in v1alpha1: the whole spec is lost'],
    [{ blueGreen: {}, canary: {} }, 'spec.strategy.blueGreen does not exist in v1alpha1: the whole spec is lost'],
    [{}, 'spec.strategy does not exist in v1alpha1: the whole spec is lost'],
  ])('keeps only the metadata of %j', (strategy, loss) => {
    const converted = toV1alpha1(beta(strategy));
    expect(lossesOf(converted)).toEqual([loss]);
    expect(converted.rollout).toStrictEqual({
      apiVersion: 'rollouts.kruise.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'web' },
      spec: { objectRef: {}, strategy: {} },
    });
  });

  const HEADERS = 'v1alpha1 matches headers only';
  const ALL = ', and the match without a condition matches every request';
  const STEP = 'spec.strategy.canary.steps[0]';
  it.each<[step: object, converted: object, losses: readonly string[]]>([
    [{ traffic: '20%' }, { weight: 20 }, []],
    [{ traffic: '0%' }, { weight: 0 }, []],
    [{ traffic: 'x' }, { weight: 0 }, [`${STEP}.traffic "x" is not a percentage and becomes 0`]],
    [{ traffic: '' }, { weight: 0 }, [`${STEP}.traffic "" is not a percentage and becomes 0`]],
    [{ matches: [{ path: {} }] }, { matches: [{}] }, [`${STEP}.matches[0].path ${HEADERS}${ALL}`]],
    [
      { matches: [{ headers: [1], path: {}, queryParams: [] }] },
      { matches: [{ headers: [1] }] },
      [`${STEP}.matches[0].path ${HEADERS}`, `${STEP}.matches[0].queryParams ${HEADERS}`],
    ],
    [
      { matches: [{ headers: [1] }, { queryParams: [2] }] },
      { matches: [{ headers: [1] }, {}] },
      [`${STEP}.matches[1].queryParams ${HEADERS}${ALL}`],
    ],
  ])('converts the step %j', (step, converted, losses) => {
    const result = toV1alpha1(beta({ canary: { steps: [step] } }));
    expect(result.rollout.spec.strategy.canary).toStrictEqual({ steps: [converted] });
    expect(lossesOf(result)).toEqual(losses);
  });

  it('loses what has no effect, and the canary Service that is off', () => {
    const own = { enableExtraWorkloadForCanary: true };
    const noEffect =
      'spec.strategy.canary.enableExtraWorkloadForCanary has no effect with this workload in either version';
    const of = (canary: object, workload: object) => lossesOf(toV1alpha1(beta({ canary }, {}, {}, workload)));
    expect(of(own, WORKLOAD)).toEqual([]);
    expect(of(own, { ...WORKLOAD, kind: 'StatefulSet' })).toEqual([noEffect]);
    expect(of(own, { ...WORKLOAD, apiVersion: 'apps/v1beta1' })).toEqual([noEffect]);
    expect(of({}, { ...WORKLOAD, kind: 'StatefulSet' })).toEqual([]);
    expect(of({ disableGenerateCanaryService: true }, WORKLOAD)).toEqual([
      'spec.strategy.canary.disableGenerateCanaryService is dropped by the conversion webhook, so that the controller creates a canary Service',
    ]);
    expect(of({ disableGenerateCanaryService: false }, WORKLOAD)).toEqual([]);
  });
});
