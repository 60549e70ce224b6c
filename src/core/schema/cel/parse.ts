/** The syntax of the Common Expression Language, as far as validation rules of CRDs use it. */

/** An expression. */
export type Expression =
  | { readonly type: 'literal'; readonly value: string | number | boolean | null }
  | { readonly type: 'list'; readonly items: readonly Expression[] }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'select'; readonly of: Expression; readonly field: string }
  | { readonly type: 'index'; readonly of: Expression; readonly at: Expression }
  | { readonly type: 'not' | 'negative'; readonly of: Expression }
  | { readonly type: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'choice'; readonly of: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly type: 'call'; readonly name: string; readonly on?: Expression; readonly args: readonly Expression[] };

interface Token {
  readonly type: 'name' | 'number' | 'text' | 'sign' | 'end';
  readonly text: string;
}

const TOKEN =
  /\s*(?:(r?)("""|''')([\s\S]*?)\2|(r?)("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(&&|\|\||[=!<>]=|[-+*/%<>!?:.,()[\]]))/y;

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.trimEnd().length) {
    const found = TOKEN.exec(source);
    if (found === null) throw new SyntaxError(`unreadable expression: ${source}`);
    const [, rawLong, , long, raw, quoted, number, name, sign] = found;
    if (long !== undefined) tokens.push({ type: 'text', text: rawLong ? long : unescaped(long) });
    else if (quoted !== undefined) {
      const inner = quoted.slice(1, -1);
      tokens.push({ type: 'text', text: raw ? inner : unescaped(inner) });
    } else if (number !== undefined) tokens.push({ type: 'number', text: number });
    else if (name !== undefined) tokens.push({ type: 'name', text: name });
    else tokens.push({ type: 'sign', text: sign! });
  }
  return [...tokens, { type: 'end', text: '' }];
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}

/** Operators, those that bind least first. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/**
 * Reads an expression. Throws a SyntaxError for what is none.
 * @example parseExpression("has(self.type) ? self.type != '' : true")
 */
export function parseExpression(source: string): Expression {
  const tokens = tokensOf(source);
  let at = 0;
  const isNext = (text: string) => tokens[at]!.type !== 'text' && tokens[at]!.text === text && text !== '';
  const takes = (text: string): boolean => {
    const is = isNext(text);
    if (is) at++;
    return is;
  };
  const expect = (text: string): void => {
    if (!takes(text)) throw new SyntaxError(`"${text}" is missing: ${source}`);
  };
  const whole = (): Expression => {
    const of = binary(0);
    if (!takes('?')) return of;
    const yes = whole();
    expect(':');
    return { type: 'choice', of, yes, no: whole() };
  };
  const binary = (level: number): Expression => {
    const operators = LEVELS[level];
    if (operators === undefined) return unary();
    let left = binary(level + 1);
    for (;;) {
      const operator = operators.find(takes);
      if (operator === undefined) return left;
      left = { type: 'binary', operator, left, right: binary(level + 1) };
    }
  };
  const unary = (): Expression => {
    if (takes('!')) return { type: 'not', of: unary() };
    if (takes('-')) return { type: 'negative', of: unary() };
    return member(primary());
  };
  const member = (of: Expression): Expression => {
    if (takes('[')) {
      const place = whole();
      expect(']');
      return member({ type: 'index', of, at: place });
    }
    if (!takes('.')) return of;
    const field = tokens[at++]!.text;
    return member(
      takes('(')
        ? { type: 'call', name: field, on: of, args: list(')') }
        : { type: 'select', of, field: plainName(field) },
    );
  };
  const primary = (): Expression => {
    if (takes('(')) {
      const inner = whole();
      expect(')');
      return inner;
    }
    if (takes('[')) return { type: 'list', items: list(']') };
    const { type, text } = tokens[at++]!;
    if (type === 'text') return { type: 'literal', value: text };
    if (type === 'number') return { type: 'literal', value: Number(text) };
    if (type !== 'name') throw new SyntaxError(`unexpected "${text}": ${source}`);
    if (Object.hasOwn(WORDS, text)) return { type: 'literal', value: WORDS[text]! };
    return takes('(') ? { type: 'call', name: text, args: list(')') } : { type: 'name', name: text };
  };
  const list = (end: string): Expression[] => {
    const items: Expression[] = [];
    while (!takes(end)) {
      if (items.length > 0) expect(',');
      items.push(whole());
    }
    return items;
  };
  const read = whole();
  if (tokens[at]!.type !== 'end') throw new SyntaxError(`unexpected "${tokens[at]!.text}": ${source}`);
  return read;
}

/** Words of the language are escaped where they name a field: `__namespace__`. */
function plainName(field: string): string {
  return /^__(.+)__$/.exec(field)?.[1] ?? field;
}
