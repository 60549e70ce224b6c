import { describe, expect, it } from 'vitest';
import { byWeightWith, check, checkLines, firstExtraLine, rulesAndLines } from './check';

const only = (...lines: string[]) => {
  const findings = checkLines(...lines);
  expect(rulesAndLines(findings)).toEqual([`lua-unavailable:${firstExtraLine}`]);
  return findings[0]!;
};

describe('unknown names', () => {
  it.each([
    ['local t = os.time()', 'os does not exist', 'annotation'],
    ['local f = io.open("/etc/hosts")', 'io does not exist', 'annotation'],
    ['local m = require("module")', 'require cannot load any file', 'one file'],
    ['local m = dofile("other.lua")', 'dofile cannot load any file', 'one file'],
    ['local c = coroutine.create(function() end)', 'coroutine does not exist', 'plain functions'],
    ['debug.traceback()', 'debug does not exist', 'error()'],
    ['local p = package.path', 'package does not exist', 'one file'],
    ['local n = utf8.len("a")', 'utf8 does not exist', 'string library'],
    ['local a, b = table.unpack({ 1, 2 })', 'table.unpack does not exist', 'unpack(list)'],
    ['local t = table.pack(1, 2)', 'table.pack does not exist', 'select'],
    ['local t = table.create()', 'table.create does not exist', '{}'],
    ['local n = math.tointeger(3)', 'math.tointeger does not exist', 'math.floor'],
    ['local n = string.pack("i", 3)', 'string.pack does not exist', 'string.format'],
    ['local n = string.fromat("%d", 3)', 'string.fromat does not exist', 'did you mean string.format?'],
    ['local n = tonumer("3")', 'tonumer does not exist', 'did you mean tonumber?'],
    ['annotatons["a"] = "b"', 'annotatons does not exist', 'did you mean annotations?'],
    ['local x = null', 'null does not exist', 'nil'],
  ])('%s', (line, message, fix) => {
    const finding = only(line);

    expect(finding.message).toContain(message);
    expect(finding.fix).toContain(fix);
    expect(finding.severity).toBe('error');
  });

  it('has the position of the name', () => {
    expect(only('local t = os.time()').source).toEqual({ file: '<string>', line: firstExtraLine, column: 11 });
  });

  it.each([
    'local unpack = table.unpack or unpack',
    'local time = os and os.time()',
    'if table.pack ~= nil then error(table.pack(1)) end',
    'local has = type(utf8)',
    'local x = string.format("%d", math.floor(3.5)) .. table.concat({}, ",") .. tostring(json.decode("1"))',
    'local f = loadstring("return 1")',
    'local s = ("a"):rep(3):upper()',
    'local t = { os = 1 } t.os = 2',
    'local os = { time = function() return 1 end } local t = os.time()',
  ])('reports nothing for %s', (line) => {
    expect(rulesAndLines(checkLines(line))).toEqual([]);
  });

  it.each([
    ['local s = "\\x41"', 'escape \\x41'],
    ['local s = "a\\z  b"', 'escape \\z'],
    ['local s = "\\u{48}"', 'escape \\u{'],
    ['local s = string.gsub("THE (quick) fox", "%f[%a]%a+", "x")', 'frontier'],
    ['local s = ("a"):match("%f[%w]%w+")', 'frontier'],
    ['local s = string.rep("a", 3, ",")', 'separator'],
  ])('finds what has another meaning in Lua 5.1: %s', (line, message) => {
    expect(only(line).message).toContain(message);
  });

  it.each(['local s = "\\\\x41"', "local s = '%%f[a]'", 'local s = [[\\x41]]', 'local s = "\\n\\065"'])(
    'takes %s for what it is',
    (line) => {
      expect(rulesAndLines(checkLines(line))).toEqual([]);
    },
  );
});

describe('globals', () => {
  it('reports each once, at its first assignment', () => {
    const findings = checkLines('count = 1', 'count = 2', 'function helper() end', 'local x = count');

    expect(findings.map(({ severity, message, source, fix }) => [severity, message, source?.line, fix])).toEqual([
      ['warning', 'the script sets the global count', firstExtraLine, 'write `local count` before the first use'],
      ['warning', 'the script sets the global helper', firstExtraLine + 2, 'write `local function helper`'],
    ]);
  });

  it('finds those that are set in other ways than an assignment', () => {
    expect(checkLines('_G["hidden"] = 1').map(({ message }) => message)).toEqual([
      'the script sets the global hidden at run time',
    ]);
  });

  it('distinguishes a parameter, a loop variable and a local of an outer block from a global', () => {
    const lines = [
      'local a = 1',
      'local function f(b) b = 2 a = b return b end',
      'for c = 1, 2 do c = f(c) end',
      'for d, e in pairs({}) do d = e end',
      'local t = {} function t:method() self.x = 1 end',
      'repeat local done = true until done',
    ];

    expect(rulesAndLines(checkLines(...lines))).toEqual([]);
  });

  it('starts a local after its statement and ends it with its block', () => {
    expect(rulesAndLines(checkLines('do local inner = 1 end', 'inner = 2'))).toEqual([
      `lua-global:${firstExtraLine + 1}`,
    ]);
  });
});

describe('obj', () => {
  it('must not be replaced', () => {
    const findings = check(`obj = { weight = "20", annotations = {} }\n${byWeightWith()}`);

    expect(rulesAndLines(findings)).toEqual(['lua-obj-overwritten:1']);
  });

  it('may be replaced by a value derived from it', () => {
    expect(check(`obj = obj or {}\n${byWeightWith()}`)).toEqual([]);
  });
});

describe('a local variable', () => {
  it.each([
    'do local v = 1 end local y = v',
    'local function f(v) return v end local y = v',
    'local function f() local v = 1 end local y = v',
    'for i = 1, 2 do local v = i end local y = v',
    'for v = 1, 2 do end local y = v',
    'for v in pairs(annotations) do end local y = v',
    'if obj.weight then local v = 1 end local y = v',
    'if not obj.weight then local z = 1 else local v = 1 end local y = v',
    'while annotations.x do local v = 1 end local y = v',
    'repeat local v = 1 until v == 1 local y = v',
    'local f = function(v) return v end local y = v',
    'do do end local v = 1 end local y = v',
  ])('is not there outside of its block: %s', (line) => {
    expect(checkLines(line).map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      "lua-unavailable: v does not exist in the controller's Lua",
    ]);
  });

  it.each([
    'local v = 1 do local y = v end',
    'local function f(v) return v end f(1)',
    'local v = 1 local function f() return v end f()',
    'for v = 1, 2 do local y = v end',
    'repeat local v = 1 until v == 1',
    'local function v() return v end v()',
    'local f = { m = 1 } function f:n() return self.m end f:n()',
  ])('is there in it: %s', (line) => {
    expect(checkLines(line).filter(({ rule }) => rule === 'lua-unavailable')).toEqual([]);
  });
});
