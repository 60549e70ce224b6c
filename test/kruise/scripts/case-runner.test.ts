import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { ingress, NGINX, ROUTE, rollout, route, run, trafficRouting, verdicts } from './cases';

const WEIGHT = `
local annotations = obj.annotations or {}
annotations.weight = obj.weight
annotations.matched = obj.matches and obj.matches[1].headers[1].name or nil
return annotations
`;

const SPLIT = `
local data = obj.data
data.spec.routes = {
  { service = obj.stableService, weight = obj.stableWeight },
  { service = obj.canaryService, weight = obj.canaryWeight },
}
return data
`;

const weighted = (stable: number, canary: number, canaryService = 'web-canary') => ({
  spec: {
    host: 'a',
    routes: [
      { service: 'web', weight: stable },
      { service: canaryService, weight: canary },
    ],
  },
});

const header = [{ headers: [{ name: 'user', value: 'a' }] }];

describe('a case of an ingress script', () => {
  const original = ingress({ owner: 'me' });
  const expected = (...items: (object | null)[]) =>
    items.map((annotations) => annotations && { metadata: { annotations: { owner: 'me', ...annotations } } });

  it('is the canary Ingress as created and after each step, each step on the output of the one before', () => {
    const steps = [{ traffic: '20%' }, { matches: header }, { traffic: '100%' }];
    const items = expected({ weight: '0' }, { weight: '20' }, { weight: '-1', matched: 'user' }, { weight: '100' });
    const { result } = run(WEIGHT, { rollout: rollout(steps), original, expected: items }, NGINX);
    expect(result.steps.map(({ name, status }) => [name, status])).toEqual([
      ['creation', 'passed'],
      ['step 0 (traffic 20%)', 'passed'],
      ['step 1 (1 match)', 'passed'],
      ['step 2 (traffic 100%)', 'passed'],
    ]);
  });

  it('compares the whole map of annotations', () => {
    const items = [{ metadata: { annotations: { weight: '0' } } }, { metadata: { annotations: { weight: '10' } } }];
    expect(verdicts(WEIGHT, { rollout: rollout([{ traffic: '20%' }]), original, expected: items }, NGINX)).toEqual([
      [{ kind: 'unexpected', path: 'metadata.annotations.owner', actual: 'me' }],
      [
        { kind: 'changed', path: 'metadata.annotations.weight', expected: '10', actual: '20' },
        { kind: 'unexpected', path: 'metadata.annotations.owner', actual: 'me' },
      ],
    ]);
  });

  it('compares labels and spec only if they are given', () => {
    const spec = { rules: [] };
    const items = [{ metadata: { annotations: { owner: 'me', weight: '0' } }, spec }, ...expected({ weight: '20' })];
    const [creation, step] = verdicts(
      WEIGHT,
      { rollout: rollout([{ traffic: '20%' }]), original, expected: items },
      NGINX,
    );
    expect(creation).toMatchObject([{ kind: 'unexpected', path: 'spec.rules[0]' }]);
    expect(step).toBe('passed');
  });

  it('expects null before the canary Ingress is created', () => {
    const steps = [{ traffic: '0%' }, { traffic: '20%' }];
    const good = expected({ weight: '0' }, null, { weight: '20' });
    expect(verdicts(WEIGHT, { rollout: rollout(steps), original, expected: good }, NGINX)).toEqual(
      Array(3).fill('passed'),
    );
    const bad = expected({ weight: '0' }, { weight: '0' }, null);
    expect(verdicts(WEIGHT, { rollout: rollout(steps), original, expected: bad }, NGINX)).toEqual([
      'passed',
      'the controller has not created a canary Ingress yet, because no step so far routes traffic: expect null here',
      'expected no canary Ingress yet, but the controller created one',
    ]);
  });

  it('stays at a step that fails, as the controller does', () => {
    const script = 'if obj.weight == "20" then error("no") end return {}';
    const testdata = { rollout: rollout([{ traffic: '20%' }, { traffic: '30%' }]), original, expected: [{}, {}, {}] };
    const { result } = run(script, testdata, NGINX);
    expect(result.steps.map(({ status }) => status)).toEqual(['passed', 'failed', 'skipped']);
    expect(result.steps[1]).toMatchObject({
      message: 'the script fails: <string>:1: no',
      scriptSource: { file: 'script.lua', line: 1 },
    });
    expect(result.steps[2]!.message).toContain('step 0 (traffic 20%) fails');
  });

  it('shortens a very long error to its start and end', () => {
    const script = 'error(string.rep("x", 5e6) .. "END")';
    const testdata = { rollout: rollout([{ traffic: '20%' }]), original: route({}), expected: [{ spec: {} }] };
    const [said] = verdicts(script, testdata, ROUTE);
    expect(said).toMatch(/^the script fails: <string>:1: x+ … x+END$/);
    expect((said as string).length).toBeLessThan(2100);
    expect(verdicts(script, { ...testdata, expected: [{ error: 'xxEND' }] }, ROUTE)).toEqual(['passed']);
  });

  it('allows an expected failure of a step, after which nothing runs', () => {
    const script = 'if obj.weight == "20" then error("cannot split") end return {}';
    const steps = [{ traffic: '20%' }, { traffic: '30%' }];
    const verdict = (...items: object[]) =>
      verdicts(script, { rollout: rollout(steps), original, expected: items }, NGINX);
    expect(verdict({}, { error: 'cannot split' })).toEqual(['passed', 'passed']);
    expect(verdict({}, { error: 'other' })).toEqual([
      'passed',
      'expected an error with "other": the script fails: <string>:1: cannot split',
    ]);
    expect(verdict({ error: 'x' })).toEqual(['expected the script to fail with "x", but it did not']);
    expect(verdict({}, { error: 'cannot split' }, {})).toEqual([
      'passed',
      'passed',
      'expected[1] is an error, and nothing runs after an error: remove the 1 after it',
    ]);
  });

  it.each([
    ['returns nothing', 'local a = 1', 'expect table output from Lua script, not nil'],
    ['returns a string', 'return "a"', 'expect table output from Lua script, not string'],
    ['returns a number as a value', 'return { a = 1 }', 'cannot unmarshal number'],
  ])('fails for a script that %s', (_, script, message) => {
    const [creation] = verdicts(
      script,
      { rollout: rollout([{ traffic: '20%' }]), original, expected: [{}, {}] },
      NGINX,
    );
    expect(creation).toContain(message);
  });

  it('fails for a script that changes its own output with every run', () => {
    const script = 'local a = obj.annotations or {} a.n = (a.n or "") .. "x" return a';
    const [, step] = verdicts(
      script,
      { rollout: rollout([{ traffic: '20%' }]), original, expected: expected({ n: 'x' }, {}) },
      NGINX,
    );
    expect(step).toContain('the step never ends');
  });

  it('reports when the controller would panic', () => {
    const broken = { ...original, spec: { rules: [{ host: 'a' }] } };
    const [creation] = verdicts(
      WEIGHT,
      { rollout: rollout([{ traffic: '20%' }]), original: broken, expected: [{}, {}] },
      NGINX,
    );
    expect(creation).toContain('the controller panics (spec.rules[0].http)');
  });

  it('takes a TrafficRouting, whose canary Service is the stable one', () => {
    const script = 'return { service = obj.canaryService, weight = obj.weight }';
    const testdata = {
      trafficRouting: trafficRouting({ weight: 30 }),
      original,
      expected: [
        { metadata: { annotations: { service: 'web', weight: '0' } } },
        { metadata: { annotations: { service: 'web', weight: '30' } } },
      ],
    };
    expect(verdicts(script, testdata, NGINX)).toEqual(['passed', 'passed']);
  });
});

