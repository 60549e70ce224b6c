/** How a script ends on an input, and when its trials end. */
import { describe, expect, it } from 'vitest';
import { inputFor, type Stage } from '../../../../src/kruise/scripts/checks/stage';
import { byHeader, creation, matching, weight } from '../../../../src/kruise/scripts/checks/step';
import { Trial, writtenAnnotations, writtenText } from '../../../../src/kruise/scripts/checks/trial';
import type { ScriptObject } from '../../../../src/kruise/scripts/contract';
import { KruiseRolloutVersion } from '../../../../src/kruise/version';
import { compileLua } from '../../../../src/lua';

const trialOf = (script: string, emptyTable: 'null' | '[]' = 'null') => new Trial(compileLua(script), emptyTable);
const input: ScriptObject = { annotations: { owner: 'a' }, weight: '20', canaryService: 'web-canary' };
const at = (text: string): ScriptObject => ({ ...input, weight: text });
const STOPPED = { kind: 'stopped' };

const stage: Stage = {
  name: 'an Ingress',
  provider: 'ingress',
  data: { annotations: { owner: 'a' } },
  stableService: 'web',
  canaryService: 'web-canary',
  routes: true,
  version: KruiseRolloutVersion.LATEST,
};
const object: Stage = { ...stage, name: 'a Route', provider: 'custom', data: { spec: { host: 'a' } } };

/** Adds the weight of each step to a list. */
const HISTORY = 'local a = obj.annotations a.seen = (a.seen or "") .. obj.weight .. ";" return a';
const seen = (outcome: ReturnType<Trial['run']>) => writtenAnnotations(outcome)?.seen;

describe('the outcome of a run', () => {
  it.each<[script: string, outcome: object]>([
    ['return 5', { kind: 'other', type: 'number', input }],
    ['return "a"', { kind: 'other', type: 'string', input }],
    ['return false', { kind: 'other', type: 'boolean', input }],
    ['return print', { kind: 'other', type: 'function', input }],
    ['return newproxy()', { kind: 'other', type: 'userdata', input }],
    ['return', { kind: 'other', type: 'nil', input }],
    ['local a = 1', { kind: 'other', type: 'nil', input }],
    ['return {}, nil', { kind: 'other', type: 'nil', input }],
    [
      'return { a = print }',
      {
        kind: 'unwritable',
        error:
          'json: error calling MarshalJSON for type luamanager.jsonValue: json: error calling MarshalJSON for type luamanager.jsonValue: cannot encode function to JSON',
        input,
      },
    ],
    ['error("no")', { kind: 'refused', error: '<string>:1: no' }],
    ['\nerror("no", 0)', { kind: 'refused', error: 'no' }],
    ['assert(false)', { kind: 'refused', error: '<string>:1: assertion failed!' }],
    [
      '\nlocal x = obj.matches[1]',
      {
        kind: 'crashed',
        error: "<string>:2: attempt to index a non-table object(nil) with key '1'",
        line: 2,
        input,
      },
    ],
    ['local f\nf()', { kind: 'crashed', error: '<string>:2: attempt to call a non-function object', line: 2, input }],
    ['math.random(0)', { kind: 'crashed', error: 'invalid argument to Intn', line: undefined, input }],
    [
      'local function f() return f() + 1 end\nf()',
      { kind: 'crashed', error: '<string>:1: stack overflow', line: 1, input },
    ],
  ])('of %j is %j', (script, outcome) => {
    const trial = trialOf(script);
    expect(trial.run(input)).toStrictEqual(outcome);
    expect(trial.limit).toBeUndefined();
  });

  it('of a script that returns a table has its JSON and the input', () => {
    expect(trialOf('return obj.annotations').run(input)).toMatchObject({
      kind: 'table',
      input,
      result: { ok: true, type: 'table', json: '{"owner":"a"}', returnedObj: false },
    });
    expect(trialOf('return obj').run(input)).toMatchObject({ kind: 'table', result: { returnedObj: true } });
  });

  it('depends on how the release writes an empty table', () => {
    expect(writtenText(trialOf('return { a = {} }', 'null').run(input))).toBe('{"a":null}');
    expect(writtenText(trialOf('return { a = {} }', '[]').run(input))).toBe('{"a":[]}');
  });
});

