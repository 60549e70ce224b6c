/** Splits PromQL into tokens: as much of the language as a reader of selectors needs. */

/** A token, with its place in the query. */
export interface Token {
  readonly type: 'name' | 'text' | 'number' | 'sign';
  /** As it is written; of a text, what it says. */
  readonly value: string;
  readonly at: number;
  readonly end: number;
}

/** Why a query cannot be read. */
export interface PromqlMistake {
  readonly text: string;
  readonly fix: string;
  /** A dialect accepts it. */
  readonly isOfDialect?: true;
}

const SPACE = /\s+|#[^\n]*/y;
const NAME = /[A-Za-z_:][\w:]*/y;
/** Numbers and durations: `0.5`, `1e3`, `5m`, `1h30m`. */
const NUMBER = /(?:\d[\w.]*|\.\d[\w]*)(?:(?<=[eE])[+-]\d+)?/y;
const SIGN = /=~|!~|!=|==|<=|>=|[-+*/%^=<>(){}[\],:@]/y;
const PLACEHOLDER = /\{\{.*?\}\}/y;

/** The tokens of a query, or why it has none. */
export function tokensOf(query: string): { readonly tokens: readonly Token[]; readonly mistake?: PromqlMistake } {
  const tokens: Token[] = [];
  let at = 0;
  const matched = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(query)?.[0];
  };
  const add = (type: Token['type'], value: string, end: number) => {
    tokens.push({ type, value, at, end });
    at = end;
  };
  while (at < query.length) {
    const space = matched(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const quote = query[at]!;
    if (quote === '"' || quote === "'" || quote === '`') {
      const end = endOfText(query, at, quote);
      if (end === undefined) return { tokens, mistake: unclosedText(query, at) };
      add('text', textOf(query.slice(at + 1, end - 1), quote), end);
      continue;
    }
    const [type, value] = wordAt(matched);
    if (value === undefined) return { tokens, mistake: unknownCharacter(quote) };
    add(type, value, at + value.length);
  }
  return { tokens };
}

function wordAt(matched: (pattern: RegExp) => string | undefined): [Token['type'], string | undefined] {
  // What the controller fills in may be anything: it counts as a name.
  const placeholder = matched(PLACEHOLDER);
  if (placeholder !== undefined) return ['name', placeholder];
  const name = matched(NAME);
  if (name !== undefined && name !== ':') return ['name', name];
  const number = matched(NUMBER);
  return number === undefined ? ['sign', matched(SIGN)] : ['number', number];
}

/** Behind the quote that closes a text. */
function endOfText(query: string, start: number, quote: string): number | undefined {
  for (let at = start + 1; at < query.length; at++) {
    if (query[at] === '\\' && quote !== '`') at++;
    else if (query[at] === quote) return at + 1;
    else if (query[at] === '\n' && quote !== '`') return undefined;
  }
  return undefined;
}

/** What a text says. Escapes that no label of a router has stay as they are. */
function textOf(written: string, quote: string): string {
  return quote === '`' ? written : written.replace(/\\(["'\\])/g, '$1');
}

function unclosedText(query: string, at: number): PromqlMistake {
  return { text: `the text ${query.slice(at, at + 20)} is not closed`, fix: 'close the quotation mark' };
}

function unknownCharacter(character: string): PromqlMistake {
  return {
    text: `${JSON.stringify(character)} is no character of PromQL`,
    fix: 'remove the character, or quote the text around it',
  };
}
