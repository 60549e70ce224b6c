import { describe, expect, test } from 'vitest';
import { runLua } from '../../src/lua';

/** The deadline is no subject here, also on a slow machine. */
const AMPLE = 20_000;

/** What the controller's gopher-lua answers where PUC Lua 5.1 or Lua 5.3 answers something else: a line per case. */
function answers(cases: readonly (readonly [script: string, json: string])[]): void {
  test.each(cases.map(([script, json]) => ({ script, json })))('$script', ({ script, json }) => {
    const result = runLua(script, OBJ, { timeLimit: AMPLE });
    expect(result.ok ? result.json : result.error).toBe(json);
  });
}

/** Scripts that fail, and the text. */
function fails(cases: readonly (readonly [script: string, error: string])[]): void {
  test.each(cases.map(([script, error]) => ({ script, error })))('$script', ({ script, error }) => {
    expect(runLua(script, OBJ)).toMatchObject({ ok: false, error });
  });
}

const OBJ = { list: ['a', 'b'], map: { z: 1, a: 2, m: 3 }, text: 'é', number: 20, none: null, holes: [1, null, 3] };

describe('what fengari gets wrong', () => {
  answers([
    ['local r = {} for k in pairs({"a","b","c"}) do r[#r+1] = k end return r', '[1,2,3]'],
    ['return {next({10,20,30})}', '[1,10]'],
    ['return {"\\n" < "1", "\\t" < "a"}', '[true,true]'],
    ['local t = {} t["é"] = 1 return {t["\\f:\\t"] == nil}', '[true]'],
    ['local t = {["\\1\\18"] = 1} return {t["\\17\\2"] == nil}', '[true]'],
    ['return {2147483647+1, 65536*65536, 0xffffffff}', '[2147483648,4294967296,4294967295]'],
    ['return {type(collectgarbage())}', '<string>:1: bad argument #1 to type (value expected)'],
    ['return {string.format("%f %e %g", 1.5, 12345.678, 1e20)}', '["1.500000 1.234568e+04 1e+20"]'],
    ['return {string.format("%.0f %.1f", 2.5, 0.25)}', '["2 0.2"]'],
    ['return {string.format("% d %#x %E", 42, 255, 0.00012)}', '[" 42 0xff 1.200000E-04"]'],
  ]);
});

describe('order and length of tables', () => {
  answers([
    [
      'local t = {} t.z=1 t.a=1 t.m=1 t.a=nil t.a=9 local r = {} for k in pairs(t) do r[#r+1]=k end return r',
      '["z","a","m"]',
    ],
    [
      'local t = {} t.x=1 t[2]=1 t[1]=1 local r = {} for k in pairs(t) do r[#r+1]=tostring(k) end return r',
      '["1","2","x"]',
    ],
    ['local t = {} t[1.5]=1 t[0]=2 t[-1]=3 local r = {} for k in pairs(t) do r[#r+1]=k end return r', '[1.5,0,-1]'],
    ['return {#{nil,nil,3}}', '[3]'],
    ['local t = {} t[100000] = 1 return {#t}', '[100000]'],
    ['local t = {1,2,3} t[3] = nil return {#t, table.remove(t) == nil, #t}', '[2,true,2]'],
    ['return {next({a=1,b=2}, 5)}', '["a",1]'],
    ['return {next({7,a=1,b=2}, 5)}', '["b",2]'],
    ['return {next({a=1,b=2}, "absent")}', '["b",2]'],
    ['local t = {a=1} t.a = nil return {next(t) == nil, t}', '[true,null]'],
    ['local t = {} t[67108863] = 1 return {#t}', '[67108863]'],
    ['local t = {} t[67108864] = 1 return {#t, t[67108864]}', '[0,1]'],
    [
      'local t = {n=0} for i = 1, 20 do t["k"..i] = i end t.k3 = nil t.k3 = 0 local r = {} for k in pairs(t) do r[#r+1] = k end return {#r, r[1], r[4], r[21]}',
      '[21,"n","k3","k20"]',
    ],
  ]);

  test('pairs walks the maps of obj as they are given', () => {
    const script = 'local r = {} for k in pairs(obj.map) do r[#r+1] = k end return r';
    expect(runLua(script, OBJ)).toMatchObject({ json: '["z","a","m"]' });
  });

  test('a seed shuffles the maps of obj and of json.decode, the same way each time', () => {
    const script =
      'local r = {} for k in pairs(obj) do r[#r+1] = k end for k in pairs(json.decode(text)) do r[#r+1] = k end return r';
    const obj = Object.fromEntries('abcdefgh'.split('').map((key) => [key, 1]));
    const source = `local text = [==[${JSON.stringify(obj)}]==] ${script}`;
    const run = (mapOrderSeed?: number) => runLua(source, obj, { mapOrderSeed });
    const seen = new Set([run().ok && JSON.stringify(run())]);
    for (let seed = 0; seed < 10; seed++) {
      expect(run(seed)).toEqual(run(seed));
      seen.add(JSON.stringify(run(seed)));
    }
    expect(seen.size).toBe(11);
  });
});

