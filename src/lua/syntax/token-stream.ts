import { latin1Bytes, utf8Text } from '../text/bytes';
import type { Position } from './ast';
import { LuaSyntaxError } from './error';
import { Lexer } from './lexer';
import { EOF, type Token, type TokenType } from './token';

/** The tokens of a script with one token of look-ahead, and the helpers that all parts of the grammar use. */
export class TokenStream {
  /** Every token read so far. */
  readonly tokens: Token[] = [];
  /** The token that is next. */
  protected token: Token;
  /** The token before it. */
  protected previous: Token;
  private readonly lexer: Lexer;
  private depth = 0;

  constructor(
    private readonly source: Uint8Array,
    private readonly chunkName: string,
  ) {
    this.lexer = new Lexer(source, chunkName);
    this.token = this.lexer.next();
    this.previous = this.token;
    this.tokens.push(this.token);
  }

  protected expect(type: TokenType): void {
    if (!this.accept(type)) throw this.syntaxError();
  }

  protected accept(type: TokenType): boolean {
    if (this.token.type !== type) return false;
    this.advance();
    return true;
  }

  protected advance(): void {
    this.previous = this.token;
    this.token = this.lexer.next();
    this.tokens.push(this.token);
  }

  /** From a token to the last one read. */
  protected since(start: { line: number; column: number; offset: number }): Position {
    const { line, column, offset } = start;
    return { line, column, endLine: this.previous.line, offset, endOffset: this.previous.endOffset };
  }

  /** The bytes of the source from one place to another. */
  protected bytesOf({ offset, endOffset }: Position): Uint8Array {
    return this.source.subarray(offset, endOffset);
  }

  /** Call it before parsing anything that can contain itself, and `leave` afterwards. */
  protected enter(): void {
    if (this.depth === MAXIMUM_DEPTH) throw this.error(`nested more than ${MAXIMUM_DEPTH} levels deep`);
    this.depth++;
  }

  protected leave(): void {
    this.depth--;
  }

  protected syntaxError(): LuaSyntaxError {
    return this.error('syntax error');
  }

  /** An error at the scanner's position: the last character of the unexpected token. */
  protected error(message: string): LuaSyntaxError {
    const { endLine, endColumn } = this.token;
    const line = this.token.type === 'eof' ? EOF : endLine;
    return LuaSyntaxError.at(this.chunkName, line, endColumn, nearText(this.token), message);
  }
}

/** The controller's parser has no such limit. It keeps the parser and the compiler from overflowing JavaScript's stack. */
const MAXIMUM_DEPTH = 1000;

/** From the start of one thing to the end of another. */
export function spanning(
  first: { line: number; column: number; offset: number },
  last: { endLine: number; endOffset: number },
): Position {
  const { line, column, offset } = first;
  return { line, column, endLine: last.endLine, offset, endOffset: last.endOffset };
}

/** What an error message shows of a token: a dot shows as nothing. */
function nearText(token: Token): string {
  switch (token.type) {
    case 'name':
      return token.value;
    case 'number':
      return utf8Text(latin1Bytes(token.text));
    case 'string':
      return utf8Text(token.value);
    case '.':
    case 'eof':
      return '';
    default:
      return token.type;
  }
}
