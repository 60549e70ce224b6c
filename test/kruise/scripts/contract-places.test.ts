/** How the controller reads what a script returns and what it has stored, value by value. */
import { describe, expect, it } from 'vitest';
import { ORIGINAL_SPEC_ANNOTATION } from '../../../src/kruise/api';
import {
  annotationsOf,
  customScriptObject,
  formatOriginal,
  labelsOf,
  parseOriginal,
  returnedAnnotations,
  returnedData,
  scriptRunner,
} from '../../../src/kruise/scripts/contract';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { compileLua } from '../../../src/lua';

const obj = { weight: '20', canaryService: 'web-canary' };
const { V0_5_0, LATEST } = KruiseRolloutVersion;
const nested = (depth: number, open = '[', close = ']') => `{"spec":${open.repeat(depth)}1${close.repeat(depth)}}`;

describe('a run of a script', () => {
  it('writes an empty table as its release does, unless told otherwise', () => {
    const json = (...[version, options]: [KruiseRolloutVersion?, Parameters<typeof scriptRunner>[2]?]) => {
      const result = scriptRunner('return { a = {} }', version, options)(obj);
      return result.ok && result.json;
    };
    expect(json()).toBe('{"a":null}');
    expect(json(LATEST)).toBe('{"a":null}');
    expect(json(V0_5_0)).toBe('{"a":[]}');
    expect(json(V0_5_0, { emptyTable: 'null' })).toBe('{"a":null}');
    expect(json(LATEST, { emptyTable: '[]' })).toBe('{"a":[]}');
  });

  it('takes more options', () => {
    const lines: number[] = [];
    scriptRunner('local a = 1\nreturn {}', LATEST, { onLine: (line) => lines.push(line) })(obj);
    expect(lines).toEqual([1, 2]);
  });

  it('takes a compiled script too', () => {
    expect(scriptRunner(compileLua('return { w = obj.weight }'))(obj)).toEqual(
      scriptRunner('return { w = obj.weight }')(obj),
    );
  });
});