describe('numbers', () => {
  answers([
    [
      'return {tostring(10/2), tostring(20.0), tostring(100*0.2), tostring(2^53)}',
      '["5","20","20","9007199254740992"]',
    ],
    [
      'return {tostring(1/3), tostring(100*1.1), tostring(0.1+0.2)}',
      '["0.3333333333333333","110.00000000000001","0.30000000000000004"]',
    ],
    [
      'return {tostring(1234567.5), tostring(1e-5), tostring(1e20), tostring(2^63)}',
      '["1.2345675e+06","1e-05","1e+20","9.223372036854776e+18"]',
    ],
    [
      'return {tostring(1/0), tostring(-1/0), tostring(0/0), tostring(math.huge)}',
      '["+Inf","-Inf","NaN","1.7976931348623157e+308"]',
    ],
    ['return {math.huge == 1/0}', '[false]'],
    ['return {-7 % -3, -6 % 3, 6 % -3, 7 % -3, -7 % 3}', '[-4,3,-3,-2,2]'],
    ['return {00010, "010"+1, "1_0"+0, "0b11"+0}', '[8,9,10,3]'],
    ['return {"inf"+0 == 1/0, "0x1p4"+0, " 10 "+1, "1e2"+0}', '[true,16,11,100]'],
    [
      'local n = tonumber return {n("1e3") == nil, n("0x1p4") == nil, n("-0x10") == nil, n(" 10 "), n("10abc") == nil, n("7.5", 16), n("0x10"), n("ff", 16)}',
      '[true,true,true,10,true,7.5,16,255]',
    ],
    ['return {-0}', '[-0]'],
    ['return {0*-1}', '[-0]'],
    ['return {0/5, -0 % 5}', '[0,0]'],
    ['return {0, -0}', '[0,0]'],
    [
      'return {2^0.5, 2^-1, (-8)^3, 10^15, 2^1023}',
      '[1.4142135623730951,0.5,-512,1000000000000000,8.98846567431158e+307]',
    ],
    ['return {1e15, 123456789012345678, 1e21, 1e-7}', '[1000000000000000,123456789012345680,1e+21,1e-7]'],
    ['local n = 0 for i = 0.1, 0.35, 0.1 do n = n + 1 end return {n}', '[3]'],
    ['local r = {} for i = 3, 1, -1 do r[#r+1] = i end return r', '[3,2,1]'],
  ]);
  fails([
    ['for i = "1", 2 do end', '<string>:1: for statement init must be a number'],
    ['for i = 1, "2" do end', '<string>:1: for statement limit must be a number'],
    ['for i = 1, 2, {} do end', '<string>:1: for statement step must be a number'],
    ['return 1e', 'json: error calling MarshalJSON for type luamanager.jsonValue: json: unsupported value: NaN'],
  ]);
});

