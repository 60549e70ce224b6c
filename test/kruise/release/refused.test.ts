/** Rollouts that the cluster refuses, and TrafficRoutings that nobody applies. */
import { describe, expect, it } from 'vitest';
import { checkStack } from '../../../src/check';
import { Manifest, World } from '../../../src/core';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { objectsOf, rehearseObjects, rehearseStack } from '../../rehearsal/stack';
import { NGINX, PARTITION, writesOf } from './writes';

const HALF = [
  { traffic: '20%', replicas: '20%' },
  { traffic: '60%', replicas: '60%' },
];

describe('a Rollout that is refused', () => {
  it('by the webhook is not rehearsed', () => {
    const steps = [{ traffic: '0%', replicas: '20%' }];
    const rehearsal = rehearseStack({ ...NGINX, steps });

    expect(writesOf(rehearsal)).toEqual(['before']);
    expect(rehearsal.findings).toMatchObject([
      {
        rule: 'rehearsal-refused',
        severity: 'error',
        message: expect.stringMatching(
          /^the webhook refuses the Rollout, so it is not rehearsed: .*steps\[0\]\.traffic/,
        ),
      },
    ]);
  });

  it('by the API server is not rehearsed', () => {
    const [rehearsal] = rehearseObjects(objectsOf({ ...NGINX, steps: [{ traffic: 20, replicas: '20%' }] }));

    expect(writesOf(rehearsal!)).toEqual(['before']);
    expect(rehearsal!.findings[0]!.message).toContain('the API server refuses the Rollout');
  });

  it('depends on the release and its flags', () => {
    const stack = { ...NGINX, strategy: PARTITION, steps: HALF };
    const rulesWith = (options: object) => rehearseStack(stack, options).findings.map(({ rule }) => rule);

    expect(rulesWith({})).toEqual(['rehearsal-refused']);
    expect(rulesWith({ partitionPercentLimit: 60 })).not.toContain('rehearsal-refused');
    expect(rulesWith({ kruiseVersion: KruiseRolloutVersion.V0_5_5 })).not.toContain('rehearsal-refused');
  });

  it('is reported once by a check', () => {
    const objects = objectsOf({ ...NGINX, steps: [{ traffic: '0%', replicas: '20%' }] });
    const { findings } = checkStack(World.of(objects.map((object) => Manifest.of(object))));

    expect(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual([
      expect.not.stringMatching(/^rehearsal-/),
    ]);
  });
});

describe('a TrafficRouting', () => {
  const TRAFFIC_ROUTING = {
    apiVersion: 'rollouts.kruise.io/v1alpha1',
    kind: 'TrafficRouting',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { objectRef: [{ service: 'web', ingress: { name: 'web', classType: 'nginx' } }], strategy: { weight: 20 } },
  };
  const stackOf = (annotations: object) => {
    const strategy = { trafficRoutings: [], trafficRoutingRef: 'web' };
    const [rollout, ...others] = objectsOf({ ...NGINX, strategy, steps: [{ replicas: '100%' }] }) as Record<
      string,
      object
    >[];
    const named = { ...rollout, metadata: { ...rollout!.metadata, annotations } };
    return rehearseObjects([named, ...others, TRAFFIC_ROUTING]);
  };

  it('that a Rollout names only by a field is not rehearsed', () => {
    const [rehearsal] = stackOf({});

    expect(writesOf(rehearsal!)).toEqual(['before']);
    expect(rehearsal!.findings).toMatchObject([
      {
        rule: 'rehearsal-incomplete',
        message: expect.stringContaining('names this TrafficRouting only in trafficRoutingRef'),
      },
    ]);
  });

  it('that a Rollout names by the annotation is rehearsed', () => {
    const [rehearsal] = stackOf({ 'rollouts.kruise.io/trafficrouting': 'web' });

    expect(writesOf(rehearsal!).join()).toContain('created Ingress web-canary');
  });
});
