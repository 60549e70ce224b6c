import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json';
import { fieldText } from '../../src/core/schema';
import { admitRollout } from '../../src/kruise/admission';
import { apiSchema } from '../../src/kruise/api/schema';
import { toV1alpha1, toV1beta1 } from '../../src/kruise/convert';
import { blueGreen, v1alpha1, v1beta1 } from './admission/rollouts';
import { objectsOf } from './api/objects';

const STYLE = 'rollouts.kruise.io/rolling-style';
const ROUTING = 'rollouts.kruise.io/trafficrouting';

const lossesOf = ({ losses }: ReturnType<typeof toV1alpha1> | ReturnType<typeof toV1beta1>) =>
  losses.map(({ path }) => fieldText(path));

describe('toV1beta1', () => {
  const steps = (rollout: JsonObject) => toV1beta1(rollout).rollout.spec.strategy.canary!.steps;

  it('writes the weight as traffic, and as replicas if they are missing', () => {
    expect(steps(v1alpha1({ steps: [{ weight: 20 }, { weight: 30, replicas: 5 }, { replicas: '50%' }] }))).toEqual([
      { traffic: '20%', replicas: '20%' },
      { traffic: '30%', replicas: 5 },
      { replicas: '50%' },
    ]);
  });

  it('writes the style as a field', () => {
    const own = (style?: string) =>
      toV1beta1(v1alpha1({}, style)).rollout.spec.strategy.canary!.enableExtraWorkloadForCanary;
    expect([own(), own('canary'), own('Partition'), own('partition')]).toEqual([true, true, false, false]);
    expect(toV1beta1(v1alpha1({}, 'canary')).rollout.metadata).toEqual({ name: 'web' });
  });

  it('keeps the annotation that names a TrafficRouting, as the controller reads only that', () => {
    const rollout = { ...v1alpha1(), metadata: { name: 'web', annotations: { [ROUTING]: 'tr', other: 'x' } } };
    const converted = toV1beta1(rollout).rollout;
    expect(converted.metadata.annotations).toEqual({ [ROUTING]: 'tr', other: 'x' });
    expect(converted.spec.strategy.canary!.trafficRoutingRef).toBe('tr');
  });

  it('leaves out an empty list of matches, which would have another meaning', () => {
    expect(steps(v1alpha1({ steps: [{ replicas: 1, matches: [] }] }))).toEqual([{ replicas: 1 }]);
  });

  it('reports what is lost', () => {
    const rollout = v1alpha1({ disableGenerateCanaryService: true, steps: [{ weight: 0, replicas: 1 }] });
    const spec = { ...(rollout.spec as JsonObject), rolloutID: '7' };
    expect(lossesOf(toV1beta1({ ...rollout, spec }))).toEqual([
      'spec.rolloutID',
      'spec.strategy.canary.disableGenerateCanaryService',
      'spec.strategy.canary.steps[0].weight',
    ]);
  });

  it('keeps the rest', () => {
    const rest = {
      failureThreshold: '10%',
      patchPodTemplateMetadata: { labels: { a: 'b' } },
      trafficRoutings: [{ service: 'web', ingress: { name: 'web' } }],
    };
    const { rollout, losses } = toV1beta1(v1alpha1({ ...rest, steps: [{ replicas: 1, pause: { duration: 5 } }] }));
    expect(losses).toEqual([]);
    expect(rollout.spec.strategy.canary).toEqual({
      ...rest,
      enableExtraWorkloadForCanary: true,
      steps: [{ replicas: 1, pause: { duration: 5 } }],
    });
  });
});

describe('toV1alpha1', () => {
  it('writes traffic as weight and the style as an annotation', () => {
    const { rollout, losses } = toV1alpha1(
      v1beta1({ steps: [{ traffic: '20%', replicas: 1 }], trafficRoutingRef: 'tr' }),
    );
    expect(losses).toEqual([]);
    expect(rollout).toEqual({
      apiVersion: 'rollouts.kruise.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'web', annotations: { [STYLE]: 'canary', [ROUTING]: 'tr' } },
      spec: {
        objectRef: { workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
        strategy: { canary: { steps: [{ weight: 20, replicas: 1 }] } },
      },
    });
  });

  it('empties a blue-green Rollout, and reports it', () => {
    const converted = toV1alpha1(blueGreen());
    expect(lossesOf(converted)).toEqual(['spec.strategy.blueGreen']);
    expect(converted.rollout.spec).toEqual({ objectRef: {}, strategy: {} });
  });

  it('reports that a match without its path matches everything', () => {
    const matches = [
      { path: { value: '/a' } },
      { headers: [{ name: 'a', value: 'b' }], queryParams: [{ name: 'a', value: 'b' }] },
    ];
    const converted = toV1alpha1(v1beta1({ steps: [{ replicas: 1, matches }] }));
    expect(converted.losses.map(({ path, reason }) => `${fieldText(path.slice(-2))} ${reason}`)).toEqual([
      '[0].path v1alpha1 matches headers only, and the match without a condition matches every request',
      '[1].queryParams v1alpha1 matches headers only',
    ]);
  });

  it('reports what v1alpha1 cannot express', () => {
    const strategy = { disableGenerateCanaryService: true, steps: [{ replicas: 1, traffic: 'x' }] };
    expect(
      lossesOf(toV1alpha1(v1beta1(strategy, { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet' }))),
    ).toEqual([
      'spec.strategy.canary.disableGenerateCanaryService',
      'spec.strategy.canary.steps[0].traffic',
      'spec.strategy.canary.enableExtraWorkloadForCanary',
    ]);
  });
});

describe('a conversion without losses', () => {
  const spec = objectsOf(apiSchema('Rollout', 'v1alpha1')!.properties!.spec!, 1);
  const rollouts = fc.tuple(spec, fc.constantFrom('', 'canary', 'partition')).map(([generated, style]) => {
    const sound = v1alpha1({}, style).spec as JsonObject;
    const { canary } = (generated.strategy ?? {}) as JsonObject;
    const strategy = { ...(sound.strategy as JsonObject), ...(canary === undefined ? {} : { canary }) };
    return { ...v1alpha1({}, style), spec: { ...sound, strategy } } as JsonObject;
  });

  it('is accepted like its original, and converts back to the same object', () => {
    let seen = 0;
    fc.assert(
      fc.property(rollouts, (generated) => {
        const verdict = admitRollout(generated);
        if (!verdict.allowed) return;
        const { rollout, losses } = toV1beta1(verdict.object);
        if (losses.length > 0) return;
        seen++;
        expect(admitRollout(rollout as unknown as JsonObject)).toMatchObject({ allowed: true });
        const again = toV1beta1(toV1alpha1(rollout).rollout as unknown as JsonObject);
        expect(again.rollout).toEqual(rollout);
      }),
      { seed: 21, numRuns: 1500 },
    );
    expect(seen).toBeGreaterThan(50);
  });
});