describe('syntax of Lua 5.1, and names that are not reserved words', () => {
  answers(
    [
      ['local goto = 5 return {goto}', '[5]'],
      ['_ENV = 5 local function f() return _ENV end return {f()}', '[5]'],
      ['local _ENV = {} x = 1 return {x, _ENV.x == nil}', '[1,true]'],
      ['return {"\\x41", "\\u{48}", "\\q", #"\\300"}', '["x41","u{48}","q",1]'],
      ['return {1,,2}', '[1,2]'],
      ['local function f(...) return arg end return f(1, 2)', '<json>'],
    ].map(([script, json]) => [script!, json === '<json>' ? MIXED_KEYS : json!] as const),
  );
  answers([
    ['local function f(...) return arg.n, arg[2] end return {f(1, 2)}', '[2,2]'],
    ['local function f(a, ...) local rest = {...} return {arg == nil, #rest} end return f(1, 2, 3)', '[true,2]'],
    ['return {arg == nil, select("#", ...)}', '[true,0]'],
    ['local t = {} function t:m(...) return self == t, arg.n end return {t:m(1)}', '[true,1]'],
    ['local function mk() return function() end end return {mk() == mk()}', '[false]'],
    [
      'local fs = {} for i = 1, 3 do fs[i] = function() i = i + 1 return i end end return {fs[1](), fs[1](), fs[2]()}',
      '[2,3,3]',
    ],
    ['local a, b, c = (function() return 1, 2, 3 end)() return {a, b, c}', '[1,2,3]'],
    ['local t = {} local i = 1 i, t[i] = i + 1, 20 return {i, t[1], t[2] == nil}', '[2,20,true]'],
    ['local function f() return 1, 2 end return {f(), f()}', '[1,1,2]'],
    ['local function f() return 1, 2 end return {(f())}', '[1]'],
  ]);
  test.each(['return 7 // 2', 'return 1 & 2', 'return 1 << 2', 'goto x', '::x::', 'return 0x1p4', 'return ~1'])(
    '%s does not parse',
    (script) => {
      expect(runLua(script, {})).toMatchObject({ ok: false, stage: 'parse' });
    },
  );
});

const MIXED_KEYS =
  'json: error calling MarshalJSON for type luamanager.jsonValue: cannot encode mixed or invalid key types';

describe('globals', () => {
  const there = [
    'unpack',
    'loadstring',
    'setfenv',
    'getfenv',
    'module',
    'require',
    'newproxy',
    '_printregs',
    'dofile',
    'loadfile',
    'print',
    'xpcall',
    'rawequal',
  ];
  const absent = ['rawlen', 'os', 'io', 'debug', 'coroutine', 'package', 'utf8', 'bit32', 'arg', '_ENV'];
  const members = [
    'table.getn',
    'table.maxn',
    'string.gfind',
    'math.pow',
    'math.mod',
    'math.log10',
    'math.atan2',
    'math.cosh',
    'math.frexp',
    'math.ldexp',
  ];
  const noMembers = [
    'table.pack',
    'table.unpack',
    'table.move',
    'string.pack',
    'math.tointeger',
    'math.type',
    'math.ult',
    'json.null',
  ];
  const types = (names: string[]) => `return {${names.map((name) => `type(${name})`).join(',')}}`;
  const all = (type: string, names: string[]) => JSON.stringify(names.map(() => type));

  answers([
    [types(there), all('function', there)],
    [types(absent), all('nil', absent)],
    [types(members), all('function', members)],
    [types(noMembers), all('nil', noMembers)],
    [
      'return {_VERSION, _GOPHER_LUA_VERSION, string.__index == string, string.gfind == string.gmatch}',
      '["Lua 5.1","GopherLua 0.1",true,true]',
    ],
    ['return {pcall(require, "x")}', '[false,"\\u003cstring\\u003e:1: package.loaders must be a table"]'],
    ['return {require("string") == string}', '[true]'],
    ['module("a.b") x = 1 return {_NAME, _PACKAGE, _M.x}', '["a.b","a.",1]'],
    ['return {loadfile("/etc/passwd")}', SPARSE()],
    ['return {select(2, loadfile("x.lua"))}', '["can not open file: x.lua"]'],
    [
      'local f = function() return y end setfenv(f, {y = 7}) return {f(), getfenv(f).y, getfenv(print) == _G}',
      '[7,7,true]',
    ],
    ['setfenv(1, {}) y = 1 return {y, _G == nil}', '[1,true]'],
    ['return {getfenv(0) == _G, getfenv(1) == _G, getfenv() == _G}', '[true,true,true]'],
    ['return {xpcall(function() error("x", 0) end, function(e) return e .. "!" end)}', '[false,"x!"]'],
    ['return {select(-1, 1, 2, 3)}', '[3]'],
    ['return {select("#"), select("#", nil, nil)}', '[0,2]'],
    ['return {unpack({1, 2, 3}, 2)}', '[2,3]'],
    ['return {tostring(print):match("^function: 0x") ~= nil, tostring({}):match("^table: 0x") ~= nil}', '[true,true]'],
    ['return {load(function() return nil end)()}', 'null'],
    [
      'local parts = {"return ", "4", "2"} local i = 0 return {load(function() i = i + 1 return parts[i] end)()}',
      '[42]',
    ],
    ['return {load(function() return {} end)}', SPARSE()],
  ]);
  fails([
    ['dofile("nofile.lua")', 'open nofile.lua: no such file or directory'],
    ['setmetatable({}, 1)', '<string>:1: bad argument #2 to setmetatable (nil or table expected, got number)'],
    ['setmetatable(nil, {})', '<string>:1: cannot set metatable to a nil object.'],
    ['select(0)', '<string>:1: bad argument #1 to select (index out of range)'],
    ['select("x")', "<string>:1: bad argument #1 to select (invalid string 'x')"],
    ['select({})', '<string>:1: bad argument #1 to select (number or string expected, got table)'],
    ['setfenv(print, {})', '<string>:1: cannot change the environment of given object'],
  ]);
});