describe('what is written after an outcome', () => {
  it.each<[script: string, text: string | undefined, annotations: object | undefined]>([
    ['return obj.annotations', '{"owner":"a"}', { owner: 'a' }],
    ['return {}', 'null', {}],
    ['return { a = {} }', '{"a":null}', { a: '' }],
    ['return { a = 1 }', '{"a":1}', undefined],
    ['return { "a" }', '["a"]', undefined],
    ['return "a"', undefined, undefined],
    ['return { a = print }', undefined, undefined],
    ['error("no")', undefined, undefined],
    ['local x = obj.a.b', undefined, undefined],
  ])('of %j is the text %j, and the annotations %j', (script, text, annotations) => {
    const outcome = trialOf(script).run(input);
    expect(writtenText(outcome)).toBe(text);
    expect(writtenAnnotations(outcome)).toEqual(annotations);
    expect(writtenAnnotations(outcome)).toBe(writtenAnnotations(outcome));
  });
});

describe('a trial', () => {
  it('runs a script once for equal inputs', () => {
    const trial = trialOf('return { w = obj.weight }');
    expect(trial.run({ ...input })).toBe(trial.run(input));
    expect(trial.run(at('30'))).not.toBe(trial.run(input));
    expect(writtenText(trial.run(at('30')))).toBe('{"w":"30"}');
  });

  it('runs a script again for each order of the maps', () => {
    const trial = trialOf('local keys = {} for k in pairs(obj.annotations) do keys[#keys + 1] = k end return keys');
    const keys = { ...input, annotations: { a: '1', b: '2', c: '3', d: '4' } };
    const seeds = [undefined, 0, 1, 2, 3, 4];
    const texts = seeds.map((seed) => writtenText(trial.run(keys, seed)));
    expect(texts[0]).toBe('["a","b","c","d"]');
    expect(new Set(texts).size).toBeGreaterThan(3);
    expect(trial.run(keys, 0)).not.toBe(trial.run(keys));
    expect(seeds.map((seed) => writtenText(trial.run({ ...keys }, seed)))).toEqual(texts);
  });

  it('collects the globals that any run sets', () => {
    const trial = trialOf('if obj.weight == "20" then one = 1 else two, three = 2, 3 end return {}');
    expect([...trial.globals]).toEqual([]);
    trial.run(at('20'));
    expect([...trial.globals]).toEqual(['one']);
    trial.run(at('30'));
    expect([...trial.globals]).toEqual(['one', 'three', 'two']);
  });

  it('collects the globals of a run that fails', () => {
    const trial = trialOf('one = 1 error("no")');
    trial.run(input);
    expect([...trial.globals]).toEqual(['one']);
  });

  it.each([
    ['return {}', 1],
    ['local a = {}\nif obj.weight == "20" then\n  return a\nend\nreturn a', 3],
    ['local a = {}\nif obj.weight == "21" then\n  return a\nend\nreturn a', 5],
    ['local a = 1\nerror("no")\nlocal b = 2', 2],
  ])('knows the last line that runs: of %j it is %i', (script, line) => {
    expect(trialOf(script).lastLine(input)).toBe(line);
  });

  it('knows the last line of a release that writes an empty list', () => {
    const script = 'local text = json.encode({})\nif text == "[]" then\n  return {}\nend\nreturn {}';
    expect(trialOf(script, '[]').lastLine(input)).toBe(3);
    expect(trialOf(script, 'null').lastLine(input)).toBe(5);
  });
});

describe('a limit of trials', () => {
  it('of time ends them, and tells the number of runs', () => {
    const trial = trialOf('if obj.weight == "77" then\n  while true do end\nend\nreturn { w = obj.weight }');
    const before = trial.run(at('20'));
    expect(trial.limit).toBeUndefined();
    expect(trial.run(at('77'))).toEqual(STOPPED);
    expect(trial.limit).toEqual({ limit: 'time', error: '<string>:2: context deadline exceeded', line: 2, runs: 2 });

    expect(trial.run(at('20'))).toBe(before);
    expect(trial.run(at('30'))).toEqual(STOPPED);
    expect(trial.run(at('77'))).toEqual(STOPPED);
    expect(trial.lastLine(at('20'))).toBeUndefined();
    expect(trial.play(stage, weight(30))).toEqual(STOPPED);
    expect(trial.limit?.runs).toBe(2);
  });

  it('of memory ends them', () => {
    const trial = trialOf('local a = 1\nlocal text = string.rep("a", 2 ^ 29)\nreturn {}');
    expect(trial.run(input)).toEqual(STOPPED);
    expect(trial.limit).toEqual({
      limit: 'memory',
      error: '<string>:2: not enough memory: the script holds more than 256 MiB',
      line: 2,
      runs: 1,
    });
    expect(trial.run(at('30'))).toEqual(STOPPED);
  });

  it('of memory ends them without a line if the result is too long', () => {
    const trial = trialOf('local s, t = string.rep("a", 2 ^ 20), {} for i = 1, 17 do t[i] = s end return t');
    expect(trial.run(input)).toEqual(STOPPED);
    expect(trial.limit).toEqual({
      limit: 'memory',
      error: 'not enough memory: the JSON of what the script returns is longer than 16 MiB',
      runs: 1,
    });
  });

  it('of all work ends them once it takes more than 30 million, after the run that does', () => {
    const script = compileLua('for i = 1, 2151 do local s = string.rep("a", 4648 * 256) end return { w = obj.weight }');
    expect(script.run({ weight: '1' }).work).toBe(10_000_000);
    const trial = new Trial(script, 'null');
    const texts = ['1', '2', '3'].map((text) => writtenText(trial.run(at(text))));
    expect(texts).toEqual(['{"w":"1"}', '{"w":"2"}', '{"w":"3"}']);
    expect(trial.limit).toBeUndefined();

    expect(writtenText(trial.run(at('4')))).toBe('{"w":"4"}');
    expect(trial.limit).toEqual({ limit: 'total', runs: 4 });
    expect(trial.run(at('5'))).toEqual(STOPPED);
    expect(writtenText(trial.run(at('4')))).toBe('{"w":"4"}');
    expect(trial.limit).toEqual({ limit: 'total', runs: 4 });
  });
});