describe('what a script returns', () => {
  const both = (script: string) => {
    const result = scriptRunner(script)(obj);
    const annotations = returnedAnnotations(result);
    const data = returnedData(result);
    if (!annotations.ok) expect(data).toEqual(annotations);
    return annotations;
  };
  const failed = (stage: string, error: string, line?: number) =>
    line === undefined ? { ok: false, stage, error } : { ok: false, stage, error, line };

  it.each<[script: string, failure: object]>([
    ['local a = 1', failed('return', 'expect table output from Lua script, not nil')],
    ['return nil', failed('return', 'expect table output from Lua script, not nil')],
    ['return 1', failed('return', 'expect table output from Lua script, not number')],
    ['return "a"', failed('return', 'expect table output from Lua script, not string')],
    ['return false', failed('return', 'expect table output from Lua script, not boolean')],
    ['return print', failed('return', 'expect table output from Lua script, not function')],
    ['return newproxy()', failed('return', 'expect table output from Lua script, not userdata')],
    ['return {}, 1', failed('return', 'expect table output from Lua script, not number')],
    ['\nerror("no")', failed('run', '<string>:2: no', 2)],
    ['error("no", 0)', failed('run', 'no')],
    [
      'return { a = print }',
      failed(
        'encode',
        'json: error calling MarshalJSON for type luamanager.jsonValue: json: error calling MarshalJSON for type luamanager.jsonValue: cannot encode function to JSON',
      ),
    ],
  ])('%j is a failure: %j', (script, failure) => {
    expect(both(script)).toStrictEqual(failure);
  });

  it('is a failure of a script that does not parse', () => {
    expect(both('\nx = = 1')).toStrictEqual(failed('parse', "<string> line:2(column:5) near '=':   syntax error\n", 2));
  });

  const json = (text: string) =>
    ({ ok: true, type: 'table', json: text, returnedObj: false, stdout: '', globals: [], work: 1 }) as const;

  it.each<[text: string, annotations: object]>([
    ['null', { ok: true }],
    ['{}', { ok: true, annotations: {} }],
    ['{"a":"1","b":null}', { ok: true, annotations: { a: '1', b: '' } }],
    ['{"a":""}', { ok: true, annotations: { a: '' } }],
    ['{"a":null,"b":1,"c":true}', failed('return', 'json: cannot unmarshal number into Go value of type string')],
    ['{"b":true,"a":1}', failed('return', 'json: cannot unmarshal bool into Go value of type string')],
    ['{"b":{},"a":"1"}', failed('return', 'json: cannot unmarshal object into Go value of type string')],
    ['{"b":[]}', failed('return', 'json: cannot unmarshal array into Go value of type string')],
    ['[]', failed('return', 'json: cannot unmarshal array into Go value of type map[string]string')],
    ['[{"a":"1"}]', failed('return', 'json: cannot unmarshal array into Go value of type map[string]string')],
  ])('%s is read as annotations: %j', (text, annotations) => {
    expect(returnedAnnotations(json(text))).toStrictEqual(annotations);
  });

  it.each<[text: string, data: object]>([
    ['null', {}],
    ['{}', {}],
    ['{"spec":null,"labels":null,"annotations":null}', {}],
    ['{"spec":0,"labels":{},"annotations":{}}', { spec: 0, labels: {}, annotations: {} }],
    ['{"spec":false,"status":1,"metadata":{"labels":{}}}', { spec: false }],
    ['{"labels":{"a":"1","b":null}}', { labels: { a: '1', b: '' } }],
    [
      '{"SPEC":[1],"Labels":{"a":"1"},"annotationS":{"b":"2"}}',
      { spec: [1], labels: { a: '1' }, annotations: { b: '2' } },
    ],
    [
      '{"\u017fpec":1,"label\u017f":{"a":"1"},"annotation\u017f":{"b":"2"}}',
      { spec: 1, labels: { a: '1' }, annotations: { b: '2' } },
    ],
    ['{"spec":1,"Spec":2}', { spec: 2 }],
    ['{"spec":1,"Spec":null}', {}],
    ['{"labels":{"a":"1","b":"2"},"Labels":{"b":"3","c":"4"}}', { labels: { a: '1', b: '3', c: '4' } }],
    ['{"labels":{"a":"1"},"Labels":null}', {}],
    ['{"specs":1,"label":{"a":"1"},"annotation":{"a":"1"},"xspec":1}', {}],
  ])('%s is read as an object: %j', (text, data) => {
    expect(returnedData(json(text))).toStrictEqual({ ok: true, data });
    expect(parseOriginal(text)).toStrictEqual(data);
  });

  it.each<[text: string, error: string, kept: object]>([
    ['[]', 'value of type custom.Data', {}],
    ['{"labels":[]}', 'struct field Data.labels of type map[string]string', {}],
    ['{"annotations":[1]}', 'struct field Data.annotations of type map[string]string', {}],
    ['{"Labels":[],"annotations":"a"}', 'struct field Data.labels of type map[string]string', {}],
    [
      '{"spec":1,"labels":{"a":[]},"annotations":{"b":"2"}}',
      'struct field Data.labels of type string',
      { spec: 1, labels: { a: '' }, annotations: { b: '2' } },
    ],
    [
      '{"annotations":{"b":"2","a":[]},"labels":5}',
      'struct field Data.annotations of type string',
      { annotations: { b: '2', a: '' } },
    ],
  ])('%s is not read as an object', (text, error, kept) => {
    expect(returnedData(json(text))).toStrictEqual(failed('return', `json: cannot unmarshal array into Go ${error}`));
    expect(parseOriginal(text)).toStrictEqual(kept);
  });

  it.each<[value: string, kind: string]>([
    ['true', 'bool'],
    ['1', 'number'],
    ['"a"', 'string'],
    ['[]', 'array'],
  ])('has labels of a wrong type: %s', (value, kind) => {
    expect(returnedData(json(`{"labels":${value}}`))).toStrictEqual(
      failed('return', `json: cannot unmarshal ${kind} into Go struct field Data.labels of type map[string]string`),
    );
  });

  it.each([
    ['lists', '[', ']'],
    ['maps', '{"a":', '}'],
  ])('may be nested to 1000 levels of %s', (_, open, close) => {
    const deepest = nested(999, open, close);
    const deeper = nested(1000, open, close);
    expect(returnedData(json(deepest)).ok).toBe(true);
    expect(parseOriginal(deepest)).toEqual(JSON.parse(deepest));
    expect(returnedData(json(deeper))).toStrictEqual(
      failed('return', 'the returned table is nested deeper than 1000 levels'),
    );
    expect(parseOriginal(deeper)).toEqual({});
  });

  it('may have any number of lists, maps and brackets in strings', () => {
    for (const item of ['[]', '{}', '[{}]', '"["', '"{"', '"\\"["', '"\\\\"', '"]"', '{"[":"{"}']) {
      const text = `{"spec":[${Array(2000).fill(item).join()}]}`;
      expect(parseOriginal(text)).toEqual(JSON.parse(text));
      expect(returnedData(json(text)).ok).toBe(true);
    }
    const behind = `{"spec":["]]]]","\\"}"],"labels":${'['.repeat(999)}${']'.repeat(999)}}`;
    expect(returnedData(json(behind))).toMatchObject({ error: expect.stringContaining('of type map[string]string') });
    const deeper = `{"spec":["]]]]","\\"}"],"labels":${'['.repeat(1000)}${']'.repeat(1000)}}`;
    expect(returnedData(json(deeper))).toMatchObject({ error: expect.stringContaining('deeper than 1000') });
  });
});

