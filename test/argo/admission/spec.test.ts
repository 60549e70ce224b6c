/** What is refused in the spec of a Rollout, and where. The vectors hold the controller's own messages. */
import { describe, expect, it } from 'vitest';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import type { Json, JsonObject } from '../../../src/core/json';
import { canaryWith, refusalsOf, rolloutWith } from './refusals';

const blueGreenWith = (blueGreen: JsonObject) => rolloutWith({ strategy: { blueGreen } });
const CANARY = { canary: {} };
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const NO_PODS = { selector: undefined, template: undefined };
const PODS = { metadata: { labels: { app: 'shop' } }, spec: { containers: [{ name: 'web', image: 'x' }] } };
const web: JsonObject = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
  metadata: { name: 'web', namespace: 'shop' },
  spec: { selector: { matchLabels: { app: 'shop' } }, template: PODS },
};
const service = (name: string, spec: JsonObject = {}): JsonObject => ({ metadata: { name, namespace: 'shop' }, spec });
const CLUSTER = { workloads: [web], services: ['a', 'b'].map((name) => service(name)) };

describe('the spec of a Rollout', () => {
  it.each<[Record<string, Json | undefined>, string[]]>([
    [{ strategy: CANARY }, []],
    [{ strategy: CANARY, replicas: -1 }, ['argo-number-negative S1 spec.replicas']],
    [{ strategy: CANARY, replicas: 0 }, []],
    [{ strategy: CANARY, minReadySeconds: -1 }, ['argo-number-negative S1 spec.minReadySeconds']],
    [{ strategy: CANARY, revisionHistoryLimit: -1 }, ['argo-number-negative S1 spec.revisionHistoryLimit']],
    [
      { strategy: CANARY, progressDeadlineSeconds: -1 },
      [
        'argo-number-negative S1 spec.progressDeadlineSeconds',
        'argo-progress-deadline-too-short S5 spec.progressDeadlineSeconds',
      ],
    ],
    [
      { strategy: CANARY, progressDeadlineSeconds: 0 },
      ['argo-progress-deadline-too-short S5 spec.progressDeadlineSeconds'],
    ],
    [
      { strategy: CANARY, progressDeadlineSeconds: 5, minReadySeconds: 5 },
      ['argo-progress-deadline-too-short S5 spec.progressDeadlineSeconds'],
    ],
    [{ strategy: CANARY, progressDeadlineSeconds: 6, minReadySeconds: 5 }, []],
    [{ strategy: CANARY, minReadySeconds: 599 }, []],
    [{ strategy: CANARY, minReadySeconds: 600 }, ['argo-progress-deadline-too-short S5 spec.progressDeadlineSeconds']],
    [
      { strategy: CANARY, selector: undefined },
      ['argo-selector-invalid S2 spec.selector', 'argo-selector-mismatch S4 spec.template.metadata.labels'],
    ],
    [{ strategy: CANARY, selector: {} }, ['argo-selector-invalid S2 spec.selector']],
    [{ strategy: CANARY, selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } }, []],
    [
      { strategy: CANARY, selector: { matchLabels: { app: 'other' } } },
      ['argo-selector-mismatch S4 spec.template.metadata.labels'],
    ],
    [
      { strategy: CANARY, selector: { matchLabels: { 'a b': 'x' } } },
      ['argo-selector-invalid S2 spec.selector.matchLabels', 'argo-selector-invalid S2 spec.selector'],
    ],
    [
      { strategy: CANARY, selector: { matchExpressions: [{ key: 'app', operator: 'Is' }] } },
      ['argo-selector-invalid S2 spec.selector.matchExpressions[0].operator', 'argo-selector-invalid S2 spec.selector'],
    ],
    [
      { strategy: CANARY, template: undefined },
      [
        'argo-selector-mismatch S4 spec.template.metadata.labels',
        'argo-pod-template-invalid S4 spec.template.spec.containers',
      ],
    ],
    [
      { strategy: CANARY, template: { ...PODS, spec: { containers: [] } } },
      ['argo-pod-template-invalid S4 spec.template.spec.containers'],
    ],
    [{}, ['argo-strategy-not-one S6 spec.strategy, as spec.strategy.strategy']],
    [{ strategy: {} }, ['argo-strategy-not-one S6 spec.strategy, as spec.strategy.strategy']],
    [
      { strategy: { canary: {}, blueGreen: { activeService: 'a' } } },
      ['argo-strategy-not-one S6 spec.strategy, as spec.strategy.strategy'],
    ],
  ])('%j', (given, refusals) => {
    expect(refusalsOf(rolloutWith(given), CLUSTER)).toEqual(refusals);
  });
});

