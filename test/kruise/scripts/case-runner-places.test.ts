/** The whole result of a case: what each step has played, and what is said of it. */
import { describe, expect, it } from 'vitest';
import { playSteps, unusableCase } from '../../../src/kruise/scripts/case-runner';
import type { ScriptTarget } from '../../../src/kruise/scripts/library';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { compileLua } from '../../../src/lua';
import { ingress, NGINX, ROUTE, read, rollout, route, run, trafficRouting } from './cases';

const WEIGHT = 'print("weight", obj.weight) local a = obj.annotations or {} a.w = obj.weight return a';
const SPLIT = 'print(obj.canaryWeight) obj.data.spec.w = obj.canaryWeight return obj.data';
const header = (name: string) => ({ headers: [{ name, value: 'b' }] });
const written = (annotations: object, more: object = {}) => ({ metadata: { annotations, ...more } });

/** The step results of a case without their positions. */
function results(script: string, testdata: object, target: ScriptTarget, version?: KruiseRolloutVersion) {
  return run(script, testdata, target, version).result.steps.map(({ source: _, ...rest }) => rest);
}
const passed = (name: string) => ({ name, status: 'passed', differences: [] });
const failed = (name: string, message: string, more: object = {}) => ({
  name,
  status: 'failed',
  message,
  differences: [],
  ...more,
});
const skipped = (name: string, message: string) => ({ name, status: 'skipped', message, differences: [] });

