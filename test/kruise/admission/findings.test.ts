import { describe, expect, it } from 'vitest';
import { parseManifests, World } from '../../../src/core';
import { type AdmissionOptions, admissionFindings } from '../../../src/kruise/admission';
import { KruiseRolloutVersion } from '../../../src/kruise/version';

function findingsIn(text: string, options?: AdmissionOptions) {
  return admissionFindings(World.of(parseManifests(text, 'rollout.yaml').manifests), options);
}

function rollout(name: string, canary: string, more = ''): string {
  return `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata:
  name: ${name}${more}
spec:
  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  strategy:
    canary:
${canary}`;
}

const STEP = '      steps: [{replicas: 20%}]\n';

describe('admissionFindings', () => {
  it('gives the path of the value and a fix', () => {
    const [found, ...more] = findingsIn(
      rollout('web', '      steps:\n        - replicas: 20%\n        - replicas: "50"\n'),
    );
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      rule: 'rollout-replicas-invalid',
      severity: 'error',
      message:
        'spec.strategy.canary.steps[1].replicas: "50" is neither a positive number nor a percentage from "1%" to "100%"',
      fix: 'write 50 without quotes for pods, or "50%" for a share',
      path: 'spec.strategy.canary.steps[1].replicas',
      step: 1,
      source: { file: 'rollout.yaml', line: 11 },
    });
  });

  it('suggests the similar field', () => {
    const found = findingsIn(rollout('web', '      steps:\n        - {replica: 20%, traffic: 20%}\n'));
    expect(found.map(({ rule, fix }) => [rule, fix])).toEqual([
      ['field-unknown', 'did you mean "replicas"?'],
      ['rollout-replicas-missing', 'add replicas, for example "20%"'],
    ]);
  });

  it('reports everything together: dropped fields, schema errors and webhook errors', () => {
    const canary =
      '      stepz: []\n      steps: [{replicas: 0}, {traffic: 20, replicas: 10%}]\n      trafficRoutings: [{service: web}]\n';
    const found = findingsIn(rollout('web', canary)).map(({ rule, path }) => `${rule} ${path}`);
    expect(found).toEqual([
      'field-unknown spec.strategy.canary.stepz',
      'field-invalid spec.strategy.canary.steps[1].traffic',
      'rollout-replicas-invalid spec.strategy.canary.steps[0].replicas',
      'rollout-no-provider spec.strategy.canary.trafficRoutings[0]',
    ]);
  });

  it('reports the second of two Rollouts for one workload, and names the first', () => {
    const found = findingsIn(`${rollout('b', STEP)}---\n${rollout('a', STEP, '\n  namespace: default')}`);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      rule: 'rollout-workload-taken',
      message: 'spec.workloadRef: Deployment "web" already has the Rollout "a"',
      object: { name: 'b' },
      related: { object: { name: 'a' }, source: { line: 11 } },
    });
  });

  it('uses the default namespace of the World', () => {
    const { manifests } = parseManifests(
      `${rollout('b', STEP)}---\n${rollout('a', STEP, '\n  namespace: shop')}`,
      'a.yaml',
    );
    expect(admissionFindings(World.of(manifests))).toEqual([]);
    expect(admissionFindings(World.of(manifests, { defaultNamespace: 'shop' }))).toHaveLength(1);
  });

  it('depends on the release', () => {
    const version = KruiseRolloutVersion.V0_4_0;
    expect(findingsIn(rollout('web', STEP), { version })).toMatchObject([
      {
        rule: 'kruise-kind-unknown',
        message: 'Kruise Rollouts 0.4.0 has no Rollout in rollouts.kruise.io/v1beta1',
        fix: 'use apiVersion rollouts.kruise.io/v1alpha1',
      },
    ]);
  });

  it('lists the kinds if the kind is wrong', () => {
    const [found] = findingsIn('apiVersion: rollouts.kruise.io/v1beta1\nkind: Rollouts\nmetadata: {name: web}\n');
    expect(found).toMatchObject({
      rule: 'kruise-kind-unknown',
      path: 'kind',
      fix: 'use one of the kinds BatchRelease, Rollout, RolloutHistory, TrafficRouting',
    });
  });

  it('checks the other kinds by their CRDs', () => {
    const text = `apiVersion: rollouts.kruise.io/v1alpha1
kind: TrafficRouting
metadata: {name: web}
spec:
  objectRef: [{ingress: {name: web}, servic: web}]
  strategy: {weight: "20"}
`;
    expect(findingsIn(text).map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'field-unknown spec.objectRef[0].servic',
      'field-missing spec.objectRef[0].service',
      'field-invalid spec.strategy.weight',
    ]);
  });

  it('says what the conversion of an older BatchRelease cannot do', () => {
    const batch = (spec: string, version = 'v1alpha1') =>
      `apiVersion: rollouts.kruise.io/${version}\nkind: BatchRelease\nmetadata: {name: web}\nspec: ${spec}\n`;
    const workload = 'workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}';
    const found = (...args: Parameters<typeof batch>) =>
      findingsIn(batch(...args)).map(({ rule, path }) => `${rule} ${path}`);
    expect(
      found(
        `{targetReference: {${workload}}, releasePlan: {enableExtraWorkloadForCanary: false, batches: [{canaryReplicas: 1}]}}`,
      ),
    ).toEqual([]);
    expect(
      found(
        '{targetReference: {}, releasePlan: {enableExtraWorkloadForCanary: false, batches: [{canaryReplicas: 1}]}}',
      ),
    ).toEqual(['rollout-crashes-webhook spec.targetReference.workloadRef']);
    expect(
      found(
        `{targetReference: {${workload}}, releasePlan: {enableExtraWorkloadForCanary: false, batches: [{canaryReplicas: 3000000000}]}}`,
      ),
    ).toEqual(['rollout-number-out-of-range spec.releasePlan.batches[0].canaryReplicas']);
    expect(
      found(
        `{${workload}, releasePlan: {enableExtraWorkloadForCanary: false, batches: [{canaryReplicas: 1}]}}`,
        'v1beta1',
      ),
    ).toEqual([]);
  });

  it('ignores objects of other systems', () => {
    expect(findingsIn('apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: web}\n')).toEqual([]);
  });
});
