/** Whether a script can reach its end without a return, and where findings of a script are. */
import { describe, expect, it } from 'vitest';
import { CheckedScript } from '../../../../src/kruise/scripts/checks/checked-script';
import { canFallThrough } from '../../../../src/kruise/scripts/checks/flow';
import { ScriptTree } from '../../../../src/kruise/scripts/checks/tree';
import { KruiseRolloutVersion } from '../../../../src/kruise/version';
import { compileLua } from '../../../../src/lua';
import { parseLua } from '../../../../src/lua/syntax';
import { demo } from './check';

describe('the end of a script', () => {
  const isReached = (source: string) => {
    const tree = new ScriptTree(parseLua(source));
    return canFallThrough(tree, tree.chunk.body);
  };

  it.each([
    '',
    'local a = 1',
    'f()',
    'f.error()',
    't:error()',
    '(error)()',
    'local error = print error("a")',
    'local e = error e("a")',
    'assert(false)',
    'local a = error("a")',
    'a = error("a")',
    'if a then error("a") end',
    'if a then return end',
    'if a then return elseif b then return end',
    'if a then return elseif b then else return end',
    'if a then else return end',
    'if a then return else end',
    'do end',
    'do local a = 1 end',
    'while a do return end',
    'while false do return end',
    'while nil do return end',
    'while 1 do return end',
    'while true do break end',
    'while true do if a then break end end',
    'while true do if a then elseif b then break end end',
    'while true do if a then else break end end',
    'while true do do break end end',
    'while true do do if a then do break end end end end',
    'repeat until a',
    'repeat f() until true',
    'repeat break until a',
    'repeat if a then break end return until b',
    'repeat if a then return end until b',
    'for i = 1, 2 do return end',
    'for k in pairs(t) do return end',
    'local function f() return end',
    'function f() error("a") end f()',
    'local function f() error("a") end',
    'local function f() if a then error("a") end end f()',
    'local function f() return 1 end f()',
    'local function f() if a then return end error("a") end f()',
    'local function f() local g = function() return 1 end error("a") end f()',
    'local f = function() end f()',
    'local f = function() error("a") end f = print f()',
    'local function f() f() end f()',
    'local a, b a = function() b() end b = function() a() end a()',
    't.f()',
    'f()()',
  ])('is reached by %j', (source) => {
    expect(isReached(source)).toBe(true);
  });

  it.each([
    'return',
    'do return end',
    'do do return end end',
    'error("a")',
    'error({})',
    'local a = 1 error("a") local b = 2',
    'if a then return else return end',
    'if a then return elseif b then error("a") else return end',
    'if a then error("a") else do return end end',
    'if a then return end return',
    'while true do end',
    'while true do f() end',
    'while true do if a then return end end',
    'while true do while a do break end end',
    'while true do for i = 1, 2 do break end end',
    'while true do repeat break until a end',
    'while true do local f = function() while a do break end end end',
    'repeat return until a',
    'repeat error("a") until a',
    'repeat while a do break end return until b',
    'local function f() error("a") end f()',
    'local function f(text) local m = text error(m) end f("a")',
    'local f = function() error("a") end f()',
    'local function f() while true do end end f()',
    'local function f() error("a") end local g = f g()',
    'local function f() error("a") end local function g() f() end g()',
    'local function f() if a then error("a") else error("b") end end f()',
    'local function f() error("a") end if a then return end f()',
  ])('is not reached by %j', (source) => {
    expect(isReached(source)).toBe(false);
  });

  it.each([
    ['do', (depth: number) => `${'do '.repeat(depth)}f()${' end'.repeat(depth)}`],
    ['if', (depth: number) => `${'if a then return else '.repeat(depth)}f()${' end'.repeat(depth)}`],
  ])('is not looked for in more than 200 blocks: %s', (_, nested) => {
    expect([199, 200, 201, 202].map((depth) => isReached(nested(depth)))).toEqual([true, true, false, false]);
  });
});

