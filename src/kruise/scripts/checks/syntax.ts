import { utf8Length } from '../../../core/bytes';
import type { Finding } from '../../../core/finding';
import { findingOf } from '../../../core/rule';
import type { LuaSyntaxError } from '../../../lua/syntax';
import { scriptRules } from '../rules';

/** Syntax of newer Lua versions and other languages, and the Lua 5.1 equivalent. */
const foreign: readonly { readonly pattern: RegExp; readonly hint: string }[] = [
  {
    pattern: /(^|[^-/:])\/\/\s*\S/,
    hint: 'Lua 5.1 has no `//`: write math.floor(a / b) to divide, and -- for a comment',
  },
  { pattern: /^\s*\/\*|^\s*#/, hint: 'start a comment with --' },
  {
    pattern: /\bgoto\s+[A-Za-z_]|::\s*[A-Za-z_]\w*\s*::/,
    hint: "the controller's Lua has no goto and no labels: use if ... else, or a function with return",
  },
  { pattern: /\bcontinue\b/, hint: 'Lua has no continue: put the rest of the loop body into an if' },
  { pattern: /<\s*(const|close)\s*>/, hint: 'Lua 5.1 has no <const> and <close>: remove them' },
  { pattern: /&&|\|\|/, hint: 'write `and` for &&, `or` for ||' },
  { pattern: /!=/, hint: 'write ~= for !=' },
  { pattern: /(^|\s)!\s*[\w(]/, hint: 'write `not` for !' },
  { pattern: /<<|>>|[&|]|~\s*[\w(]/, hint: 'Lua 5.1 has no bit operators: use arithmetic' },
  { pattern: /[-+*/]=|\+\+/, hint: 'Lua has no such assignment: write x = x + 1' },
  { pattern: /\?[^?]*:/, hint: 'Lua has no ?: operator: write `condition and a or b`' },
  { pattern: /`/, hint: 'write a string in " or \'' },
  { pattern: /\b0x[0-9a-fA-F]*(\.[0-9a-fA-F]*)?p/i, hint: 'Lua 5.1 has no hexadecimal fractions and exponents' },
  { pattern: /\belse\s+if\b/, hint: '`else if` opens a nested block that needs its own `end`: write elseif' },
  { pattern: /\belse\s*:|\b(elif|elsif)\b/, hint: 'write elseif' },
];

/** The finding for a script that does not parse. */
export function syntaxFinding(source: string, file: string, error: LuaSyntaxError): Finding {
  const lines = source.split('\n');
  const place = placeOf(error, lines);
  const near = [lines[place.line - 1] ?? '', lines[place.line - 2] ?? ''].map(withoutStrings);
  const hint = hintFor(error, near, lines);
  return findingOf(scriptRules['lua-syntax'], {
    message: `the controller cannot parse the script: ${error.message.replace(/\s+/g, ' ').trim()}`,
    source: { file, ...place },
    ...(hint === undefined ? {} : { fix: hint }),
  });
}

function placeOf(error: LuaSyntaxError, lines: readonly string[]): { line: number; column: number } {
  const unterminated = /unterminated string/.test(error.message);
  if (error.line === undefined) {
    const line = unterminated ? lastLineWithText(lines) : (unclosedBlock(lines)?.line ?? lastLineWithText(lines));
    return { line, column: 1 };
  }
  // The scanner reports the missing quote at the first character of the next line.
  if (unterminated && (error.column ?? 0) < 1) return { line: Math.max(1, error.line - 1), column: 1 };
  const near = /near '([^']*)'/.exec(error.message)?.[1] ?? '';
  return { line: error.line, column: Math.max(1, (error.column ?? 1) - Math.max(0, utf8Length(near) - 1)) };
}

function hintFor(error: LuaSyntaxError, near: readonly string[], lines: readonly string[]): string | undefined {
  if (/unterminated string/.test(error.message))
    return 'close the string with the quote that opened it, on the same line';
  if (/multiline/.test(error.message)) return 'close the long string or comment with ]]';
  const [line = '', before = ''] = near;
  const found =
    foreign.find(({ pattern }) => pattern.test(line)) ?? foreign.find(({ pattern }) => pattern.test(before));
  if (error.line !== undefined) return found?.hint;
  const elseIf = lines.map(withoutStrings).some((one) => /\belse\s+if\b/.test(one));
  const open = unclosedBlock(lines);
  if (open === undefined) return found?.hint;
  const missing = `the \`${open.word}\` of line ${open.line} has no \`${open.word === 'repeat' ? 'until' : 'end'}\``;
  return elseIf ? `${missing}; \`else if\` opens a nested block: write elseif` : missing;
}

/** The innermost block that is not closed at the end of the source. */
function unclosedBlock(lines: readonly string[]): { readonly word: string; readonly line: number } | undefined {
  const open: { word: string; line: number }[] = [];
  lines.forEach((text, index) => {
    for (const [word] of withoutStrings(text).matchAll(/\b(function|if|do|repeat|end|until)\b/g)) {
      if (word === 'end' || word === 'until') open.pop();
      else open.push({ word, line: index + 1 });
    }
  });
  return open.at(-1);
}

function lastLineWithText(lines: readonly string[]): number {
  for (let index = lines.length; index > 0; index--) if (lines[index - 1]?.trim()) return index;
  return 1;
}

/** The code of a line, without the text of its strings and without its comment. */
function withoutStrings(line: string): string {
  return line.replace(/"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/g, '""').replace(/--.*/, '');
}