describe('what is played', () => {
  const paths = (service: string) => [
    { path: '/', pathType: 'Prefix', backend: { service: { name: service, port: { number: 80 } } } },
  ];
  const object = (annotations: object, labels: object = {}, service = 'web-canary') => ({
    kind: 'object',
    annotations,
    labels,
    spec: { rules: [{ http: { paths: paths(service) } }] },
  });

  it('of an ingress script has each input, outcome and output', () => {
    const steps = [{ replicas: 1 }, { traffic: '20%' }, { traffic: '5%', matches: [header('a'), header('b')] }];
    const original = { ...ingress({ o: '1' }), metadata: { name: 'web', annotations: { o: '1' }, labels: { l: '1' } } };
    const { played } = run(WEIGHT, { rollout: rollout(steps), original }, NGINX);
    const labels = { l: '1' };
    expect(played).toStrictEqual([
      {
        name: 'creation',
        key: 'creation',
        outcome: object({ o: '1', w: '0' }, labels),
        obj: { annotations: { o: '1' }, weight: '0', canaryService: 'web-canary' },
        stdout: 'weight\t0\n',
      },
      { name: 'step 0 (no traffic)', key: 'step_0', outcome: { kind: 'absent' }, stdout: '' },
      {
        name: 'step 1 (traffic 20%)',
        key: 'step_1',
        outcome: object({ o: '1', w: '20' }, labels),
        obj: { annotations: { o: '1', w: '0' }, weight: '20', canaryService: 'web-canary' },
        stdout: 'weight\t20\n',
      },
      {
        name: 'step 2 (traffic 5%, 2 matches)',
        key: 'step_2',
        outcome: object({ o: '1', w: '5' }, labels),
        obj: {
          annotations: { o: '1', w: '20' },
          weight: '5',
          matches: ['a', 'b'].map((name) => ({ headers: [{ type: 'Exact', name, value: 'b' }] })),
          canaryService: 'web-canary',
        },
        stdout: 'weight\t5\n',
      },
    ]);
  });

  it('of a TrafficRouting has the name of its step', () => {
    const testdata = { trafficRouting: trafficRouting({ weight: 30, matches: [header('a')] }), original: ingress() };
    expect(run(WEIGHT, testdata, NGINX).played).toMatchObject([
      { name: 'creation', key: 'creation', outcome: object({ w: '0' }, {}, 'web') },
      { name: 'step 0 (traffic 30%, 1 match)', key: 'steps_0', outcome: object({ w: '30' }, {}, 'web') },
    ]);
  });

  it('of a custom script has each input, outcome and output', () => {
    const original = route({ h: 1 }, { labels: { l: '1' }, annotations: { a: '1' } });
    const { played } = run(SPLIT, { rollout: rollout([{ replicas: 1 }, { traffic: '20%' }]), original }, ROUTE);
    const data = { spec: { h: 1 }, labels: { l: '1' }, annotations: { a: '1' } };
    expect(played).toStrictEqual([
      { name: 'step 0 (no traffic)', key: 'step_0', outcome: { kind: 'object', ...data }, stdout: '' },
      {
        name: 'step 1 (traffic 20%)',
        key: 'step_1',
        outcome: { kind: 'object', ...data, spec: { h: 1, w: 20 } },
        obj: { data, canaryWeight: 20, stableWeight: 80, canaryService: 'web-canary', stableService: 'web' },
        stdout: '20\n',
      },
    ]);
  });

  it('of a custom script that returns nothing but a table has no spec, labels and annotations', () => {
    const original = route({ h: 1 }, { labels: { l: '1' }, annotations: { a: '1' } });
    const testdata = { rollout: rollout([{ traffic: '20%' }]), original };
    expect(run('return {}', testdata, ROUTE).played).toMatchObject([
      { outcome: { kind: 'object', annotations: {}, labels: {} } },
    ]);
    expect(run('return {}', testdata, ROUTE).played[0]?.outcome).not.toHaveProperty('spec');
  });

  it('after a null has the result, with a warning', () => {
    const original = route({ h: 1, o: {} });
    const { played } = run('return obj.data', { rollout: rollout([{ traffic: '20%' }]), original }, ROUTE);
    expect(played).toMatchObject([{ outcome: { kind: 'object', spec: { h: 1, o: null } } }]);
    expect(played[0]?.warning).toMatch(/spec\.o/);
  });

  it('without a comparison are the same steps, or the fault', () => {
    const options = (target: ScriptTarget) => {
      return { target, script: compileLua(SPLIT), scriptFile: 's.lua', version: KruiseRolloutVersion.LATEST };
    };
    const testdata = { rollout: rollout([{ traffic: '20%' }]), original: route({ h: 1 }) };
    const steps = playSteps(read(testdata, ROUTE).testdata!, options(ROUTE));
    expect(steps).toEqual({ steps: run(SPLIT, testdata, ROUTE).played });
    const without = { ...testdata, rollout: rollout([{ traffic: '20%' }], 'canary', { trafficRoutings: [] }) };
    expect(playSteps(read(without, ROUTE).testdata!, options(ROUTE))).toEqual({
      fault: 'set the name of the stable Service at trafficRoutings[0].service of the Rollout',
    });
  });
});

