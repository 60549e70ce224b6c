import { latin1Text, utf8Text } from '../text/bytes';
import { parseNumber } from '../text/number';
import { ByteBuffer } from './byte-buffer';
import { LuaSyntaxError } from './error';
import { EOF, KEYWORDS, type Keyword, type LuaSymbol, SYMBOLS, type Token, type TokenPosition } from './token';

/**
 * Reads tokens as the controller's scanner does, one at a time: an error in a token is raised only when the parser gets
 * there, so that earlier errors are reported first.
 */
export class Lexer {
  private offset = 0;
  private line = 1;
  private column = 0;
  /** The source with one character per byte, to cut names out of. */
  private readonly text: string;

  constructor(
    private readonly source: Uint8Array,
    private readonly chunkName: string,
  ) {
    this.text = latin1Text(source);
  }

  /** The next token; the type `eof` at the end, again and again. */
  next(): Token {
    for (;;) {
      let character: number;
      do {
        this.pass(BLANKS);
        character = this.read();
      } while (character === NEWLINE);
      const start = { line: this.line, column: this.column, offset: this.offset - (character === EOF ? 0 : 1) };
      if (character !== MINUS || this.peek() !== MINUS) return this.scan(character, start);
      this.read();
      this.skipComment();
    }
  }

  private scan(character: number, start: Start): Token {
    if (isNameStart(character)) return this.scanName(start);
    if (isDecimal(character)) return this.scanNumber(character, start);
    switch (character) {
      case EOF:
        return { type: 'eof', ...this.span(start) };
      case DOUBLE_QUOTE:
      case SINGLE_QUOTE:
        return { type: 'string', value: this.scanQuoted(character), ...this.span(start) };
      case OPEN_BRACKET:
        return this.scanOpenBracket(start);
      case DOT:
        return isDecimal(this.peek()) ? this.scanNumber(character, start) : this.scanDots(start);
      default:
        return this.scanSymbol(character, start);
    }
  }

  private scanSymbol(character: number, start: Start): Token {
    const followed = this.peek() === EQUALS ? SYMBOLS_WITH_EQUALS[character] : undefined;
    if (followed) this.read();
    const type = followed ?? SINGLE_SYMBOLS[character];
    if (type) return { type, ...this.span(start) };
    if (character === TILDE) throw this.error('~', "Invalid '~' token");
    throw this.error(utf8Text(Uint8Array.of(character)), 'Invalid token');
  }

  private scanName(start: Start): Token {
    this.pass(NAME_PARTS);
    const value = this.text.slice(start.offset, this.offset);
    if (isKeyword(value)) return { type: value, ...this.span(start) };
    return { type: 'name', value, ...this.span(start) };
  }

  private scanDots(start: Start): Token {
    let type: LuaSymbol = '.';
    while (type !== '...' && this.peek() === DOT) {
      this.read();
      type = type === '.' ? '..' : '...';
    }
    return { type, ...this.span(start) };
  }

  private scanOpenBracket(start: Start): Token {
    const after = this.peek();
    if (after !== OPEN_BRACKET && after !== EQUALS) return { type: '[', ...this.span(start) };
    return { type: 'string', value: this.scanLongString(), ...this.span(start) };
  }

  private scanNumber(first: number, start: Start): Token {
    const buffer = new ByteBuffer();
    let character = first;
    if (character === ZERO && (this.peek() | LOWER_CASE) === LETTER_X) {
      this.scanHexadecimal(buffer);
    } else {
      // One leading zero is dropped: 010 is ten, but 0010 is octal ten.
      if (character === ZERO && isDecimal(this.peek())) character = this.read();
      this.scanDecimals(character, buffer);
      if (this.peek() === DOT) this.scanDecimals(this.read(), buffer);
      if ((this.peek() | LOWER_CASE) === LETTER_E) this.scanExponent(buffer);
    }
    const text = latin1Text(buffer.bytes());
    return { type: 'number', value: parseNumber(text) ?? Number.NaN, text, ...this.span(start) };
  }

