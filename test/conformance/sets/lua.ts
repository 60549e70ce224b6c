import { isDeepStrictEqual } from 'node:util';
import { type LuaData, type LuaResult, runLua } from '../../../src/lua';
import type { Outcome, VectorSet } from '../set';

interface LuaVector {
  readonly input: { readonly script: string; readonly obj: LuaData };
  readonly expect:
    | { readonly ok: true; readonly type: string; readonly json: string; readonly stdout?: string }
    | { readonly ok: false; readonly stage: 'run' | 'encode'; readonly type?: string; readonly error: string };
}

/** Scripts under the controller's Lua: the value to the byte, and the text of errors. */
const lua: VectorSet = {
  check({ input, expect }: LuaVector): Outcome {
    const result = runLua(input.script, input.obj);
    const same = isSame(result, expect);
    const exact = same && isExact(result, expect);
    return { same, exact, ...(exact ? {} : { difference: `expected ${show(expect)}, got ${show(result)}` }) };
  },
};

export default lua;

/** Both fail, or both give the same value of the same type. */
function isSame(result: LuaResult, expect: LuaVector['expect']): boolean {
  if (!result.ok || !expect.ok) return result.ok === expect.ok;
  return result.type === expect.type && isDeepStrictEqual(JSON.parse(result.json), JSON.parse(expect.json));
}

function isExact(result: LuaResult, expect: LuaVector['expect']): boolean {
  if (result.ok && expect.ok) return result.json === expect.json && result.stdout === (expect.stdout ?? '');
  return (
    !result.ok &&
    !expect.ok &&
    result.error === expect.error &&
    (result.stage === 'encode') === (expect.stage === 'encode')
  );
}

function show(outcome: LuaResult | LuaVector['expect']): string {
  if (outcome.ok) return `${outcome.type} ${outcome.json}`;
  return `an error (${outcome.stage}): ${JSON.stringify(outcome.error)}`;
}
