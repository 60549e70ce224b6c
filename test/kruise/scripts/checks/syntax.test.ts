import { describe, expect, it } from 'vitest';
import { check } from './check';

const syntaxOf = (source: string) => {
  const findings = check(source);
  expect(findings.map(({ rule }) => rule)).toEqual(['lua-syntax']);
  const { source: place, message, fix } = findings[0]!;
  return { at: `${place?.line}:${place?.column}`, message, fix };
};

describe('a script that does not parse', () => {
  it('has the error message of the controller', () => {
    expect(syntaxOf('local t = {}\nlocal half = obj.weight // 2\nreturn t').message).toBe(
      "the controller cannot parse the script: <string> line:2(column:26) near '/': syntax error",
    );
  });

  it.each([
    ['local half = 7 // 2', 'math.floor'],
    ['// a comment', 'for a comment'],
    ['for i = 1, 3 do\n  goto continue\n  ::continue::\nend', 'no goto'],
    ['for i = 1, 3 do\n  if i == 2 then continue end\nend', 'no continue'],
    ['local x <const> = 1', 'no <const>'],
    ['if a && b then end', '`and`'],
    ['if a != b then end', '~='],
    ['if !a then end', '`not`'],
    ['local x = 1 | 2', 'bit operators'],
    ['local x = 1 << 2', 'bit operators'],
    ['x += 1', 'x = x + 1'],
    ['local x = a ? b : c', 'a or b'],
    ['local x = `a`', 'string'],
    ['local x = 0x1p4', 'hexadecimal'],
    ['/* a */', 'start a comment with --'],
  ])('%s: suggests the equivalent in Lua 5.1', (source, hint) => {
    expect(syntaxOf(source).fix).toContain(hint);
  });

  it('ignores the contents of strings and comments', () => {
    expect(syntaxOf('local x = "a // b" y // goto done').fix).toContain('math.floor');
    expect(syntaxOf('local x = "a // b" y -- goto done').fix).toBe(
      'correct the syntax at the reported position, in Lua 5.1',
    );
  });

  it('ignores comments in a script with Windows lines', () => {
    expect(syntaxOf('local x = 1 y -- goto done\r\n').fix).toBe(
      'correct the syntax at the reported position, in Lua 5.1',
    );
    expect(syntaxOf('do\r\n  f() -- if, not while\r\n').fix).toBe('the `do` of line 1 has no `end`');
  });

  it('gives the line of a string that is not closed', () => {
    expect(syntaxOf('local a = 1\nlocal key = "gray\nreturn a')).toMatchObject({
      at: '2:1',
      fix: expect.stringContaining('close the string'),
    });
  });

  it('gives the start of the wrong token', () => {
    expect(syntaxOf('local t = {}\nreturn t\nlocal x').at).toBe('3:1');
  });

  it('names the block that is not closed', () => {
    expect(syntaxOf('local t = {}\nfor _, x in ipairs(t) do\n  if x then\n    t = x\nend\nreturn t\n')).toMatchObject({
      at: '2:1',
      fix: 'the `do` of line 2 has no `end`',
    });
    expect(syntaxOf('if a then\n  x()\nelse if b then\n  y()\nend\n').fix).toContain('write elseif');
    expect(syntaxOf('repeat\n  x()\n').fix).toContain('no `until`');
    expect(syntaxOf('--[[ a comment').fix).toContain(']]');
  });
});
