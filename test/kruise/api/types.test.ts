import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json';
import { admitRollout } from '../../../src/kruise/admission';
import type { CanaryStepV1alpha1, RolloutStrategy, RolloutV1beta1, TrafficRoutingRef } from '../../../src/kruise/api';

/** What the compiler takes, and what it refuses: a line that it should refuse and does not is an error itself. */
describe('the types', () => {
  const steps = [{ replicas: '20%' }];

  it('take what the controller takes', () => {
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

  it('refuse what is one of two', () => {
    // @ts-expect-error both strategies
    const both: RolloutStrategy = { canary: { steps }, blueGreen: { steps } };
    // @ts-expect-error no strategy
    const neither: RolloutStrategy = { paused: true };
    expect([both, neither]).toHaveLength(2);
  });

  it('refuse what lacks all of which one is needed', () => {
    // @ts-expect-error nothing routes
    const routing: TrafficRoutingRef = { service: 'web' };
    // @ts-expect-error neither weight nor replicas
    const step: CanaryStepV1alpha1 = { pause: {} };
    expect([routing, step]).toHaveLength(2);
  });

  it('refuse what only the webhook would', () => {
    // @ts-expect-error a step without replicas
    const strategy: RolloutStrategy = { canary: { steps: [{ traffic: '20%' }] } };
    // @ts-expect-error an HTTPRoute without its name
    const routing: TrafficRoutingRef = { service: 'web', gateway: {} };
    expect([strategy, routing]).toHaveLength(2);
  });
});