describe('labels and annotations of an object', () => {
  it.each<[value: unknown, read: object | undefined]>([
    [
      { a: '1', b: '' },
      { a: '1', b: '' },
    ],
    [{}, undefined],
    [{ a: '1', b: 2 }, undefined],
    [{ a: null }, undefined],
    ['a', undefined],
    [['a'], undefined],
    [null, undefined],
    [undefined, undefined],
  ])('%j are read as %j', (value, read) => {
    expect(annotationsOf({ metadata: { annotations: value, labels: { other: '1' } } })).toEqual(read);
    expect(labelsOf({ metadata: { labels: value, annotations: { other: '1' } } })).toEqual(read);
  });

  it('are none of something else', () => {
    for (const manifest of [undefined, null, 'a', [], {}, { metadata: 'a' }, { annotations: { a: '1' } }]) {
      expect(annotationsOf(manifest)).toBeUndefined();
      expect(labelsOf(manifest)).toBeUndefined();
    }
  });
});

describe('the stored original', () => {
  it.each<[object: unknown, text: string]>([
    [{ spec: null }, '{}'],
    [{ spec: 0 }, '{"spec":0}'],
    [{ spec: {}, metadata: { labels: { a: '1' }, annotations: {} } }, '{"spec":{},"labels":{"a":"1"}}'],
    [{ metadata: { annotations: { [ORIGINAL_SPEC_ANNOTATION]: 'older' } } }, '{}'],
    [{ metadata: { annotations: { [ORIGINAL_SPEC_ANNOTATION]: 'older', a: '1' } } }, '{"annotations":{"a":"1"}}'],
    [{ metadata: { annotations: { a: 1 }, labels: { b: 2 } } }, '{}'],
    [undefined, '{}'],
    ['a', '{}'],
  ])('of %j is %s', (object, text) => {
    expect(formatOriginal(object)).toBe(text);
  });

  it.each<[spec: unknown, read: unknown]>([
    [null, undefined],
    [undefined, undefined],
    [0, 0],
    ['', ''],
    [false, false],
    [
      [null, undefined, 0, '', false, Number.NaN, Number.POSITIVE_INFINITY],
      [0, '', false],
    ],
    [{ a: null, b: undefined, c: 0, d: Number.NEGATIVE_INFINITY }, { c: 0 }],
    [
      [{ a: null }, [null]],
      [{}, []],
    ],
    [{ a: { b: [{ c: null, d: 5n }] } }, { a: { b: [{ d: 5 }] } }],
  ])('with spec %# is passed without nulls', (spec, read) => {
    const services = { canaryService: 'web-canary', stableService: 'web' };
    const { data } = customScriptObject({ original: { spec }, strategy: {}, ...services });
    expect(data).toStrictEqual(read === undefined ? {} : { spec: read });
  });
});
