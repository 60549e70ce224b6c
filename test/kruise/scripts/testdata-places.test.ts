/** What is read of a testdata file, and where its problems are. */
import { describe, expect, it } from 'vitest';
import { change } from '../../../src/kruise/scripts/rules/examples';
import { caseName } from '../../../src/kruise/scripts/testdata';
import { ingress, NGINX, ROUTE, read, rollout, route, trafficRouting } from './cases';

const steps = [{ traffic: '20%' }, { traffic: '30%' }];
const HEAD = `rollout:
  apiVersion: rollouts.kruise.io/v1beta1
  kind: Rollout
  spec: {strategy: {canary: {steps: [{traffic: 20%}]}}}
original:
  apiVersion: example.com/v1
  kind: Route
`;
const problems = (testdata: object | string, target = ROUTE) => {
  const { problems: found, testdata: data } = read(testdata, target);
  expect(data === undefined).toBe(found !== undefined);
  return found?.map(({ message, source }) => `${source.line}:${source.column} ${message}`);
};

describe('a testdata file', () => {
  it('is read as a whole', () => {
    const at = (line: number, column: number) => ({ file: 'case.yaml', line, column });
    const text = `${HEAD}expected:\n  - spec: {a: 1}\n  - error: "no"\n`;
    expect(read(text, ROUTE)).toEqual({
      testdata: {
        file: 'case.yaml',
        name: 'case',
        routing: {
          apiVersion: 'rollouts.kruise.io/v1beta1',
          kind: 'Rollout',
          spec: { strategy: { canary: { steps: [{ traffic: '20%' }] } } },
        },
        routingKind: 'Rollout',
        steps: [{ traffic: '20%' }],
        original: { apiVersion: 'example.com/v1', kind: 'Route' },
        expected: [
          { kind: 'object', object: { spec: { a: 1 } }, source: at(9, 5) },
          { kind: 'error', text: 'no', source: at(10, 5) },
        ],
        expectedSource: at(9, 3),
      },
    });
    expect(read(HEAD, ROUTE).testdata).toMatchObject({ expected: [], expectedSource: at(1, 1) });
    expect(read(`\n# why\n${HEAD}expected:\n`, ROUTE).testdata).toMatchObject({ expected: [] });
  });

  it('of a TrafficRouting has one step', () => {
    const { testdata } = read({ trafficRouting: trafficRouting({ weight: 5 }), original: route({}) }, ROUTE);
    expect(testdata).toMatchObject({ routingKind: 'TrafficRouting', steps: [{ weight: 5 }] });
  });

  it.each([
    ['a/b/weight.yaml', 'weight'],
    ['weight.yml', 'weight'],
    ['weight.yaml.yml', 'weight.yaml'],
    ['weight.yamlx', 'weight.yamlx'],
    ['weightyaml', 'weightyaml'],
    ['weight.json', 'weight.json'],
  ])('%s has the name %s', (file, name) => {
    expect(caseName(file)).toBe(name);
  });

  it('of a Rollout with two strategies has the steps of the canary', () => {
    const spec = (strategy: object) => ({ ...rollout([]), spec: { strategy } });
    const stepsOf = (strategy: object) => read({ rollout: spec(strategy), original: route({}) }, ROUTE).testdata?.steps;
    const [one, other] = steps;
    expect(stepsOf({ canary: { steps: [one] } })).toEqual([one]);
    expect(stepsOf({ blueGreen: { steps: [one] } })).toEqual([one]);
    expect(stepsOf({ canary: { steps: [one] }, blueGreen: { steps: [other] } })).toEqual([one]);
    expect(stepsOf({ canary: null, blueGreen: { steps: [other] } })).toEqual([other]);
    expect(stepsOf({ canary: {}, blueGreen: { steps: [other] } })).toBeUndefined();
    expect(stepsOf({ canary: { steps: [one] }, blueGreen: null })).toEqual([one]);
  });

  it('may have a Rollout of either version, and a null beside it', () => {
    const old = { ...rollout([{ weight: 20 }]), apiVersion: 'rollouts.kruise.io/v1alpha1' };
    expect(problems({ rollout: old, original: route({}) })).toBeUndefined();
    expect(problems({ rollout: old, trafficRouting: null, original: route({}) })).toBeUndefined();
    expect(problems({ rollout: null, trafficRouting: trafficRouting({}), original: route({}) })).toBeUndefined();
    expect(problems({ rollout: old, original: route({}), expected: null })).toBeUndefined();
  });

  it('may have numbers that lose their precision, as in the controller', () => {
    expect(problems(`${HEAD}  spec: {big: 9007199254740993}\n`)).toBeUndefined();
  });

  it.each(['networking.k8s.io', 'networking.k8s.io/v1', 'networking.k8s.io/v1beta1'])(
    'may have an Ingress of %s',
    (apiVersion) => {
      expect(problems({ rollout: rollout(steps), original: { ...ingress(), apiVersion } }, NGINX)).toBeUndefined();
    },
  );
});

