import type { Chunk } from '../syntax/ast';
import type { Prototype } from '../vm/prototype';
import { FunctionCompiler } from './function-compiler';

/**
 * Compiles a parsed script to instructions of the VM, as gopher-lua's compiler does: the same registers, limits and lines.
 * @throws LuaSyntaxError with the controller's message if the script parses but does not compile
 */
export function compileChunk(chunk: Chunk, chunkName: string): Prototype {
  return new FunctionCompiler(
    { parameters: [], vararg: true, body: chunk.body, line: 0, endLine: 0, isMethod: false },
    chunkName,
    undefined,
  ).compile();
}