function SPARSE(): string {
  return 'json: error calling MarshalJSON for type luamanager.jsonValue: cannot encode sparse array';
}

describe('strings', () => {
  answers([
    ['return {select("#", string.match("abc", "x"))}', '[0]'],
    ['return {string.find("hello", "", 3)}', '[1,0]'],
    ['return {("f"):find("%f")}', '[1,1]'],
    ['return {string.gsub("abc", "b*", "-")}', '["-a--c-",4]'],
    ['return {string.gsub("abc", "b", "%x"), (string.gsub("abc", "b", "%"))}', '["a%xc","a%c"]'],
    ['return {(string.gsub("abc", "b", function() return {} end))}', '["ac"]'],
    ['return {string.gsub("aaa", "a", "b", -1)}', '["bbb",3]'],
    ['local r = {} for w in ("aab"):gmatch("^a") do r[#r+1] = w end return r', '["a"]'],
    ['return {string.find("ab", "[%a-z]") == nil}', '[true]'],
    ['return {string.rep("x", 3, ","), string.rep("x", -1)}', '["xxx",""]'],
    ['return {string.upper("é"), ("É"):lower(), ("ß"):upper()}', '["É","é","ß"]'],
    ['return {string.format("%d|%d|%x|%u|%s|%s", 3.7, "x", -1, 42, nil)}', '["3|0|-1|%!u(int64=42)|nil|%!s(MISSING)"]'],
    ['return {string.find(123, 2)}', '[2,2]'],
    ['return {#"é", ("é"):byte(1, -1)}', '[2,195,169]'],
    ['return {("x"):rep(3), #"abc", ("abc"):sub(-2)}', '["xxx",3,"bc"]'],
    ['return {"a" .. 1 .. 2.5, 1 .. ""}', '["a12.5","1"]'],
    ['return {string.char(72, 105 + 256)}', '["Hi"]'],
  ]);
  fails([
    ['string.find("hello", "l", 100, true)', 'runtime error: slice bounds out of range [99:5]'],
    [
      'string.gsub("abc", "b", 1)',
      '<string>:1: bad argument #3 to gsub (string or table or function expected, got number)',
    ],
    ['math.floor("3.7")', '<string>:1: bad argument #1 to floor (number expected, got string)'],
    ['string.rep("a", "3")', '<string>:1: bad argument #2 to rep (number expected, got string)'],
    ['table.concat({}, 1)', '<string>:1: bad argument #2 to concat (string expected, got number)'],
    ['string.dump(print)', '<string>:1: GopherLua does not support the string.dump'],
    ['string.rep("x", 2^62)', 'runtime error: makeslice: cap out of range'],
    ['string.rep("xx", 2^62)', 'strings: Repeat count causes overflow'],
  ]);
});

