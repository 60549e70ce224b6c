import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadLua } from '../../../src/lua/load';
import { LuaSyntaxError, parseLua } from '../../../src/lua/syntax';

const SEED = { seed: 20220504, numRuns: 500 };

function errorOf(
  source: string | Uint8Array,
  load: (source: string | Uint8Array) => unknown = loadLua,
): string | undefined {
  try {
    load(source);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(LuaSyntaxError);
    return (error as Error).message;
  }
}

const at = (line: number, column: number, near: string, message: string) =>
  `<string> line:${line}(column:${column}) near '${near}':   ${message}\n`;
const atEnd = (message: string) => `<string> at EOF:   ${message}\n`;

describe('an error of the parser', () => {
  it.each<[string, string]>([
    // An expression that is no call, where a statement is wanted.
    ['a b', at(1, 3, 'b', 'parse error')],
    ['a', atEnd('parse error')],
    ['a.b', atEnd('parse error')],
    ['a.b 5', at(1, 5, '5', 'parse error')],
    ['(a) = 1', at(1, 5, '=', 'parse error')],
    ['("x")', atEnd('parse error')],
    ['goto continue', at(1, 13, 'continue', 'parse error')],
    ['for i=1,3 do goto continue ::continue:: end', at(1, 26, 'continue', 'parse error')],
    ['a == 1', at(1, 4, '==', 'parse error')],
    ['a + 1', at(1, 3, '+', 'parse error')],
    // Everything else.
    ['f() = 1', at(1, 5, '=', 'syntax error')],
    ['(f()) = 1', at(1, 7, '=', 'syntax error')],
    ['a, b', atEnd('syntax error')],
    ['a, f() = 1', at(1, 8, '=', 'syntax error')],
    ['a, 5 = 1', at(1, 4, '5', 'syntax error')],
    ['a =', atEnd('syntax error')],
    ['"str"', at(1, 5, 'str', 'syntax error')],
    ['5 + 5', at(1, 1, '5', 'syntax error')],
    ['return {1 2}', at(1, 11, '2', 'syntax error')],
    ['return {,1}', at(1, 9, ',', 'syntax error')],
    ['return {[1] 2}', at(1, 13, '2', 'syntax error')],
    ['return true.x', at(1, 12, '', 'syntax error')],
    ['return {"x":rep(3)}', at(1, 12, ':', 'syntax error')],
    ['return a // b', at(1, 11, '/', 'syntax error')],
    ['return 1_000', at(1, 12, '_000', 'syntax error')],
    ['return {1}\nx = 2', at(2, 1, 'x', 'syntax error')],
    ['return;;', at(1, 8, ';', 'syntax error')],
    ['break x = 1', at(1, 7, 'x', 'syntax error')],
    ['::label::', at(1, 1, ':', 'syntax error')],
    ['if x then', atEnd('syntax error')],
    ['if x else end', at(1, 9, 'else', 'syntax error')],
    ['while true', atEnd('syntax error')],
    ['#!/usr/bin/lua', at(1, 1, '#', 'syntax error')],
    ['end', at(1, 3, 'end', 'syntax error')],
    ['do end end', at(1, 10, 'end', 'syntax error')],
    ['for a.b in x do end', at(1, 6, '', 'syntax error')],
    ['for i = 1 do end', at(1, 12, 'do', 'syntax error')],
    ['local x.y = 1', at(1, 8, '', 'syntax error')],
    ['local function t.f() end', at(1, 17, '', 'syntax error')],
    ['function f(a,) end', at(1, 14, ')', 'syntax error')],
    ['function f(..., a) end', at(1, 15, ',', 'syntax error')],
    ['a:b = 1', at(1, 5, '=', 'syntax error')],
    ['x = }', at(1, 5, '}', 'syntax error')],
    ['x = [[a\nb]] [[c\n\nd]]', at(4, 3, 'c\n\nd', 'syntax error')],
  ])('%j', (source, message) => {
    expect(errorOf(source)).toBe(message);
  });
});

describe('an error of the scanner', () => {
  it.each<[string, string]>([
    ['return 7 & 3', at(1, 10, '&', 'Invalid token')],
    ['x = 1 \f', at(1, 7, '\f', 'Invalid token')],
    ['a != b', at(1, 3, '!', 'Invalid token')],
    ['x = ~1', at(1, 5, '~', "Invalid '~' token")],
    ['é = 1', at(1, 1, '\ufffd', 'Invalid token')],
    ['x = "abc', atEnd('unterminated string')],
    ['x = "abc\\', atEnd('unterminated string')],
    ['x = "abc\ny = 1', at(2, 0, 'abc', 'unterminated string')],
    ["x = 'a\\'b\r\n", at(2, 0, "a'b", 'unterminated string')],
    ['x = [[abc', atEnd('unterminated multiline string')],
    ['x = [==[a]=]', atEnd('unterminated multiline string')],
    ['x = [=a', at(1, 7, 'a', 'invalid multiline string')],
    ['--[[ abc', atEnd('invalid multiline comment')],
    ['--[=x', at(1, 5, '', 'invalid multiline comment')],
    ['x = 0x', at(1, 6, '0x', 'illegal hexadecimal number')],
    ['x = 0xg', at(1, 6, '0x', 'illegal hexadecimal number')],
    // What stands before it is found first.
    ['a b &', at(1, 3, 'b', 'parse error')],
    ['a & b', at(1, 3, '&', 'Invalid token')],
    // The number takes the bracket with it.
    ['f(1e)', atEnd('syntax error')],
  ])('%j', (source, message) => {
    expect(errorOf(source)).toBe(message);
  });

  it('shows a byte that is not UTF-8 as U+FFFD', () => {
    expect(errorOf(Uint8Array.of(0x78, 0x20, 0xff))).toBe(at(1, 3, '\ufffd', 'Invalid token'));
  });
});

