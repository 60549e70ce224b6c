/** Where exactly a script does not parse, and what is to be written instead. */
import { describe, expect, it } from 'vitest';
import { check } from './check';

/** `line:column: fix` of a script that does not parse; the rules of one that does. */
const found = (script: string) =>
  check(script).map(({ rule, fix, source }) =>
    rule === 'lua-syntax' ? `${source?.line}:${source?.column}: ${fix}` : rule,
  );

describe('the place and the fix of a script that does not parse', () => {
  it.each<[script: string, findings: readonly string[]]>([
    ['local x = 7//2', ['1:13: Lua 5.1 has no `//`: write math.floor(a / b) to divide, and -- for a comment']],
    [
      'local x = 1\n  // a comment',
      ['2:4: Lua 5.1 has no `//`: write math.floor(a / b) to divide, and -- for a comment'],
    ],
    ['local x = "http://example.com" y', ['1:1: correct the syntax at the reported position, in Lua 5.1']],
    ['local x = a://b', ['1:13: correct the syntax at the reported position, in Lua 5.1']],
    ['/* text */', ['1:1: start a comment with --']],
    ['  /* text */', ['1:3: start a comment with --']],
    ['# text', ['1:1: start a comment with --']],
    ['\n  # text', ['2:3: start a comment with --']],
    ['local x = 1 /* text */', ['1:14: correct the syntax at the reported position, in Lua 5.1']],
    ['goto done', ["1:6: the controller's Lua has no goto and no labels: use if ... else, or a function with return"]],
    ['local goto', ['lua-no-return']],
    ['::done::', ["1:1: the controller's Lua has no goto and no labels: use if ... else, or a function with return"]],
    [':: done ::', ["1:1: the controller's Lua has no goto and no labels: use if ... else, or a function with return"]],
    [':: 1 ::', ['1:1: correct the syntax at the reported position, in Lua 5.1']],
    ['while true do continue end', ['1:24: Lua has no continue: put the rest of the loop body into an if']],
    ['while true do continued end', ['1:25: correct the syntax at the reported position, in Lua 5.1']],
    ['local x <close> = 1', ['1:9: Lua 5.1 has no <const> and <close>: remove them']],
    ['local x < const > = 1', ['1:9: Lua 5.1 has no <const> and <close>: remove them']],
    ['local x <other> = 1', ['1:9: correct the syntax at the reported position, in Lua 5.1']],
    ['if a && b then end', ['1:6: write `and` for &&, `or` for ||']],
    ['if a || b then end', ['1:6: write `and` for &&, `or` for ||']],
    ['if a != b then end', ['1:6: write ~= for !=']],
    ['if !a then end', ['1:4: write `not` for !']],
    ['if !(a) then end', ['1:4: write `not` for !']],
    ['if not a! then end', ['1:9: correct the syntax at the reported position, in Lua 5.1']],
    ['local x = 1 << 2', ['1:14: Lua 5.1 has no bit operators: use arithmetic']],
    ['local x = 1 >> 2', ['1:14: Lua 5.1 has no bit operators: use arithmetic']],
    ['local x = 1 & 2', ['1:13: Lua 5.1 has no bit operators: use arithmetic']],
    ['local x = ~2', ['1:11: Lua 5.1 has no bit operators: use arithmetic']],
    ['local x = ~ (2)', ['1:11: Lua 5.1 has no bit operators: use arithmetic']],
    ['local x = 1 ~ 2', ['1:13: Lua 5.1 has no bit operators: use arithmetic']],
    ['local x = 1 ~= = 2', ['1:16: correct the syntax at the reported position, in Lua 5.1']],
    ['x += 1', ['1:3: Lua has no such assignment: write x = x + 1']],
    ['x -= 1', ['1:3: Lua has no such assignment: write x = x + 1']],
    ['x *= 1', ['1:3: Lua has no such assignment: write x = x + 1']],
    ['x /= 1', ['1:3: Lua has no such assignment: write x = x + 1']],
    ['x++', ['1:2: Lua has no such assignment: write x = x + 1']],
    ['x + + y', ['1:3: correct the syntax at the reported position, in Lua 5.1']],
    ['local x = a ? b : c', ['1:13: Lua has no ?: operator: write `condition and a or b`']],
    ['local x = a ? b', ['1:13: correct the syntax at the reported position, in Lua 5.1']],
    ['local x = `a`', ['1:11: write a string in " or \'']],
    ['local x = 0x1.8', ['1:14: correct the syntax at the reported position, in Lua 5.1']],
    ['local x = 0xAp4', ['1:1: Lua 5.1 has no hexadecimal fractions and exponents']],
    ['local x = 0X1P4', ['1:1: Lua 5.1 has no hexadecimal fractions and exponents']],
    [
      'if a then x() else if b then y() end',
      ['1:1: the `if` of line 1 has no `end`; `else if` opens a nested block: write elseif'],
    ],
    ['if a then x() elseif b y() end', ['1:24: correct the syntax at the reported position, in Lua 5.1']],
    ['if a then x() elif b then y() end', ['1:20: write elseif']],
    ['if a then x() elsif b then y() end', ['1:21: write elseif']],
    ['if a then x() else: y() end', ['1:19: write elseif']],
    ['local x = = 1', ['1:11: correct the syntax at the reported position, in Lua 5.1']],
    ['local 1x = 2', ['1:7: correct the syntax at the reported position, in Lua 5.1']],
    ['return 1\nlocal y = 2', ['2:1: correct the syntax at the reported position, in Lua 5.1']],
    ['end', ['1:1: correct the syntax at the reported position, in Lua 5.1']],
    ['x = )', ['1:5: correct the syntax at the reported position, in Lua 5.1']],
  ])('%j has %j', (script, findings) => {
    expect(found(script)).toEqual(findings);
  });

  it.each<[script: string, findings: readonly string[]]>([
    ['local a = "text', ['1:1: close the string with the quote that opened it, on the same line']],
    ['\n\nlocal a = "text', ['3:1: close the string with the quote that opened it, on the same line']],
    ['local a = "text\nreturn a', ['1:1: close the string with the quote that opened it, on the same line']],
    [
      "local a = 1\nlocal b = 'text\n\nreturn a",
      ['2:1: close the string with the quote that opened it, on the same line'],
    ],
    ['local a = [[text', ['1:1: close the long string or comment with ]]']],
    ['local a = 1\nlocal b = [[text\nmore', ['3:1: close the long string or comment with ]]']],
    ['local a = 1 --[[ text', ['1:1: close the long string or comment with ]]']],
    ['local a = "\\', ['1:1: close the string with the quote that opened it, on the same line']],
  ])('says that text is not closed: %j has %j', (script, findings) => {
    expect(found(script)).toEqual(findings);
  });

  it.each<[script: string, findings: readonly string[]]>([
    ['if a then\n', ['1:1: the `if` of line 1 has no `end`']],
    ['\nif a then\n  x()\n\n', ['2:1: the `if` of line 2 has no `end`']],
    ['for i = 1, 2 do\n  x()', ['1:1: the `do` of line 1 has no `end`']],
    ['while a do\n  if b then\n    x()\n  end', ['1:1: the `do` of line 1 has no `end`']],
    ['while a do\n  if b then\n    x()', ['2:1: the `if` of line 2 has no `end`']],
    ['local function f()\n  x()', ['1:1: the `function` of line 1 has no `end`']],
    ['local f = function()\n  do\n  end', ['1:1: the `function` of line 1 has no `end`']],
    ['repeat\n  x()', ['1:1: the `repeat` of line 1 has no `until`']],
    ['repeat\n  if a then\n  end', ['1:1: the `repeat` of line 1 has no `until`']],
    ['repeat x() until a\ndo', ['2:1: the `do` of line 2 has no `end`']],
    ['do local x = "end"', ['1:1: the `do` of line 1 has no `end`']],
    ["do local x = 'end'", ['1:1: the `do` of line 1 has no `end`']],
    ['do -- end', ['1:1: the `do` of line 1 has no `end`']],
    ['do local endless = 1', ['1:1: the `do` of line 1 has no `end`']],
    [
      'if a then\nelse if b then\nend',
      ['1:1: the `if` of line 1 has no `end`; `else if` opens a nested block: write elseif'],
    ],
    [
      'if a then\nelse  if b then\nend',
      ['1:1: the `if` of line 1 has no `end`; `else if` opens a nested block: write elseif'],
    ],
    ['if a then\nx = "else if"', ['1:1: the `if` of line 1 has no `end`']],
    ['if a then\nx() -- else if', ['1:1: the `if` of line 1 has no `end`']],
    ['local x =', ['1:1: correct the syntax at the reported position, in Lua 5.1']],
    ['local x =\n\n', ['1:1: correct the syntax at the reported position, in Lua 5.1']],
    ['x(', ['1:1: correct the syntax at the reported position, in Lua 5.1']],
    ['local x = 1 //', ['1:14: correct the syntax at the reported position, in Lua 5.1']],
  ])('says which block is not closed: %j has %j', (script, findings) => {
    expect(found(script)).toEqual(findings);
  });

  it.each<[script: string, findings: readonly string[]]>([
    ['while true do\n  continue\n  x = 1\nend', ['3:3: Lua has no continue: put the rest of the loop body into an if']],
    ['while true do\n  continue\n\n  x = 1\nend', ['4:3: correct the syntax at the reported position, in Lua 5.1']],
    ['while true do\n  continue\n  x != 1\nend', ['3:3: write ~= for !=']],
    ['local x = 1\ny // 2\n= 1', ['2:3: Lua 5.1 has no `//`: write math.floor(a / b) to divide, and -- for a comment']],
    ['local x = 1\nlocal y = "a // b" = 1', ['2:20: correct the syntax at the reported position, in Lua 5.1']],
    ["local x = 1\nlocal y = 'a != b' = 1", ['2:20: correct the syntax at the reported position, in Lua 5.1']],
    ['local x = 1\nlocal y = "a \\" != b" = 1', ['2:23: correct the syntax at the reported position, in Lua 5.1']],
    ['local x = 1 -- a != b\n= 1', ['2:1: correct the syntax at the reported position, in Lua 5.1']],
  ])('reads the code of a line and of the line before: %j has %j', (script, findings) => {
    expect(found(script)).toEqual(findings);
  });

  it.each([
    ['-- a comment'],
    ['local x = 7 / 2'],
    ['local x = "a // b != c"'],
    ['local x = [[a ? b : c]]'],
    ['local x = #"abc"'],
    ['local continue = 1'],
    ['if 1 ~= 2 then end'],
    ['if 1 then else if 2 then end end'],
    ['local x = 0x1F'],
    ['local x = 5 % 2 ^ 3'],
  ])('is none for %j', (script) => {
    expect(found(script)).toEqual(['lua-no-return']);
  });

  it.each<[script: string, message: string]>([
    ['x = )', "the controller cannot parse the script: <string> line:1(column:5) near ')': syntax error"],
    [
      'local a = 1\nlocal b = = 2',
      "the controller cannot parse the script: <string> line:2(column:11) near '=': syntax error",
    ],
    ['if a then', 'the controller cannot parse the script: <string> at EOF: syntax error'],
    ['local a = "text', 'the controller cannot parse the script: <string> at EOF: unterminated string'],
  ])('%j has the message of the controller', (script, message) => {
    expect(
      check(script)
        .map(({ message: text }) => text)
        .join(),
    ).toEqual(message);
  });
});
