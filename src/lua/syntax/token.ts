/** The reserved words of the controller's Lua. `goto` is an ordinary name there. */
export const KEYWORDS = [
  'and',
  'break',
  'do',
  'else',
  'elseif',
  'end',
  'false',
  'for',
  'function',
  'if',
  'in',
  'local',
  'nil',
  'not',
  'or',
  'repeat',
  'return',
  'then',
  'true',
  'until',
  'while',
] as const;

/** Operators and punctuation. */
export const SYMBOLS = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '^',
  '#',
  '==',
  '~=',
  '<=',
  '>=',
  '<',
  '>',
  '=',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  ';',
  ':',
  ',',
  '.',
  '..',
  '...',
] as const;

/** A reserved word. */
export type Keyword = (typeof KEYWORDS)[number];

/** An operator or a punctuation mark. */
export type LuaSymbol = (typeof SYMBOLS)[number];

/** The position of a token in the source. Lines and columns count from 1, columns in bytes. */
export interface TokenPosition {
  /** Line of the first character. */
  readonly line: number;
  /** Column of the first character, in bytes. */
  readonly column: number;
  /** Byte offset of the first character. */
  readonly offset: number;
  /** Byte offset behind the last character. */
  readonly endOffset: number;
  /**
   * Line of the last character that the controller's scanner read for this token: its errors name this place. `EOF` when
   * the scanner ran into the end of the source.
   */
  readonly endLine: number;
  /** Column of that character. */
  readonly endColumn: number;
}

/** A name, such as a variable or a field. */
export interface NameToken extends TokenPosition {
  readonly type: 'name';
  readonly value: string;
}

/** A numeric literal. */
export interface NumberToken extends TokenPosition {
  readonly type: 'number';
  /** NaN for a literal that is not a number, such as `1e`. */
  readonly value: number;
  /** The literal as the scanner kept it, one character per byte. */
  readonly text: string;
}

/** A string literal, quoted or in long brackets. */
export interface StringToken extends TokenPosition {
  readonly type: 'string';
  /** The value of the literal, with escapes resolved. */
  readonly value: Uint8Array;
}

/** A reserved word, an operator, a punctuation mark, or the end of the source. */
export interface PlainToken extends TokenPosition {
  readonly type: Keyword | LuaSymbol | 'eof';
}

/** One token of Lua. */
export type Token = NameToken | NumberToken | StringToken | PlainToken;

/** What kind of token it is; a reserved word, operator or punctuation mark is its own type. */
export type TokenType = Token['type'];

/** The line of a place behind the last character of the source. */
export const EOF = -1;