describe('a workloadRef', () => {
  it.each<[Record<string, Json | undefined>, string[]]>([
    [{ strategy: CANARY, workloadRef: DEPLOYMENT, ...NO_PODS }, []],
    [{ strategy: CANARY, workloadRef: DEPLOYMENT, template: undefined }, []],
    [{ strategy: CANARY, workloadRef: DEPLOYMENT }, ['argo-template-and-workload-ref S3 spec.template, only by lint']],
    [
      { strategy: CANARY, workloadRef: { ...DEPLOYMENT, name: 'none' }, ...NO_PODS },
      ['argo-workload-ref-unresolved S3 spec.workloadRef, no Deployment none of apps/v1'],
    ],
    [
      { strategy: CANARY, workloadRef: { ...DEPLOYMENT, kind: 'StatefulSet' }, ...NO_PODS },
      ['argo-workload-ref-unresolved S3 spec.workloadRef'],
    ],
    [
      { strategy: CANARY, workloadRef: DEPLOYMENT, ...NO_PODS, template: { metadata: { annotations: { a: 'b' } } } },
      ['argo-template-and-workload-ref S3 spec.template, only by lint'],
    ],
    [{ strategy: CANARY, workloadRef: DEPLOYMENT, ...NO_PODS, template: { spec: { containers: [] } } }, []],
    [
      { strategy: CANARY, workloadRef: DEPLOYMENT, ...NO_PODS, selector: { matchLabels: { 'a b': 'x' } } },
      ['argo-selector-invalid S2 spec.selector'],
    ],
    [
      { strategy: CANARY, workloadRef: DEPLOYMENT, ...NO_PODS, selector: { matchLabels: { app: 'other' } } },
      ['argo-selector-mismatch S4 spec.template.metadata.labels'],
    ],
  ])('%j', (given, refusals) => {
    expect(refusalsOf(rolloutWith(given), CLUSTER)).toEqual(refusals);
  });
});

describe('a blue-green strategy', () => {
  it.each<[Record<string, Json | undefined>, string[]]>([
    [{ activeService: 'a' }, []],
    [{ activeService: 'a', previewService: 'b' }, []],
    [
      { activeService: 'a', previewService: 'a' },
      ['argo-blue-green-same-service B1 spec.strategy.blueGreen.activeService'],
    ],
    [{ activeService: '' }, ['argo-blue-green-same-service B1 spec.strategy.blueGreen.activeService']],
    [
      { activeService: 'x', previewService: 'y' },
      [
        'argo-service-not-found R-S1 spec.strategy.blueGreen.activeService, no Service x of v1',
        'argo-service-not-found R-S1 spec.strategy.blueGreen.previewService, no Service y of v1',
      ],
    ],
    [{ activeService: 'a', scaleDownDelayRevisionLimit: 10 }, []],
    [
      { activeService: 'a', scaleDownDelayRevisionLimit: 11 },
      ['argo-scale-down-limit-too-large B2 spec.strategy.blueGreen.scaleDownDelayRevisionLimit'],
    ],
    [{ activeService: 'a', antiAffinity: {} }, ['argo-anti-affinity-invalid B3 spec.strategy.blueGreen.antiAffinity']],
    [
      { activeService: 'a', antiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: { weight: 0 } } },
      [
        'argo-anti-affinity-invalid B3 spec.strategy.blueGreen.antiAffinity.preferredDuringSchedulingIgnoredDuringExecution.weight, as spec.strategy.antiAffinity.weight',
      ],
    ],
  ])('%j', (given, refusals) => {
    expect(refusalsOf(blueGreenWith(given as JsonObject), CLUSTER)).toEqual(refusals);
  });
});

