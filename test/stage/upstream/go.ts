/**
 * Reads Go as tests are written: statements of calls, assignments and literals. What else a statement says is skipped, and
 * nothing is run.
 */

/** An expression. */
export type Expression =
  | { readonly is: 'text'; readonly value: string }
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'field'; readonly of: Expression; readonly name: string }
  | { readonly is: 'index'; readonly of: Expression; readonly at: Expression }
  | { readonly is: 'call'; readonly of: Expression; readonly args: readonly Expression[] }
  /** A struct, a map or a list; `type` is the last name of its type, and `fields` are those of a struct without a name. */
  | {
      readonly is: 'literal';
      readonly type: string;
      readonly entries: readonly Entry[];
      readonly fields?: readonly string[];
    }
  | { readonly is: 'sum'; readonly parts: readonly Expression[] }
  /** The type of a struct. */
  | { readonly is: 'struct'; readonly fields: readonly string[] }
  /** What is not read: a function, for example. */
  | { readonly is: 'other' };

/** An element of a literal. */
export interface Entry {
  /** @default - an element of a list */
  readonly key?: Expression;
  readonly value: Expression;
}

/** A statement. */
export type Statement =
  | { readonly is: 'expression'; readonly value: Expression }
  | { readonly is: 'assignment'; readonly to: Expression; readonly value: Expression }
  /** `for _, name := range over` */
  | { readonly is: 'loop'; readonly name: string; readonly over: Expression; readonly body: readonly Statement[] };

/** A function, or a function literal that a named test is given. */
export interface Body {
  readonly name: string;
  readonly tokens: readonly Token[];
}