describe('a place in a script', () => {
  const scriptOf = (source: string) =>
    new CheckedScript(
      source,
      'demo.lua',
      demo,
      KruiseRolloutVersion.LATEST,
      new ScriptTree(parseLua(source)),
      compileLua(source),
      [],
      undefined,
    );
  const at = (source: string, find: (script: CheckedScript) => Parameters<CheckedScript['at']>[0]) => {
    const script = scriptOf(source);
    const { file, line, column } = script.at(find(script));
    expect(file).toBe('demo.lua');
    return `${line}:${column}`;
  };

  it.each<[line: number, column: number | undefined, place: string]>([
    [1, undefined, '1:1'],
    [2, undefined, '2:3'],
    [3, undefined, '3:2'],
    [4, undefined, '4:1'],
    [2, 5, '2:5'],
    [2, 0, '2:1'],
    [2, -1, '2:1'],
    [0, undefined, '1:1'],
    [-5, 2, '1:2'],
    [5, undefined, '4:1'],
    [99, 3, '4:3'],
  ])('of line %i and column %s is %s', (line, column, place) => {
    const source = 'a = 1\n  b = 2\n\tc = 3\n';
    expect(at(source, () => (column === undefined ? { line } : { line, column }))).toBe(place);
  });

  it.each<[source: string, paths: readonly string[], place: string]>([
    ['local x = 1\nlocal m = obj.matches', ['obj.matches'], '2:11'],
    ['local w = obj.weight\nlocal m = obj.matches', ['obj.matches', 'obj.weight'], '2:11'],
    ['local w = obj.weight\nlocal m = obj.matches', ['obj.none', 'obj.weight'], '1:11'],
    ['local m = obj.matches\nlocal n = obj.matches', ['obj.matches'], '1:11'],
    ['for _, m in ipairs(obj.matches) do\n  local h = m.headers end', ['obj.matches[].headers'], '2:13'],
    ['local m = obj.matches[1]', ['obj.matches[]'], '1:11'],
    ['local x = 1\nlocal y = f().headers', ['obj.matches[].headers', 'obj.matches'], '2:11'],
    ['local x = 1\nlocal y = f().matches', ['obj.matches[]'], '2:11'],
    ['local x = 1\nlocal y = f().matches', ['obj.none', 'obj.matches'], '1:1'],
    ['local x = 1\nlocal y = t[matches]', ['obj.matches'], '1:1'],
    ['local x = 1', ['obj.matches'], '1:1'],
    ['\n\n  local x = 1', ['obj.matches'], '3:3'],
    ['-- nothing', ['obj.matches'], '1:1'],
    ['local x = 1', [], '1:1'],
  ])('that first reads a field: in %j %j is %s', (source, paths, place) => {
    expect(at(source, (script) => script.firstRead(...paths))).toBe(place);
  });

  it.each<[source: string, text: string, place: string]>([
    ['local a, b = "x.com/weight", "x.com/w"', 'x.com/weight', '1:14'],
    ['local a, b = "x.com/w", "x.com/weight"', 'x.com/weight', '1:25'],
    ['local a, b = "x.com/", "weight"', 'x.com/weight', '1:24'],
    ['local a, b = "x.com/", "we"\nreturn a', 'x.com/weight', '2:1'],
    ['local a, b = "wei", "weig"', 'x.com/weight', '1:21'],
    ['local a, b = "actions.%s", "x"', 'x.com/actions.web', '1:14'],
    ['local a, b = "%s", "x"\nreturn', 'x.com/%s', '2:1'],
    ['local a, b = "%sactions", "x"\nreturn', 'x.com/actions', '2:1'],
    ['local a, b = "weight", "weight"', 'weight', '1:14'],
    ['local a = b.weight', 'x.com/weight', '1:13'],
    ['local a = "other"\nreturn a', 'x.com/weight', '2:1'],
    ['local a = "other"', 'x.com/weight', '1:1'],
    ['', 'x.com/weight', '1:1'],
  ])('of a literal: in %j %j is %s', (source, text, place) => {
    expect(at(source, (script) => script.literal(text))).toBe(place);
  });

  const RETURNS = 'if a then\n  return 1\nend\nlocal function f()\n  return 2\nend\nreturn {\n  3,\n}';

  it('of the last return is not in a function', () => {
    expect(at(RETURNS, (script) => script.lastReturn())).toBe('7:1');
    expect(at('local function f() return 1 end\nf()', (script) => script.lastReturn())).toBe('2:1');
    expect(at('return 1', (script) => script.lastReturn())).toBe('1:1');
    expect(at('', (script) => script.lastReturn())).toBe('1:1');
    expect(
      scriptOf(RETURNS)
        .returns()
        .map(({ line }) => line),
    ).toEqual([2, 7]);
    expect(scriptOf('local t = { f = function() return end }').returns()).toEqual([]);
  });

  it.each<[line: number | undefined, place: string]>([
    [2, '2:3'],
    [7, '7:1'],
    [8, '7:1'],
    [9, '7:1'],
    [1, '1:1'],
    [3, '3:1'],
    [5, '5:3'],
    [undefined, '7:1'],
  ])('of the return at line %s is %s', (line, place) => {
    expect(at(RETURNS, (script) => script.returnAt(line))).toBe(place);
  });

  it('is that of a finding, which may have its own texts', () => {
    const script = scriptOf('local a = 1\n  return a');
    const finding = script.finding('lua-crash', { line: 2 }, 'it stops');
    expect(finding).toMatchObject({
      rule: 'lua-crash',
      severity: 'error',
      message: 'it stops',
      source: { file: 'demo.lua', line: 2, column: 3 },
    });
    expect(script.finding('lua-crash', { line: 2 }, 'it stops', { severity: 'note', fix: 'stop it' })).toEqual({
      ...finding,
      severity: 'note',
      fix: 'stop it',
    });
  });
});
