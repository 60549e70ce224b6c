/** The webhook before 0.6, which checks less, and has other texts. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json';
import { admitRollout } from '../../../src/kruise/admission';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { v1alpha1, v1beta1 } from './rollouts';

const { V0_5_5, V0_6_0 } = KruiseRolloutVersion;

/** The answers of 0.5.5 and of 0.6.0. */
function answers(rollout: JsonObject, old?: JsonObject): string[] {
  return [V0_5_5, V0_6_0].map((version) => {
    const verdict = admitRollout(rollout, old && { old }, { version });
    if (verdict.allowed) return 'allowed';
    return verdict.by === 'webhook'
      ? verdict.problems.map(({ rule, message }) => `${rule}: ${message}`).join()
      : verdict.by;
  });
}

const routed = (more: object = {}) => ({ trafficRoutings: [{ service: 'web', ingress: { name: 'web' }, ...more }] });
const step = { replicas: 1, traffic: '0%' };

describe('before 0.6, the webhook', () => {
  it.each<[what: string, rollout: JsonObject, rule: string]>([
    ['a negative gracePeriodSeconds', v1beta1(routed({ gracePeriodSeconds: -1 })), 'rollout-grace-period-negative'],
    ['the same in v1alpha1', v1alpha1(routed({ gracePeriodSeconds: -1 })), 'rollout-grace-period-negative'],
    ['traffic that nothing routes', v1beta1({ steps: [step] }), 'rollout-traffic-invalid'],
    ['a weight of 0 in v1alpha1', v1alpha1({ steps: [{ weight: 0 }] }), 'rollout-weight-invalid'],
  ])('accepts %s', (_, rollout, rule) => {
    const [before, since] = answers(rollout);
    expect(before).toBe('allowed');
    expect(since).toContain(rule);
  });

  it('says that a v1alpha1 Rollout has no workload, where a later one panics', () => {
    const { objectRef: _, ...spec } = v1alpha1({}).spec as JsonObject;
    expect(answers({ ...v1alpha1({}), spec: { ...spec, objectRef: {} } })).toEqual([
      'rollout-workload-ref-missing: WorkloadRef is required',
      'crash',
    ]);
  });

  it('has another text for traffic that is no percentage', () => {
    const [before, since] = answers(v1beta1({ ...routed(), steps: [step] }));
    const text = 'rollout-traffic-invalid: traffic must be percentage with "0%" < traffic <= "100%"';
    expect([before, since]).toEqual([text, `${text} in canary strategy`]);
  });

  it.each<[what: string, rollout: JsonObject, before: string, since: string]>([
    [
      'the number of steps',
      v1beta1({ steps: [{ replicas: 1 }, { replicas: 2 }] }),
      'allowed',
      'rollout-step-count-immutable: Amount of Rollout steps are immutable',
    ],
    [
      'the routing',
      v1beta1(routed()),
      "rollout-traffic-routings-immutable: Rollout 'Strategy.Canary.TrafficRoutings' field is immutable",
      "rollout-traffic-routings-immutable: Rollout 'Strategy.Canary|BlueGreen.TrafficRoutings' field is immutable",
    ],
    [
      'the style',
      v1beta1({ enableExtraWorkloadForCanary: false }),
      'rollout-style-immutable: Rollout enableExtraWorkloadForCanary is immutable',
      'rollout-style-immutable: Rollout style and enableExtraWorkloadForCanary are immutable',
    ],
  ])('answers in the middle of a release to another value of %s', (_, rollout, before, since) => {
    expect(answers(rollout, v1beta1({}, { phase: 'Progressing' }))).toEqual([before, since]);
  });
});
