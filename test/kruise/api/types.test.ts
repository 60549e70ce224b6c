import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json';
import { admitRollout } from '../../../src/kruise/admission';
import type { CanaryStepV1alpha1, RolloutStrategy, RolloutV1beta1, TrafficRoutingRef } from '../../../src/kruise/api';

/** What the compiler accepts and rejects: a line that it accepts by mistake is itself an error. */
describe('the types', () => {
  const steps = [{ replicas: '20%' }];

  it('accept what the controller accepts', () => {
    const rollout: RolloutV1beta1 = {
      apiVersion: 'rollouts.kruise.io/v1beta1',
      kind: 'Rollout',
      metadata: { name: 'web' },
      spec: {
        workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        strategy: {
          canary: { steps, trafficRoutings: [{ service: 'web', ingress: { name: 'web' }, customNetworkRefs: [] }] },
        },
      },
    };
    expect(admitRollout(rollout as unknown as JsonObject).allowed).toBe(true);
  });

  it('reject both or neither of two alternatives', () => {
    // @ts-expect-error both strategies
    const both: RolloutStrategy = { canary: { steps }, blueGreen: { steps } };
    // @ts-expect-error no strategy
    const neither: RolloutStrategy = { paused: true };
    expect([both, neither]).toHaveLength(2);
  });

  it('reject an object without any of several alternatives', () => {
    // @ts-expect-error nothing routes
    const routing: TrafficRoutingRef = { service: 'web' };
    // @ts-expect-error neither weight nor replicas
    const step: CanaryStepV1alpha1 = { pause: {} };
    expect([routing, step]).toHaveLength(2);
  });

  it('reject what only the webhook would reject', () => {
    // @ts-expect-error a step without replicas
    const strategy: RolloutStrategy = { canary: { steps: [{ traffic: '20%' }] } };
    // @ts-expect-error an HTTPRoute without its name
    const routing: TrafficRoutingRef = { service: 'web', gateway: {} };
    expect([strategy, routing]).toHaveLength(2);
  });
});
