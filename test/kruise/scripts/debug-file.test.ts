import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/json';
import { debugFile, luaLiteral } from '../../../src/kruise/scripts/debug-file';
import { runLua } from '../../../src/lua';

describe('luaLiteral', () => {
  it('writes keys in order, without brackets if Lua allows it', () => {
    expect(luaLiteral({ weight: '20', 'a.b/c': [1, true], end: null, and: {}, B: -1.5 })).toBe(
      '{\n  B = -1.5,\n  ["a.b/c"] = {\n    1,\n    true,\n  },\n  ["and"] = {},\n  weight = "20",\n}',
    );
  });

  it('escapes what would end or change a string', () => {
    expect(luaLiteral('"\\\n\r\t\x001\u001b[é')).toBe('"\\"\\\\\\n\\r\\t\\0001\\027[é"');
  });

  it('removes nulls from a list, like the controller', () => {
    expect(luaLiteral([1, null, 2])).toBe(luaLiteral([1, 2]));
  });

  it('is parsed by the engine to the same data', () => {
    fc.assert(
      fc.property(data, (value) => {
        const result = runLua(`local value = ${luaLiteral(value)}\nreturn { value = value }`, null);
        expect(result.ok && JSON.parse(result.json)).toEqual(asLuaKeepsIt({ value }));
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});

describe('debugFile', () => {
  const steps = [
    { key: 'creation', title: 'creation\n] of "it"', obj: { weight: '0' } },
    { key: 'step_0', title: 'step 0: traffic 20%', obj: { weight: '20', annotations: { 'a/b': '{"x":[1]}\n' } } },
  ];

  it('contains every step, and the chosen one as obj', () => {
    const check = 'return { same = obj == steps.step_0, obj = obj, creation = steps.creation }';
    const result = runLua(`${debugFile('t.yaml', steps, 'step_0')}\n${check}`, null);
    expect(result.ok && JSON.parse(result.json)).toEqual({ same: true, obj: steps[1]!.obj, creation: { weight: '0' } });
  });

  it('describes each step in a comment, and keeps every title inside its comment', () => {
    const text = debugFile('a\nerror("b").yaml', steps, 'creation');
    expect(text).toContain('  -- step 0: traffic 20%\n  step_0 = {');
    expect(runLua(`${text}\nreturn obj`, null)).toMatchObject({ ok: true, json: '{"weight":"0"}' });
  });
});

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('end', 'goto', '\n]]', '--[[', '\\', '"'),
);
const { data } = fc.letrec<{ data: Json }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('data'), { maxLength: 4 }),
    fc.dictionary(text, tie('data'), { maxKeys: 4 }),
  ),
}));

/** Data after conversion to a Lua table: no nulls, and one kind of empty table, which is written as null. */
function asLuaKeepsIt(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null).map(asLuaKeepsIt);
    return items.length === 0 ? null : items;
  }
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return entries.length === 0
    ? null
    : (Object.fromEntries(entries.map(([key, item]) => [key, asLuaKeepsIt(item)])) as Json);
}
