import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { found, rollout, rolloutV1alpha1, rules } from './stack';

const PC = [{ headers: [{ type: 'Exact', name: 'user-agent', value: 'pc' }] }];
const FULL = { traffic: '100%', replicas: '100%' };

describe('traffic without trafficRoutings', () => {
  it('reports the step, and reports matches rather than traffic', () => {
    expect(found([rollout({ route: null, steps: [{ matches: PC, replicas: 1 }, { replicas: '100%' }] })])).toEqual([
      'error kruise-traffic-ignored spec.strategy.canary.steps[0].matches: steps[0] declares matches, but the Rollout has no trafficRoutings',
    ]);
  });

  it('is also reported for blue-green', () => {
    expect(rules([rollout({ route: null, blueGreen: true })])).toEqual(['kruise-traffic-ignored']);
  });

  it('is not reported for the v1alpha1 weight that sets the share of pods', () => {
    expect(rules([rolloutV1alpha1({ steps: [{ weight: 20 }, { weight: 100 }] })])).toEqual([]);
    expect(rules([rolloutV1alpha1({ steps: [{ weight: 20, replicas: 1 }, { replicas: '100%' }] })])).toEqual([
      'kruise-traffic-ignored',
    ]);
  });

  it('reports that a TrafficRouting has no steps', () => {
    const annotations = { 'rollouts.kruise.io/trafficrouting': 'web' };
    const [line] = found([rollout({ route: null, annotations })]);
    expect(line).toContain('kruise-traffic-ignored');
  });
});

describe('the order of steps', () => {
  it('finds steps between routed ones, not before the first or after the last', () => {
    const routed = { traffic: '20%', replicas: '20%' };
    const plain = (replicas: string) => ({ replicas });
    expect(rules([rollout({ steps: [plain('10%'), routed, FULL] })])).toEqual([]);
    expect(rules([rollout({ steps: [routed, plain('100%')] })])).toEqual([]);
    expect(found([rollout({ steps: [routed, plain('30%'), plain('40%'), FULL] })])).toEqual([
      'warning kruise-step-unrouted spec.strategy.canary.steps[1]: steps[1] has neither traffic nor matches, but the steps around it route traffic',
      'warning kruise-step-unrouted spec.strategy.canary.steps[2]: steps[2] has neither traffic nor matches, but the steps around it route traffic',
    ]);
  });

  it('finds empty matches, wherever the step is', () => {
    const empty = { matches: [], replicas: '10%' };
    const found0 = found([rollout({ steps: [empty, FULL] })]);
    expect(found0).toEqual([
      'warning kruise-step-unrouted spec.strategy.canary.steps[0].matches: the matches of steps[0] are empty, so no request is routed to the new version',
    ]);
    expect(rules([rollout({ steps: [{ ...empty, traffic: '10%' }, FULL] })])).toEqual([]);
  });

  it('compares the traffic of steps by percentage, across steps by matches', () => {
    const steps = [
      { traffic: '50%', replicas: 1 },
      { matches: PC, replicas: 1 },
      { traffic: '20%', replicas: 1 },
      FULL,
    ];
    expect(found([rollout({ steps })])).toEqual([
      'warning kruise-traffic-decreases spec.strategy.canary.steps[2].traffic: steps[2] sends 20% to the new version, but steps[0] before it sends 50%',
    ]);
  });

  it('finds exactly the decreases', () => {
    const shares = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(shares, (percents) => {
        const steps = [...percents.map((percent) => ({ traffic: `${percent}%`, replicas: 1 })), FULL];
        const decreases = percents.filter((percent, index) => index > 0 && percent < percents[index - 1]!).length;
        const lines = found([rollout({ steps })]);
        expect(lines.filter((line) => line.includes('kruise-traffic-decreases'))).toHaveLength(decreases);
        expect(lines).toHaveLength(decreases);
      }),
      { seed: 3, numRuns: 100 },
    );
  });
});

