import type { Json } from '../../../src/core/json';
import { diff } from '../../../src/kruise/scripts/diff';
import { builtinScripts } from '../../../src/kruise/scripts/library';
import { compileLua, type LuaData, type LuaScript } from '../../../src/lua';
import type { Outcome, VectorSet } from '../set';

interface BuiltinVector {
  /** `script`: `ingress.<class>` or `<Kind>.<group>` */
  readonly input: { readonly script: string; readonly obj: LuaData };
  readonly expect: { readonly ok: true; readonly type: string; readonly json: string } | { readonly ok: false };
}

const compiled = new Map<string, LuaScript>();

/** Our models of the built-in scripts. Where the built-in fails only that is compared: its text tells its own lines. */
const builtinScriptVectors: VectorSet = {
  check({ input, expect }: BuiltinVector): Outcome {
    const script = scriptOf(input.script);
    if (!script) return { same: false, difference: `there is no built-in script "${input.script}"` };
    const result = script.run(input.obj);
    if (!result.ok || !expect.ok) {
      if (result.ok === expect.ok) return { same: true };
      return { same: false, difference: result.ok ? `expected a failure, got ${result.json}` : result.error };
    }
    if (result.type !== expect.type)
      return { same: false, difference: `expected a ${expect.type}, got ${result.type}` };
    const differences = diff(JSON.parse(expect.json) as Json, JSON.parse(result.json) as Json);
    return { same: differences.length === 0, difference: JSON.stringify(differences) };
  },
};

function scriptOf(name: string): LuaScript | undefined {
  const known = compiled.get(name);
  if (known) return known;
  const source = builtinScripts().scripts.find((script) => script.name === name)?.source;
  if (source === undefined) return undefined;
  const script = compileLua(source);
  compiled.set(name, script);
  return script;
}

export default builtinScriptVectors;
