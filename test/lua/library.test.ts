import { describe, expect, test } from 'vitest';
import { runLua } from '../../src/lua';

/** What gopher-lua's libraries answer at the edges of their arguments, as recorded: a line per case. */
function answers(cases: readonly (readonly [script: string, answer: string])[]): void {
  test.each(cases.map(([script, answer]) => ({ script, answer })))('$script', ({ script, answer }) => {
    const result = runLua(script, {});
    expect(result.ok ? result.json : result.error).toBe(answer);
  });
}

describe('strings', () => {
  answers([
    [
      'return {("hello"):sub(0), ("hello"):sub(-100, 2), ("hello"):sub(4, 100), ("hello"):sub(3, 2), ("hello"):sub(-3, -2), ("hello"):sub(6)}',
      '["hello","he","lo","","ll",""]',
    ],
    ['return {("abc"):byte(), ("abc"):byte(-1), ("abc"):byte(2, 10)}', '[97,99,98,99]'],
    ['return {select("#", ("abc"):byte(10)), select("#", ("abc"):byte(3, 2)), select("#", (""):byte())}', '[0,0,0]'],
    ['return {("ab"):rep(0), ("ab"):rep(1), ("ab"):rep(2.9)}', '["","ab","abab"]'],
    [
      'return {("hello"):find("l"), ("hello"):find("l", -1) == nil, ("hello"):find("l", -2), ("hello"):find("xyz", 1, true) == nil}',
      '[3,true,4,true]',
    ],
    ['return {("a.b"):find(".", 2, true), ("a.b"):find(".", 1)}', '[2,1,1]'],
    ['return {("hello"):find("(l)(l)")}', '[3,4,"l","l"]'],
    ['return {("hello"):match("()ll()")}', '[3,5]'],
    ['return {("aaa"):gsub("a", "b", 0), ("aaa"):gsub("a", "b", 2)}', '["bbb","bba",2]'],
    ['return {("hello world"):gsub("%w+", {hello = "bye", world = false})}', '["bye world",2]'],
    ['return {("hello"):gsub("", "-")}', '["-h-e-l-l-o-",6]'],
    ['return {("abc"):gsub("%w", "%0%0"), ("abc"):gsub("(a)(b)", "%2%1")}', '["aabbcc","bac",1]'],
    ['return {("abc"):reverse(), (""):reverse(), ("abc"):len(), (""):len()}', '["cba","",3,0]'],
    ['return {("x"):upper(), ("X"):lower(), ("x1Y"):upper()}', '["X","x","X1Y"]'],
    [String.raw`return {string.char(), string.char(0, 255) == "\0\255"}`, '["",true]'],
    ['local r = {} for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do r[#r + 1] = k .. v end return r', '["a1","b2"]'],
    ['local r = {} for p in ("abc"):gmatch("()") do r[#r + 1] = p end return r', '[1,2,3,4]'],
    ['return {(("x"):rep(3)):find("x", 3), ("xxx"):find("x", 4) == nil}', '[3,true]'],
    [
      String.raw`return {string.format("%5s|%-5s|%05d|%+d|%.2f|%q|%c|%x|%X|%%", "a", "b", 42, 7, 1.005, 'a"b', 65, 255, 255)}`,
      String.raw`["    a|b    |00042|+7|1.00|\"a\\\"b\"|A|ff|FF|%"]`,
    ],
    ['return {string.format("%s %s", 1, true), string.format("%d", "3") == "3"}', '["1 true",true]'],
    ['return {("a,b,,c"):find(",", 1, true), ("[x]"):find("[", 1, true), ("x"):find("") }', '[2,1,1,0]'],
    ['return {("THE (quick) fox"):find("%((%a+)%)")}', '[5,11,"quick"]'],
    ['return {("abc"):find("b", -10), ("abc"):find("a", 0)}', '[2,1,1]'],
    ['return {("key = value"):match("^(%w+)%s*=%s*(%w+)$")}', '["key","value"]'],
    [
      'return {("f(a(b)c)d"):match("%b()"), ("x"):match("x?y?"), ("aXb"):match("%u"), ("2024-01"):match("(%d+)-(%d+)")}',
      '["(a(b)c)","x","X","2024","01"]',
    ],
  ]);
});

