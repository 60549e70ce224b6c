import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json';
import { admitRollout } from '../../../src/kruise/admission';
import { blueGreen, v1alpha1, v1beta1 } from './rollouts';

/** The response of the webhook to an update, as `rule field: message`. */
function update(old: JsonObject, rollout: JsonObject): string {
  const verdict = admitRollout(rollout, { old, existing: [old] });
  if (verdict.allowed) return 'allowed';
  if (verdict.by !== 'webhook') return verdict.by;
  const reported = verdict.problems.filter((problem) => problem.reported);
  expect(reported.every(({ type }) => type === 'FieldValueForbidden')).toBe(true);
  return reported.map(({ rule, field, message }) => `${rule} ${field}: ${message}`).join('\n');
}

const progressing = { phase: 'Progressing' };
const routing = (more: object = {}) => ({ service: 'web', ingress: { name: 'web' }, ...more });

describe('an update of a v1beta1 Rollout in progress', () => {
  const old = v1beta1({}, progressing);

  it.each(['Healthy', 'Initial', 'Disabled'])('may change anything in phase %s', (phase) => {
    const before = v1beta1({}, { phase });
    expect(update(before, v1beta1({ steps: [{ replicas: 1 }, { replicas: 2 }] }, { workload: 'shop' }))).toBe(
      'allowed',
    );
  });

  it('may change the contents of a step', () => {
    expect(update(old, v1beta1({ steps: [{ replicas: '50%', traffic: '20%' }] }))).toBe('allowed');
  });

  it.each<[string, JsonObject, string]>([
    [
      'the workload',
      v1beta1({}, { workload: 'shop' }),
      "rollout-workload-immutable Spec.ObjectRef: Rollout 'ObjectRef' field is immutable",
    ],
    [
      'the routing',
      v1beta1({ trafficRoutings: [routing()] }),
      "rollout-traffic-routings-immutable Spec.Strategy.Canary|BlueGreen.TrafficRoutings: Rollout 'Strategy.Canary|BlueGreen.TrafficRoutings' field is immutable",
    ],
    [
      'whether the canary has a workload of its own',
      v1beta1({ enableExtraWorkloadForCanary: false }),
      'rollout-style-immutable Spec.Strategy.Canary|BlueGreen: Rollout style and enableExtraWorkloadForCanary are immutable',
    ],
    [
      'the strategy',
      blueGreen(),
      'rollout-style-immutable Spec.Strategy.Canary|BlueGreen: Rollout style and enableExtraWorkloadForCanary are immutable',
    ],
    [
      'the number of steps',
      v1beta1({ steps: [{ replicas: 1 }, { replicas: 2 }] }),
      'rollout-step-count-immutable Spec.Strategy.Canary|BlueGreen: Amount of Rollout steps are immutable',
    ],
  ])('may not change %s', (_, rollout, message) => {
    expect(update(old, rollout)).toBe(message);
    expect(update({ ...old, status: { ...(old.status as JsonObject), phase: 'Terminating' } }, rollout)).toBe(message);
  });

  it('reports every change, although the webhook reports only the first', () => {
    const verdict = admitRollout(v1beta1({ steps: [{ replicas: 1 }, { replicas: 2 }] }, { workload: 'shop' }), { old });
    expect('problems' in verdict && verdict.problems.map(({ rule, reported }) => [rule, reported])).toEqual([
      ['rollout-workload-immutable', true],
      ['rollout-step-count-immutable', false],
    ]);
  });

  it('distinguishes an empty list of routings from none, but not the default from an absent value', () => {
    expect(update(old, v1beta1({ trafficRoutings: [] }))).toContain('rollout-traffic-routings-immutable');
    const routed = v1beta1({ trafficRoutings: [routing({ gracePeriodSeconds: 3 })] }, progressing);
    expect(update(routed, v1beta1({ trafficRoutings: [routing()] }))).toBe('allowed');
    const classless = v1beta1({
      trafficRoutings: [routing({ gracePeriodSeconds: 3, ingress: { name: 'web', classType: '' } })],
    });
    expect(update(routed, classless)).toBe('allowed');
  });

  it('is checked like a new Rollout first', () => {
    const verdict = admitRollout(v1beta1({ steps: [] }), { old });
    expect('problems' in verdict && verdict.problems.map(({ rule }) => rule)).toEqual(['rollout-steps-empty']);
  });
});

describe('an update of a v1alpha1 Rollout in progress', () => {
  const old = v1alpha1({}, 'canary', progressing);

  it('may change the number of steps, and the spelling of the style', () => {
    expect(update(old, v1alpha1({ steps: [{ replicas: 1 }, { replicas: 2 }] }, 'Canary'))).toBe('allowed');
  });

  it.each<[string, JsonObject, string]>([
    [
      'the workload',
      v1alpha1({}, 'canary', { workload: 'shop' }),
      "rollout-workload-immutable Spec.ObjectRef: Rollout 'ObjectRef' field is immutable",
    ],
    [
      'the routing',
      v1alpha1({ trafficRoutings: [routing()] }, 'canary'),
      "rollout-traffic-routings-immutable Spec.Strategy.Canary.TrafficRoutings: Rollout 'Strategy.Canary.TrafficRoutings' field is immutable",
    ],
    [
      'the style',
      v1alpha1({}, 'partition'),
      "rollout-style-immutable Metadata.Annotation: Rollout 'Rolling-Style' annotation is immutable",
    ],
  ])('may not change %s', (_, rollout, message) => {
    expect(update(old, rollout)).toBe(message);
  });

  it('panics the webhook if the old Rollout has no canary, for example after a conversion from blue-green', () => {
    const emptied = {
      ...old,
      spec: { objectRef: { workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } }, strategy: {} },
    };
    expect(update(emptied, v1alpha1({}, 'canary'))).toBe('crash');
  });
});
