import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LuaData, type LuaResult, runLua } from '../../src/lua';
import { KEYWORDS, SYMBOLS } from '../../src/lua/syntax';

/** A short deadline for scripts that end at it; the timeout of the test fails a script that does not end. */
const LIMIT = 100;
/** For scripts that end by themselves or at another limit, even on a slow machine. */
const AMPLE = 20_000;

function run(script: string, timeLimit = LIMIT): LuaResult {
  return runLua(script, { list: [1, 2, 3], text: 'x' }, { timeLimit });
}

const DEADLINE = { ok: false, limit: 'time', error: '<string>:1: context deadline exceeded' };
const OVERFLOW = { ok: false, limit: 'stack', error: '<string>:1: stack overflow' };
const MEMORY = { ok: false, limit: 'memory' };

/** Each script with a part of its result. */
const BOMBS: readonly (readonly [name: string, script: string, expected: object])[] = [
  ['an endless loop', 'while true do end', DEADLINE],
  ['a pcall that swallows the deadline', 'while true do pcall(function() while true do end end) end', DEADLINE],
  [
    'an xpcall whose handler loops',
    'while true do xpcall(function() while true do end end, function() while true do end end) end',
    DEADLINE,
  ],
  ['nested pcalls', 'pcall(pcall, pcall, function() while true do end end) while true do end', DEADLINE],
  ['an endless iterator', 'for _ in function() return 1 end do end', DEADLINE],
  [
    'an endless repeat in a metamethod',
    'local t = setmetatable({}, {__index = function() repeat until false end}) return t.x',
    DEADLINE,
  ],
  ['an endless tail call', 'local function f() return f() end return f()', DEADLINE],
  ['a comparison that loops', 'table.sort({3, 2, 1}, function() while true do end end)', DEADLINE],
  ['a string that doubles', 's = "x" for i = 1, 40 do s = s .. s end return {#s}', MEMORY],
  ['string.rep 1e10', 'return {#string.rep("x", 1e10)}', MEMORY],
  ['string.rep 1e9 inside pcall', 'return {pcall(string.rep, "x", 1e9)}', MEMORY],
  ['a gsub that doubles', 's = "xx" while true do s = s:gsub(".", "%0%0") end', DEADLINE],
  ['a format that doubles', 's = "xx" while true do s = string.format("%s%s", s, s) end', { ok: false }],
  [
    'an exponential pattern',
    'return {string.find(string.rep("a", 30), string.rep("a?", 30) .. string.rep("a", 30))}',
    DEADLINE,
  ],
  ['a quadratic pattern', 'return {string.find(string.rep("a", 100000), ".-b")}', DEADLINE],
  ['a table that grows', 'local t, i = {}, 0 while true do i = i + 1 t[i] = {i} end', { ok: false }],
  ['closures that grow', 'local t = {} while true do t[#t + 1] = function() return t end end', { ok: false }],
  [
    'one far index',
    'local t = {} t[67108863] = 1 local n = 0 for _ in pairs(t) do n = n + 1 end return {n, #t}',
    { ok: true, json: '[1,67108863]' },
  ],
  ['a far index returned', 'local t = {} t[67108863] = 1 return t', { ok: false, stage: 'encode' }],
  ['deep recursion', 'local function f() return 1 + f() end return f()', OVERFLOW],
  [
    'recursion through __index',
    'local t = setmetatable({}, {__index = function(t, k) return t[k] end}) return t.x',
    OVERFLOW,
  ],
  [
    'recursion through __concat',
    'local m = {} m.__concat = function(a, b) return a .. b end return setmetatable({}, m) .. 1',
    OVERFLOW,
  ],
  [
    'recursion through __tostring',
    'local m = {} m.__tostring = function(t) return tostring(t) end return tostring(setmetatable({}, m))',
    OVERFLOW,
  ],
  [
    'recursion through __eq',
    'local m = {} m.__eq = function(a, b) return a == b end return setmetatable({}, m) == setmetatable({}, m)',
    OVERFLOW,
  ],
  [
    'recursion through __call',
    'local t = setmetatable({}, {__call = function(self) return (self()) end}) t()',
    OVERFLOW,
  ],
  ['recursion through gsub', 'local function f(s) return (s:gsub(".", f)) end return f("x")', OVERFLOW],
  ['recursion through sort', 'local function f() table.sort({2, 1}, f) return true end f()', OVERFLOW],
  ['recursion through load', 'function f() return (load(f)()) end f()', OVERFLOW],
  [
    'recursion through pcall',
    'local n = 0 local function f() n = n + 1 pcall(f) end f() return {n}',
    { ok: true, json: '[128]' },
  ],
  [
    'a chain of __index tables',
    'local t = {} for i = 1, 200 do t = setmetatable({}, {__index = t}) end return t.x',
    { ok: false, error: '<string>:1: too many recursions in gettable' },
  ],
  [
    'a cycle of __newindex',
    'local t = {} setmetatable(t, {__newindex = t}) t.x = 1',
    { ok: false, error: '<string>:1: too many recursions in settable' },
  ],
  [
    'a table of 20000 levels, encoded',
    'local a = {} for i = 1, 20000 do a = {a} end return {(json.encode(a)) == nil}',
    { ok: true, json: '[true]' },
  ],
  ['a table of 9999 levels, returned', 'local a = {} for i = 1, 9998 do a = {a} end return a', { ok: true }],
  ['JSON of 100000 levels', 'return {(json.decode(string.rep("[", 100000))) == nil}', { ok: true, json: '[true]' }],
  ['a table in itself', 'local t = {} t.t = t return t', { ok: false, stage: 'encode' }],
  ['source that never ends', 'load(function() return "x = 1 " end)', DEADLINE],
  ['source of megabytes', 'while true do loadstring(string.rep("x = 1 ", 1000000)) end', DEADLINE],
  [
    'source that nests',
    'return {(loadstring("return " .. string.rep("(", 50000) .. "1" .. string.rep(")", 50000))) == nil}',
    { ok: true, json: '[true]' },
  ],
  [
    'source with too many operators',
    'return {type(loadstring("return " .. string.rep("not ", 50000) .. "1"))}',
    { ok: true },
  ],
  ['more values than fit', 'return {unpack({}, 1, 1e9)}', { ok: false, error: '<string>:1: registry overflow' }],
  [
    'a call that passes its values on and on',
    'local g\ng = function(...)\n  return (g(...))\nend\nreturn g(unpack({}, 1, 1200))',
    { ok: false, error: '<string>:3: registry overflow' },
  ],
  [
    'equal long strings, each made anew',
    'local t = {} for i = 1, 1000 do t[i] = string.rep("x", 1e6) end return {#t}',
    MEMORY,
  ],
  [
    'one long string in many places',
    'local s, t = string.rep("x", 1e6), {} for i = 1, 1000 do t[i] = s end return {#t}',
    { ok: true, json: '[1000]' },
  ],
  [
    'all bytes of a long string',
    'return {string.byte(string.rep("x", 1e6), 1, -1)}',
    { ok: false, error: '<string>:1: registry overflow' },
  ],
  ['insertion at the front', 'local t = {} while true do table.insert(t, 1, 1) end', DEADLINE],
  ['printing without end', 'while true do print(string.rep("x", 1000)) end', DEADLINE],
  [
    'JSON without end',
    'local t = {} for i = 1, 1000 do t[i] = {a = i} end while true do json.decode(json.encode(t)) end',
    DEADLINE,
  ],
  ['JSON of a string full of escapes', 'return {#json.encode({string.rep("\\1", 6e7)})}', { ok: false }],
  ['a string full of escapes, returned', 'return {string.rep("\\1", 2e7)}', { ...MEMORY, stage: 'encode' }],
  [
    'one long string returned many times',
    'local s, t = string.rep("é", 4e6), {} for i = 1, 2000 do t[i] = s end return t',
    { ...MEMORY, stage: 'encode' },
  ],
  [
    'comparisons of long strings',
    'local a, b = string.rep("x", 5e7) .. "a", string.rep("x", 5e7) .. "b" while true do if a < b then end end',
    DEADLINE,
  ],
  ['numbers of millions of digits', 'local a = string.rep("9", 2e7) while true do tonumber(a) end', DEADLINE],
  ['capitals of a long string', 'local a = string.rep("ß", 2e7) while true do a:upper() end', DEADLINE],
  [
    'a comparison that contradicts itself',
    'local t = {} for i = 1, 1000 do t[i] = i % 7 end table.sort(t, function() return true end) return {#t}',
    { ok: true, json: '[1000]' },
  ],
  [
    'the host',
    'return {os == nil, io == nil, debug == nil, package == nil, require == nil, process == nil, globalThis == nil, constructor == nil, ("").constructor == nil, ({}).__proto__ == nil, print.constructor == nil}',
    { ok: false, error: "<string>:1: attempt to index a non-table object(function) with key 'constructor'" },
  ],
  [
    'names of JavaScript',
    'local t = {} t.__proto__ = 1 t.constructor = 2 t.toString = 3 t.hasOwnProperty = 4 return t',
    { ok: true, json: '{"__proto__":1,"constructor":2,"hasOwnProperty":4,"toString":3}' },
  ],
  [
    'names of JavaScript as globals',
    'return {constructor == nil, toString == nil, __proto__ == nil, hasOwnProperty == nil}',
    { ok: true, json: '[true,true,true,true]' },
  ],
  [
    'a file',
    'return {pcall(dofile, "/etc/passwd")}',
    { ok: true, json: '[false,"open /etc/passwd: no such file or directory"]' },
  ],
  ['globals taken away', '_G = nil string = nil obj = nil setmetatable = nil return {}', { ok: true, json: 'null' }],
];

