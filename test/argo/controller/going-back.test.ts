import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passesUntilBack, type ReturningPass, wayBackOf } from '../../../src/argo/controller';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import { rolloutOf } from './manifests';

const BY_PODS = ArgoRolloutsVersion.of('1.8.5');
const BY_STEPS = ArgoRolloutsVersion.of('1.9.1');

const withWeights = (weights: readonly number[], canary: object = {}, replicas = 10) => {
  const steps = weights.map((setWeight) => ({ setWeight }));
  const strategy = { ...rolloutOf().spec.strategy.canary, dynamicStableScale: true, steps, ...canary };
  return rolloutOf({ canary: strategy, spec: { replicas } });
};

/** The weight that a reconcile writes; `-` if it writes none. */
const weightOf = ({ calls }: ReturningPass): number | '-' =>
  calls.flatMap((call) => (call.call === 'setWeight' ? [call.weight] : []))[0] ?? '-';

const linesOf = (passes: readonly ReturningPass[]) =>
  passes.map((pass) => `${pass.stablePods} stable, ${pass.canaryPods} canary: ${weightOf(pass)}`);

describe('the way back of an abort with dynamicStableScale', () => {
  // As 1.9.1 did: recording alb-dynamic-back-abort.
  test('goes from step to step since 1.9, and then follows the pods', () => {
    const { returning, last } = wayBackOf(withWeights([20, 40, 60, 80]), 2, { version: BY_STEPS });
    expect(linesOf(returning)).toEqual([
      '4 stable, 6 canary: 60',
      '6 stable, 4 canary: 40',
      '8 stable, 2 canary: 20',
      '9 stable, 1 canary: 10',
    ]);
    expect(last?.calls).toEqual([{ call: 'removeManagedRoutes' }, { call: 'setWeight', weight: 0 }]);
  });

  test('follows the pods before 1.9', () => {
    const { returning, last } = wayBackOf(withWeights([20, 40, 60, 80]), 2, { version: BY_PODS });
    expect(returning.map(weightOf)).toEqual([60, 50, 30, 20]);
    expect(last).toBeDefined();
  });

  // As 1.9.1 did: recording alb-dynamic-back-abort-down.
  test('takes the last of the steps that ask for fewer pods', () => {
    const { returning } = wayBackOf(withWeights([60, 20, 80]), 2, { version: BY_STEPS });
    expect(returning.flatMap(({ isStep, weight }) => (isStep ? [weight] : []))).toEqual([20]);
  });

  test.each([
    // As 1.9.1 did: recordings alb-dynamic-back-abort-delay and -min-pods.
    ['abortScaleDownDelaySeconds', { abortScaleDownDelaySeconds: 5 }, [20, 40, 60, 80], '6 stable, 6 canary: 40'],
    ['minPodsPerReplicaSet', { minPodsPerReplicaSet: 3 }, [10, 20, 50], '8 stable, 3 canary: 20'],
  ])('never ends where %s keeps the new pods', (_field, canary, weights, stays) => {
    const rollout = withWeights(weights, canary);
    const { returning, last } = wayBackOf(rollout, 2, { version: BY_STEPS });
    expect(last).toBeUndefined();
    expect(linesOf(returning).at(-1)).toBe(stays);
    expect(wayBackOf(rollout, 2, { version: BY_PODS }).last).toBeDefined();
  });

  test('ends for a delay of 0, and at the first step', () => {
    const ends = (seconds: number, step: number) =>
      wayBackOf(withWeights([20, 60], { abortScaleDownDelaySeconds: seconds }), step, { version: BY_STEPS }).last;
    expect(ends(0, 1)).toBeDefined();
    expect(ends(30, 0)).toBeDefined();
    expect(ends(30, 1)).toBeUndefined();
  });

  test('comes to an end for any steps, with fewer requests for the canary at each reconcile', () => {
    const stacks = fc.record({
      weights: fc.array(fc.nat(100), { minLength: 1, maxLength: 6 }),
      replicas: fc.nat(40),
      canary: fc.record(
        { abortScaleDownDelaySeconds: fc.nat(2), minPodsPerReplicaSet: fc.nat(5) },
        { requiredKeys: [] },
      ),
      release: fc.constantFrom(BY_PODS, BY_STEPS),
    });
    fc.assert(
      fc.property(stacks, ({ weights, replicas, canary, release: version }) => {
        const rollout = withWeights(weights, canary, replicas);
        for (const step of weights.keys()) {
          const { returning } = wayBackOf(rollout, step, { version });
          const written = returning.map(weightOf).filter((weight) => weight !== '-');
          expect(written).toEqual([...written].sort((a, b) => b - a));
          expect(Math.max(0, ...returning.map(({ stablePods }) => stablePods))).toBeLessThanOrEqual(
            Math.max(replicas, canary.minPodsPerReplicaSet ?? 0),
          );
        }
      }),
    );
  });
});

describe('the stable version, released again in the middle', () => {
  // As 1.9.1 did: recording alb-dynamic-back-undo.
  test('waits for all of its pods since 1.9', () => {
    const rollout = withWeights([20, 40, 60, 80]);
    expect(linesOf(passesUntilBack(rollout, 2, { version: BY_STEPS }))).toEqual(['4 stable, 6 canary: -']);
    expect(passesUntilBack(rollout, 2, { version: BY_STEPS, stablePods: 10 })).toEqual([]);
    expect(passesUntilBack(rollout, 2, { version: BY_PODS }).map(weightOf)).toEqual([60, 50, 30, 20]);
  });
});