describe('tables', () => {
  answers([
    ['local t = {} table.insert(t, 3, "x") return {#t, t[3]}', '[3,"x"]'],
    ['local t = {1} table.insert(t, 0, "x") return {#t, t[0]}', '[1,"x"]'],
    ['local t = {1, 2, 3} return {table.remove(t, 0), table.remove(t, 9) == nil, #t}', '[3,true,2]'],
    ['local t = {1, 2} table.insert(t, nil) return {#t}', '[2]'],
    ['local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return t', '[3,2,1]'],
    [
      'local t = {} for i = 1, 40 do t[i] = {k = i % 3, i = i} end table.sort(t, function(a, b) return a.k < b.k end) local r = {} for i = 1, 40 do r[i] = t[i].k end return r',
      JSON.stringify([...Array(13).fill(0), ...Array(14).fill(1), ...Array(13).fill(2)]),
    ],
    [
      'local t = setmetatable({}, {__index = {1, 2}}) local n = 0 for _ in ipairs(t) do n = n + 1 end return {n}',
      '[0]',
    ],
    [
      'local t = setmetatable({a = 1}, {__pairs = function() return nil end}) local n = 0 for _ in pairs(t) do n = n + 1 end return {n}',
      '[1]',
    ],
    ['return {table.concat({1, 2, 3}, ", ", 2, 3), table.concat({1}, ",", 5)}', '["2, 3",""]'],
  ]);
  fails([
    ['table.sort({1, "a"})', '<string>:1: attempt to compare string with number'],
    ['table.concat({{}})', '<string>:1: invalid value (table) at index 1 in table for concat'],
    ['table.insert({})', '<string>:1: wrong number of arguments'],
  ]);
});

describe('metatables', () => {
  answers([
    [
      'local f, g = function() return true end, function() return true end return {setmetatable({}, {__eq = f}) == setmetatable({}, {__eq = g})}',
      '[false]',
    ],
    ['local mt = {__eq = function() return true end} return {setmetatable({}, mt) == setmetatable({}, mt)}', '[true]'],
    ['local mt = {__len = function() return 42 end} return {#setmetatable({}, mt)}', '[42]'],
    [
      'local mt = {__concat = function(a, b) return "c" end} return {setmetatable({}, mt) .. "x", "x" .. setmetatable({}, mt), 1 .. 2 .. setmetatable({}, mt)}',
      '["c","c","1c"]',
    ],
    [
      'local mt = {__call = function(self, a) return a end} return {setmetatable({}, mt)(5), pcall(setmetatable({}, mt), 6)}',
      '[5,true,6]',
    ],
    ['local mt = {__tostring = function() return 5 end} return {tostring(setmetatable({}, mt))}', '[5]'],
    ['setmetatable(1, {__index = function(_, k) return k end}) return {(5).x}', '["x"]'],
    [
      'local mt = {__lt = function() return 1 end} local a, b = setmetatable({}, mt), setmetatable({}, mt) return {a < b, a > b, a <= b}',
      '[true,true,false]',
    ],
    ['return {-"2", -" 0x10 "}', '[-2,-16]'],
  ]);
  fails([
    ['return -{}', '<string>:1: __unm undefined'],
    ['return #5', '<string>:1: __len undefined'],
    ['return {} < {}', '<string>:1: attempt to compare table with table'],
    ['return true < false', '<string>:1: attempt to compare boolean with boolean'],
    ['return "5" + {}', '<string>:1: cannot perform add operation between number and table'],
    ['return 2 ^ "x"', '<string>:1: cannot perform pow operation between number and string'],
    ['local t = {} setmetatable(t, {__index = t}) return t.x', '<string>:1: too many recursions in gettable'],
    ['local t = {} t[nil] = 1', '<string>:1: table index is nil'],
    ['local t = {} t[0/0] = 1', '<string>:1: table index is NaN'],
  ]);
});

