/** What the checks of names say, word for word, and the near misses where they say nothing. */
import { describe, expect, it } from 'vitest';
import { compileLua } from '../../../../src/lua';
import { byWeightWith, check, checkLines } from './check';

const shown = (findings: ReturnType<typeof check>) =>
  findings.map(({ rule, message, source, fix }) => `${rule} ${source?.line}:${source?.column}: ${message} (${fix})`);
const found = (...lines: readonly string[]) => shown(checkLines(...lines));
const unavailable = (at: string, name: string, fix: string) =>
  `lua-unavailable ${at}: ${name} does not exist in the controller's Lua (${fix})`;

describe('a name of another Lua', () => {
  const host = 'a script can only read `obj`: put the value into an annotation of the object';
  const file = 'a script is one file: copy the functions into it';

  it.each([
    ['os', host],
    ['io', host],
    ['package', file],
    ['coroutine', 'use plain functions and tables: the controller has no coroutines'],
    ['debug', 'call error() with the value to inspect: the controller has no debug library'],
    ['utf8', 'use the string library: strings are bytes'],
    ['bit32', 'use arithmetic: Lua 5.1 has no bit operations'],
    ['rawlen', 'write #table'],
    ['warn', 'call error() with a message'],
    ['null', 'write nil'],
    ['undefined', 'write nil'],
    ['table.unpack', 'write unpack(list)'],
    ['table.pack', 'write { ... }, and select("#", ...) for the number of values'],
    ['table.create', 'write {}'],
    ['table.move', 'copy in a loop'],
    ['string.pack', 'use string.format or string.char'],
    ['string.packsize', 'use string.format or string.char'],
    ['string.unpack', 'use string.byte or string.match'],
    ['string.split', 'use string.gmatch'],
    ['string.trim', 'use string.match(text, "^%s*(.-)%s*$")'],
    ['math.tointeger', 'write math.floor(number)'],
    ['math.type', 'compare number == math.floor(number)'],
    ['math.ult', 'compare with <'],
    ['math.maxinteger', 'write 9007199254740992: numbers are doubles'],
    ['math.mininteger', 'write -9007199254740992: numbers are doubles'],
    ['json.null', 'omit the key'],
    ['json.stringify', 'json has decode, encode'],
    ['json.encod', 'did you mean json.encode?'],
    ['table.zzz', 'table has concat, getn, insert, maxn, remove, sort'],
    ['tonumer', 'did you mean tonumber?'],
    ['annotaton', 'did you mean annotations?'],
    ['zzqq', 'define zzqq as a local before it is used'],
  ])('%s has a replacement: %s', (name, fix) => {
    expect(found(`local x = ${name}`)).toEqual([unavailable('4:11', name, fix)]);
    expect(found(`local x = print(1, ${name})`)).toEqual([unavailable('4:20', name, fix)]);
  });

  it.each(['require', 'module', 'dofile', 'loadfile'])('%s exists, and loads nothing', (name) => {
    expect(found(`local x = ${name}`)).toEqual([
      `lua-unavailable 4:11: ${name} cannot load any file in the controller (${file})`,
    ]);
  });

  it.each([['zz'], ['table.zz']])('%s is expected to be nil where the script tests it', (name) => {
    const fix =
      name === 'zz' ? 'define zz as a local before it is used' : 'table has concat, getn, insert, maxn, remove, sort';
    for (const expression of [
      `${name} == nil`,
      `nil ~= ${name}`,
      `not ${name}`,
      `${name} and 1`,
      `${name} or 1`,
      `type(${name})`,
    ]) {
      expect(found(`local x = ${expression}`)).toEqual([]);
      expect(found(`local x = ${expression}`, `local y = ${name}`)).toEqual([]);
    }
    for (const expression of [
      `${name} < 1`,
      `-${name}`,
      `#${name}`,
      `1 and ${name}`,
      `1 or ${name}`,
      `tostring(${name})`,
      `${name}()`,
      `(${name}) or 1`,
      `{ ${name} }`,
    ]) {
      const at = `4:${11 + expression.indexOf(name)}`;
      expect(found(`local x = ${expression}`)).toEqual([unavailable(at, name, fix)]);
    }
    expect(found(`if ${name} then end`)).toEqual([]);
    expect(found(`if 1 then elseif ${name} then end`)).toEqual([]);
    expect(found(`if 1 then ${name}() end`)).toEqual([unavailable('4:11', name, fix)]);
    expect(found(`while ${name} do end`)).toEqual([unavailable('4:7', name, fix)]);
    expect(found('local type = tostring', `local x = type(${name})`)).toEqual([unavailable('5:16', name, fix)]);
  });

  it('is shown once, a member of a library each time', () => {
    const fix = 'define zz as a local before it is used';
    expect(found('zz()', 'zz()')).toEqual([unavailable('4:1', 'zz', fix)]);
    expect(found('yy(zz)')).toEqual([unavailable('4:1', 'yy', fix.replace('zz', 'yy')), unavailable('4:4', 'zz', fix)]);
    const members = 'table has concat, getn, insert, maxn, remove, sort';
    expect(found('table.zz()', 'table.zz()')).toEqual([
      unavailable('4:1', 'table.zz', members),
      unavailable('5:1', 'table.zz', members),
    ]);
  });

  it('is none of a script that defines it', () => {
    const global = (name: string) => `the script sets the global ${name}`;
    const messages = (...lines: readonly string[]) => checkLines(...lines).map(({ message }) => message);
    expect(messages('function trim(s) return s end', 'local x = trim("a")')).toEqual([global('trim')]);
    expect(messages('local x = y', 'y = 1')).toEqual([global('y')]);
    expect(messages('function string.trim(s) return s end', 'local x = string.trim("a")')).toEqual([]);
    expect(messages('string.trim = function(s) return s end', 'local x = string.trim("a")')).toEqual([]);
    expect(messages('math.one, math.two = 1, 2', 'local x = math.one + math.two')).toEqual([]);
    expect(messages('local string = { trim = print }', 'local x = string.trim("a")')).toEqual([]);
    expect(messages('string = { trim = print }', 'local x = string.trim("a")')).toEqual([
      'the script replaces string of the Lua library',
    ]);
  });

  it.each([
    'local x = table[obj.weight]',
    'local t = { table = {} } local x = t.table.zz',
    'local x = annotations.table',
    'local x = obj.annotations',
  ])('is none in %s', (line) => {
    expect(found(line)).toEqual([]);
  });

  it('is looked for in quotes, but not through another name', () => {
    const members = 'table has concat, getn, insert, maxn, remove, sort';
    expect(found('local x = table["zz"]')).toEqual([unavailable('4:11', 'table.zz', members)]);
    expect(found('local x = table.zz.y')).toEqual([unavailable('4:11', 'table.zz', members)]);
    expect(found('local t = table local x = t.zz')).toEqual([]);
  });

  it('has a suggestion, if it is one of the first 200', () => {
    const names = Array.from({ length: 199 }, (_, index) => `qqq${index}zzz`);
    const fixes = (...more: readonly string[]) =>
      checkLines(...[...names, ...more].map((name) => `annotations.x = ${name}`)).map(({ fix }) => fix);
    expect(fixes('tonumer', 'toString').slice(198)).toEqual([
      'define qqq198zzz as a local before it is used',
      'did you mean tonumber?',
      'define toString as a local before it is used',
    ]);
    expect(fixes('tonumer', 'os').at(-1)).toBe(host);
  });

  it('has a suggestion from the first 200 statements that declare locals', () => {
    const locals = (count: number) => {
      const blocks = Array.from({ length: count - 2 }, () => 'do local b end');
      return [...blocks, 'local wonderful, marvellous = 1, 2'];
    };
    const fixes = (count: number, name: string) =>
      checkLines(...locals(count), `local x = ${name}`).map(({ fix }) => fix);
    expect(fixes(200, 'wonderfull')).toEqual(['did you mean wonderful?']);
    expect(fixes(200, 'marvelous')).toEqual(['did you mean marvellous?']);
    expect(fixes(201, 'wonderfull')).toEqual(['define wonderfull as a local before it is used']);
  });
});

