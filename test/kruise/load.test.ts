import { describe, expect, it } from 'vitest';
import { Manifest } from '../../src/core';
import { loadRollout } from '../../src/kruise/load';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { blueGreen, v1alpha1, v1beta1 } from './admission/rollouts';

describe('loadRollout', () => {
  it('returns the Rollout as it would be stored', () => {
    const object = v1beta1({ trafficRoutings: [{ service: 'web', ingress: { name: 'web' } }], misspelt: 1 });
    const { rollout, findings } = loadRollout(Manifest.of(object));
    expect(findings.map(({ rule }) => rule)).toEqual(['field-unknown']);
    expect(rollout?.apiVersion).toBe('rollouts.kruise.io/v1beta1');
    if (rollout?.apiVersion !== 'rollouts.kruise.io/v1beta1') return;
    expect(rollout.spec.disabled).toBe(false);
    expect(rollout.spec.strategy.canary?.trafficRoutings?.[0]?.gracePeriodSeconds).toBe(3);
    expect(rollout.spec.strategy.canary).not.toHaveProperty('misspelt');
  });

  it('distinguishes the versions', () => {
    const { rollout } = loadRollout(Manifest.of(v1alpha1()));
    expect(rollout?.apiVersion === 'rollouts.kruise.io/v1alpha1' && rollout.spec.objectRef.workloadRef.name).toBe(
      'web',
    );
  });

  it('returns nothing if the API would reject the Rollout, with the reason', () => {
    const { rollout, findings } = loadRollout(Manifest.of(v1beta1({ steps: [] })));
    expect(rollout).toBeUndefined();
    expect(findings.map(({ rule }) => rule)).toEqual(['rollout-steps-empty']);
  });

  it('depends on the release', () => {
    const version = KruiseRolloutVersion.V0_5_0;
    expect(loadRollout(Manifest.of(blueGreen())).rollout).toBeDefined();
    expect(loadRollout(Manifest.of(blueGreen()), { version }).rollout).toBeUndefined();
  });

  it('rejects another kind with a message', () => {
    const argo = Manifest.of({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata: { name: 'web' } });
    expect(() => loadRollout(argo)).toThrow(
      'expected a Rollout of rollouts.kruise.io, got Rollout of argoproj.io/v1alpha1',
    );
  });
});