describe('the end of the steps', () => {
  it('completes in partition style with all pods, in canary style with all pods and all traffic', () => {
    const steps = [{ traffic: '20%', replicas: '100%' }, FULL];
    expect(rules([rollout({ steps })])).toEqual([]);
    const partition = { enableExtraWorkloadForCanary: false };
    const early = [{ replicas: '100%' }, { replicas: '100%' }];
    expect(rules([rollout({ steps: early, route: null, strategy: partition })])).toEqual([
      'kruise-step-after-completion',
    ]);
  });

  it('completes in blue-green style with traffic, as all pods come first', () => {
    const at = (traffic: string) => ({ traffic, replicas: '100%' });
    expect(rules([rollout({ blueGreen: true, steps: [at('0%'), at('50%'), at('100%')] })])).toEqual([]);
    expect(rules([rollout({ blueGreen: true, steps: [at('0%'), at('100%'), at('100%')] })])).toEqual([
      'kruise-step-after-completion',
    ]);
  });

  it.each([
    [{ traffic: '50%', replicas: '50%' }, 'replicas: the last step replaces 50% of the pods'],
    [{ traffic: '50%', replicas: '100%' }, 'traffic: the last step sends 50% of the traffic to the new version'],
    [{ matches: PC, replicas: '100%' }, 'matches: the last step routes only the requests that match'],
  ])('is partial with %j', (step, message) => {
    const [line, ...others] = found([rollout({ steps: [step] })]);
    expect(line).toBe(
      `warning kruise-last-step-partial spec.strategy.canary.steps[0].${message}; the controller releases the rest immediately after it`,
    );
    expect(others).toEqual([]);
  });

  it('does not evaluate a number of pods', () => {
    expect(rules([rollout({ steps: [{ traffic: '100%', replicas: 5 }] })])).toEqual([]);
  });
});

describe('pauses and patterns', () => {
  it('finds a negative pause, not one of a second or without duration, and not on the last step', () => {
    const first = { traffic: '20%', replicas: '20%' };
    const paused = (duration?: number) => [{ ...first, pause: duration === undefined ? {} : { duration } }, FULL];
    expect(rules([rollout({ steps: paused(-1) })])).toEqual(['kruise-pause-zero']);
    expect(rules([rollout({ steps: paused(1) })])).toEqual([]);
    expect(rules([rollout({ steps: paused() })])).toEqual([]);
    expect(rules([rollout({ steps: [first, { ...FULL, replicas: 5, pause: { duration: 0 } }] })])).toEqual([]);
  });

  it('finds a pause that the last step ignores', () => {
    const last = (step: object) => rules([rollout({ steps: [{ ...FULL, ...step }] })]);
    expect(last({ pause: {} })).toEqual(['kruise-last-pause-ignored']);
    expect(last({ pause: { duration: 60 } })).toEqual(['kruise-last-pause-ignored']);
    expect(last({ replicas: 5, pause: {} })).toEqual([]);
    expect(last({})).toEqual([]);
  });

  it.each([
    ['headers', '.*Android.*', true],
    ['headers', '^pc$', true],
    ['headers', 'user-[0-9]+', true],
    ['queryParams', '\\d+', true],
    ['headers', 'Mozilla/5.0 (X11; Linux x86_64)', false],
    ['headers', 'a.b.c', false],
    ['headers', '*', false],
  ])('a value of %s that is %j looks like a pattern: %s', (list, value, isPattern) => {
    const step = (type?: string) => ({
      matches: [{ [list]: [{ ...(type && { type }), name: 'x', value }] }],
      replicas: 1,
    });
    expect(rules([rollout({ steps: [step(), FULL] })])).toEqual(isPattern ? ['kruise-header-pattern-literal'] : []);
    expect(rules([rollout({ steps: [step('Exact'), FULL] })])).toEqual([]);
  });
});

describe('a Rollout that the schema refuses', () => {
  it.each([
    [{ steps: 'all' as never }],
    [{ steps: [null, 5] as never }],
    [{ strategy: { trafficRoutings: 'web' } }],
    [{ route: { service: 5, ingress: 'web' } }],
    [{ workloadRef: { kind: 7 } }],
  ])('is left to the schema check: %j', (options) => {
    expect(() => found([rollout(options)])).not.toThrow();
  });
});