describe('a problem', () => {
  const STEPS = 'the Rollout has no steps: expected a list at spec.strategy.canary.steps';
  const spec = (value: string) => HEAD.replace('{strategy: {canary: {steps: [{traffic: 20%}]}}}', value);

  it.each<[text: string, found: readonly string[]]>([
    ['[1]', ['1:1 expected an object with the keys rollout, trafficRouting, original, expected']],
    ['\n\n- 1\n', ['3:1 expected an object with the keys rollout, trafficRouting, original, expected']],
    [`${HEAD}notes: 1\n`, ['8:1 unknown key "notes"; the keys are rollout, trafficRouting, original, expected']],
    [`${HEAD}Expected: []\n`, ['8:1 unknown key "Expected"; did you mean "expected"?']],
    [`${HEAD}trafficRouting: {}\n`, ['1:1 the testdata has both a "rollout" and a "trafficRouting": keep one']],
    [HEAD.slice(HEAD.indexOf('original')), ['1:1 the testdata has no "rollout" and no "trafficRouting": add one']],
    [
      HEAD.slice(0, HEAD.indexOf('original')),
      ['1:1 the testdata has no "original": add the object before the rollout'],
    ],
    [
      HEAD.replace(/original:.*/s, 'original: null\n'),
      ['1:1 the testdata has no "original": add the object before the rollout'],
    ],
    [HEAD.replace(/original:.*/s, 'original: [1]\n'), ['5:11 "original" must be an object']],
    [HEAD.replace(/rollout:.*original/s, 'rollout: [1]\noriginal'), ['1:10 "rollout" must be an object']],
    [HEAD.replace(/rollout:.*original/s, 'trafficRouting: 1\noriginal'), ['1:17 "trafficRouting" must be an object']],
    [spec('{}'), [`2:3 ${STEPS}`]],
    [spec('{strategy: {canary: {steps: {}}}}'), [`2:3 ${STEPS}`]],
    [spec('{strategy: {canary: {steps: []}}}'), [`2:3 ${STEPS}`]],
    [spec('{strategy: {canary: {steps: [{}, 1]}}}'), [`2:3 ${STEPS}`]],
    [spec('{strategy: text}'), [`2:3 ${STEPS}`]],
    [HEAD.replace('kind: Rollout', 'kind: Other'), ['2:3 rollout.kind is "Other": expected Rollout']],
    [HEAD.replace('  kind: Rollout\n', ''), ['2:3 rollout.kind is absent: expected Rollout']],
    [
      HEAD.replace('/v1beta1', '/v1'),
      [
        '2:3 rollout.apiVersion is "rollouts.kruise.io/v1": expected rollouts.kruise.io/v1beta1 or rollouts.kruise.io/v1alpha1',
      ],
    ],
    [
      HEAD.replace(/rollout:.*original/s, 'trafficRouting:\n  kind: Rollout\n  spec: {strategy: {}}\noriginal'),
      [
        '2:3 trafficRouting.kind is "Rollout": expected TrafficRouting',
        '2:3 trafficRouting.apiVersion is absent: expected rollouts.kruise.io/v1alpha1',
      ],
    ],
    [
      HEAD.replace(
        /rollout:.*original/s,
        'trafficRouting:\n  apiVersion: rollouts.kruise.io/v1alpha1\n  kind: TrafficRouting\n  spec: {strategy: []}\noriginal',
      ),
      ['2:3 the TrafficRouting has no spec.strategy'],
    ],
    [
      HEAD.replace('kind: Route', 'kind: Router'),
      ['6:3 original is "Router" of "example.com/v1", but the script Route.example.com routes Route of example.com'],
    ],
    [
      HEAD.replace('  apiVersion: example.com/v1\n', ''),
      ['6:3 original is "Route" of absent, but the script Route.example.com routes Route of example.com'],
    ],
    [
      HEAD.replace('example.com/v1', '5'),
      ['6:3 original is "Route" of 5, but the script Route.example.com routes Route of example.com'],
    ],
    [`${HEAD}expected: {}\n`, ['8:11 "expected" must be a list with one item per step']],
    [`${HEAD}expected: text\n`, ['8:11 "expected" must be a list with one item per step']],
    [
      `${HEAD}expected:\n- null\n- 5\n- []\n`,
      ['9:3 expected[0] must be an object', '10:3 expected[1] must be an object', '11:3 expected[2] must be an object'],
    ],
    [`${HEAD}expected:\n- {}\n- error: 5\n`, ['10:3 expected[1].error must be the text that the error contains']],
    [`${HEAD}expected:\n- error: null\n`, ['9:3 expected[0].error must be the text that the error contains']],
    [
      `${HEAD}expected:\n- error: a\n  metadata: {}\n  spec: {}\n`,
      ['9:3 expected[0] has both "error" and "metadata", but a step that fails has no result'],
    ],
    [
      `${HEAD}expected:\n- spec: {}\n  error: a\n`,
      ['9:3 expected[0] has both "error" and "spec", but a step that fails has no result'],
    ],
    [`${HEAD}---\n${HEAD}`, ['9:1 a testdata file holds one document: put each case in its own file']],
    [
      `${HEAD}expected:\n- spc: {}\n  metadata:\n    label: {}\n`,
      [
        '9:3 unknown field "spc" in expected[0]; did you mean "spec"?',
        '11:5 unknown field "label" in expected[0].metadata; did you mean "labels"?',
      ],
    ],
  ])('of %j is %j', (text, found) => {
    expect(problems(text)).toEqual(found);
  });

  it('of a missing canary Ingress is one of a custom script only', () => {
    const testdata = { rollout: rollout(steps), original: ingress(), expected: [null] };
    expect(problems(testdata, NGINX)).toBeUndefined();
    expect(problems({ ...testdata, expected: [5] }, NGINX)?.[0]).toMatch(/expected\[0\] must be an object$/);
    expect(problems({ ...testdata, original: route({}) }, NGINX)?.[0]).toMatch(
      /original is "Route" of "example\.com\/v1", but the script ingress\.nginx routes Ingress of networking\.k8s\.io$/,
    );
  });
});

describe('a changed example', () => {
  const example = { language: 'lua', text: 'a\n\nb\n\nc\n' } as const;

  it('differs in one part, without blank lines that are left over', () => {
    expect(change(example, 'b', '$&')).toEqual({ language: 'lua', text: 'a\n\n$&\n\nc\n' });
    expect(change(example, 'b', '')).toEqual({ language: 'lua', text: 'a\n\nc\n' });
    expect(change(example, 'b\n', '\n\n\n')).toEqual({ language: 'lua', text: 'a\n\nc\n' });
  });

  it('has the part exactly once', () => {
    const message = 'the example must contain this exactly once: ';
    expect(() => change(example, 'd', 'x')).toThrow(`${message}d`);
    expect(() => change({ ...example, text: 'a a' }, 'a', 'x')).toThrow(`${message}a`);
  });
});