describe("the names of the controller's Lua", () => {
  const listed = (source: string): string[] => {
    const result = compileLua(`local names = {} ${source} return names`).run({});
    if (!result.ok) throw new Error(result.error);
    return JSON.parse(result.json);
  };
  const collect = (from: string, prefix: string) =>
    `for name in pairs(${from}) do table.insert(names, "${prefix}" .. name) end`;

  it('are all known', () => {
    const globals = listed(collect('_G', '')).filter(
      (name) => !['require', 'module', 'dofile', 'loadfile'].includes(name),
    );
    const members = ['json', 'math', 'string', 'table'].flatMap((library) => listed(collect(library, `${library}.`)));
    expect(globals.length).toBeGreaterThan(30);
    expect(members.length).toBeGreaterThan(45);
    const names = [...globals, ...members.filter((name) => name !== 'string.__index')];
    expect(found(...names.map((name) => `do local x = ${name} end`))).toEqual([]);
  });
});

describe('a string of a later Lua', () => {
  const newer = (at: string, text: string) =>
    `lua-unavailable ${at}: the escape ${text} in a string does not exist in Lua 5.1, which reads it as ${text.slice(1, 2)} (write the character itself, or \\ and its code in three decimal digits)`;

  it.each<[line: string, findings: readonly string[]]>([
    ['local s = "\\x41"', [newer('4:11', '\\x41')]],
    ["local s = '\\xaF'", [newer('4:11', '\\xaF')]],
    ['local s = "a\\x09b\\xff"', [newer('4:11', '\\x09')]],
    ['local s = "é\\x41"', [newer('4:11', '\\x41')]],
    ['local s, t = "é", "\\x41"', [newer('4:20', '\\x41')]],
    ['local s = "\\u{48}"', [newer('4:11', '\\u{')]],
    ['local s = "a\\z  b"', [newer('4:11', '\\z')]],
    ['local s = "\\\\\\x41"', [newer('4:11', '\\x41')]],
    ['local s = "\\n\\x41"', [newer('4:11', '\\x41')]],
    ['local s = "\\\n\\x41"', [newer('4:11', '\\x41')]],
    ['local s, t = "\\x41", "\\x42"', [newer('4:14', '\\x41'), newer('4:22', '\\x42')]],
    ['local s = "\\\\x41"', []],
    ['local s = "\\x4"', []],
    ['local s = "\\x4g"', []],
    ['local s = "\\u48"', []],
    ['local s = "\\065\\n\\t\\"\\\\"', []],
    ['local s = [[\\x41]]', []],
    ['local s = [=[\\z]=]', []],
    ['local s = "x41z"', []],
    ['local s = 1 -- "\\x41"', []],
  ])('%j has %j', (line, findings) => {
    expect(found(line)).toEqual(findings);
  });

  const frontier = (at: string, name: string) =>
    `lua-unavailable ${at}: ${name} does not support the frontier pattern %f in Lua 5.1, and reads it as the letter f (match the character before and after instead)`;
  const separator = (at: string) =>
    `lua-unavailable ${at}: string.rep has no separator in Lua 5.1 and ignores the third argument (collect the parts in a list and use table.concat(list, separator))`;

  it.each<[line: string, findings: readonly string[]]>([
    ['local s = string.find("a", "%f[a]")', [frontier('4:11', 'string.find')]],
    ['local s = string.match("a", "%f[a]")', [frontier('4:11', 'string.match')]],
    ['local s = string.gmatch("a", "%f[a]")', [frontier('4:11', 'string.gmatch')]],
    ['local s = string.gsub("a", "%f[a]", "")', [frontier('4:11', 'string.gsub')]],
    ['local s = ("a"):gsub("%f[a]", "")', [frontier('4:11', 'string.gsub')]],
    ['local s = ("a"):find("x%f[a]")', [frontier('4:11', 'string.find')]],
    ['local find = string.find local s = find("a", "%f[a]")', [frontier('4:36', 'string.find')]],
    ['local p = "%f[a]" local s = string.find("a", p)', [frontier('4:29', 'string.find')]],
    ['local s = string.find("a", "%%%f[a]")', [frontier('4:11', 'string.find')]],
    ['local s = string.find("a", "a%%%%%f[a]")', [frontier('4:11', 'string.find')]],
    ['local s = string.find("a", "%%f[a]")', []],
    ['local s = string.find("a", "a%%f[a]")', []],
    ['local s = string.find("a", "%f")', []],
    ['local s = string.find("a", "f[a]")', []],
    ['local s = string.find("%f[a]", "a")', []],
    ['local s = string.gsub("a", "a", "%f[a]")', []],
    ['local s = string.format("a", "%f[a]")', []],
    ['local s = print("a", "%f[a]")', []],
    ['local s = ("a"):lower("%f[a]")', []],
    ['local t = { search = print } t:search("%f[a]")', []],
    ['local s = string.find("a", obj.weight)', []],
    ['local s = string.rep("a", 3, ",")', [separator('4:11')]],
    ['local s = ("a"):rep(3, ",")', [separator('4:11')]],
    ['local s = string.rep("a", 3)', []],
    ['local s = ("a"):rep(3)', []],
    ['local s = string.sub("abc", 1, 2)', []],
    ['local t = { rep = 1, other = print } t:other(3, ",")', []],
  ])('in a call: %j has %j', (line, findings) => {
    expect(found(line)).toEqual(findings);
  });
});

