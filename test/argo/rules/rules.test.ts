import { describe, expect, it } from 'vitest';
import { admissionFindings } from '../../../src/argo/admission';
import type { ArgoCheckOptions } from '../../../src/argo/check-options';
import { argoAlbRules, checkArgoAlb } from '../../../src/argo/rules';
import { argoInstanceRules } from '../../../src/argo/rules/instances';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import { parseManifests, World } from '../../../src/core';

const worldOf = (text: string) => {
  const { manifests, findings } = parseManifests(text, 'rollout.yaml');
  expect(findings).toEqual([]);
  const world = World.of(manifests);
  expect(world.findings).toEqual([]);
  return world;
};

/** What an example needs beside its text: another release. */
const OPTIONS: Readonly<Record<string, ArgoCheckOptions>> = {
  'argo-min-pods-above-replicas': { version: ArgoRolloutsVersion.V1_9_1 },
};

describe.each(Object.values(argoAlbRules))('$id', ({ id, failing, corrected }) => {
  it('finds only the fault of the failing example', () => {
    const found = checkArgoAlb(worldOf(failing.text), OPTIONS[id]);
    const faults = found.filter(({ rule, severity }) => severity !== 'note' || rule === id);
    expect([...new Set(faults.map(({ rule }) => rule))]).toEqual([id]);
    for (const { path, source } of found)
      expect([path, source?.line]).toEqual([expect.any(String), expect.any(Number)]);
  });

  it('accepts the corrected example', () => {
    const found = checkArgoAlb(worldOf(corrected.text)).filter(({ severity }) => severity !== 'note');
    expect(found.map(({ message }) => message)).toEqual([]);
  });

  it('has examples that Argo accepts', () => {
    const accepted = [corrected.text, failing.text].map((text) => admissionFindings(worldOf(text)));
    expect(accepted.flat().map(({ message }) => message)).toEqual([]);
  });
});

describe('argo-min-pods-above-replicas', () => {
  const { failing } = argoAlbRules['argo-min-pods-above-replicas'];
  const found = (text: string, version: ArgoRolloutsVersion) => checkArgoAlb(worldOf(text), { version });
  const hpa = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: shop}
spec: {scaleTargetRef: {apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: shop}, minReplicas: 2, maxReplicas: 4}
`;

  it('is of releases before 1.10, and not where an autoscaler sets the replicas', () => {
    const messageIn = (version: ArgoRolloutsVersion) => found(failing.text, version)[0]?.message;
    expect(messageIn(ArgoRolloutsVersion.V1_9_1)).toBe(
      'Argo Rollouts v1.9.1 runs 2 pods of Rollout "shop" where spec.replicas asks for 1, and calls it Degraded after progressDeadlineSeconds',
    );
    expect(messageIn(ArgoRolloutsVersion.V1_8_5)).toBe(
      'Argo Rollouts v1.8.5 runs 2 pods of Rollout "shop" where spec.replicas asks for 1, and never ends a release, because it waits for exactly that many',
    );
    expect(found(failing.text, ArgoRolloutsVersion.V1_10_2)).toEqual([]);
    expect(found(`${failing.text}${hpa}`, ArgoRolloutsVersion.V1_8_5)).toEqual([]);
  });
});

describe('controllers that see the Ingresses of each other', () => {
  const STACK = argoInstanceRules['argo-instance-resets-actions'].failing.text;
  const resets = (text: string) =>
    checkArgoAlb(worldOf(text))
      .filter(({ rule }) => rule === 'argo-instance-resets-actions')
      .map(({ message }) => message);
  const controller = (args: string) => STACK.replace('--instance-id=team-a', args);

  it('reset the actions of each other', () => {
    const seen = 'and watches the Ingress of Rollout "shop"';
    expect(resets(STACK)).toEqual([
      `Deployment "argo-rollouts" is a controller with the instance id "team-a", ${seen}`,
    ]);
  });

  it('do not where they share the id, the class or the namespace is another, or there is one', () => {
    expect(resets(controller(''))).toEqual([]);
    expect(resets(controller('--instance-id=team-a, --alb-ingress-classes=other'))).toEqual([]);
    expect(resets(controller('--instance-id=team-a, --namespaced'))).toEqual([]);
    expect(resets(argoInstanceRules['argo-instance-unwatched'].corrected.text)).toEqual([]);
  });
});

describe('controllers with instance ids', () => {
  const controller = (id: string) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: argo-${id}, namespace: argo}
spec: {template: {spec: {containers: [{name: argo-rollouts, args: [${id === '' ? '' : `--instance-id, ${id}`}]}]}}}
`;
  const label = 'argo-rollouts.argoproj.io/controller-instance-id';
  const rollout = (id: string) => `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: shop${id === '' ? '' : `, labels: {${label}: ${id}}`}}
spec: {strategy: {canary: {}}}
`;
  const messages = (text: string) =>
    checkArgoAlb(worldOf(text))
      .filter(({ rule }) => rule === 'argo-instance-unwatched')
      .map(({ message }) => message);

  it('handle the Rollouts of their id, and without one those without', () => {
    expect(messages(rollout('a'))).toEqual([]);
    expect(messages(`${rollout('')}${controller('')}`)).toEqual([]);
    expect(messages(`${rollout('a')}${controller('b')}${controller('a')}`)).toEqual([]);
  });

  it('ignore all others', () => {
    expect(messages(`${rollout('a')}${controller('')}`)).toEqual([
      `Rollout "shop" has the label ${label}: a, and the instance ids of the controllers in the stack are: none`,
    ]);
    expect(messages(`${rollout('')}${controller('a')}${controller('b')}`)).toEqual([
      `Rollout "shop" has no label ${label}, and the instance ids of the controllers in the stack are: "a", "b"`,
    ]);
  });
});