describe('a harmful script ends with a result', () => {
  test.each(BOMBS)('%s', (_, script, expected) => {
    const isOpen = Object.keys(expected).length === 1;
    const limit = isOpen ? 10 * LIMIT : 'error' in expected && expected.error === DEADLINE.error ? LIMIT : AMPLE;
    expect(run(script, limit)).toMatchObject(expected);
  });

  test('the deadline is raised in the frame that goes on after every pcall', () => {
    const script = 'local function f()\n  while true do end\nend\npcall(f)\nlocal x = 1\nreturn {x}';
    expect(runLua(script, {}, { timeLimit: 50 })).toMatchObject({
      error: '<string>:5: context deadline exceeded',
      line: 5,
    });
  });

  test('the deadline is a second', () => {
    const start = performance.now();
    expect(runLua('while true do end', {})).toMatchObject({ limit: 'time' });
    expect(performance.now() - start).toBeGreaterThanOrEqual(1000);
  });

  test('deep in the stack of the host the engine says stack overflow', () => {
    const descend = (depth: number): LuaResult =>
      depth === 0
        ? runLua('local function f(n) if n == 0 then return {1} end return (f(n - 1)) end return f(200)', {})
        : descend(depth - 1);
    for (const depth of [100, 5000, 7000]) {
      const result = descend(depth);
      expect(result.ok || result.limit).toBe(result.ok ? true : 'stack');
    }
  });

  test('a script may make much garbage', () => {
    const script =
      'local s = "" for i = 1, 20000 do s = s .. "0123456789" end for i = 1, 2000 do local t = string.rep("x", 100000) .. i end return {#s}';
    expect(runLua(script, {})).toMatchObject({ json: '[200000]' });
  });
});