describe('an error of the compiler', () => {
  const locals = (count: number) =>
    Array.from({ length: count }, (_, index) => `local v${index} = ${index}`).join('\n');
  const list = (count: number, part: string) => Array(count).fill(part).join(',');
  const parameters = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`).join(',');
  const near = (line: number, message: string) => `compile error near line(${line}) <string>: ${message}`;
  const overflow = 'register overflow(too many local variables)';

  it.each<[string, string, string | undefined]>([
    ['break outside a loop', 'if x then\nbreak end', near(2, 'no loop to break')],
    ['break in a function in a loop', 'while x do f(function() break end) end', near(1, 'no loop to break')],
    ['break in a loop', 'while x do if y then break end end', undefined],
    ['... without it', '\nfunction f()\nreturn ... end', near(3, "cannot use '...' outside a vararg function")],
    ['... in the chunk', 'return ...', undefined],
    ['200 local variables', locals(200), undefined],
    ['201 local variables', locals(201), near(0, 'too many local variables')],
    ['201 in a function', `\nf = function() ${locals(201)} end`, near(2, 'too many local variables')],
    ['300 in blocks of their own', `do local a end\n`.repeat(300), undefined],
    ['200 and a table', `${locals(200)} return {}`, near(0, overflow)],
    ['198 and a table of one', `${locals(198)} return {1}`, undefined],
    ['199 parameters', `function f(${parameters(199)}) end`, undefined],
    ['200 parameters', `function f(${parameters(200)}) end`, near(1, overflow)],
    ['201 parameters', `function f(${parameters(201)}) end`, near(1, 'register overflow')],
    ['190 arguments', `f(${list(190, 'x')})`, undefined],
    ['250 arguments', `f(${list(250, 'x')})`, near(0, overflow)],
    ['a list of 1000', `return {${list(1000, 'x')}}`, undefined],
    ['a sum of 1000', `return ${Array(1000).fill('x').join('+')}`, undefined],
    ['a chain of 250 strings', `return ${Array(250).fill('x').join('..')}`, near(0, overflow)],
  ])('%s', (_, source, message) => {
    expect(errorOf(source)).toBe(message);
  });

  it('comes after those of the parser', () => {
    expect(errorOf('f(...) break\nx = }')).toBe(at(2, 1, 'x', 'syntax error'));
  });
});

describe('an error', () => {
  it('has a position', () => {
    const error = (source: string) => {
      try {
        loadLua(source, 'mine');
      } catch (thrown) {
        return thrown as LuaSyntaxError;
      }
      throw new Error('it parses');
    };
    expect(error('x = 1\ny = }')).toMatchObject({ line: 2, column: 5, message: expect.stringMatching(/^mine line:2/) });
    const { line, column } = error('x =');
    expect([line, column]).toEqual([undefined, undefined]);
    expect(error('\nbreak')).toMatchObject({ line: 2, message: 'compile error near line(2) mine: no loop to break' });
  });

  it('is the recorded one for every recorded script', () => {
    const lines = readFileSync(join(__dirname, '../../vectors/lua.jsonl'), 'utf8').trim().split('\n');
    const recorded = /^<string> (line:\d+\(column:\d+\) near|at EOF:)|^compile error/;
    for (const line of lines) {
      const { name, input, expect: wanted } = JSON.parse(line);
      const message = !wanted.ok && recorded.test(wanted.error) ? wanted.error : undefined;
      expect(errorOf(input.script), name).toBe(message);
    }
  });
});

describe('any text', () => {
  const word = fc.constantFrom(
    ...'and break do else elseif end false for function if in local nil not or repeat return then true until while goto'.split(
      ' ',
    ),
    ...'+ - * / % ^ # == ~= <= >= < > = ( ) { } [ ] ; : , . .. ... & ~'.split(' '),
    ...['a', 'b', '1', '0x', '1e', '"s"', "'", '[[', ']]', '--', '--[[', '\n', '\\', 'é'],
  );

  it('parses or fails with a LuaSyntaxError', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        errorOf(words.join(' '));
      }),
      { ...SEED, numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        errorOf(bytes);
      }),
      SEED,
    );
  });

  it('that was cut off fails at its end, or before', () => {
    const script =
      'local function f(a, ...) if a then return {a, [1] = "x", y = -a ^ 2 .. "z"} end for i = 1, 2 do g(i) end end';
    expect(errorOf(script)).toBeUndefined();
    for (let length = 1; length < script.length; length++) {
      const message = errorOf(script.slice(0, length));
      if (message) expect(message).toMatch(/ at EOF: {3}|near/);
    }
  });

  it.each([
    ['(', 'return ', ')'],
    ['{', 'return ', '}'],
    ['f(', 'return ', ')'],
    ['a[', 'return ', ']'],
    ['function() return ', 'return ', ' end'],
    ['do ', '', ' end'],
    ['if x then else ', '', ' end'],
  ])('is refused when %j is nested without end', (open, before, close) => {
    const message = errorOf(`${before}${open.repeat(100_000)}${close.repeat(100_000)}`);
    expect(message).toMatch(/nested more than 1000 levels deep/);
  });

  it.each([
    ['not ', 'return ', 'x'],
    ['- ', 'return ', 'x'],
    ['x + ', 'return ', 'x'],
    ['x and ', 'return ', 'x'],
    ['a.', 'return ', 'b'],
    ['; ', '', ''],
    ['f(x) ', '', ''],
    ['elseif x then ', 'if x then ', 'end'],
  ])('takes time and depth for %j only as it is long', (part, before, after) => {
    expect(errorOf(`${before}${part.repeat(50_000)}${after}`, parseLua)).toBeUndefined();
  });
});