describe('base functions', () => {
  answers([
    [
      'return {tonumber("10", 2), tonumber("zz", 36), tonumber("8", 8) == nil, tonumber("", 10) == nil, tonumber("1e1") == nil, tonumber("0x") == nil, tonumber(nil) == nil}',
      '[2,1295,true,true,true,true,true]',
    ],
    ['return {tonumber("11", 37)}', 'null'],
    [
      'return {tonumber(" 12 "), tonumber("1 2") == nil, tonumber("-7"), tonumber("7", 10), tonumber({}) == nil}',
      '[12,true,-7,7,true]',
    ],
    ['return {select(2, "a", "b", "c")}', '["b","c"]'],
    ['return {select(-2, "a", "b", "c")}', '["b","c"]'],
    ['return {select(5, "a") == nil}', '[true]'],
    ['select(-5, "a")', '<string>:1: bad argument #1 to select (index out of range)'],
    ['return {unpack({1, 2, 3}, 2, 2)}', '[2]'],
    ['return {unpack({1, 2, 3}, 3, 1)}', 'null'],
    ['return {select("#", unpack({1, 2}, -1, 1)), select("#", unpack({}))}', '[3,0]'],
    ['return {rawequal("a", "a"), rawequal({}, {}), rawequal(1, "1")}', '[true,false,false]'],
    [
      'local t = setmetatable({}, {__index = function() return 1 end, __newindex = function() end}) rawset(t, "a", 2) return {rawget(t, "a"), rawget(t, "b") == nil, t.b}',
      '[2,true,1]',
    ],
    ['return {next({}) == nil, type(next), next({5})}', '[true,"function",1,5]'],
    ['local n = 0 for i in ipairs({1, 2, nil, 4}) do n = i end return {n}', '[2]'],
    [
      'return {getmetatable(setmetatable({}, {__metatable = "no"})), getmetatable("").__index == string, getmetatable(1) == nil}',
      '["no",true,true]',
    ],
    ['setmetatable(setmetatable({}, {__metatable = 1}), {})', '<string>:1: cannot change a protected metatable'],
    [
      'return {tostring(nil), tostring(true), tostring(-0), tostring(1e15), tostring(1e100)}',
      '["nil","true","0","1000000000000000","1e+100"]',
    ],
    ['assert(false)', '<string>:1: assertion failed!'],
    ['assert(nil, "because")', '<string>:1: because'],
    ['assert(false, {})', '<string>:1: bad argument #2 to assert (string expected, got table)'],
    ['return {assert(1, 2, 3)}', '[1,2,3]'],
    [
      'return {pcall(error)}',
      String.raw`[false,"\u003cstring\u003e:1: bad argument #1 to (anonymous) (value expected)"]`,
    ],
    ['return {pcall(error, "x", 0)}', '[false,"x"]'],
    ['return {select("#", pcall(error, nil))}', '[2]'],
    ['return {pcall(5)}', '[false,"attempt to call a number value"]'],
    ['return {xpcall(function() return 1, 2 end, print)}', '[true,1,2]'],
    [
      'return {type(newproxy()), type(newproxy(true)), getmetatable(newproxy(true)) ~= nil, getmetatable(newproxy()) == nil}',
      '["userdata","userdata",true,true]',
    ],
    [
      'return {loadstring("x x") == nil, (select(2, loadstring("x x", "chunk")))}',
      String.raw`[true,"chunk line:1(column:3) near 'x':   parse error\n"]`,
    ],
    [String.raw`return {pcall(loadstring("error('in')", "=chunk"))}`, '[false,"=chunk:1: in"]'],
    ['return {pcall(loadstring("return ...", "c"), 7)}', '[true,7]'],
    ['local function f() return x end setfenv(f, {x = 5}) return {f(), x == nil}', '[5,true]'],
    ['return {collectgarbage("count") == nil}', '[true]'],
    [
      'return {type(type), pcall(type)}',
      String.raw`["function",false,"\u003cstring\u003e:1: bad argument #1 to (anonymous) (value expected)"]`,
    ],
  ]);
});