describe('replicaProgressThreshold', () => {
  const text = (threshold: string, replicas = 'replicas: 10', more = '') =>
    argoAlbRules['argo-threshold-never-met'].failing.text
      .replace('replicas: 10', replicas)
      .replace('type: Pods, value: 5', threshold)
      .concat(more);
  const messages = (manifests: string, version = ArgoRolloutsVersion.V1_10_2) =>
    checkArgoAlb(worldOf(manifests), { version })
      .filter(({ rule }) => rule.startsWith('argo-threshold'))
      .map(({ message }) => message);
  const hpa = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: shop}
spec: {scaleTargetRef: {apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: shop}, maxReplicas: 40}
`;

  it('is compared with the pods of each step', () => {
    expect(messages(text('type: Pods, value: 5'))).toEqual([
      'steps[0] of Rollout "shop" never ends: the step has 2 ready pods, and replicaProgressThreshold asks for 5 ready pods',
    ]);
    expect(messages(text('type: Percent, value: 101'))).toEqual([
      'steps[0] of Rollout "shop" never ends: the step has 2 ready pods, and replicaProgressThreshold asks for 101 % of the pods',
    ]);
    expect(messages(text('type: Pods, value: 2'))).toEqual([]);
    expect(messages(text('type: Pods, value: -1'))).toEqual([]);
  });

  it('is compared with as many pods as an autoscaler may add, and only as a percentage with an unknown number', () => {
    expect(messages(text('type: Pods, value: 5', 'replicas: 10', hpa))).toEqual([]);
    expect(messages(text('type: Pods, value: 9', 'replicas: 10', hpa))).toHaveLength(1);
    expect(messages(text('type: Pods, value: 5', 'revisionHistoryLimit: 1'))).toEqual([]);
    expect(messages(text('type: Percent, value: 150', 'revisionHistoryLimit: 1'))).toHaveLength(1);
  });

  it('counts pods with any other type, as the controller does', () => {
    expect(messages(text('type: Percentage, value: 50'))).toEqual([
      'replicaProgressThreshold of Rollout "shop" has the type "Percentage", so the controller counts pods: 50 of them',
      'steps[0] of Rollout "shop" never ends: the step has 2 ready pods, and replicaProgressThreshold asks for 50 ready pods',
    ]);
  });

  it('is dropped by releases before 1.9', () => {
    expect(messages(text('type: Pods, value: 5'), ArgoRolloutsVersion.V1_9_1)).toHaveLength(1);
    expect(messages(text('type: Pods, value: 5'), ArgoRolloutsVersion.V1_8_5)).toEqual([]);
  });
});