describe('a case that cannot be played', () => {
  const source = { file: 'case.yaml', line: 1, column: 1 };
  const fault = (testdata: object, target = ROUTE) => run(SPLIT, testdata, target);
  const result = (message: string) => ({
    result: { file: 'case.yaml', name: 'case', steps: [failed('testdata', message, { source })] },
    played: [],
  });
  const original = route({});

  it('has no stable Service', () => {
    const inRollout = 'set the name of the stable Service at trafficRoutings[0].service of the Rollout';
    const inRouting = 'set the name of the stable Service at spec.objectRef[0].service';
    const steps = [{ traffic: '20%' }];
    const routings = (trafficRoutings: object[]) => rollout(steps, 'canary', { trafficRoutings });
    expect(fault({ rollout: routings([]), original })).toEqual(result(inRollout));
    expect(fault({ rollout: routings([{}]), original })).toEqual(result(inRollout));
    expect(fault({ rollout: routings([{ service: '' }]), original })).toEqual(result(inRollout));
    const routing = trafficRouting({ weight: 20 });
    const withRefs = (objectRef: object[]) => ({ ...routing, spec: { ...routing.spec, objectRef } });
    expect(fault({ trafficRouting: withRefs([]), original })).toEqual(result(inRouting));
    expect(fault({ trafficRouting: withRefs([{}]), original })).toEqual(result(inRouting));
  });

  it('is refused by the API server, with each reason once', () => {
    const refused = 'the API server would refuse the';
    const at = (step: number) => `spec.strategy.canary.steps[${step}].traffic is ${step}: must be a string`;
    const steps = [{ traffic: 0 }, { traffic: 1 }];
    expect(fault({ rollout: rollout(steps), original })).toEqual(result(`${refused} Rollout: ${at(0)}; ${at(1)}`));
    const both = rollout([{ traffic: '20%' }, { traffic: '30%' }], 'canary', { trafficRoutings: [{ service: 5 }] });
    const [step] = fault({ rollout: both, original }).result.steps;
    expect(step?.message?.split('trafficRoutings[0].service').length).toBe(2);
    const routing = fault({ trafficRouting: trafficRouting({ weight: 'a' }), original });
    expect(routing.result.steps[0]?.message).toMatch(/^the API server would refuse the TrafficRouting: /);
  });

  it('has its problems as steps', () => {
    const problems = [
      { message: 'one', source },
      { message: 'two', source: { ...source, line: 2 } },
    ];
    expect(unusableCase('a/b.yaml', 'b', problems)).toEqual({
      file: 'a/b.yaml',
      name: 'b',
      steps: problems.map(({ message, source: place }) => failed('testdata', message, { source: place })),
    });
    expect(unusableCase('a.yaml', 'a', [])).toEqual({ file: 'a.yaml', name: 'a', steps: [] });
  });
});

describe('an older release', () => {
  const { V0_3_0, V0_4_0, V0_5_0, V0_6_0, LATEST } = KruiseRolloutVersion;
  const plays = (testdata: object, target: ScriptTarget) =>
    [V0_3_0, V0_4_0, V0_5_0, V0_6_0, LATEST].map((version) => {
      const { result, played } = run(target === ROUTE ? SPLIT : WEIGHT, testdata, target, version);
      const [first] = result.steps;
      if (first?.status !== 'skipped') return 'plays';
      const message = `Kruise Rollouts ${version} does not read all that the case declares`;
      expect(result).toEqual({ file: 'case.yaml', name: 'case', steps: [skipped('testdata', message)] });
      expect(played).toEqual([]);
      return 'skips';
    });
  const modifier = { requestHeaderModifier: { remove: ['a'] } };
  const ingressCase = (step: object, style?: string) => ({
    rollout: rollout([{ traffic: '10%' }, step], style),
    original: ingress(),
    expected: [{}],
  });
  const routeCase = (step: object, style?: string) => ({ ...ingressCase(step, style), original: route({}) });

  it.each<[what: string, step: object, ingressPlays: string, customPlays: string]>([
    ['a weight', { traffic: '20%' }, 'ppppp', 'ppppp'],
    ['a header', { matches: [header('a')] }, 'ppppp', 'ppppp'],
    ['a path', { matches: [{ path: { value: '/a' } }] }, 'ssspp', 'ssspp'],
    ['a query parameter', { matches: [{ queryParams: [{ name: 'a', value: 'b' }] }] }, 'ssspp', 'ssspp'],
    ['a modifier', { traffic: '20%', ...modifier }, 'spppp', 'ssspp'],
    ['a modifier with a match', { matches: [header('a')], ...modifier }, 'spppp', 'ssspp'],
  ])('plays %s only if it reads it', (_, step, ingressPlays, customPlays) => {
    const first = (verdicts: string[]) => verdicts.map(([letter]) => letter).join('');
    expect(first(plays(ingressCase(step), NGINX))).toBe(ingressPlays);
    expect(first(plays(routeCase(step), ROUTE))).toBe(customPlays);
  });
});