describe('no script crashes, blocks or escapes the engine', () => {
  const names = [
    'a',
    'b',
    'obj',
    '_G',
    'string',
    'table',
    'json',
    'setmetatable',
    'pcall',
    'error',
    'unpack',
    'loadstring',
    'next',
    '__index',
    '_ENV',
    'goto',
  ];
  const literals = ['0', '1', '-1', '1e308', '0x10', '"x"', "'%d'", '[[y]]', '{}', '...', 'nil'];
  const token = fc.oneof(
    fc.constantFrom<string>(...KEYWORDS),
    fc.constantFrom<string>(...SYMBOLS),
    fc.constantFrom(...names),
    fc.constantFrom(...literals),
    fc.string({ maxLength: 4 }),
  );

  test('tokens in any order', () => {
    const soup = fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(' '));
    fc.assert(fc.property(soup, endsAsResult), { numRuns: 1500, seed: 1 });
  });

  test('bytes in any order', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), endsAsResult), { numRuns: 500, seed: 2 });
  });

  const { program } = fc.letrec<{ expression: string; statement: string; block: string; program: string }>((tie) => ({
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        'a',
        'b',
        'c',
        'obj',
        'obj.list',
        'obj.text',
        '1',
        '2',
        '0',
        '-1',
        '"x"',
        '"10"',
        'nil',
        'true',
        '{}',
        '{1,2,x=3}',
        '...',
      ),
      fc
        .tuple(
          tie('expression'),
          fc.constantFrom('+', '-', '*', '/', '%', '^', '..', '==', '~=', '<', '<=', 'and', 'or'),
          tie('expression'),
        )
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      tie('expression').map((operand) => `(not ${operand})`),
      tie('expression').map((operand) => `#${operand === '...' ? 'a' : `(${operand})`}`),
      tie('expression').map((operand) => `-(${operand})`),
      fc.tuple(tie('expression'), tie('expression')).map(([table, key]) => `(${table})[${key}]`),
      fc
        .tuple(
          fc.constantFrom(
            'tostring',
            'type',
            'next',
            'pcall',
            'select',
            'unpack',
            'setmetatable',
            'string.rep',
            'string.gsub',
            'string.format',
            'string.find',
            'table.concat',
            'table.insert',
            'table.sort',
            'json.encode',
            'json.decode',
            'math.floor',
            'loadstring',
            'a',
          ),
          fc.array(tie('expression'), { maxLength: 3 }),
        )
        .map(([name, args]) => `${name}(${args.join(', ')})`),
      tie('block').map((block) => `function(...) local a, b = ... ${block} end`),
    ),
    statement: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc
        .tuple(fc.constantFrom('a', 'b', 'c', 'obj.new'), tie('expression'))
        .map(([name, value]) => `${name} = ${value}`),
      tie('expression').map((value) => `local c = ${value}`),
      tie('expression').map((value) => `a = pcall(function(...) return ${value} end)`),
      fc
        .tuple(tie('expression'), tie('block'), tie('block'))
        .map(([condition, yes, no]) => `if ${condition} then ${yes} else ${no} end`),
      fc.tuple(tie('expression'), tie('block')).map(([limit, block]) => `for i = 1, ${limit} do ${block} end`),
      tie('block').map((block) => `for k, v in pairs(obj) do ${block} end`),
      tie('block').map((block) => `repeat ${block} until true`),
      fc.tuple(tie('expression'), tie('block')).map(([condition, block]) => `while ${condition} do ${block} break end`),
    ),
    block: fc.array(tie('statement'), { maxLength: 3 }).map((statements) => statements.join(' ')),
    program: fc.tuple(tie('block'), tie('expression')).map(([block, value]) => `${block} return ${value}`),
  }));

  test('programs', () => {
    fc.assert(fc.property(program, endsAsResult), { numRuns: 1500, seed: 3 });
  });
});

/** The result has the documented form, and no JavaScript error shows in it. */
function endsAsResult(script: string): void {
  const result = run(script);
  if (result.ok) JSON.parse(result.json);
  else expect(result.error).not.toMatch(/TypeError|Cannot read|is not a function|is not defined|\[object/);
}

describe('an obj that no controller could pass', () => {
  const nested = (depth: number): LuaData => (depth === 0 ? 1 : { a: nested(depth - 1) });
  const cyclic: { a?: unknown } = {};
  cyclic.a = cyclic;

  test.each([
    ['holds itself', cyclic as LuaData],
    ['is nested too deeply', nested(1_100)],
  ])('%s', (_, obj) => {
    expect(runLua('return obj', obj)).toMatchObject({
      ok: false,
      error: 'obj holds itself, or is nested deeper than 1000 levels',
    });
  });

  test('nests as deeply as real objects', () => {
    expect(runLua('return obj', nested(100))).toMatchObject({ ok: true });
  });
});
