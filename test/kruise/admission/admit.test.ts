import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json';
import { type AdmissionOptions, type AdmissionVerdict, admitRollout } from '../../../src/kruise/admission';
import { apiSchema } from '../../../src/kruise/api/schema';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { objectsOf } from '../api/objects';
import { blueGreen, v1alpha1, v1beta1 } from './rollouts';

const { NEXT, V0_4_0, V0_5_0, V0_6_2 } = KruiseRolloutVersion;

/** The messages of the webhook, or which other component rejected the object. */
function answer(verdict: AdmissionVerdict): string | string[] {
  if (verdict.allowed) return 'allowed';
  if (verdict.by !== 'webhook') return verdict.by;
  return verdict.problems.filter(({ reported }) => reported).map(({ message }) => message);
}

function admit(rollout: JsonObject, options?: AdmissionOptions) {
  return answer(admitRollout(rollout, {}, options));
}

const LIMIT =
  'For partition style rollout: step[x].replicas must not greater than partition-percent-limit if traffic specified';

describe('the partition limit', () => {
  const step = (more: object) => ({ steps: [{ replicas: '51%', ...more }], enableExtraWorkloadForCanary: false });

  it.each<[string, object, boolean]>([
    ['traffic', { traffic: '20%' }, true],
    ['matches', { matches: [{ headers: [{ name: 'a', value: 'b' }] }] }, true],
    ['no traffic and no matches', {}, false],
    ['an empty list of matches', { matches: [] }, false],
    ['exactly the limit', { traffic: '20%', replicas: '50%' }, false],
    ['a number of pods', { traffic: '20%', replicas: 1000 }, false],
  ])('with %s', (_, more, isRefused) => {
    expect(admit(v1beta1(step(more)))).toEqual(isRefused ? [LIMIT] : 'allowed');
  });

  it('applies to every workload except a Deployment of apps/v1 with a canary workload', () => {
    const strategy = { steps: [{ replicas: '51%', traffic: '20%' }] };
    expect(admit(v1beta1(strategy))).toBe('allowed');
    expect(admit(v1beta1(strategy, { apiVersion: 'apps/v1beta1' }))).toEqual([LIMIT]);
    expect(admit(v1beta1(strategy, { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet' }))).toEqual([LIMIT]);
    expect(admit(blueGreen(strategy))).toBe('allowed');
  });

  it('is a flag of the controller, from 0.6 on', () => {
    const rollout = v1beta1(step({ traffic: '20%' }));
    expect(admit(rollout, { partitionPercentLimit: 60 })).toBe('allowed');
    expect(admit(v1beta1(step({ traffic: '20%', replicas: '10%' })), { partitionPercentLimit: 5 })).toEqual([LIMIT]);
    expect(admit(rollout, { version: V0_5_0 })).toBe('allowed');
  });

  it('counts an empty list of matches in v1alpha1', () => {
    expect(admit(v1alpha1({ steps: [{ replicas: '51%', matches: [] }] }, 'partition'))).toEqual([
      'For patition style rollout: step[x].replicas must not greater than replicasLimitWithTraffic if traffic or matches specified',
    ]);
    expect(admit(v1alpha1({ steps: [{ replicas: '51%' }] }, 'partition'))).toBe('allowed');
  });
});

describe('steps', () => {
  it('are compared only with adjacent steps of the same kind', () => {
    const steps = (...replicas: unknown[]) => v1beta1({ steps: replicas.map((one) => ({ replicas: one })) });
    expect(admit(steps('50%', 3, '20%'))).toBe('allowed');
    expect(admit(steps('50%', '50%', 3, 3))).toBe('allowed');
    expect(admit(steps(3, 2))).toEqual(['Steps.CanaryReplicas must be a non decreasing sequence']);
  });

  it('are all reported, although the webhook stops at the first error', () => {
    const verdict = admitRollout(v1beta1({ steps: [{ replicas: 0 }, { replicas: 1 }, {}] }));
    expect(verdict).toMatchObject({ by: 'webhook' });
    const problems = 'problems' in verdict ? verdict.problems : [];
    expect(problems.map(({ rule, step, reported }) => [rule, step, reported])).toEqual([
      ['rollout-replicas-invalid', 0, true],
      ['rollout-replicas-missing', 2, false],
    ]);
  });

  it.each(['"0%" <= ', '"0%" < '])('take traffic of %s', (least) => {
    const rollout = least.includes('=') ? blueGreen : v1beta1;
    const traffic = (text: string) => admit(rollout({ steps: [{ replicas: 1, traffic: text }] }));
    expect(traffic('0%') === 'allowed').toBe(least.includes('='));
    expect(traffic('100%')).toBe('allowed');
    expect(traffic('101%')).toEqual([expect.stringContaining(least)]);
    expect(traffic('')).toEqual([expect.stringContaining(least)]);
  });

  it('may have a weight beyond 100 in v1alpha1 when they have replicas too', () => {
    expect(admit(v1alpha1({ steps: [{ weight: 500, replicas: 1 }] }))).toBe('allowed');
    expect(admit(v1alpha1({ steps: [{ weight: 500 }] }))).toEqual([expect.stringContaining('weight must be positive')]);
  });

  it('use the weight as a percentage of pods in v1alpha1', () => {
    const steps = [{ replicas: '50%' }, { weight: 20 }];
    expect(admit(v1alpha1({ steps }))).toEqual(['Steps.CanaryReplicas must be a non decreasing sequence']);
    expect(admit(v1alpha1({ steps: [{ replicas: 5 }, { weight: 1 }] }))).toBe('allowed');
  });

  it('must not decrease in weight in v1alpha1 if traffic is routed', () => {
    const steps = [
      { weight: 50, replicas: 1 },
      { weight: 20, replicas: 2 },
    ];
    const trafficRoutings = [{ service: 'web', ingress: { name: 'web' } }];
    expect(admit(v1alpha1({ steps }))).toBe('allowed');
    expect(admit(v1alpha1({ steps, trafficRoutings: [] }))).toBe('allowed');
    expect(admit(v1alpha1({ steps, trafficRoutings }))).toEqual(['Steps.Weight must be a non decreasing sequence']);
  });
});

describe('the workload', () => {
  const of = (apiVersion: string, kind: string, options?: AdmissionOptions) =>
    admit(v1beta1({}, { apiVersion, kind }), options);

  it.each([
    ['apps/v1', 'ReplicaSet'],
    ['apps/v1beta2', 'Deployment'],
    ['apps.kruise.io/v1alpha1', 'DaemonSet'],
    ['apps.kruise.io/v1beta1', 'StatefulSet'],
  ])('may be a %s %s', (apiVersion, kind) => {
    expect(of(apiVersion, kind)).toBe('allowed');
  });

  it.each([
    ['v1', 'Deployment'],
    ['apps', 'Deployment'],
    ['apps/v1/x', 'Deployment'],
    ['apps/v1', 'deployment'],
    ['', ''],
  ])('may not be a %j %j', (apiVersion, kind) => {
    expect(of(apiVersion, kind)).toEqual(['WorkloadRef kind is not supported']);
  });

  it('may be an Advanced DaemonSet from 0.4 on', () => {
    const of = (version: string) =>
      admit(v1alpha1({}, undefined, { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'DaemonSet' }), {
        version: KruiseRolloutVersion.find(version)!,
      });
    expect(of('0.3.0')).toEqual(['WorkloadRef kind is not supported']);
    expect(of('0.4.0')).toBe('allowed');
  });

  it('may be a DaemonSet of Kubernetes after 0.6', () => {
    expect(of('apps/v1', 'DaemonSet', { version: V0_6_2 })).toEqual(['WorkloadRef kind is not supported']);
    expect(of('apps/v1', 'DaemonSet', { version: NEXT })).toBe('allowed');
  });

  it('is checked as for blue-green even if canary is also set', () => {
    const both = blueGreen({}, { kind: 'StatefulSet' });
    const strategy = { canary: { steps: [] }, blueGreen: { steps: [] } };
    expect(admit({ ...both, spec: { ...(both.spec as JsonObject), strategy } })).toEqual([
      'WorkloadRef kind is not supported for bluegreen style',
      'Canary and BlueGreen cannot both be set',
    ]);
  });
});

describe('a second Rollout for a workload', () => {
  const others = (...existing: JsonObject[]) => answer(admitRollout(v1beta1(), { existing }));

  it.each<[string, JsonObject, string | undefined]>([
    ['in another namespace', v1beta1({}, { name: 'b', namespace: 'shop' }), undefined],
    ['of the same name, which is itself', v1beta1({}), undefined],
    ['of another version of the workload', v1beta1({}, { name: 'b', apiVersion: 'apps/v1beta1' }), undefined],
    ['in the default namespace, written out', v1beta1({}, { name: 'b', namespace: 'default' }), 'default/b'],
    ['in v1alpha1', v1alpha1({}, undefined, { name: 'b' }), 'default/b'],
    ['by blue-green', blueGreen({}, { name: 'b' }), 'default/b'],
  ])('%s', (_, other, taken) => {
    expect(others(other)).toEqual(
      taken === undefined
        ? 'allowed'
        : [`This rollout conflict with Rollout(${taken}), one workload only have less than one Rollout`],
    );
  });

  it('is reported last', () => {
    const verdict = admitRollout(v1beta1({ steps: [] }), { existing: [v1beta1({}, { name: 'b' })] });
    expect(answer(verdict)).toHaveLength(2);
  });

  it('does not conflict with a Rollout without a workload', () => {
    const empty = { ...v1alpha1({}, undefined, { name: 'b' }), spec: { objectRef: {}, strategy: {} } };
    expect(answer(admitRollout(v1alpha1(), { existing: [empty] }))).toBe('allowed');
  });
});

describe('a v1alpha1 Rollout without a workload', () => {
  const without = (style?: string, strategy: object = { canary: { steps: [{ replicas: 1 }] } }) => ({
    ...v1alpha1({}, style),
    spec: { objectRef: {}, strategy } as JsonObject,
  });

  it.each([undefined, '', 'canary', 'CANARY'])('panics the webhook with style %j', (style) => {
    expect(admit(without(style))).toBe('crash');
  });

  it('is rejected with the other styles', () => {
    expect(admit(without('Partition'))).toEqual(['WorkloadRef is required']);
    expect(admit(without('blueGreen'))).toEqual([
      'WorkloadRef is required',
      "Rolling style must be 'Canary', 'Partition' or empty",
    ]);
  });

  it('is rejected without a strategy', () => {
    expect(admit(without(undefined, {}))).toEqual(['WorkloadRef is required', 'Canary cannot be empty']);
  });
});

describe('the checks before the webhook', () => {
  it('include the kind', () => {
    expect(admit(v1beta1(), { version: V0_4_0 })).toBe('kind');
    expect(admit({ ...v1beta1(), apiVersion: 'rollouts.kruise.io/v1' })).toBe('kind');
  });

  it('include the CRD', () => {
    expect(admit(v1beta1({ steps: [{ replicas: 1.5 }] }))).toBe('schema');
    expect(admit({ ...v1beta1(), metadata: { name: 'Web' } })).toBe('schema');
  });

  it.each<[string, object]>([
    ['replicas', { replicas: 2 ** 31 }],
    ['a pause', { replicas: 1, pause: { duration: 2 ** 31 } }],
    ['a negative pause', { replicas: 1, pause: { duration: -(2 ** 31) - 1 } }],
  ])('include decoding in the webhook: %s', (_, step) => {
    expect(admit(v1beta1({ steps: [step] }))).toBe('decode');
  });

  it('report the message of Go for a number that is too large', () => {
    const verdict = admitRollout(v1beta1({ trafficRoutings: [{ service: 'a', gracePeriodSeconds: 4e9 }] }));
    expect(verdict).toMatchObject({
      message:
        'json: cannot unmarshal number 4000000000 into Go struct field TrafficRoutingRef.spec.strategy.canary.trafficRoutings.gracePeriodSeconds of type int32',
    });
  });

  it('leave out the status', () => {
    expect(admit({ ...v1beta1(), status: { phase: 1 } })).toBe('allowed');
  });

  it.each<[string, object]>([
    ['51 steps', { steps: Array.from({ length: 51 }, () => ({ replicas: 1 })) }],
    ['17 matches', { steps: [{ replicas: 1, matches: Array.from({ length: 17 }, () => ({})) }] }],
    ['a path that does not begin with /', { steps: [{ replicas: 1, matches: [{ path: { value: 'a' } }] }] }],
    ['a path with ..', { steps: [{ replicas: 1, matches: [{ path: { value: '/a/..' } }] }] }],
    ['a path with a space', { steps: [{ replicas: 1, matches: [{ path: { value: '/a b' } }] }] }],
    ['a header removed twice', { steps: [{ replicas: 1, requestHeaderModifier: { remove: ['a', 'a'] } }] }],
  ])('reject %s only after 0.6', (_, strategy) => {
    expect(admit(v1beta1(strategy), { version: V0_6_2 })).toBe('allowed');
    expect(admit(v1beta1(strategy), { version: NEXT })).toBe('schema');
  });

  it('accept any path of a regular expression', () => {
    const path = { type: 'RegularExpression', value: 'a//b#?' };
    expect(admit(v1beta1({ steps: [{ replicas: 1, matches: [{ path }] }] }), { version: NEXT })).toBe('allowed');
  });

  it('drop the fields that the release does not have', () => {
    const verdict = admitRollout(blueGreen(), {}, { version: V0_5_0 });
    expect(verdict.unknown.map(({ path }) => path.join('.'))).toEqual(['spec.strategy.blueGreen']);
    expect(answer(verdict)).toEqual(['Canary and BlueGreen cannot both be empty']);
  });
});

describe('any object', () => {
  it.each(['v1alpha1', 'v1beta1'])('of %s gets an answer', (version) => {
    const schema = apiSchema('Rollout', version)!;
    const verdicts = new Set<string>();
    fc.assert(
      fc.property(objectsOf(schema.properties!.spec!, 4), fc.constantFrom('', 'canary', 'partition'), (spec, style) => {
        const annotations = { 'rollouts.kruise.io/rolling-style': style };
        const rollout = {
          apiVersion: `rollouts.kruise.io/${version}`,
          kind: 'Rollout',
          metadata: { name: 'web', annotations },
          spec,
        };
        const verdict = admitRollout(rollout, { existing: [v1beta1({}, { name: 'b' })] });
        verdicts.add(verdict.allowed ? 'allowed' : verdict.by);
        if (!verdict.allowed && verdict.by === 'webhook') {
          expect(verdict.problems.some(({ reported }) => reported)).toBe(true);
        }
        // An object that was accepted is accepted again in its stored form.
        if (verdict.allowed) expect(admitRollout(verdict.object).allowed).toBe(true);
      }),
      { seed: 8, numRuns: 800 },
    );
    expect([...verdicts]).toEqual(expect.arrayContaining(['schema', 'webhook']));
  });
});
