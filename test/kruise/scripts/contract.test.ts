import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goJson } from '../../../src/core/go-json';
import { ORIGINAL_SPEC_ANNOTATION } from '../../../src/kruise/api';
import { routingOfRollout, routingOfTrafficRouting } from '../../../src/kruise/routing';
import {
  customScriptObject,
  formatOriginal,
  ingressScriptObject,
  parseOriginal,
  returnedAnnotations,
  returnedData,
  scriptRunner,
} from '../../../src/kruise/scripts/contract';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { rollout, route, trafficRouting } from '../manifests';

const { V0_3_0, V0_5_0 } = KruiseRolloutVersion;
const services = { stableService: 'web', canaryService: 'web-canary' };
const canaryService = 'web-canary';

/** The result of a script, decoded as that of an ingress script. */
function annotationsOf(script: string, version?: KruiseRolloutVersion) {
  return returnedAnnotations(scriptRunner(script, version)(ingressScriptObject({ canaryService })));
}

/** The result of a script, decoded as that of a custom script. */
function dataOf(script: string, version?: KruiseRolloutVersion) {
  const obj = customScriptObject({ original: { spec: { a: 1 } }, strategy: {}, ...services });
  return returnedData(scriptRunner(script, version)(obj));
}

describe('obj of an ingress script', () => {
  test('has only weight "0" at creation', () => {
    expect(ingressScriptObject({ annotations: { a: '1' }, canaryService })).toEqual({
      annotations: { a: '1' },
      weight: '0',
      canaryService,
    });
  });

  test('has the weight as a string, "-1" if the step has none', () => {
    expect(ingressScriptObject({ strategy: { traffic: '20%' }, canaryService }).weight).toBe('20');
    expect(ingressScriptObject({ strategy: { matches: [{}] }, canaryService }).weight).toBe('-1');
  });

  test('has no annotations rather than empty ones', () => {
    expect(ingressScriptObject({ annotations: {}, canaryService })).toEqual({ weight: '0', canaryService });
  });

  test('has no stableService', () => {
    expect(ingressScriptObject({ strategy: { traffic: '1%' }, canaryService })).not.toHaveProperty('stableService');
  });

  test('keeps an empty list of matches and an empty modifier, which are tables in Lua', () => {
    const strategy = routingOfRollout(rollout({ traffic: '5%', matches: [], requestHeaderModifier: {} }), 0)?.strategy;
    const obj = ingressScriptObject({ strategy, canaryService });
    expect(obj).toEqual({ weight: '5', matches: [], requestHeaderModifier: {}, canaryService });
    const script = 'return {m = type(obj.matches), r = type(obj.requestHeaderModifier), a = type(obj.annotations)}';
    const returned = returnedAnnotations(scriptRunner(script)(obj));
    expect(returned).toEqual({ ok: true, annotations: { a: 'nil', m: 'table', r: 'table' } });
  });

  test('loses empty lists inside a match and inside a modifier', () => {
    const step = {
      matches: [{ headers: [], queryParams: [], path: null }],
      requestHeaderModifier: { set: [], add: [], remove: [] },
    };
    const strategy = routingOfRollout(rollout(step), 0)?.strategy;
    expect(ingressScriptObject({ strategy, canaryService })).toEqual({
      weight: '-1',
      matches: [{}],
      requestHeaderModifier: {},
      canaryService,
    });
  });

  test('has a header modifier from 0.4 on', () => {
    const strategy = { traffic: '5%', requestHeaderModifier: { remove: ['x'] } };
    expect(ingressScriptObject({ strategy, canaryService, version: V0_3_0 })).not.toHaveProperty(
      'requestHeaderModifier',
    );
    expect(ingressScriptObject({ strategy, canaryService, version: V0_5_0 }).requestHeaderModifier).toEqual({
      remove: ['x'],
    });
  });

  test('of a TrafficRouting has the stable Service as canaryService', () => {
    const routing = routingOfTrafficRouting(trafficRouting({ weight: 30 }));
    expect(ingressScriptObject({ ...routing!, strategy: routing?.strategy })).toEqual({
      weight: '30',
      canaryService: 'web',
    });
  });
});

