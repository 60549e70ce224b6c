import { EOF } from './token';

/** The position of an error. Line and column count from 1, columns in bytes. */
export interface ErrorPosition {
  readonly line?: number;
  readonly column?: number;
}

/** A script that the controller's Lua does not load; the message is the controller's own, line break included. */
export class LuaSyntaxError extends Error {
  override readonly name = 'LuaSyntaxError';
  /** The line that the message names; none at the end of the source. */
  readonly line?: number;
  /** The column that the message names, in bytes; only the scanner's and the parser's messages have one. */
  readonly column?: number;

  constructor(message: string, position: ErrorPosition = {}) {
    super(message);
    this.line = position.line;
    this.column = position.column;
  }

  /** The error of the scanner or the parser at a place of the source. */
  static at(chunkName: string, line: number, column: number, near: string, message: string): LuaSyntaxError {
    if (line === EOF) return new LuaSyntaxError(`${chunkName} at EOF:   ${message}\n`);
    const place = `${chunkName} line:${line}(column:${column}) near '${near}'`;
    return new LuaSyntaxError(`${place}:   ${message}\n`, { line, column });
  }

  /** An error of the compiler, which runs after the whole script was parsed. */
  static ofCompiler(chunkName: string, line: number, message: string): LuaSyntaxError {
    const place = line > 0 ? { line } : {};
    return new LuaSyntaxError(`compile error near line(${line}) ${chunkName}: ${message}`, place);
  }
}
