import { utf8Bytes } from '../text/bytes';
import type { Chunk } from './ast';
import { Parser } from './parser';
import type { Token } from './token';

export type * from './ast';
export { type ErrorPosition, LuaSyntaxError } from './error';
export { executableLines, executedLines } from './lines';
export {
  KEYWORDS,
  type Keyword,
  type LuaSymbol,
  SYMBOLS,
  type Token,
  type TokenPosition,
  type TokenType,
} from './token';
export { children, type Visitor, walk } from './walk';

/** How a script is parsed. */
export interface ParseOptions {
  /**
   * The name that error messages start with.
   * @default '<string>'
   */
  readonly chunkName?: string;
}

/** A script that parses. */
export interface ParsedScript {
  readonly chunk: Chunk;
  /** Every token in the order of the source, the last of type `eof`. */
  readonly tokens: readonly Token[];
}

/**
 * Parses a script as the controller's Lua does. A script that parses may still not compile; see `loadLua`.
 * @throws LuaSyntaxError with the controller's own message if the script does not parse
 *
 * @example
 * const { chunk } = parseLua('return obj.annotations');
 */
export function parseLua(source: Uint8Array | string, options: ParseOptions = {}): ParsedScript {
  const bytes = typeof source === 'string' ? utf8Bytes(source) : source;
  const chunkName = options.chunkName ?? '<string>';
  const parser = new Parser(bytes, chunkName);
  const chunk = parser.parseChunk();
  return { chunk, tokens: parser.tokens };
}
