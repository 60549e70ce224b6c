/** The text is not an expression of the Common Expression Language, or of the part of it that is known here. */
export class CelSyntaxError extends Error {}

/** A word of an expression. */
export type Token =
  | { readonly kind: 'name' | 'symbol'; readonly text: string }
  | { readonly kind: 'literal'; readonly text: string; readonly value: null | boolean | number | string }
  | { readonly kind: 'end' };

const TOKEN =
  /\s*(?:(r?"""[\s\S]*?"""|r?'''[\s\S]*?'''|r"[^"]*"|r'[^']*'|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(\|\||&&|==|!=|<=|>=|[-+*/%!<>?:.,()[\]]))/y;

const WORDS = new Map<string, null | boolean>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const ESCAPES: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r' };

/** The words of an expression, and an end. */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new CelSyntaxError(`cannot read "${text.slice(at).trim()}"`);
    found.push(tokenOf(match));
    at = TOKEN.lastIndex;
  }
  return [...found, { kind: 'end' }];
}

function tokenOf([, string, number, name, symbol]: RegExpExecArray): Token {
  if (string !== undefined) return { kind: 'literal', text: string, value: unquoted(string) };
  if (number !== undefined) return { kind: 'literal', text: number, value: Number(number) };
  if (name === undefined) return { kind: 'symbol', text: symbol! };
  return WORDS.has(name) ? { kind: 'literal', text: name, value: WORDS.get(name)! } : { kind: 'name', text: name };
}

function unquoted(text: string): string {
  const isRaw = text.startsWith('r');
  const quoted = isRaw ? text.slice(1) : text;
  const width = /^("""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  const inner = quoted.slice(width, -width);
  return isRaw ? inner : inner.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
}
