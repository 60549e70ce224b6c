import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runLua } from '../../src/lua';

const { lua, lauxlib, lualib, to_luastring, to_jsstring } = require('fengari');

/** Runs a script that returns text in fengari, a Lua 5.3 that shares no code with the engine. */
function runFengari(script: string): string {
  const state = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(state);
  if (lauxlib.luaL_dostring(state, to_luastring(script)) !== 0)
    throw new Error(to_jsstring(lua.lua_tostring(state, -1)));
  return to_jsstring(lua.lua_tostring(state, -1));
}

/**
 * Programs that mean the same in Lua 5.1, Lua 5.3 and gopher-lua: small whole numbers that are never negative, strings,
 * tables, closures, loops, no errors. A program logs what it does. Values pass through `id` on their way into a variable:
 * gopher-lua gets `x = a and b or x` wrong, and some loops that start with a jump.
 */
const { program } = fc.letrec<{
  number: string;
  text: string;
  condition: string;
  statement: string;
  block: string;
  program: string;
}>((tie) => ({
  number: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      '0',
      '1',
      '2',
      '7',
      'a',
      'b',
      'c',
      '#list',
      'list[1]',
      'add(a, 1)',
      '(count())',
      'select("#", a, b)',
    ),
    fc.tuple(tie('number'), fc.constantFrom('+', '*'), tie('number')).map((parts) => `((${parts.join(' ')}) % 100)`),
    fc.tuple(tie('condition'), tie('number'), tie('number')).map(([c, x, y]) => `(${c} and ${x} or ${y})`),
    tie('text').map((text) => `#(${text})`),
    tie('block').map((block) => `(function(a, ...) ${block} return a + select("#", ...) end)(1, 2, 3)`),
  ),
  text: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('"x"', '"y"', 's', 'type(a)', 'tostring(b)', 's:upper()', 's:sub(1, 3)', 'map.k', 'map["k"]'),
    fc.tuple(tie('text'), tie('number')).map(([text, number]) => `(${text} .. ${number}):sub(1, 9)`),
    fc.tuple(tie('condition'), tie('text')).map(([condition, text]) => `(${condition} and ${text} or s)`),
  ),
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('a', 'not b', 'list[9]', 'list[9] == nil'),
    fc
      .tuple(tie('number'), fc.constantFrom('<', '<=', '>', '>=', '==', '~='), tie('number'))
      .map((p) => `(${p.join(' ')})`),
    fc.tuple(tie('text'), fc.constantFrom('<', '==', '~='), tie('text')).map((parts) => `(${parts.join(' ')})`),
    fc.tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition')).map((parts) => `(${parts.join(' ')})`),
    tie('condition').map((condition) => `not (${condition})`),
  ),
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(fc.constantFrom('a', 'b', 'c', 'list[1]', 'list[#list + 1]'), tie('number'))
      .map(([place, value]) => `${place} = id(${value})`),
    fc.tuple(fc.constantFrom('s', 'map.k', 'map["k"]'), tie('text')).map(([place, value]) => `${place} = id(${value})`),
    fc.tuple(tie('number'), tie('number')).map(([x, y]) => `a, b = ${x}, id(${y})`),
    fc.tuple(tie('number'), tie('number')).map(([x, y]) => `local a, c = ${x}, ${y} log(a, c)`),
    fc
      .tuple(tie('condition'), tie('block'), tie('condition'), tie('block'))
      .map(([first, yes, second, no]) => `if ${first} then ${yes} elseif ${second} then ${no} else log("else") end`),
    fc.tuple(tie('number'), tie('block')).map(([limit, block]) => `for i = 1, ${limit} % 4 do log(i) ${block} end`),
    tie('block').map((block) => `for i, v in ipairs({a, b, c}) do log(i, v) ${block} end`),
    fc
      .tuple(tie('condition'), tie('block'))
      .map(
        ([condition, block]) =>
          `do local n = 0 while ${condition} do n = n + 1 if n > 2 then break end ${block} end end`,
      ),
    fc
      .tuple(tie('condition'), tie('block'))
      .map(
        ([condition, block]) => `do local n = 0 repeat n = n + 1 local m = n ${block} until m > 2 or ${condition} end`,
      ),
    tie('block').map((block) => `do local f = function(a) ${block} return a end log(f(b)) end`),
    fc
      .tuple(tie('number'), tie('text'))
      .map(([number, text]) => `map = {${number}, k = "m" .. ${text}} log(map[1], map.k)`),
    tie('number').map((number) => `log(pcall(function() error({code = ${number}}) end))`),
  ),
  block: fc.array(tie('statement'), { maxLength: 3 }).map((statements) => statements.join(' ')),
  program: fc.array(tie('statement'), { minLength: 1, maxLength: 6 }).map((statements) => statements.join('\n')),
}));

const PRELUDE = `local a, b, c, s, list, map, called, out, budget = 1, 2, 3, "s", {4, 5}, {k = "k"}, 0, {}, 0
local function id(value) return value end
local function add(x, y) return (x + y) % 100 end
local function count() called = called + 1 return called % 100, "more" end
local function log(...)
  budget = budget + 1
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if #out < 500 then out[#out + 1] = type(v) == "table" and "t" .. v.code or tostring(v) end
  end
end
`;

describe('an independent Lua agrees with the engine', () => {
  test('on generated programs', () => {
    fc.assert(
      fc.property(program, (body) => {
        const script = `${PRELUDE}${body}\nlog(a, b, c, s, #list, called) return table.concat(out, " ")`;
        const result = runLua(script, {}, { timeLimit: 20_000 });
        expect(result.ok ? JSON.parse(result.json) : result.error).toBe(runFengari(script));
      }),
      { numRuns: 150, seed: 51, endOnFailure: true },
    );
  });

  test.each([
    [
      'nested closures',
      'local f = {} for i = 1, 3 do local j = i * 2 f[i] = function() j = j + i return j end end local s = "" for i = 1, 3 do s = s .. f[i]() .. "," .. f[i]() .. ";" end return s',
    ],
    [
      'recursion',
      'local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end return tostring(fib(15))',
    ],
    [
      'varargs',
      'local function f(...) local a, b = ... return select("#", ...) .. tostring(a) .. tostring(b) end return f() .. f(1) .. f(1, nil, 3)',
    ],
    [
      'methods',
      'local o = {n = 0} function o:add(k) self.n = self.n + k return self end return tostring(o:add(1):add(2).n)',
    ],
    [
      'metatables',
      'local m = {__index = function(_, k) return k .. "!" end, __add = function() return "sum" end} local t = setmetatable({}, m) return t.x .. (t + 1)',
    ],
    ['sorting', 'local t = {5, 3, 9, 1} table.sort(t, function(x, y) return x > y end) return table.concat(t, ",")'],
    ['patterns', 'return (("key=value; other=thing"):gsub("(%w+)=(%w+)", "%2=%1"))'],
  ])('on %s', (_, script) => {
    const result = runLua(script, {});
    expect(result.ok ? JSON.parse(result.json) : result.error).toBe(runFengari(script));
  });
});