  private scanHexadecimal(buffer: ByteBuffer): void {
    buffer.push(ZERO);
    buffer.push(this.read());
    if (!isHexadecimal(this.peek())) throw this.error(latin1Text(buffer.bytes()), 'illegal hexadecimal number');
    while (isHexadecimal(this.peek())) buffer.push(this.read());
  }

  /** The character behind the exponent mark and its sign belongs to the number whatever it is: `1e)` is one token. */
  private scanExponent(buffer: ByteBuffer): void {
    buffer.push(this.read());
    if (this.peek() === PLUS || this.peek() === MINUS) buffer.push(this.read());
    this.scanDecimals(this.read(), buffer);
  }

  private scanDecimals(first: number, buffer: ByteBuffer): void {
    buffer.push(first);
    while (isDecimal(this.peek())) buffer.push(this.read());
  }

  private scanQuoted(quote: number): Uint8Array {
    const length = this.plainLength(quote);
    if (length >= 0) return this.takePlain(length);
    const buffer = new ByteBuffer();
    for (let character = this.read(); character !== quote; character = this.read()) {
      if (character === NEWLINE || character === EOF) {
        throw this.error(utf8Text(buffer.bytes()), 'unterminated string');
      }
      buffer.push(character === BACKSLASH ? this.scanEscape() : character);
    }
    return buffer.bytes();
  }

  /** The length of a quoted string without escapes and line breaks; -1 for any other string. */
  private plainLength(quote: number): number {
    const plain = quote === DOUBLE_QUOTE ? PLAIN_UP_TO_DOUBLE_QUOTE : PLAIN_UP_TO_SINGLE_QUOTE;
    plain.lastIndex = this.offset;
    plain.test(this.text);
    return this.source[plain.lastIndex] === quote ? plain.lastIndex - this.offset : -1;
  }

  private takePlain(length: number): Uint8Array {
    const value = this.source.slice(this.offset, this.offset + length);
    this.offset += length + 1;
    this.column += length + 1;
    return value;
  }

  /** `\n` and its like, up to three decimal digits (the byte is their value modulo 256), or the character itself. */
  private scanEscape(): number {
    const character = this.read();
    if (!isDecimal(character)) return ESCAPES.get(character) ?? character;
    let value = character - ZERO;
    for (let count = 1; count < 3 && isDecimal(this.peek()); count++) value = value * 10 + this.read() - ZERO;
    return value;
  }

  /** Reads from the character behind the first `[` to the end of the closing bracket. */
  private scanLongString(content = new ByteBuffer()): Uint8Array {
    const opening = this.countEquals(this.read());
    if (opening.after !== OPEN_BRACKET) {
      throw this.error(String.fromCharCode(opening.after & 0xffff), 'invalid multiline string');
    }
    let character = this.read();
    if (character === NEWLINE) character = this.read();
    for (;;) {
      if (character === EOF) throw this.error(utf8Text(content.bytes()), 'unterminated multiline string');
      if (character === CLOSE_BRACKET) {
        const closing = this.countEquals(this.read());
        if (closing.count === opening.count && closing.after === CLOSE_BRACKET) return content.bytes();
        content.push(CLOSE_BRACKET);
        for (let count = 0; count < closing.count; count++) content.push(EQUALS);
        character = closing.after;
      } else {
        content.push(character);
        character = this.read();
      }
    }
  }

  private countEquals(first: number): { count: number; after: number } {
    let count = 0;
    let after = first;
    for (; after === EQUALS; count++) after = this.read();
    return { count, after };
  }

  /** A comment that starts with `[=` counts as a long comment even if the second bracket is missing. */
  private skipComment(): void {
    const bracket = this.peek() === OPEN_BRACKET;
    if (bracket) this.read();
    if (bracket && (this.peek() === OPEN_BRACKET || this.peek() === EQUALS)) this.skipLongComment();
    else this.skipLine();
  }

