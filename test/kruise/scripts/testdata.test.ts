import { describe, expect, it } from 'vitest';
import { ingress, NGINX, ROUTE, read, rollout, route, trafficRouting } from './cases';

const good = { rollout: rollout([{ traffic: '20%' }]), original: route({ a: 1 }), expected: [{ spec: {} }] };
const messages = (testdata: object | string, target = ROUTE) =>
  read(testdata, target).problems?.map(({ message }) => message);

describe('readTestdata', () => {
  it('reads the keys of upstream', () => {
    const { testdata } = read(good, ROUTE);
    expect(testdata).toMatchObject({ name: 'case', routingKind: 'Rollout', steps: [{ traffic: '20%' }] });
    expect(testdata!.expected).toMatchObject([{ kind: 'object', object: { spec: {} } }]);
  });

  it('has the position of each expectation', () => {
    const { testdata } = read('rollout: {}\n', ROUTE);
    expect(testdata).toBeUndefined();
    const text = `original: {apiVersion: example.com/v1, kind: Route}
trafficRouting:
  apiVersion: rollouts.kruise.io/v1alpha1
  kind: TrafficRouting
  spec: {strategy: {weight: 1}, objectRef: [{service: web}]}
expected:
  # first
  - spec: {}
`;
    expect(read(text, ROUTE).testdata?.expected[0]?.source).toEqual({ file: 'case.yaml', line: 8, column: 5 });
  });

  it('parses scalars like the controller', () => {
    const text = `
trafficRouting: {apiVersion: rollouts.kruise.io/v1alpha1, kind: TrafficRouting, spec: {strategy: {weight: 010}}}
original: {apiVersion: example.com/v1, kind: Route, spec: {on: yes, time: 12:30}}
`;
    const { testdata } = read(text, ROUTE);
    expect(testdata?.steps).toEqual([{ weight: 8 }]);
    expect(testdata?.original.spec).toEqual({ true: true, time: '12:30' });
  });

  it.each([
    ['a misspelt key', { ...good, expcted: [] }, 'unknown key "expcted"; did you mean "expected"?'],
    [
      'a key of its own',
      { ...good, notes: 1 },
      'unknown key "notes"; the keys are rollout, trafficRouting, original, expected',
    ],
    ['no routing', { original: good.original }, 'the testdata has no "rollout" and no "trafficRouting": add one'],
    [
      'two routings',
      { ...good, trafficRouting: trafficRouting({}) },
      'the testdata has both a "rollout" and a "trafficRouting": keep one',
    ],
    ['no original', { rollout: good.rollout }, 'the testdata has no "original": add the object before the rollout'],
    [
      'no steps',
      { ...good, rollout: rollout([]) },
      'the Rollout has no steps: expected a list at spec.strategy.canary.steps',
    ],
    ['expected as a map', { ...good, expected: {} }, '"expected" must be a list with one item per step'],
    ['an item that is no object', { ...good, expected: [1] }, 'expected[0] must be an object'],
    ['no item', { ...good, expected: [null] }, 'expected[0] must be an object'],
    [
      'an error that is no text',
      { ...good, expected: [{ error: 1 }] },
      'expected[0].error must be the text that the error contains',
    ],
    [
      'an error with a result',
      { ...good, expected: [{ error: 'a', spec: {} }] },
      'expected[0] has both "error" and "spec", but a step that fails has no result',
    ],
    ['a list', [], 'expected an object with the keys rollout, trafficRouting, original, expected'],
    ['nothing', '', 'expected an object with the keys rollout, trafficRouting, original, expected'],
    [
      'an object of another kind',
      { ...good, original: ingress() },
      'original is "Ingress" of "networking.k8s.io/v1", but the script Route.example.com routes Route of example.com',
    ],
    [
      'a Rollout of another API',
      { ...good, rollout: { ...good.rollout, apiVersion: 'argoproj.io/v1alpha1' } },
      'rollout.apiVersion is "argoproj.io/v1alpha1": expected rollouts.kruise.io/v1beta1 or rollouts.kruise.io/v1alpha1',
    ],
  ])('rejects %s', (_, testdata, message) => {
    expect(messages(testdata)).toEqual([message]);
  });

  it.each(['other.com/v1', 'example.com.evil/v1', 'v1', ''])('rejects an object of the API %j', (apiVersion) => {
    expect(messages({ ...good, original: { ...good.original, apiVersion } })).toEqual([
      `original is "Route" of "${apiVersion}", but the script Route.example.com routes Route of example.com`,
    ]);
  });

  it('finds a misspelt field, with its position', () => {
    const steps = [{ trafic: '20%' }, { matches: [{ header: [{ name: 'a', vaule: 'b' }] }] }];
    expect(messages({ ...good, rollout: rollout(steps) })).toEqual([
      'unknown field "trafic" in rollout.spec.strategy.canary.steps[0]; did you mean "traffic"?',
      'unknown field "header" in rollout.spec.strategy.canary.steps[1].matches[0]; did you mean "headers"?',
    ]);
    const text = 'rollout:\n  apiVersion: rollouts.kruise.io/v1beta1\n  kind: Rollout\n  spec:\n    stratgy: {}\n';
    expect(read(text, ROUTE).problems![0]).toEqual({
      message: 'unknown field "stratgy" in rollout.spec; did you mean "strategy"?',
      source: { file: 'case.yaml', line: 5, column: 5 },
    });
  });

  describe('in each place', () => {
    const OBJECT = ['apiVersion', 'kind', 'metadata', 'spec', 'status', 'error'];
    const METADATA = ['name', 'namespace', 'labels', 'annotations', 'generateName', 'uid', 'generation'];
    const STEP = ['traffic', 'weight', 'matches', 'requestHeaderModifier', 'replicas', 'pause'];
    const MATCH = ['path', 'headers', 'queryParams'];
    const ITEM = ['type', 'name', 'value'];
    const ROUTING = ['service', 'gracePeriodSeconds', 'ingress', 'gateway', 'customNetworkRefs'];
    const strategy = (place: string): [string, readonly string[]][] => [
      [place, STEP],
      [`${place}.matches[0]`, MATCH],
      [`${place}.matches[0].path`, ITEM],
      [`${place}.matches[0].headers[0]`, ITEM],
      [`${place}.matches[0].queryParams[0]`, ITEM],
      [`${place}.requestHeaderModifier`, ['set', 'add', 'remove']],
    ];
    const style = (place: string): [string, readonly string[]][] => [
      [
        place,
        [
          'steps',
          'trafficRoutings',
          'failureThreshold',
          'patchPodTemplateMetadata',
          'enableExtraWorkloadForCanary',
          'trafficRoutingRef',
          'disableGenerateCanaryService',
        ],
      ],
      [`${place}.trafficRoutings[0]`, ROUTING],
      ...strategy(`${place}.steps[0]`),
    ];
    const places: readonly [string, readonly string[]][] = [
      ['rollout', OBJECT],
      ['rollout.metadata', METADATA],
      ['trafficRouting', OBJECT],
      ['trafficRouting.metadata', METADATA],
      ['original', OBJECT],
      ['original.metadata', METADATA],
      ['expected[0]', OBJECT],
      ['expected[0].metadata', METADATA],
      ['rollout.spec', ['workloadRef', 'objectRef', 'strategy', 'disabled', 'rolloutID']],
      ['rollout.spec.strategy', ['paused', 'canary', 'blueGreen']],
      ...style('rollout.spec.strategy.canary'),
      ...style('rollout.spec.strategy.blueGreen'),
      ['trafficRouting.spec', ['objectRef', 'strategy']],
      ['trafficRouting.spec.objectRef[0]', ROUTING],
      ...strategy('trafficRouting.spec.strategy'),
    ];
    /** An object with a value at a place; what the testdata need else may be missing. */
    const objectWith = (place: string, value: object): object =>
      place
        .split('.')
        .reverse()
        .reduce<object>((inner, part) => {
          const [, name, isItem] = /^(\w+)(\[0\])?$/.exec(part)!;
          return { [name!]: isItem === undefined ? inner : [inner] };
        }, value);
    const nearMisses = (place: string, value: object) =>
      messages(objectWith(place, value))?.filter((message) => message.startsWith('unknown field'));

    it.each(places)('%s has the fields %j, and none that is misspelt', (place, keys) => {
      expect(nearMisses(place, Object.fromEntries(keys.map((key) => [key, 'x'])))).toEqual([]);
      for (const key of keys) {
        const misspelt = `${key}${key.at(-1)}`;
        const near = `unknown field "${misspelt}" in ${place}; did you mean "${key}"?`;
        expect(nearMisses(place, { [misspelt]: 'x' })).toEqual([near]);
        expect(nearMisses(place, { [misspelt]: 'x', [key]: 'y' })).toEqual([]);
      }
    });
  });

  it('accepts fields of older releases', () => {
    const old = trafficRouting({ weight: 1 });
    const objectRef = [{ service: 'web', additionalParams: { a: 'b' } }];
    expect(
      messages({ trafficRouting: { ...old, spec: { ...old.spec, objectRef } }, original: good.original }),
    ).toBeUndefined();
  });

  it('accepts null for a missing canary Ingress', () => {
    const testdata = { rollout: good.rollout, original: ingress(), expected: [null, {}] };
    expect(read(testdata, NGINX).testdata?.expected.map(({ kind }) => kind)).toEqual(['absent', 'object']);
  });

  it.each([
    ['a tab', 'rollout:\n\tkind: Rollout\n', 2, 'a tab indents this line'],
    ['an open bracket', 'rollout: [\n', 2, 'not YAML'],
    ['a key given twice', 'rollout: {}\noriginal: {}\nrollout: {}\n', 3, 'the key "rollout" is given twice'],
    ['an alias without anchor', 'rollout: *base\n', 1, 'the alias *base has no anchor'],
    ['two documents', 'rollout: {}\n---\nrollout: {}\n', 3, 'a testdata file holds one document'],
  ])('names file and line of %s', (_, text, line, message) => {
    const [problem] = read(text, ROUTE).problems!;
    expect(problem).toMatchObject({ message: expect.stringContaining(message), source: { file: 'case.yaml', line } });
  });

  it('handles malicious documents', () => {
    const bomb = `a: &a [${'x,'.repeat(50)}]\n${Array.from({ length: 8 }, (_, i) => `b${i}: &b${i} [${`*${i ? `b${i - 1}` : 'a'},`.repeat(20)}]`).join('\n')}`;
    expect(messages(bomb)![0]).toContain('aliases expand');
    expect(messages(`${'['.repeat(100_000)}`)!.length).toBeGreaterThan(0);
  });
});