describe('a case of a custom script', () => {
  const original = route({ host: 'a' });
  const steps = [{ traffic: '20%' }, { traffic: '60%' }];

  it('has one item per step, each on the original object', () => {
    const expected = [weighted(80, 20), weighted(40, 60)];
    expect(verdicts(SPLIT, { rollout: rollout(steps), original, expected }, ROUTE)).toEqual(['passed', 'passed']);
  });

  it('takes steps of a blue-green strategy and a v1alpha1 Rollout', () => {
    const expected = [weighted(80, 20), weighted(40, 60)];
    expect(verdicts(SPLIT, { rollout: rollout(steps, 'blueGreen'), original, expected }, ROUTE)).toEqual([
      'passed',
      'passed',
    ]);
    const old = { ...rollout([{ weight: 20 }, { weight: 60 }]), apiVersion: 'rollouts.kruise.io/v1alpha1' };
    expect(verdicts(SPLIT, { rollout: old, original, expected }, ROUTE)).toEqual(['passed', 'passed']);
  });

  it('names the field that differs', () => {
    const expected = [weighted(80, 20), weighted(50, 50)];
    expect(verdicts(SPLIT, { rollout: rollout(steps), original, expected }, ROUTE)).toEqual([
      'passed',
      [
        { kind: 'changed', path: 'spec.routes[0].weight', expected: 50, actual: 40 },
        { kind: 'changed', path: 'spec.routes[1].weight', expected: 50, actual: 60 },
      ],
    ]);
  });

  it('compares spec, labels and annotations, and neither kind nor name', () => {
    const kept = route({ host: 'a' }, { labels: { a: 'b' }, annotations: { c: 'd' } });
    const script = 'return { spec = obj.data.spec }';
    const expected = [
      { kind: 'Other', metadata: { name: 'other', labels: { a: 'b' }, annotations: { c: 'd' } }, spec: { host: 'a' } },
    ];
    expect(verdicts(script, { rollout: rollout([{ traffic: '20%' }]), original: kept, expected }, ROUTE)).toEqual([
      [
        { kind: 'missing', path: 'metadata.annotations.c', expected: 'd' },
        { kind: 'missing', path: 'metadata.labels.a', expected: 'b' },
      ],
    ]);
  });

  it.each([
    ['obj', 'return obj'],
    ['an empty table', 'return {}'],
  ])('fails for a script that returns %s, which empties the object', (_, script) => {
    const expected = [{ spec: { host: 'a' } }];
    const [verdict] = verdicts(script, { rollout: rollout([{ traffic: '20%' }]), original, expected }, ROUTE);
    expect(verdict).toEqual([{ kind: 'missing', path: 'spec', expected: { host: 'a' } }]);
  });

  it('runs the steps after one that fails', () => {
    const script = `if obj.canaryWeight == 20 then error('no') end ${SPLIT}`;
    const expected = [weighted(80, 20), weighted(40, 60)];
    expect(verdicts(script, { rollout: rollout(steps), original, expected }, ROUTE)).toEqual([
      'the script fails: <string>:1: no',
      'passed',
    ]);
  });

  it('does not run the script for a step without traffic', () => {
    const expected = [{ spec: { host: 'a' } }, weighted(80, 20), weighted(80, 20)];
    const testdata = {
      rollout: rollout([{ replicas: 1 }, { traffic: '20%' }, { replicas: '50%' }]),
      original,
      expected,
    };
    expect(verdicts(SPLIT, testdata, ROUTE)).toEqual(['passed', 'passed', 'passed']);
  });

  it('compares the result of a TrafficRouting', () => {
    const testdata = (canary: number) => ({
      trafficRouting: trafficRouting({ weight: 30 }),
      original,
      expected: [weighted(70, canary, 'web')],
    });
    expect(verdicts(SPLIT, testdata(30), ROUTE)).toEqual(['passed']);
    expect(verdicts(SPLIT, testdata(20), ROUTE)).toMatchObject([
      [{ path: 'spec.routes[1].weight', expected: 20, actual: 30 }],
    ]);
  });

  it('fails for too few and for too many expected items', () => {
    const testdata = (count: number) => ({
      rollout: rollout(steps),
      original,
      expected: [weighted(80, 20), weighted(40, 60), weighted(1, 1)].slice(0, count),
    });
    expect(verdicts(SPLIT, testdata(1), ROUTE)).toEqual([
      'passed',
      '"expected" has 1 item but needs 2, one per step; --update writes the missing ones',
    ]);
    expect(verdicts(SPLIT, testdata(3), ROUTE)).toEqual([
      'passed',
      'passed',
      '"expected" has 3 items but needs 2, one per step',
    ]);
    expect(verdicts(SPLIT, testdata(0), ROUTE)).toHaveLength(1);
  });

  it('distinguishes a string from a number, like the API server', () => {
    const expected = [{ spec: { weight: '20' } }];
    const script = 'return { spec = { weight = obj.canaryWeight } }';
    expect(verdicts(script, { rollout: rollout([{ traffic: '20%' }]), original, expected }, ROUTE)).toEqual([
      [{ kind: 'changed', path: 'spec.weight', expected: '20', actual: 20 }],
    ]);
  });

  it('warns about an empty table, which becomes null and never settles', () => {
    const empty = route({ host: 'a', options: {} });
    const expected = [{ spec: { host: 'a', options: null } }];
    const { result } = run(
      'return obj.data',
      { rollout: rollout([{ traffic: '20%' }]), original: empty, expected },
      ROUTE,
    );
    expect(result.steps[0]).toMatchObject({
      status: 'passed',
      warning: expect.stringContaining('returned null at spec.options'),
    });
  });

  it('behaves like the selected release', () => {
    const testdata = {
      rollout: rollout([{ traffic: '20%' }]),
      original: route({ host: 'a' }),
      expected: [{ spec: { list: [] } }],
    };
    const script = 'return { spec = { list = {} } }';
    expect(verdicts(script, testdata, ROUTE, KruiseRolloutVersion.V0_5_0)).toEqual(['passed']);
    expect(verdicts(script, testdata, ROUTE)).not.toEqual(['passed']);
  });

  it('rejects what the API server would reject', () => {
    const testdata = { rollout: rollout([{ traffic: 20 }]), original, expected: [weighted(80, 20)] };
    expect(verdicts(SPLIT, testdata, ROUTE)).toEqual([
      'the API server would refuse the Rollout: spec.strategy.canary.steps[0].traffic is 20: must be a string',
    ]);
  });

  it('needs the stable Service', () => {
    const testdata = { rollout: rollout(steps, 'canary', { trafficRoutings: [] }), original, expected: [] };
    expect(verdicts(SPLIT, testdata, ROUTE)[0]).toContain('set the name of the stable Service');
  });

  it('shows the output of a failing script', () => {
    const testdata = { rollout: rollout([{ traffic: '20%' }]), original, expected: [{}] };
    expect(run('print("here") return { spec = {1} }', testdata, ROUTE).result.steps[0]).toMatchObject({
      stdout: 'here\n',
    });
  });
});