  private skipLine(): void {
    this.pass(REST_OF_LINE);
    this.read();
  }

  private skipLongComment(): void {
    const content = new ByteBuffer();
    try {
      this.scanLongString(content);
    } catch (error) {
      if (!(error instanceof LuaSyntaxError)) throw error;
      throw this.error(utf8Text(content.bytes()), 'invalid multiline comment');
    }
  }

  /**
   * Passes over what a sticky pattern matches, which holds no line break. Most scripts are read once, by code that is not
   * compiled yet: there a pattern is several times as fast as a loop over characters.
   */
  private pass(pattern: RegExp): void {
    pattern.lastIndex = this.offset;
    pattern.test(this.text);
    this.column += pattern.lastIndex - this.offset;
    this.offset = pattern.lastIndex;
  }

  /** Reads one character; any line break, of one character or two, is one newline. */
  private read(): number {
    if (this.offset >= this.source.length) {
      this.line = EOF;
      this.column = 0;
      return EOF;
    }
    const character = this.source[this.offset++]!;
    if (character !== NEWLINE && character !== CARRIAGE_RETURN) {
      this.column++;
      return character;
    }
    const pair = character === NEWLINE ? CARRIAGE_RETURN : NEWLINE;
    if (this.peek() === pair) this.offset++;
    this.line++;
    this.column = 0;
    return NEWLINE;
  }

  private peek(): number {
    return this.offset < this.source.length ? this.source[this.offset]! : EOF;
  }

  private span(start: Start): TokenPosition {
    return {
      line: start.line,
      column: start.column,
      offset: start.offset,
      endOffset: this.offset,
      endLine: this.line,
      endColumn: this.column,
    };
  }

  private error(near: string, message: string): LuaSyntaxError {
    return LuaSyntaxError.at(this.chunkName, this.line, this.column, near, message);
  }
}

interface Start {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const EQUALS = 0x3d;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LETTER_E = 0x65;
const LETTER_X = 0x78;
const TILDE = 0x7e;
const LOWER_CASE = 0x20;

const ESCAPES = new Map(
  Object.entries({ a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 }).map(([letter, byte]) => [
    letter.charCodeAt(0),
    byte,
  ]),
);

const BLANKS = /[ \t]*/y;
const NAME_PARTS = /[A-Za-z0-9_]*/y;
const REST_OF_LINE = /[^\r\n]*/y;
const PLAIN_UP_TO_DOUBLE_QUOTE = /[^"\\\r\n]*/y;
const PLAIN_UP_TO_SINGLE_QUOTE = /[^'\\\r\n]*/y;

const keywords = new Set<string>(KEYWORDS);
const SINGLE_SYMBOLS = symbolsByFirst((symbol) => symbol.length === 1);
const SYMBOLS_WITH_EQUALS = symbolsByFirst((symbol) => symbol.length === 2 && symbol.endsWith('='));

/** Symbols at the index of their first character. */
function symbolsByFirst(isWanted: (symbol: LuaSymbol) => boolean): readonly (LuaSymbol | undefined)[] {
  const table = new Array<LuaSymbol | undefined>(256).fill(undefined);
  for (const symbol of SYMBOLS.filter(isWanted)) table[symbol.charCodeAt(0)] = symbol;
  return table;
}

function isKeyword(text: string): text is Keyword {
  return keywords.has(text);
}

function isDecimal(character: number): boolean {
  return character >= ZERO && character <= 0x39;
}

function isHexadecimal(character: number): boolean {
  const lower = character | LOWER_CASE;
  return isDecimal(character) || (lower >= 0x61 && lower <= 0x66);
}

function isNameStart(character: number): boolean {
  const lower = character | LOWER_CASE;
  return character === 0x5f || (lower >= 0x61 && lower <= 0x7a);
}