describe('iterators of loops', () => {
  answers([
    ['local f = ipairs({}) local r = {} for i in f, {1, 2, 3}, 0.5 do r[#r + 1] = i end return r', '[1,2,3]'],
    ['local f = ipairs({}) local r = {} for i in f, {1, 2, 3}, -1 do r[#r + 1] = i end return r', 'null'],
    [
      'local f = ipairs({}) return {pcall(function() for i in f, {}, "x" do end end)}',
      String.raw`[false,"\u003cstring\u003e:1: bad argument #2 to (anonymous) (number expected, got string)"]`,
    ],
    [
      'local f = pairs({}) return {pcall(function() for i in f, 3 do end end)}',
      String.raw`[false,"\u003cstring\u003e:1: bad argument #1 to (anonymous) (table expected, got number)"]`,
    ],
    ['local f = pairs({}) local r = {} for k in f, {a = 1, b = 2}, "none" do r[#r + 1] = k end return r', '["b"]'],
    ['local r = {} for i, v, w in ipairs({7, 8, nil, 9}) do r[#r + 1] = tostring(w) end return r', '["nil","nil"]'],
    [
      'local function r(n) if n == 0 then for _ in pairs({}) do end return 1 end return (r(n - 1)) end return {pcall(r, 252)}',
      '[true,1]',
    ],
    [
      'local function r(n) if n == 0 then for _ in pairs({}) do end return 1 end return (r(n - 1)) end return {pcall(r, 253)}',
      String.raw`[false,"\u003cstring\u003e:1: stack overflow"]`,
    ],
  ]);
});

describe('tables', () => {
  answers([
    [
      'return {table.concat({}), table.concat({1, "a", 2.5}, "-"), table.concat({1, 2, 3}, ",", 2), table.concat({1, 2, 3}, ",", 3, 2)}',
      '["","1-a-2.5","2,3",""]',
    ],
    [
      'return {pcall(table.concat, {1, {}, 3})}',
      String.raw`[false,"\u003cstring\u003e:1: invalid value (table) at index 2 in table for concat"]`,
    ],
    [
      'local t = {1, 2, 3} table.insert(t, 2, 9) table.insert(t, 8) return {t[1], t[2], t[5], #t, table.remove(t, 1), table.remove(t), #t}',
      '[1,9,8,5,1,8,3]',
    ],
    ['return {table.getn({1, 2}), table.maxn({1, [5] = 2}), table.maxn({[1.5] = 1})}', '[2,5,0]'],
  ]);
});

describe('math', () => {
  answers([
    [
      'return {math.floor(-1.5), math.ceil(-1.5), math.abs(-2), math.max(1, 3, 2), math.min(4, 2, 3), math.fmod(-7, 3), math.modf(3.7)}',
      '[-2,-1,2,3,2,-1,3,0.7000000000000002]',
    ],
    ['return {math.max()}', '<string>:1: wrong number of arguments'],
  ]);
});

describe('JSON', () => {
  const prefix = 'json: error calling MarshalJSON for type luamanager.jsonValue: ';
  answers([
    ['return {a = 1, A = 2, [""] = 3, ["a b"] = 4}', '{"":3,"A":2,"a":1,"a b":4}'],
    ['return {{}, {{}}, {1}}', '[null,[null],[1]]'],
    ['return {true, false, "", 0, -1.5}', '[true,false,"",0,-1.5]'],
    [
      String.raw`return {"\31", "\127", "\\", "/", "\"", "\8\9\10\12\13"}`,
      String.raw`["\u001f","","\\","/","\"","\u0008\t\n\u000c\r"]`,
    ],
    [
      String.raw`return {"\226\128\167", "\226\128\168", "\226\128\169", "\226\128\170"}`,
      String.raw`["‧","\u2028","\u2029","‪"]`,
    ],
    [String.raw`return {"a\255b", "\195", "\195\169"}`, String.raw`["a\ufffdb","\ufffd","é"]`],
    ['return {1e20, 1e21, 1e-6, 1e-7, 123456789}', '[100000000000000000000,1e+21,0.000001,1e-7,123456789]'],
    ['return {nil, 2}', `${prefix}cannot encode sparse array`],
    ['return {1, nil}', '[1]'],
    ['return {[0] = 1}', `${prefix}cannot encode sparse array`],
    ['return {[1.5] = 1}', `${prefix}cannot encode sparse array`],
    ['return {a = 1, [1] = 2}', `${prefix}cannot encode mixed or invalid key types`],
    ['return {[true] = 1}', `${prefix}cannot encode mixed or invalid key types`],
    ['local t = {1} t[2] = 2 t[2] = nil return t', '[1]'],
    ['local t = {a = 1} t.a = nil return t', 'null'],
  ]);
});