interface Token {
  readonly is: 'name' | 'text' | 'number' | 'mark';
  readonly text: string;
}

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<newline>\n)|[ \t\r]+|(?<raw>`[^`]*`)|(?<text>"(?:[^"\\\n]|\\.)*")|(?<rune>'(?:[^'\\]|\\.)+')|(?<number>\d[\w.]*)|(?<name>[A-Za-z_]\w*)|(?<mark>:=|\.\.\.|&&|\|\||[=!<>+*/-]=|<-|\+\+|--|[^\s\w])/gy;

/** The tokens of a file, with the semicolons that Go inserts at the ends of lines. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  for (const { groups = {} } of source.matchAll(TOKEN)) {
    const { newline, raw, text, rune, number, name, mark } = groups;
    if (newline !== undefined && endsStatement(tokens.at(-1))) tokens.push({ is: 'mark', text: ';' });
    else if (raw !== undefined) tokens.push({ is: 'text', text: raw.slice(1, -1) });
    else if (text !== undefined) tokens.push({ is: 'text', text: JSON.parse(text) });
    else if (rune !== undefined) tokens.push({ is: 'text', text: rune });
    else if (number !== undefined) tokens.push({ is: 'number', text: number });
    else if (name !== undefined) tokens.push({ is: 'name', text: name });
    else if (mark !== undefined) tokens.push({ is: 'mark', text: mark });
  }
  return tokens;
}

function endsStatement(token: Token | undefined): boolean {
  return token !== undefined && (token.is !== 'mark' || /^[)\]}]$/.test(token.text));
}

/** The functions of a file, by name; methods too. */
export function functionsOf(tokens: readonly Token[]): Body[] {
  return tokens.flatMap((token, index) => {
    if (token.text !== 'func' || token.is !== 'name') return [];
    const afterReceiver = tokens[index + 1]?.text === '(' ? closing(tokens, index + 1) + 1 : index + 1;
    const name = tokens[afterReceiver];
    if (name?.is !== 'name' || tokens[afterReceiver + 1]?.text !== '(') return [];
    const open = opening(tokens, closing(tokens, afterReceiver + 1));
    return [{ name: name.text, tokens: tokens.slice(open + 1, closing(tokens, open)) }];
  });
}

/** The function literals that calls of a name are given with a title: `It("scales", func() {…})`. */
export function titledBodies(tokens: readonly Token[], call: string): Body[] {
  return tokens.flatMap((token, index) => {
    const title = tokens[index + 2];
    if (token.text !== call || token.is !== 'name' || title?.is !== 'text') return [];
    const open = opening(tokens, index + 2);
    return [{ name: title.text, tokens: tokens.slice(open + 1, closing(tokens, open)) }];
  });
}

/** The aliases of imports, with the paths of their packages. */
export function importsOf(source: string): ReadonlyMap<string, string> {
  const lines = [...source.matchAll(/^(?:import )?\s*(\w+)?\s*"([\w./-]+)"$/gm)];
  return new Map(lines.map(([, alias, path]) => [alias ?? path!.slice(path!.lastIndexOf('/') + 1), path!]));
}

function opening(tokens: readonly Token[], from: number): number {
  return tokens.findIndex(({ text, is }, index) => index > from && is === 'mark' && text === '{');
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The place of the token that closes the one at a place. */
function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    const { is, text } = tokens[index]!;
    if (is !== 'mark') continue;
    if (text in PAIRS) depth += 1;
    else if (/^[)\]}]$/.test(text)) depth -= 1;
    if (depth === 0) return index;
  }
  throw new Error(`a "${tokens[open]?.text}" is never closed`);
}

/** The statements of a body, in their order; those of conditions and of other functions are left out. */
export function statementsOf(tokens: readonly Token[]): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < tokens.length; ) {
    const end = endOfStatement(tokens, start);
    const statement = readStatement(tokens.slice(start, end));
    if (statement !== undefined) statements.push(statement);
    start = end + 1;
  }
  return statements;
}

function endOfStatement(tokens: readonly Token[], start: number): number {
  for (let index = start; index < tokens.length; index += 1) {
    const { is, text } = tokens[index]!;
    if (is !== 'mark') continue;
    if (text === ';') return index;
    if (text in PAIRS) index = closing(tokens, index);
  }
  return tokens.length;
}

function readStatement(tokens: readonly Token[]): Statement | undefined {
  const [first] = tokens;
  if (first === undefined) return undefined;
  if (first.is === 'name' && first.text === 'for') return readLoop(tokens);
  if (first.is === 'name' && /^(if|switch|select|go|defer|var|const|type)$/.test(first.text)) return undefined;
  const reader = new Reader(first.is === 'name' && first.text === 'return' ? tokens.slice(1) : tokens);
  const value = reader.expression();
  const next = reader.next();
  if (next === undefined) return { is: 'expression', value };
  if (next !== '=' && next !== ':=') return undefined;
  return { is: 'assignment', to: value, value: reader.expression() };
}

function readLoop(tokens: readonly Token[]): Statement | undefined {
  const range = tokens.findIndex(({ text }) => text === 'range');
  const open = opening(tokens, range);
  if (range < 0 || tokens[range - 2]?.is !== 'name') return undefined;
  const over = new Reader(tokens.slice(range + 1, open)).expression();
  const body = statementsOf(tokens.slice(open + 1, closing(tokens, open)));
  return { is: 'loop', name: tokens[range - 2]!.text, over, body };
}

/** Reads one expression after the other. */
class Reader {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  /** The text of the next token, which is then read. */
  next(): string | undefined {
    const token = this.tokens[this.at];
    this.at += 1;
    return token?.text;
  }

  expression(): Expression {
    const parts = [this.operand()];
    while (this.isMark('+')) {
      this.at += 1;
      parts.push(this.operand());
    }
    return parts.length === 1 ? parts[0]! : { is: 'sum', parts };
  }

  private isMark(text: string, ahead = 0): boolean {
    const token = this.tokens[this.at + ahead];
    return token?.is === 'mark' && token.text === text;
  }

  private operand(): Expression {
    // A pointer stands for what it points to.
    while (this.isMark('&') || this.isMark('*')) this.at += 1;
    let value = this.primary();
    for (;;) {
      if (this.isMark('.') && this.tokens[this.at + 1]?.is === 'name') {
        value = { is: 'field', of: value, name: this.tokens[this.at + 1]!.text };
        this.at += 2;
      } else if (this.isMark('(')) {
        value = { is: 'call', of: value, args: this.list().map((entry) => entry.value) };
      } else if (this.isMark('[')) {
        value = { is: 'index', of: value, at: this.list()[0]?.value ?? { is: 'other' } };
      } else if (this.isMark('{') && (value.is === 'name' || value.is === 'field')) {
        value = { is: 'literal', type: value.name, entries: this.list() };
      } else return value;
    }
  }

  private primary(): Expression {
    const token = this.tokens[this.at];
    if (token === undefined) return { is: 'other' };
    if (token.is === 'mark') return this.marked(token.text);
    this.at += 1;
    if (token.is === 'text') return { is: 'text', value: token.text };
    if (token.is === 'number') return { is: 'number', value: Number(token.text) };
    if (token.text === 'func') return this.skipFunction();
    if (token.text === 'map') return this.typed('map');
    if (token.text === 'struct') return this.struct();
    return { is: 'name', name: token.text };
  }

  /** A list with its type, an element of one without, or an expression in parentheses. */
  private marked(text: string): Expression {
    if (text === '[') return this.typed('list');
    if (text === '{') return { is: 'literal', type: '', entries: this.list() };
    if (text === '(') return this.list()[0]?.value ?? { is: 'other' };
    this.at += 1;
    return { is: 'other' };
  }

  /** `[]T{…}`, `map[K]V{…}`: the type of the elements is not kept. */
  private typed(type: string): Expression {
    this.skip();
    const element = this.operand();
    if (element.is === 'literal') return { ...element, type };
    if (!this.isMark('{')) return { is: 'other' };
    const fields = element.is === 'struct' ? { fields: element.fields } : {};
    return { is: 'literal', type, entries: this.list(), ...fields };
  }

  private skipFunction(): Expression {
    const open = opening(this.tokens, this.at);
    this.at = closing(this.tokens, open) + 1;
    return { is: 'other' };
  }

  private struct(): Expression {
    const begin = this.at;
    this.skip();
    const within = this.tokens.slice(begin, this.at - 1);
    const fields = within.filter(({ is }, index) => is === 'name' && /^[{;]$/.test(within[index - 1]!.text));
    return { is: 'struct', fields: fields.map(({ text }) => text) };
  }

  private skip(): void {
    this.at = closing(this.tokens, this.at) + 1;
  }

  /** The entries between the parentheses or braces that open here. */
  private list(): Entry[] {
    const end = closing(this.tokens, this.at);
    const entries: Entry[] = [];
    this.at += 1;
    while (this.at < end) {
      const value = this.expression();
      if (this.isMark(':')) {
        this.at += 1;
        entries.push({ key: value, value: this.expression() });
      } else entries.push({ value });
      // What follows in an element is an operator that is not read.
      while (this.at < end && !this.isMark(',')) {
        if (this.tokens[this.at]!.text in PAIRS && this.tokens[this.at]!.is === 'mark') this.skip();
        else this.at += 1;
      }
      this.at += 1;
    }
    this.at = end + 1;
    return entries;
  }
}
