import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runLua } from '../../../src/lua';
import { loadLua } from '../../../src/lua/load';
import { LuaSyntaxError } from '../../../src/lua/syntax';
import type { Prototype } from '../../../src/lua/vm/prototype';

/**
 * A generated script, and what gopher-lua 658193537a64 makes of it: the registers of each function, and the values that
 * the script returns or its error. `prelude.lua` comes before each script.
 */
interface Recorded {
  readonly script: string;
  /** None for a script that does not load. */
  readonly registers?: readonly number[];
  readonly results?: readonly string[];
  readonly error?: string;
}

const PRELUDE = readFileSync(join(__dirname, 'prelude.lua'), 'utf8').trim();
const RECORDED = readFileSync(join(__dirname, 'recorded.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

describe('a script compiles as gopher-lua compiles it', () => {
  test.each(RECORDED)('$script', ({ script, registers, results, error }) => {
    const source = `${PRELUDE} ${script}`;
    expect(registersOf(source)).toEqual(registers);
    const result = runLua(source, {}, { timeLimit: 10_000 });
    expect(result.ok ? JSON.parse(result.json) : result.error).toEqual(results ?? error);
  });
});

function registersOf(source: string): number[] | undefined {
  try {
    return registersIn(loadLua(source).prototype);
  } catch (error) {
    expect(error).toBeInstanceOf(LuaSyntaxError);
    return undefined;
  }
}

function registersIn({ registers, prototypes }: Prototype): number[] {
  return [registers, ...prototypes.flatMap(registersIn)];
}