describe('steps as the controller plays them', () => {
  it('run an ingress script at creation, and then on its own output', () => {
    const trial = trialOf(HISTORY);
    expect(seen(trial.play(stage))).toBe('0;');
    expect(seen(trial.play(stage, weight(20)))).toBe('0;20;');
    expect(seen(trial.play(stage, weight(20), weight(100)))).toBe('0;20;100;');
    expect(seen(trial.play(stage, weight(100), weight(20), matching(byHeader)))).toBe('0;100;20;-1;');
    expect(trial.play(stage)).toMatchObject({ input: inputFor(stage, creation) });
    expect(trial.play(stage, weight(20))).toMatchObject({
      input: inputFor(stage, weight(20), { owner: 'a', seen: '0;' }),
    });
  });

  it('run a custom script on the original object, whatever comes before', () => {
    const trial = trialOf('obj.data.spec.seen = (obj.data.spec.seen or "") .. obj.canaryWeight return obj.data');
    expect(writtenText(trial.play(object))).toBe('{"spec":{"host":"a","seen":"0"}}');
    expect(writtenText(trial.play(object, weight(20)))).toBe('{"spec":{"host":"a","seen":"20"}}');
    expect(writtenText(trial.play(object, weight(20), weight(100)))).toBe('{"spec":{"host":"a","seen":"100"}}');
    expect(trial.play(object, weight(20), weight(100))).toBe(trial.run(inputFor(object, weight(100))));
  });

  it('have the same outcome for an equal stage only', () => {
    const trial = trialOf(HISTORY);
    const other: Stage = { ...stage, data: { annotations: { owner: 'b' } } };
    expect(writtenAnnotations(trial.play(stage, weight(20)))).toEqual({ owner: 'a', seen: '0;20;' });
    expect(writtenAnnotations(trial.play(other, weight(20)))).toEqual({ owner: 'b', seen: '0;20;' });
    expect(trial.play(stage, { traffic: '20%' })).toBe(trial.play(stage, weight(20)));
    expect(trial.play(stage, weight(20))).toBe(trial.play(stage, weight(20)));
  });

  it('are told apart, however many they are', () => {
    const trial = trialOf(HISTORY);
    const steps = Array.from({ length: 12 }, (_, index) => weight(index));
    expect(steps.map((step) => seen(trial.play(stage, step)))).toEqual(steps.map((_, index) => `0;${index};`));
    expect(seen(trial.play(stage, steps[1]!, steps[11]!))).toBe('0;1;11;');
    expect(seen(trial.play(stage, steps[11]!, steps[1]!))).toBe('0;11;1;');
  });

  it('end where the script fails', () => {
    const trial = trialOf('if obj.weight == "20" then error("no") end return { w = obj.weight }');
    const refused = { kind: 'refused', error: '<string>:1: no' };
    expect(trial.play(stage, weight(20))).toEqual(refused);
    expect(trial.play(stage, weight(20), weight(30))).toEqual(refused);
    expect(writtenText(trial.play(stage, weight(30)))).toBe('{"w":"30"}');
    expect(trial.play(stage, weight(30), weight(20), weight(40))).toEqual(refused);
  });

  it('end where the controller cannot write the annotations', () => {
    const trial = trialOf('if obj.weight == "20" then return { w = 20 } end return { w = obj.weight }');
    expect(trial.play(stage, weight(20))).toMatchObject({ kind: 'table' });
    expect(trial.play(stage, weight(20), weight(30))).toEqual(STOPPED);
    expect(writtenText(trial.play(stage, weight(30)))).toBe('{"w":"30"}');
    expect(trial.limit).toBeUndefined();
  });
});