describe('the verdict on a step', () => {
  const steps = [{ traffic: '20%' }, { traffic: '30%' }];
  const case1 = (...expected: readonly unknown[]) => ({ rollout: rollout(steps), original: ingress(), expected });
  const good = [written({ w: '0' }), written({ w: '20' }), written({ w: '30' })];
  const NAMES = ['creation', 'step 0 (traffic 20%)', 'step 1 (traffic 30%)'];

  it('passes if all items hold', () => {
    expect(results(WEIGHT, case1(...good), NGINX)).toStrictEqual(NAMES.map(passed));
  });

  it('has the position of the expectation, and of the error in the script', () => {
    const script = 'if obj.weight == "30" then\n  error("no")\nend\nreturn {}';
    const [creation, , last] = run(script, case1({}, {}, {}), NGINX).result.steps;
    expect(creation?.source).toMatchObject({ file: 'case.yaml', column: 5 });
    expect(last).toMatchObject({
      message: 'the script fails: <string>:2: no',
      scriptSource: { file: 'script.lua', line: 2, column: 1 },
    });
    expect(last?.source?.line).toBe((creation?.source?.line ?? 0) + 2);
  });

  it('has the output of a step that fails only', () => {
    expect(results(WEIGHT, case1(good[0], written({ w: '21' }), good[2]), NGINX)).toStrictEqual([
      passed(NAMES[0]!),
      {
        name: NAMES[1],
        status: 'failed',
        differences: [{ kind: 'changed', path: 'metadata.annotations.w', expected: '21', actual: '20' }],
        stdout: 'weight\t20\n',
      },
      passed(NAMES[2]!),
    ]);
  });

  it.each<[count: number, message: string | undefined]>([
    [
      0,
      '"expected" has 0 items but needs 3: the canary Ingress as created, and after each of 2 steps; --update writes the missing ones',
    ],
    [
      1,
      '"expected" has 1 item but needs 3: the canary Ingress as created, and after each of 2 steps; --update writes the missing ones',
    ],
    [
      2,
      '"expected" has 2 items but needs 3: the canary Ingress as created, and after each of 2 steps; --update writes the missing ones',
    ],
    [3, undefined],
    [4, '"expected" has 4 items but needs 3: the canary Ingress as created, and after each of 2 steps'],
  ])('counts %i items', (count, message) => {
    const expected = [...good, written({ w: '1' })].slice(0, count);
    expect(results(WEIGHT, case1(...expected), NGINX)).toStrictEqual([
      ...NAMES.slice(0, count).map(passed),
      ...(message === undefined ? [] : [failed('testdata', message)]),
    ]);
  });

  it('counts the items of one step', () => {
    const one = { rollout: rollout([{ traffic: '20%' }]), original: ingress(), expected: [good[0]] };
    expect(results(WEIGHT, one, NGINX).at(-1)?.message).toBe(
      '"expected" has 1 item but needs 2: the canary Ingress as created, and after each of 1 step; --update writes the missing ones',
    );
    const custom = { rollout: rollout([{ traffic: '20%' }]), original: route({}), expected: [{}, {}] };
    expect(results(SPLIT, custom, ROUTE).at(-1)?.message).toBe('"expected" has 2 items but needs 1, one per step');
  });

  it('is skipped behind a failure of an ingress script', () => {
    const script = (weight: number) => `if obj.weight == "${weight}" then error("no", 0) end ${WEIGHT}`;
    const retries = (name: string) => `${name} fails, and the controller retries it without going on`;
    expect(results(script(0), case1(...good), NGINX)).toStrictEqual([
      failed(NAMES[0]!, 'the script fails: no'),
      skipped('step 0', retries('creation')),
      skipped('step 1', retries('creation')),
    ]);
    expect(results(script(20), case1(...good), NGINX)).toStrictEqual([
      passed(NAMES[0]!),
      failed(NAMES[1]!, 'the script fails: no'),
      skipped('step 1', retries(NAMES[1]!)),
    ]);
    expect(results(script(30), case1(...good), NGINX)).toStrictEqual([
      passed(NAMES[0]!),
      passed(NAMES[1]!),
      failed(NAMES[2]!, 'the script fails: no'),
    ]);
    expect(results(script(20), case1(...good.slice(0, 2)), NGINX)).toStrictEqual([
      passed(NAMES[0]!),
      failed(NAMES[1]!, 'the script fails: no'),
      failed(
        'testdata',
        '"expected" has 2 items but needs 3: the canary Ingress as created, and after each of 2 steps; --update writes the missing ones',
      ),
    ]);
  });

  it('of an expected error ends the case', () => {
    const script = `if obj.weight == "20" then error("cannot split", 0) end ${WEIGHT}`;
    const behind = (index: number, count: number) =>
      failed(
        'testdata',
        `expected[${index}] is an error, and nothing runs after an error: remove the ${count} after it`,
      );
    expect(results(script, case1(good[0], { error: 'split' }), NGINX)).toStrictEqual(NAMES.slice(0, 2).map(passed));
    expect(results(script, case1(good[0], { error: '' }), NGINX)).toStrictEqual(NAMES.slice(0, 2).map(passed));
    expect(results(script, case1(good[0], { error: 'split' }, good[2]), NGINX)).toStrictEqual([
      ...NAMES.slice(0, 2).map(passed),
      behind(1, 1),
    ]);
    expect(results(script, case1(good[0], { error: 'join' }), NGINX)).toStrictEqual([
      passed(NAMES[0]!),
      failed(NAMES[1]!, 'expected an error with "join": the script fails: cannot split'),
    ]);
    expect(results(script, case1({ error: 'split' }, good[1], good[2]), NGINX)).toStrictEqual([
      failed(NAMES[0]!, 'expected the script to fail with "split", but it did not', { stdout: 'weight\t0\n' }),
      behind(0, 2),
    ]);
    expect(results(script, case1(good[0], good[1], { error: 'split' }), NGINX)).toStrictEqual([
      passed(NAMES[0]!),
      failed(NAMES[1]!, 'the script fails: cannot split'),
      skipped('step 1', `${NAMES[1]} fails, and the controller retries it without going on`),
    ]);
  });

  it('on a canary Ingress that is not there', () => {
    const testdata = (...expected: readonly unknown[]) => ({
      rollout: rollout([{ replicas: 1 }, { traffic: '20%' }]),
      original: ingress(),
      expected,
    });
    const early =
      'the controller has not created a canary Ingress yet, because no step so far routes traffic: expect null here';
    expect(results(WEIGHT, testdata(good[0], null, good[1]), NGINX).map(({ status }) => status)).toEqual(
      Array(3).fill('passed'),
    );
    expect(results(WEIGHT, testdata(null, {}, null), NGINX)).toStrictEqual([
      failed('creation', 'expected no canary Ingress yet, but the controller created one', { stdout: 'weight\t0\n' }),
      failed('step 0 (no traffic)', early),
      failed('step 1 (traffic 20%)', 'expected no canary Ingress yet, but the controller created one', {
        stdout: 'weight\t20\n',
      }),
    ]);
    const never = { rollout: rollout([{ replicas: 1 }]), original: ingress(), expected: [null, null] };
    expect(results(WEIGHT, never, NGINX)).toStrictEqual([passed('creation'), passed('step 0 (no traffic)')]);
    expect(results(WEIGHT, { ...never, expected: [null, { error: 'never' }] }, NGINX)).toStrictEqual([
      passed('creation'),
      failed('step 0 (no traffic)', 'expected the script to fail with "never", but it did not'),
    ]);
  });

  it.each<[expected: object, paths: readonly string[]]>([
    [written({ w: '0', o: '1' }), []],
    [written({ w: '0', o: '1' }, { labels: { l: '1' } }), []],
    [written({ w: '0', o: '1' }, { labels: {} }), ['metadata.labels.l']],
    [written({ w: '0', o: '1' }, { labels: null }), ['metadata.labels.l']],
    [written({ w: '0' }), ['metadata.annotations.o']],
    [{}, ['metadata.annotations.o', 'metadata.annotations.w']],
    [{ metadata: null }, ['metadata.annotations.o', 'metadata.annotations.w']],
    [{ metadata: { annotations: null } }, ['metadata.annotations.o', 'metadata.annotations.w']],
    [{ metadata: { annotations: 'a' } }, ['metadata.annotations']],
    [{ ...written({ w: '0', o: '1' }), kind: 'Other', spec: null }, ['spec']],
  ])('on an Ingress compares %j', (expected, paths) => {
    const original = { ...ingress(), metadata: { name: 'web', annotations: { o: '1' }, labels: { l: '1' } } };
    const [creation] = results(WEIGHT, { rollout: rollout(steps), original, expected: [expected] }, NGINX);
    expect(creation?.differences.map(({ path }) => path)).toEqual(paths);
  });

  it.each<[expected: object, paths: readonly string[]]>([
    [{ spec: { w: 20 }, metadata: { labels: { l: '1' } } }, []],
    [{ spec: { w: 20 }, metadata: { labels: { l: '1' }, annotations: null } }, []],
    [{ spec: { w: 20 } }, ['metadata.labels.l']],
    [{ spec: { w: 20 }, metadata: { labels: null } }, ['metadata.labels.l']],
    [{ metadata: { labels: { l: '1' } } }, ['spec']],
    [{ spec: null, metadata: { labels: { l: '1' } } }, ['spec']],
    [{ spec: { w: 20 }, metadata: { labels: { l: '1' }, annotations: { a: '1' } } }, ['metadata.annotations.a']],
    [{}, ['metadata.labels.l', 'spec']],
  ])('on a custom object compares %j', (expected, paths) => {
    const original = route({}, { labels: { l: '1' } });
    const testdata = { rollout: rollout([{ traffic: '20%' }]), original, expected: [expected] };
    expect(results(SPLIT, testdata, ROUTE)[0]?.differences.map(({ path }) => path)).toEqual(paths);
  });

  it('on a custom object without a spec', () => {
    const testdata = (spec: unknown) => ({
      rollout: rollout([{ traffic: '20%' }]),
      original: route({}),
      expected: [{ spec }],
    });
    expect(results('return {}', testdata(null), ROUTE)).toStrictEqual([passed('step 0 (traffic 20%)')]);
    expect(results('return {}', testdata({}), ROUTE)).toMatchObject([
      { differences: [{ kind: 'missing', path: 'spec' }] },
    ]);
  });
});

