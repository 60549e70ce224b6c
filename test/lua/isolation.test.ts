import { describe, expect, test } from 'vitest';
import { compileLua, type LuaData, runLua } from '../../src/lua';

const LEAKS = [
  ['a global', 'seen = 1 return {}', 'return {seen == nil}'],
  [
    'a changed library',
    'string.upper = nil table.concat = 1 math.pi = 3 json.encode = nil return {}',
    'return {string.upper("a") == "A" and table.concat({"a"}) == "a" and math.pi > 3.1 and json.encode(1) == "1"}',
  ],
  [
    'a new library member',
    'string.mine = function() end return {}',
    'return {string.mine == nil and ("x").mine == nil}',
  ],
  [
    'a removed global function',
    'print = nil pairs = nil _G.type = nil return {}',
    'return {print ~= nil and pairs ~= nil and type ~= nil}',
  ],
  [
    'the metatable of strings',
    'setmetatable("", {__index = function() return 1 end}) return {}',
    'return {("x").nope == nil and ("x"):upper() == "X"}',
  ],
  [
    'the metatable of numbers',
    'setmetatable(1, {__index = function() return 1 end}) return {}',
    'return {not pcall(function() return (1).x end)}',
  ],
  [
    'the metatable of the globals',
    'setmetatable(_G, {__index = function() return 1 end}) return {}',
    'return {nope == nil}',
  ],
  ['the environment', 'setfenv(0, {}) setfenv(1, {}) return {}', 'return {loadstring("return type")() == type}'],
  ['a module', 'module("leak") return {}', 'return {leak == nil and not pcall(require, "leak")}'],
  ['a constant of the script', 'local t = {a = {}} t.a.b = (t.a.b or 0) + 1 return {t.a.b == 1}', 'return {true}'],
  [
    'a local of the main chunk',
    'local n = 0 local function f() n = n + 1 return n end f() return {f() == 2}',
    'return {true}',
  ],
  [
    'random numbers',
    'math.randomseed(7) for i = 1, 10 do math.random() end return {}',
    'math.randomseed(1) local a = math.random() math.randomseed(1) return {a == math.random()}',
  ],
] as const;

describe('runs do not affect each other', () => {
  test.each(LEAKS)('%s', (_, first, second) => {
    const [leaking, looking] = [compileLua(first), compileLua(second)];
    for (let round = 0; round < 2; round++) {
      expect(leaking.run({}).ok).toBe(true);
      expect(looking.run({})).toMatchObject({ ok: true, json: '[true]' });
    }
  });

  test('a script runs the same a second time, also after an error', () => {
    const script = compileLua('count = (count or 0) + 1 if obj.fail then error("no") end return {count}');
    expect(script.run({})).toMatchObject({ json: '[1]' });
    expect(script.run({ fail: true })).toMatchObject({ ok: false, error: '<string>:1: no' });
    expect(script.run({})).toMatchObject({ json: '[1]' });
  });

  test('obj is copied: a script cannot change the original', () => {
    const obj: LuaData = { list: ['a'], map: { a: 1 } };
    runLua('obj.list[1] = "b" obj.map.a = nil obj.new = 1 table.insert(obj.list, 1) return obj', obj);
    expect(obj).toEqual({ list: ['a'], map: { a: 1 } });
  });
});

describe('a result, next to the value,', () => {
  test('the globals that the script made, sorted', () => {
    expect(runLua('b = 1 a = 2 local c = 3 d = 4 d = nil string.x = 1 _G.e = 5 return {}', {})).toMatchObject({
      globals: ['a', 'b', 'e'],
    });
    expect(runLua('b = 1 error("x")', {})).toMatchObject({ ok: false, globals: ['b'] });
  });

  test('whether obj itself was returned', () => {
    expect(runLua('return obj', {})).toMatchObject({ ok: true, returnedObj: true });
    expect(runLua('return {obj}', {})).toMatchObject({ ok: true, returnedObj: false });
  });

  test('of data that is nested as deep as a thousand levels, and no deeper', () => {
    const nested = (levels: number) => {
      let value: { readonly [key: string]: unknown } = {};
      for (let level = 0; level < levels; level++) value = { in: value };
      return value as never;
    };
    const script = 'local n, v = 0, obj while v["in"] do n, v = n + 1, v["in"] end return {n}';
    expect(runLua(script, nested(1000))).toMatchObject({ ok: true, json: '[1000]' });
    expect(runLua(script, nested(1001))).toMatchObject({ ok: false });
  });

  test('what was printed, as tostring shows it', () => {
    const script =
      'print("é", 1.5, nil, true) print(setmetatable({}, {__tostring = function() return "t" end})) return {}';
    expect(runLua(script, {})).toMatchObject({ stdout: 'é\t1.5\tnil\ttrue\nt\n' });
  });

  test('the lines that were run', () => {
    const lines: number[] = [];
    runLua(
      'local x = 1\nif x > 1 then\n  x = 2\nelse\n  x = 3\nend\nfor i = 1, 2 do\n  x = x + i\nend\nreturn {x}',
      {},
      { onLine: (line) => lines.push(line) },
    );
    expect([...new Set(lines)]).toEqual([1, 2, 5, 7, 8, 10]);
  });

  test('the type is that of the last value', () => {
    expect(runLua('return {}, nil', {})).toMatchObject({ type: 'nil', json: 'null' });
    expect(runLua('return nil, {1}', {})).toMatchObject({ type: 'table', json: '[1]' });
    expect(runLua('', {})).toMatchObject({ type: 'nil', json: 'null' });
    expect(runLua('return print', {})).toMatchObject({ ok: false, stage: 'encode', type: 'function' });
  });

  test('a script that does not parse compiles to its error', () => {
    const script = compileLua('return {\n  1 2\n}');
    expect(script.syntaxError).toMatchObject({ line: 2 });
    expect(script.run({})).toMatchObject({ ok: false, stage: 'parse', error: script.syntaxError?.error, line: 2 });
  });
});