describe('obj of a custom script', () => {
  test('has weights as numbers: -1 and 101 if the step has none', () => {
    const weights = (traffic?: string) => {
      const { canaryWeight, stableWeight } = customScriptObject({ original: {}, strategy: { traffic }, ...services });
      return [canaryWeight, stableWeight];
    };
    expect(weights('20%')).toEqual([20, 80]);
    expect(weights('0%')).toEqual([0, 100]);
    expect(weights()).toEqual([-1, 101]);
  });

  test('has no labels and annotations rather than empty ones', () => {
    const original = { spec: {}, labels: {}, annotations: {} };
    expect(customScriptObject({ original, strategy: {}, ...services }).data).toEqual({ spec: {} });
  });

  test('has no null in a list: the elements after it move up', () => {
    const original = { spec: { list: [1, null, { a: null, b: [null] }], gone: null, none: [] } };
    const { data } = customScriptObject({ original, strategy: {}, ...services });
    expect(data.spec).toEqual({ list: [1, { b: [] }], none: [] });
    const script = 'return {spec = {n = #obj.data.spec.list, second = type(obj.data.spec.list[2])}}';
    const obj = customScriptObject({ original, strategy: {}, ...services });
    expect(returnedData(scriptRunner(script)(obj))).toEqual({ ok: true, data: { spec: { n: 2, second: 'table' } } });
  });

  test('has every number as a double', () => {
    const original = { spec: { big: 9007199254740993n, float: 1.5 } };
    const { data } = customScriptObject({ original, strategy: {}, ...services });
    expect(data.spec).toEqual({ big: 9007199254740992, float: 1.5 });
  });

  test('has a header modifier from 0.6 on', () => {
    const strategy = { traffic: '5%', requestHeaderModifier: {} };
    const input = { original: {}, strategy, ...services };
    expect(customScriptObject({ ...input, version: V0_5_0 })).not.toHaveProperty('requestHeaderModifier');
    expect(customScriptObject(input).requestHeaderModifier).toEqual({});
  });
});

describe('the stored original', () => {
  test('is compact JSON of spec, labels and annotations, as Go writes it', () => {
    const object = route(
      { match: 'a && b', http: [{ z: 1, a: 2 }] },
      { labels: { l: '1' }, annotations: { b: '<2>', a: '1', [ORIGINAL_SPEC_ANNOTATION]: 'older' } },
    );
    expect(formatOriginal(object)).toBe(
      '{"spec":{"http":[{"a":2,"z":1}],"match":"a \\u0026\\u0026 b"},"labels":{"l":"1"},' +
        '"annotations":{"a":"1","b":"\\u003c2\\u003e"}}',
    );
  });

  test('leaves out empty values', () => {
    expect(formatOriginal(route(undefined, { labels: {}, annotations: {} }))).toBe('{}');
    expect(formatOriginal(route({}))).toBe('{"spec":{}}');
  });

  test('that is not JSON is an empty object', () => {
    expect(parseOriginal('oops')).toEqual({});
    expect(parseOriginal('')).toEqual({});
    expect(parseOriginal('null')).toEqual({});
    expect(parseOriginal('[1]')).toEqual({});
  });

  test('of a wrong shape keeps the valid fields', () => {
    const text = '{"spec":[1],"labels":"x","annotations":{"a":"1","b":2,"c":null},"status":{}}';
    expect(parseOriginal(text)).toEqual({ spec: [1], annotations: { a: '1', b: '', c: '' } });
  });

  test('is decoded regardless of the case of its keys', () => {
    expect(parseOriginal('{"Spec":1,"LABELS":{"a":"1"}}')).toEqual({ spec: 1, labels: { a: '1' } });
  });

  test('loses a number beyond the range of a double', () => {
    const original = parseOriginal('{"spec":{"a":1e400,"b":1}}');
    expect(customScriptObject({ original, strategy: {}, ...services }).data).toEqual({ spec: { b: 1 } });
  });

  test('nested too deeply is treated as empty', () => {
    expect(parseOriginal(`{"spec":${'['.repeat(5000)}${']'.repeat(5000)}}`)).toEqual({});
    expect(parseOriginal(`{"spec":"${'['.repeat(5000)}\\""}`)).toEqual({ spec: `${'['.repeat(5000)}"` });
  });

  test('of any object round-trips', () => {
    const objects = fc.record({
      spec: fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), { nil: undefined }),
      labels: fc.dictionary(fc.string(), fc.string()),
      annotations: fc.dictionary(fc.string(), fc.string()),
    });
    fc.assert(
      fc.property(objects, ({ spec, labels, annotations }) => {
        const stored = formatOriginal(route(spec, { labels, annotations }));
        expect(goJson(parseOriginal(stored).spec)).toBe(goJson(spec));
        expect(goJson(parseOriginal(stored).labels ?? {})).toBe(goJson(labels));
        expect(goJson(parseOriginal(stored).annotations ?? {})).toBe(goJson(annotations));
      }),
      { seed: 2, numRuns: 200 },
    );
  });
});