describe('json', () => {
  const level = 'json: error calling MarshalJSON for type luamanager.jsonValue: ';
  answers([
    ['return {a = {}, b = json.encode({})}', '{"a":null,"b":"null"}'],
    ['return {b = 1, a = 2, ["é"] = 3, B = 4}', '{"B":4,"a":2,"b":1,"é":3}'],
    [
      'return {"<>&\\b\\f\\n\\t\\"\\\\\\127", "\\226\\128\\168", "\\226\\130"}',
      '["\\u003c\\u003e\\u0026\\u0008\\u000c\\n\\t\\"\\\\\x7f","\\u2028","\\ufffd\\ufffd"]',
    ],
    ['return {json.encode(0/0)}', SPARSE()],
    ['return {select(2, json.encode({1/0}))}', `["${level}${level}json: unsupported value: +Inf"]`],
    ['return {select(2, json.encode({[1] = 1, [3] = 3}))}', `["${level}cannot encode sparse array"]`],
    ['return {select(2, json.encode({1, a = 2}))}', `["${level}cannot encode mixed or invalid key types"]`],
    ['return {select(2, json.encode({[true] = 1}))}', `["${level}cannot encode mixed or invalid key types"]`],
    [
      'return {select(2, json.encode({a = {b = print}}))}',
      `["${level}${level}${level}cannot encode function to JSON"]`,
    ],
    [
      'local t = {} return {select(2, json.encode({t, t}))}',
      `["${level}${level}cannot encode recursively nested tables to JSON"]`,
    ],
    ['local t = json.decode("[1,null,3]") return {#t, t[2]}', '[2,3]'],
    [
      'return json.decode([[ {"a": {"b": [true, false, null, "\\u00e9\\ud83d\\ude00", 1.5e3, -0]}} ]])',
      '{"a":{"b":[true,false,"é😀",1500,-0]}}',
    ],
    ['return {#obj.holes, obj.none == nil, obj.text, obj.number}', '[2,true,"é",20]'],
  ]);
  const decodeErrors: [text: string, message: string][] = [
    ['', 'unexpected end of JSON input'],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['-', "invalid character ' ' in numeric literal"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['1e+', "invalid character ' ' in exponent of numeric literal"],
    ['01', "invalid character '1' after top-level value"],
    ['{a', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['[1 2', "invalid character '2' after array element"],
    ['{"a":1 2', "invalid character '2' after object key:value pair"],
    ['{"a" 2', "invalid character '2' after object key"],
    ['"a\tb"', "invalid character '\\t' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['\ufeff1', "invalid character 'ï' looking for beginning of value"],
    ['1e999', 'json: cannot unmarshal number 1e999 into Go value of type float64'],
    ['['.repeat(10001), "invalid character '[' exceeded max depth"],
  ];
  test.each(decodeErrors)('json.decode(%j) fails as Go does', (text, message) => {
    expect(runLua('return {select(2, json.decode(obj.json))}', { json: text })).toMatchObject({
      json: JSON.stringify([message]).replaceAll('<', '\\u003c'),
    });
  });

  test('an empty table is [] before Kruise Rollouts 0.6', () => {
    const run = (emptyTable?: 'null' | '[]') =>
      runLua('return {a = {}, b = json.encode({c = {}})}', {}, { emptyTable });
    expect(run()).toMatchObject({ json: '{"a":null,"b":"{\\"c\\":null}"}' });
    expect(run('[]')).toMatchObject({ json: '{"a":[],"b":"{\\"c\\":[]}"}' });
  });
});

describe('errors name the line where an expression starts', () => {
  fails([
    ['local s = "a"\n  .. "b"\n  .. nil', '<string>:1: cannot perform concat operation between string and nil'],
    ['local x = 1 +\n nil', '<string>:1: cannot perform add operation between number and nil'],
    [
      'local x =\n  obj.nope\n  .deep\n  .deeper',
      "<string>:2: attempt to index a non-table object(nil) with key 'deep'",
    ],
    ['obj\n.nope\n.x = 1', "<string>:1: attempt to index a non-table object(nil) with key 'x'"],
    ['local t = {\n  1,\n  [nil] = 2,\n}', '<string>:1: table index is nil'],
    ['foo(\n1\n)', '<string>:1: attempt to call a non-function object'],
    ['obj\n:foo()', '<string>:1: attempt to call a non-function object'],
    ['if 1\n< nil then end', '<string>:1: attempt to compare number with nil'],
    ['local function f()\n  error("deep")\nend\nlocal function g()\n  f()\nend\ng()', '<string>:2: deep'],
    ['local function f()\n  error("up", 2)\nend\nf()', '<string>:2: up'],
    ['local function f()\n  error("up", 3)\nend\nf()', '<string>:4: up'],
    ['error("plain", 0)', 'plain'],
    ['error("far", 99)', ' far'],
    ['error({})', 'table: 0xc000010000'],
    [
      'local function f() string.rep() end pcall(f)\nstring.rep()',
      '<string>:2: bad argument #1 to rep (string expected, got nil)',
    ],
    ['local s = string s.rep()', '<string>:1: bad argument #1 to rep (string expected, got nil)'],
    ['string["rep"]()', '<string>:1: bad argument #1 to rep (string expected, got nil)'],
    ['("x"):rep()', '<string>:1: bad argument #2 to rep (number expected, got nil)'],
    ['local r = string.rep r()', '<string>:1: bad argument #1 to r (string expected, got nil)'],
    ['return string.rep()', '<string>:1: bad argument #1 to rep (string expected, got nil)'],
    ['({string.rep})[1]()', '<string>:1: bad argument #1 to ? (string expected, got nil)'],
    ['for k in pairs do end', '<string>:1: bad argument #1 to (anonymous) (table expected, got nil)'],
  ]);
});

describe('limits', () => {
  answers([
    ['local n = 0 local function f() n = n + 1 return 1 + f() end pcall(f) return {n}', '[254]'],
    ['local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return {f(253)}', '[253]'],
    ['local function f(n) if n == 0 then return "done" end return f(n - 1) end return {f(100000)}', '["done"]'],
    ['local t = {} for i = 1, 2540 do t[i] = "x" end return {#table.concat(t)}', '[2540]'],
    ['return {select("#", unpack({}, 1, 5000))}', '[5000]'],
  ]);
  fails([
    ['local function f() return 1 + f() end f()', '<string>:1: stack overflow'],
    ['local t = {} for i = 1, 2560 do t[i] = "x" end return table.concat(t)', '<string>:1: registry overflow'],
    ['return {unpack({}, 1, 6000)}', '<string>:1: registry overflow'],
  ]);
});

describe("mistakes of gopher-lua's compiler", () => {
  const fifty = Array.from({ length: 50 }, (_, index) => index + 1).join(', ');
  answers([
    ['local x, a = "s", false x = a and "b" or x return {x}', '[false]'],
    ['x = "s" local a = false x = a and "b" or x return {x}', '["s"]'],
    ['local x, a = "s", false local y = a and "b" or x return {y}', '["s"]'],
    ['local function f() return 9 end local t = {1, x = f()} return {#t, t[2]}', '[2,9]'],
    ['local function f() return 9 end local t = {1, 2, [f()] = f()} return {#t, t[3]}', '[9,9]'],
    ['local function f() return 9 end local t = {1, x = (f())} return {#t}', '[1]'],
    [`local function f() return 9 end local t = {${fifty}, x = (f())} return {t[1], t[2]}`, '[9,2]'],
    [`local function f() return 9, 8 end local t = {${fifty}, f()} return {t[1], t[2], #t}`, '[9,8,50]'],
    ['local t, d = {}, 7 x, t.a = 5, d return {x, t.a}', '["a",7]'],
    ['local function f(a) a = (tostring(a)) return a end return {f(1) == nil}', '[true]'],
    ['local function f(a) a = tostring(a) return a end return {f(1)}', '["1"]'],
    ['local f = function() return f end return {f() == f}', '[true]'],
    [
      'local n, r = 0, {} while n < 3 do n = n + 1 do local v = n r[n] = function() return v end if n == 2 then break end end end local w = "w" return {r[1](), r[2]()}',
      '[1,"w"]',
    ],
  ]);
});
