/** What an abort can lead to: one that never ends, and a retry that asks nobody. */
import { describe, expect, it } from 'vitest';
import { blueGreen, canary } from '../../../src/argo/admission/rules/examples';
import { checkArgoAlb } from '../../../src/argo/rules';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import { parseManifests, World } from '../../../src/core';

const STEPS = '- setWeight: 20\n- pause: {}\n- setWeight: 60\n- pause: {}';
const HPA = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: shop}
spec:
  scaleTargetRef: {apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: shop}
  maxReplicas: 10
`;

function messagesOf(rule: string, text: string, release = '1.9.1'): string[] {
  const world = World.of(parseManifests(text, 'shop.yaml').manifests);
  const found = checkArgoAlb(world, { version: ArgoRolloutsVersion.of(release) });
  return found.filter((each) => each.rule === rule).map(({ message }) => message);
}

describe('argo-abort-never-ends', () => {
  const told = (fields: string, { replicas = 10, steps = STEPS, more = '', release = '1.9.1' } = {}) => {
    const rest = `dynamicStableScale: true${fields}`;
    return messagesOf(
      'argo-abort-never-ends',
      canary({ spec: `replicas: ${replicas}`, steps, rest }).text + more,
      release,
    );
  };
  const DELAY = '\nabortScaleDownDelaySeconds: 30';

  it('tells the step, the share and the field', () => {
    expect(told(DELAY)).toEqual([
      'after an abort at steps[2], Argo Rollouts v1.9.1 leaves 20% of the requests on the new version of Rollout "shop" for ever: ' +
        'it waits for fewer new pods, which abortScaleDownDelaySeconds keeps',
    ]);
    expect(told('\nminPodsPerReplicaSet: 3')[0]).toContain('which minPodsPerReplicaSet keeps');
  });

  it('counts the pods that an autoscaler may add', () => {
    expect(told(DELAY, { replicas: 1 })).toEqual([]);
    expect(told(DELAY, { replicas: 1, more: HPA })).toHaveLength(1);
  });

  it('has nothing against releases before 1.9, a delay of 0, or a single weight', () => {
    expect(told(DELAY, { release: '1.8.5' })).toEqual([]);
    expect(told('\nabortScaleDownDelaySeconds: 0')).toEqual([]);
    expect(told(DELAY, { steps: '- setWeight: 20\n- pause: {}' })).toEqual([]);
    expect(told('')).toEqual([]);
  });
});

const blueGreenMessages = (rule: string) => (fields: string, release?: string) =>
  messagesOf(rule, blueGreen(`activeService: shop-active, previewService: shop-preview${fields}`).text, release);

describe('argo-retry-skips-pause', () => {
  const told = blueGreenMessages('argo-retry-skips-pause');

  it('names what a retry skips, and for how long', () => {
    expect(told(', autoPromotionEnabled: false')).toEqual([
      'a retry within 30 seconds of an abort promotes Rollout "shop" without its pause, in Argo Rollouts v1.9.1',
    ]);
    expect(told(', abortScaleDownDelaySeconds: 60, prePromotionAnalysis: {templates: [{templateName: shop}]}')).toEqual(
      ['a retry within 60 seconds of an abort promotes Rollout "shop" without its analysis, in Argo Rollouts v1.9.1'],
    );
  });

  it('has nothing against a release that waits for nobody, other previews, or 1.10', () => {
    expect(told('')).toEqual([]);
    expect(told(', autoPromotionEnabled: false, previewReplicaCount: 1')).toEqual([]);
    expect(told(', autoPromotionEnabled: false', '1.10.2')).toEqual([]);
  });
});

describe('argo-undo-waits', () => {
  const AFTER = ', postPromotionAnalysis: {templates: [{templateName: shop}]}';
  const told = blueGreenMessages('argo-undo-waits');

  it('is about roll-backs that wait for people', () => {
    expect(told(`${AFTER}, autoPromotionEnabled: false`)).toEqual([
      'a roll-back of Rollout "shop" after its promotion waits for another promotion, in Argo Rollouts v1.9.1, until this analysis is over',
    ]);
  });

  it('has nothing against a release that waits for nobody or has no analysis, other previews, or 1.10', () => {
    expect(told(AFTER)).toEqual([]);
    expect(told(', autoPromotionEnabled: false')).toEqual([]);
    expect(told(`${AFTER}, autoPromotionEnabled: false, previewReplicaCount: 1`)).toEqual([]);
    expect(told(`${AFTER}, autoPromotionEnabled: false`, '1.10.2')).toEqual([]);
  });
});
