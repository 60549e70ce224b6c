import { compileChunk } from './compiler';
import { type ParsedScript, parseLua } from './syntax';
import type { Prototype } from './vm/prototype';

/** A script that the controller's Lua loads: parsed and compiled. */
export interface LoadedScript extends ParsedScript {
  readonly prototype: Prototype;
}

/**
 * Parses and compiles a script as the controller's Lua does.
 * @throws LuaSyntaxError with the controller's own message
 */
export function loadLua(source: Uint8Array | string, chunkName = '<string>'): LoadedScript {
  const parsed = parseLua(source, { chunkName });
  return { ...parsed, prototype: compileChunk(parsed.chunk, chunkName) };
}
