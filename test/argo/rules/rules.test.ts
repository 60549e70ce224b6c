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
  'argo-istio-route-unweighed': { version: ArgoRolloutsVersion.of('1.8.2') },
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

describe('what depends on the release', () => {
  const messages = (rule: keyof typeof argoAlbRules, text: string, version: string) =>
    checkArgoAlb(worldOf(text), { version: ArgoRolloutsVersion.of(version) })
      .filter((finding) => finding.rule === rule)
      .map(({ message }) => message);

  it('is whether old pods go after a delay: in 1.8.1 they do not', () => {
    const { corrected } = argoAlbRules['argo-old-pods-stay'];
    const stay = (text: string, version: string) => messages('argo-old-pods-stay', text, version);
    const begins =
      'the old pods of Rollout "shop" stay until its next release: their delay begins again each time, in Argo Rollouts v1.8.1';
    expect(stay(corrected.text, '1.8.1')).toEqual([begins]);
    expect(stay(corrected.text, '1.8.2')).toEqual([]);
    // A blue-green release removes its old pods at once without a delay.
    const { text } = argoAlbRules['argo-auto-promotion-seconds-ignored'].corrected;
    expect(stay(text, '1.8.1')).toEqual([begins]);
    expect(stay(text.replace('blueGreen: {', 'blueGreen: {scaleDownDelaySeconds: 0, '), '1.8.1')).toEqual([]);
    // Where no old version may keep its pods, they go at once.
    expect(stay(text.replace('blueGreen: {', 'blueGreen: {scaleDownDelayRevisionLimit: 0, '), '1.8.1')).toEqual([]);
    // With dynamicStableScale there is no delay.
    expect(stay(corrected.text.replace('scaleDownDelaySeconds: 5', 'dynamicStableScale: true'), '1.8.1')).toEqual([]);
  });

  it('is what the controller reads while pods are not ready', () => {
    const { failing, corrected } = argoAlbRules['argo-istio-waits-for-pods'];
    const unread = (text: string, version: string) => messages('argo-istio-waits-for-pods', text, version);
    const analysed = failing.text
      .replace('progressDeadlineAbort: true', 'progressDeadlineSeconds: 60')
      .replace('canary:\n', 'canary:\n      analysis: {templates: [{templateName: shop}]}\n');
    const says = (what: string, version: string) =>
      `while a pod of Rollout "shop" is not ready, Argo Rollouts v${version} does not read ${what}`;
    expect(unread(analysed, '1.9.1')).toEqual([says('its analysis in the background', '1.9.1')]);
    expect(unread(failing.text, '1.8.1')).toEqual([says('an abort', '1.8.1')]);
    for (const version of ['1.7.2', '1.8.3', '1.8.5']) expect(unread(failing.text, version)).toEqual([]);
    for (const version of ['1.8.1', '1.10.2']) expect(unread(corrected.text, version)).toEqual([]);
  });

  it('is whether a route gets weights that is the only one and has a name', () => {
    const { failing } = argoAlbRules['argo-istio-route-unweighed'];
    const unweighed = (text: string, version: string) => messages('argo-istio-route-unweighed', text, version).length;
    expect(['1.7.2', '1.8.2', '1.8.3', '1.10.2'].map((version) => unweighed(failing.text, version))).toEqual([
      1, 1, 0, 0,
    ]);
    // A header route stands beside it.
    const beside = failing.text.replace(
      'steps:\n',
      'steps:\n        - setHeaderRoute: {name: beta, match: [{headerName: x-beta, headerValue: {exact: "1"}}]}\n',
    );
    expect(unweighed(beside, '1.10.2')).toBe(1);
    expect(unweighed(beside.replace('name: primary, ', ''), '1.7.2')).toBe(0);
  });

  it('is whether a blue-green roll-back within the window ends', () => {
    const { failing } = argoAlbRules['argo-rollback-window-hangs'];
    const hangs = (text: string, version: string) => messages('argo-rollback-window-hangs', text, version).length;
    const automatic = failing.text.replace('autoPromotionEnabled: false', 'autoPromotionEnabled: true');
    const analysed = automatic.replace(
      'autoPromotionEnabled: true',
      'prePromotionAnalysis: {templates: [{templateName: shop}]}',
    );
    const previews = failing.text.replace('blueGreen: {', 'blueGreen: {previewReplicaCount: 2, ');
    const releases = ['1.7.1', '1.9.1', '1.10.2'];
    const inEach = (text: string) => releases.map((version) => hangs(text, version));
    expect(inEach(failing.text)).toEqual([1, 1, 0]);
    expect(inEach(automatic)).toEqual([0, 0, 0]);
    expect(inEach(analysed)).toEqual([0, 1, 0]);
    expect(inEach(previews)).toEqual([1, 1, 1]);
    expect(inEach(failing.text.replace('revisions: 2', 'revisions: 0'))).toEqual([0, 0, 0]);
  });

  it('is not whether an analysis has a template', () => {
    const { text } = argoAlbRules['argo-undo-waits'].failing;
    const without = text.replace(
      'postPromotionAnalysis: {templates: [{templateName: shop}]}',
      'postPromotionAnalysis: {}',
    );
    const found = checkArgoAlb(worldOf(without)).filter(({ rule }) => rule === 'argo-analysis-without-template');
    expect(found.map(({ path }) => path)).toEqual(['spec.strategy.blueGreen.postPromotionAnalysis']);
    // It is no fault of a threshold that is met.
    const threshold = argoAlbRules['argo-analysis-without-template'].failing.text.replace(
      'canary:\n',
      'canary:\n      replicaProgressThreshold: {type: Percent, value: 50}\n',
    );
    expect(checkArgoAlb(worldOf(threshold)).map(({ rule }) => rule)).toEqual(['argo-analysis-without-template']);
  });
});