describe('a global that the script sets', () => {
  const global = (at: string, what: string, fix: string) => `lua-global ${at}: the script ${what} (${fix})`;
  const local = (name: string) => `write \`local ${name}\` before the first use`;

  it.each<[line: string, findings: readonly string[]]>([
    ['count = 1', [global('4:1', 'sets the global count', local('count'))]],
    ['count = 1 count = 2', [global('4:1', 'sets the global count', local('count'))]],
    ['local x x, count = 1, 2', [global('4:12', 'sets the global count', local('count'))]],
    ['function helper() end', [global('4:10', 'sets the global helper', 'write `local function helper`')]],
    ['helper = function() end', [global('4:1', 'sets the global helper', local('helper'))]],
    ['helper = 1 function helper() end', [global('4:1', 'sets the global helper', local('helper'))]],
    ['print = error', [global('4:1', 'replaces print of the Lua library', local('print'))]],
    ['function print() end', [global('4:10', 'replaces print of the Lua library', 'write `local function print`')]],
    ['local t = {} function t.m() end function t:n() end t.x = 1', []],
    ['local count = 1 count = 2', []],
  ])('%j has %j', (line, findings) => {
    expect(found(line)).toEqual(findings);
  });

  it('at run time is shown at the last return, sorted', () => {
    const messages = (line: string) => checkLines(line).map(({ message, source }) => `${source?.line}: ${message}`);
    expect(messages('_G.zeta = 1')).toEqual(['5: the script sets the global zeta at run time']);
    expect(messages('_G.known = 1 known = 2')).toEqual(['4: the script sets the global known']);
    expect(messages('_G.obj = { annotations = obj.annotations, weight = "1" }')).toEqual([]);
    const two = byWeightWith('_G[obj.weight == "20" and "zeta" or "alpha"] = 1');
    expect(check(two).map(({ message }) => message)).toEqual(['the script sets the global alpha at run time']);
  });
});