describe('what an ingress script returns', () => {
  test('replaces all annotations', () => {
    expect(annotationsOf('return {a = "1", b = ""}')).toEqual({ ok: true, annotations: { a: '1', b: '' } });
  });

  test.each([
    ['', 'nil'],
    ['return nil', 'nil'],
    ['return "x"', 'string'],
    ['return 1', 'number'],
    ['return true', 'boolean'],
    ['return print', 'function'],
    ['return {}, nil', 'nil'],
  ])('%s is not a table', (script, type) => {
    const error = `expect table output from Lua script, not ${type}`;
    expect(annotationsOf(script)).toEqual({ ok: false, stage: 'return', error });
    expect(dataOf(script)).toEqual({ ok: false, stage: 'return', error });
  });

  test.each([
    ['return {a = 1}', 'json: cannot unmarshal number into Go value of type string'],
    ['return {a = true}', 'json: cannot unmarshal bool into Go value of type string'],
    ['return {a = {b = "1"}}', 'json: cannot unmarshal object into Go value of type string'],
    ['return {a = {"1"}}', 'json: cannot unmarshal array into Go value of type string'],
    ['return {"1"}', 'json: cannot unmarshal array into Go value of type map[string]string'],
  ])('%s has a value that is not a string', (script, error) => {
    expect(annotationsOf(script)).toEqual({ ok: false, stage: 'return', error });
  });

  test('has an empty string for an empty table, which is null in JSON', () => {
    expect(annotationsOf('return {a = {}, b = "1"}')).toEqual({ ok: true, annotations: { a: '', b: '1' } });
    const error = 'json: cannot unmarshal array into Go value of type string';
    expect(annotationsOf('return {a = {}, b = "1"}', V0_5_0)).toEqual({ ok: false, stage: 'return', error });
  });

  test('removes all annotations if it is an empty table, and fails before 0.6', () => {
    expect(annotationsOf('return {}')).toEqual({ ok: true });
    const error = 'json: cannot unmarshal array into Go value of type map[string]string';
    expect(annotationsOf('return {}', V0_5_0)).toEqual({ ok: false, stage: 'return', error });
  });

  test('uses the last of several values', () => {
    expect(annotationsOf('return nil, {a = "1"}')).toEqual({ ok: true, annotations: { a: '1' } });
  });

  test('is a failure with the line if the script raises an error', () => {
    const failed = annotationsOf('local a = 1\nerror("no header")');
    expect(failed).toMatchObject({ ok: false, stage: 'run' });
    expect(failed.ok ? '' : failed.error).toBe('<string>:2: no header');
  });
});

describe('what a custom script returns', () => {
  test('is spec, labels and annotations', () => {
    const script = 'return {spec = {a = 1}, labels = {l = "1"}, annotations = {b = "2"}}';
    expect(dataOf(script)).toEqual({ ok: true, data: { spec: { a: 1 }, labels: { l: '1' }, annotations: { b: '2' } } });
  });

  test.each(['return obj', 'return obj.data.spec', 'return {}'])(
    '%s is not an error and removes everything',
    (script) => {
      expect(dataOf(script)).toEqual({ ok: true, data: {} });
    },
  );

  test.each([
    [
      'return {spec = {}, labels = "x"}',
      'json: cannot unmarshal string into Go struct field Data.labels of type map[string]string',
    ],
    [
      'return {annotations = {a = 1}}',
      'json: cannot unmarshal number into Go struct field Data.annotations of type string',
    ],
    ['return {1, 2}', 'json: cannot unmarshal array into Go value of type custom.Data'],
  ])('%s does not fit', (script, error) => {
    expect(dataOf(script)).toEqual({ ok: false, stage: 'return', error });
  });

  test('may be nested deeply, up to a limit', () => {
    const nested = (depth: number) =>
      returnedData({
        ok: true,
        type: 'table',
        json: `{"spec":${'['.repeat(depth)}${']'.repeat(depth)}}`,
        returnedObj: false,
        stdout: '',
        globals: [],
        work: 1,
      });
    expect(nested(900).ok).toBe(true);
    expect(nested(5000)).toEqual({
      ok: false,
      stage: 'return',
      error: 'the returned table is nested deeper than 1000 levels',
    });
  });
});