describe('a canary', () => {
  it.each<[Record<string, Json | undefined>, string[]]>([
    [{ maxSurge: 0 }, []],
    [{ maxUnavailable: 0 }, []],
    [{ maxSurge: 0, maxUnavailable: 0 }, ['argo-surge-and-unavailable-zero C1 spec.strategy.canary.maxSurge']],
    [{ maxSurge: '0%', maxUnavailable: '0' }, ['argo-surge-and-unavailable-zero C1 spec.strategy.canary.maxSurge']],
    [{ maxSurge: '0%', maxUnavailable: 1 }, []],
    [{ maxSurge: 1, maxUnavailable: 0 }, []],
    [{ maxSurge: 'x', maxUnavailable: 0 }, ['argo-surge-and-unavailable-zero C1 spec.strategy.canary.maxSurge']],
    [{ stableService: 'a', canaryService: 'a' }, ['argo-canary-same-service C2 spec.strategy.canary.stableService']],
    [{ stableService: 'a', canaryService: 'b' }, []],
    [{ stableService: '', canaryService: '' }, []],
    [
      { stableService: 'x', canaryService: 'y' },
      [
        'argo-service-not-found R-S1 spec.strategy.canary.stableService, no Service x of v1',
        'argo-service-not-found R-S1 spec.strategy.canary.canaryService, no Service y of v1',
      ],
    ],
    [{ scaleDownDelaySeconds: 5 }, ['argo-needs-traffic-routing C7 spec.strategy.canary.scaleDownDelaySeconds']],
    [{ dynamicStableScale: true }, ['argo-needs-traffic-routing C7 spec.strategy.canary.dynamicStableScale']],
    [{ dynamicStableScale: false }, []],
    [
      { scaleDownDelaySeconds: 5, dynamicStableScale: true },
      [
        'argo-needs-traffic-routing C7 spec.strategy.canary.scaleDownDelaySeconds',
        'argo-needs-traffic-routing C7 spec.strategy.canary.dynamicStableScale',
      ],
    ],
    [{ antiAffinity: {} }, ['argo-anti-affinity-invalid B3 spec.strategy.canary.antiAffinity']],
    [{ antiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } }, []],
    [
      { antiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: { weight: 0 } } },
      [
        'argo-anti-affinity-invalid B3 spec.strategy.canary.antiAffinity.preferredDuringSchedulingIgnoredDuringExecution.weight, as spec.strategy.antiAffinity.weight',
      ],
    ],
    [{ antiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: { weight: 1 } } }, []],
    [{ antiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: { weight: 100 } } }, []],
    [
      { antiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: { weight: 101 } } },
      [
        'argo-anti-affinity-invalid B3 spec.strategy.canary.antiAffinity.preferredDuringSchedulingIgnoredDuringExecution.weight, as spec.strategy.antiAffinity.weight',
      ],
    ],
    [
      {
        antiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {},
          preferredDuringSchedulingIgnoredDuringExecution: { weight: 5 },
        },
      },
      ['argo-anti-affinity-invalid B3 spec.strategy.canary.antiAffinity'],
    ],
  ])('%j', (given, refusals) => {
    expect(refusalsOf(canaryWith(given as JsonObject), CLUSTER)).toEqual(refusals);
  });
});

describe('a mount that the node sees', () => {
  const template = (containers: JsonObject) => ({
    metadata: { labels: { app: 'shop' } },
    spec: {
      volumes: [{ name: 'disk', hostPath: { path: '/mnt' } }],
      ...containers,
    },
  });
  const mount = { name: 'disk', mountPath: '/mnt', mountPropagation: 'Bidirectional' };
  const web = (more: JsonObject): JsonObject => ({ name: 'web', image: 'x', volumeMounts: [mount], ...more });
  const refused = (containers: JsonObject, version: string) =>
    refusalsOf(rolloutWith({ strategy: CANARY, template: template(containers) }), {
      version: ArgoRolloutsVersion.of(version),
    });
  const privileged = { securityContext: { privileged: true, runAsUser: 0 } };
  const AT = 'volumeMounts[0].mountPropagation';

  it('is for privileged containers, which the controller sees from 1.10.1 on', () => {
    for (const version of ['1.9.3', '1.10.0', '1.10.1'])
      expect(refused({ containers: [web({})] }, version)).toEqual([
        `argo-pod-template-invalid S4 spec.template.spec.containers[0].${AT}`,
      ]);
    expect(refused({ containers: [web(privileged)] }, '1.10.0')).toEqual([
      `argo-pod-template-invalid S4 spec.template.spec.containers[0].${AT}`,
    ]);
    expect(refused({ containers: [web(privileged)] }, '1.10.1')).toEqual([]);
    const initial = {
      containers: [{ name: 'web', image: 'x' }],
      initContainers: [{ ...web(privileged), name: 'init' }],
    };
    expect(refused(initial, '1.10.0')).toEqual([
      `argo-pod-template-invalid S4 spec.template.spec.initContainers[0].${AT}`,
    ]);
    expect(refused(initial, '1.10.2')).toEqual([]);
  });
});
