import { describe, expect, test } from 'vitest';
import { KruiseRolloutStep, KruiseRolloutStrategy } from '../../src/constructs';
import { run } from './program';

const strategy = KruiseRolloutStrategy.canary({
  steps: [KruiseRolloutStep.traffic('20%', { pause: { duration: 60 } }), KruiseRolloutStep.traffic('100%')],
});
const workload = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

describe('KruiseRollout', () => {
  test('makes the Rollout as a child of its own', async () => {
    const { of } = await run(({ library, recorded }) => {
      new library.KruiseRollout(
        'web',
        { workload, strategy, trafficRouting: { service: 'web', ingress: 'web', classType: 'nginx' } },
        recorded,
      );
    });
    const rollout = of('kubernetes:rollouts.kruise.io/v1beta1:Rollout');
    expect(rollout.name).toBe('web-rollout');
    expect(rollout.urn).toBe(
      'urn:pulumi:stack::project::rollout-constructs:index:KruiseRollout$kubernetes:rollouts.kruise.io/v1beta1:Rollout::web-rollout',
    );
    expect(rollout.inputs).toEqual({
      apiVersion: 'rollouts.kruise.io/v1beta1',
      kind: 'Rollout',
      metadata: { name: 'web' },
      spec: {
        workloadRef: workload,
        strategy: {
          canary: {
            enableExtraWorkloadForCanary: true,
            steps: [
              { traffic: '20%', replicas: '20%', pause: { duration: 60 } },
              { traffic: '100%', replicas: '100%' },
            ],
            trafficRoutings: [{ service: 'web', ingress: { name: 'web', classType: 'nginx' } }],
          },
        },
      },
    });
  });
});
