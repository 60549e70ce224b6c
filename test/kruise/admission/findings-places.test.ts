/** What is found in the objects of Kruise Rollouts that the API server or the webhook refuses, in full. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { type AdmissionOptions, admissionFindings } from '../../../src/kruise/admission';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { blueGreen, v1alpha1, v1beta1 } from './rollouts';

const { V0_3_0, V0_4_4, V0_6_2 } = KruiseRolloutVersion;

const findings = (objects: readonly object[], options?: AdmissionOptions, defaultNamespace?: string) =>
  admissionFindings(
    World.of(
      objects.map((object) => Manifest.of(object)),
      defaultNamespace === undefined ? {} : { defaultNamespace },
    ),
    options,
  );
/** `rule path: message | fix | step` */
const found = (objects: readonly object[], options?: AdmissionOptions) =>
  findings(objects, options).map(({ rule, path, message, fix, step }) =>
    [`${rule} ${path}: ${message}`, fix, ...(step === undefined ? [] : [`step ${step}`])].join(' | '),
  );
const kind = (apiVersion: string, name: string, spec: object = {}) => ({
  apiVersion: `rollouts.kruise.io/${apiVersion}`,
  kind: name,
  metadata: { name: 'web', namespace: 'shop' },
  spec,
});

describe('a kind that is not served', () => {
  const ALL = 'use one of the kinds BatchRelease, Rollout, RolloutHistory, TrafficRouting';
  it.each<[object: object, version: KruiseRolloutVersion, found: string]>([
    [
      kind('v1beta1', 'Rollout'),
      V0_4_4,
      'kruise-kind-unknown apiVersion: Kruise Rollouts 0.4.4 has no Rollout in rollouts.kruise.io/v1beta1 | use apiVersion rollouts.kruise.io/v1alpha1',
    ],
    [
      kind('v2', 'Rollout'),
      V0_6_2,
      'kruise-kind-unknown apiVersion: Kruise Rollouts 0.6.2 has no Rollout in rollouts.kruise.io/v2 | use apiVersion rollouts.kruise.io/v1alpha1 or rollouts.kruise.io/v1beta1',
    ],
    [
      kind('v1beta1', 'Rolout'),
      V0_6_2,
      `kruise-kind-unknown kind: Kruise Rollouts 0.6.2 has no Rolout in rollouts.kruise.io/v1beta1 | ${ALL}`,
    ],
    [
      kind('v1alpha1', 'TrafficRouting'),
      V0_3_0,
      'kruise-kind-unknown kind: Kruise Rollouts 0.3.0 has no TrafficRouting in rollouts.kruise.io/v1alpha1 | use one of the kinds BatchRelease, Rollout, RolloutHistory',
    ],
    [
      kind('v1beta1', 'TrafficRouting'),
      V0_6_2,
      'kruise-kind-unknown apiVersion: Kruise Rollouts 0.6.2 has no TrafficRouting in rollouts.kruise.io/v1beta1 | use apiVersion rollouts.kruise.io/v1alpha1',
    ],
  ])('%#: is found', (object, version, expected) => {
    expect(found([object], { version })).toEqual([expected]);
  });

  it('is one of the latest release by default', () => {
    expect(found([kind('v2', 'Rollout')])[0]).toContain('Kruise Rollouts 0.6.2 has no Rollout');
  });
});

describe('a Rollout', () => {
  it.each<[what: string, rollout: object, found: readonly string[]]>([
    ['that is accepted', v1beta1(), []],
    [
      'with a number that is too large',
      v1beta1({ steps: [{ replicas: 3e9 }] }),
      [
        'rollout-number-out-of-range spec.strategy.canary.steps[0].replicas: spec.strategy.canary.steps[0].replicas: 3000000000 does not fit into 32 bits | use a number up to 2147483647',
      ],
    ],
    [
      'with a number that is too large, and a problem beside it',
      v1beta1({ steps: [{ replicas: 3e9 }, { replicas: 0 }] }),
      [
        'rollout-number-out-of-range spec.strategy.canary.steps[0].replicas: spec.strategy.canary.steps[0].replicas: 3000000000 does not fit into 32 bits | use a number up to 2147483647',
        'rollout-replicas-invalid spec.strategy.canary.steps[1].replicas: spec.strategy.canary.steps[1].replicas: 0 is neither a positive number nor a percentage from "1%" to "100%" | write a number of pods such as 3, or a whole percentage such as "20%" | step 1',
      ],
    ],
    [
      'of v1alpha1 without a workload',
      { ...v1alpha1(), spec: { objectRef: {}, strategy: { canary: { steps: [{ replicas: 1 }] } } } },
      [
        'rollout-crashes-webhook spec.objectRef.workloadRef: spec.objectRef.workloadRef is missing, which makes the webhook panic | add the workloadRef',
      ],
    ],
  ])('%s', (_, rollout, expected) => {
    expect(found([rollout])).toEqual(expected);
  });

  it('whose field the schema refuses has no finding of the webhook about the same field', () => {
    const rules = (strategy: object) => findings([v1beta1(strategy)]).map(({ rule, path }) => `${rule} ${path}`);
    expect(rules({ steps: [{ replicas: 1.5 }] })).toEqual(['field-invalid spec.strategy.canary.steps[0].replicas']);
    expect(rules({ steps: 'none' })).toEqual(['field-invalid spec.strategy.canary.steps']);
    expect(rules({ steps: [{ replicas: 1 }], trafficRoutings: [{ service: 1 }] })).toEqual([
      'field-invalid spec.strategy.canary.trafficRoutings[0].service',
    ]);
    expect(rules({ steps: [{ replicas: 1, traffic: 5 }, { replicas: 0 }] })).toEqual([
      'field-invalid spec.strategy.canary.steps[0].traffic',
      'rollout-replicas-invalid spec.strategy.canary.steps[1].replicas',
    ]);
  });

  it('is one of several of its workload, of which the first is named', () => {
    const named = (name: string, namespace?: string) =>
      v1beta1({}, { name, ...(namespace === undefined ? {} : { namespace }) });
    const all = findings([named('c'), named('a'), named('b')]);
    expect(all.map(({ message, object, related }) => [message, object?.name, related?.message])).toEqual([
      ['spec.workloadRef: Deployment "web" already has the Rollout "a"', 'b', 'Rollout "a" is declared here'],
      ['spec.workloadRef: Deployment "web" already has the Rollout "a"', 'c', 'Rollout "a" is declared here'],
    ]);
    expect(all[0]!.related).toStrictEqual({
      message: 'Rollout "a" is declared here',
      object: expect.objectContaining({ kind: 'Rollout', name: 'a' }),
    });
    expect(findings([named('a', 'shop'), named('b', 'other')])).toEqual([]);
    expect(findings([named('a', 'shop'), named('b')], {}, 'shop')).toHaveLength(1);
    expect(findings([named('a'), blueGreen({}, { name: 'b' }), v1alpha1({}, undefined, { name: 'c' })])).toHaveLength(
      2,
    );
    expect(findings([named('a'), v1beta1({}, { name: 'b', workload: 'other' })])).toEqual([]);
    expect(findings([named('a'), v1beta1({}, { name: 'b', apiVersion: 'apps/v1beta1' })])).toEqual([]);
  });

  it('may go beyond the limit of the flag', () => {
    const partition = v1beta1({
      enableExtraWorkloadForCanary: false,
      steps: [{ replicas: '60%', traffic: '20%' }],
    });
    expect(findings([partition]).map(({ rule }) => rule)).toEqual(['rollout-partition-limit']);
    expect(findings([partition], { partitionPercentLimit: 60 })).toEqual([]);
  });
});