describe('obj', () => {
  const replaced = (at: string) =>
    `lua-obj-overwritten ${at}: the script replaces \`obj\`, the input from the controller (remove the assignment; keep sample values in a separate file)`;
  const only = (line: string) => shown(check(`${line}\nreturn {}`)).filter((text) => text.startsWith('lua-obj'));

  it.each<[line: string, findings: readonly string[]]>([
    ['obj = {}', [replaced('1:1')]],
    ['local x x, obj = 1, {}', [replaced('1:12')]],
    ['obj = {} obj = {}', [replaced('1:1'), replaced('1:10')]],
    ['function obj() end', [replaced('1:10')]],
    ['local y = obj obj = y', [replaced('1:15')]],
    ['obj = {} local y = obj', [replaced('1:1')]],
    ['obj = f(x)', [replaced('1:1')]],
    ['obj = obj', []],
    ['obj = obj or {}', []],
    ['obj = (obj)', []],
    ['obj = { data = obj }', []],
    ['obj = f(1, obj.data)', []],
    ['local x obj, x = {}, obj', []],
    ['obj = other.obj', [replaced('1:1')]],
    ['local obj = {} obj = {}', []],
    ['local t = {} t.obj = {} obj.annotations = {}', []],
  ])('%j has %j', (line, findings) => {
    expect(only(line)).toEqual(findings);
  });
});