describe('an error of the controller', () => {
  const steps = [{ traffic: '20%' }];
  const message = (script: string, original: object, target: ScriptTarget) => {
    const testdata = { rollout: rollout(steps), original, expected: target === NGINX ? [{}, {}] : [{}] };
    const texts = results(script, testdata, target).flatMap(({ message: text }) => text ?? []);
    return texts.filter((text) => !text.includes('retries')).at(-1);
  };
  const broken = { ...ingress(), spec: { rules: [{ host: 'a' }] } };

  it.each<[what: string, script: string, original: object, target: ScriptTarget, start: string]>([
    ['of the script', 'error("no", 0)', ingress(), NGINX, 'the script fails: no'],
    ['of a custom script', 'error("no", 0)', route({}), ROUTE, 'the script fails: no'],
    ['of a panic', WEIGHT, broken, NGINX, 'the controller panics (spec.rules[0].http): '],
    [
      'of annotations that are too long',
      'return { a = string.rep("x", 300000) }',
      ingress(),
      NGINX,
      'the API server refuses what the controller writes: ',
    ],
    [
      'of a script that never settles',
      'local a = obj.annotations or {} a.n = (a.n or "") .. "x" return a',
      ingress(),
      NGINX,
      'the step never ends: ',
    ],
  ])('%s is described', (_, script, original, target, start) => {
    const said = message(script, original, target);
    expect(said?.slice(0, start.length)).toBe(start);
  });

  it.each([
    [1982, false],
    [1983, true],
    [5000, true],
  ])('of %i characters is shortened: %s', (length, isShortened) => {
    const said = message(`error(string.rep("x", ${length}), 0)`, route({}), ROUTE)!;
    expect(said.includes('…')).toBe(isShortened);
    expect(said.length).toBeLessThanOrEqual(2003);
    expect(said.startsWith('the script fails: xxx')).toBe(true);
  });
});
