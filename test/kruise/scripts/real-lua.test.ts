import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { playSteps } from '../../../src/kruise/scripts/case-runner';
import { luaLiteral } from '../../../src/kruise/scripts/debug-file';
import { builtinScripts, type LibraryScript, packagedScripts } from '../../../src/kruise/scripts/library';
import { readTestdata } from '../../../src/kruise/scripts/testdata';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { compileLua, type LuaData, type LuaResult } from '../../../src/lua';

/**
 * The scripts of the library use no feature in which the controller's Lua differs from the reference implementation. So a
 * real Lua 5.1, where the machine has one with cjson, must give the same results as our engine for every input.
 */
const available = spawnSync('lua5.1', ['-e', 'require("cjson")']).status === 0;
if (!available)
  console.log('real-lua: skipped, because there is no lua5.1 with the module cjson (Debian: lua5.1, lua-cjson)');

const PRELUDE = `
local cjson = require("cjson")
json = { encode = cjson.encode, decode = cjson.decode }
local function run(script, obj)
  local environment = setmetatable({ obj = obj }, { __index = _G })
  local chunk = assert(loadstring(script, "=<string>"))
  setfenv(chunk, environment)
  local ok, result = pcall(chunk)
  print(cjson.encode({ ok = ok, result = ok and (result == nil and cjson.null or result) or tostring(result) }))
end
`;

function inputsOf(script: LibraryScript): LuaData[] {
  const compiled = compileLua(script.source);
  return script.testdata.flatMap((file) => {
    const { testdata } = readTestdata(readFileSync(file, 'utf8'), file, script.target);
    if (!testdata) throw new Error(`${file} cannot be read`);
    const options = {
      target: script.target,
      script: compiled,
      scriptFile: script.file,
      version: KruiseRolloutVersion.LATEST,
    };
    const played = playSteps(testdata, options);
    if ('fault' in played) throw new Error(`${file}: ${played.fault}`);
    return played.steps.flatMap(({ obj }) => (obj ? [obj as unknown as LuaData] : []));
  });
}

function runReally(script: LibraryScript, inputs: readonly LuaData[]): { ok: boolean; result: unknown }[] {
  const folder = mkdtempSync(join(tmpdir(), 'real-lua-'));
  try {
    const calls = inputs.map((obj) => `run(script, ${luaLiteral(obj)})`);
    const program = `${PRELUDE}\nlocal script = ${luaLiteral(script.source)}\n${calls.join('\n')}\n`;
    writeFileSync(join(folder, 'program.lua'), program);
    const { status, stdout, stderr } = spawnSync('lua5.1', [join(folder, 'program.lua')], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lua has one empty table, and the two encoders write it differently; keys within encoded annotations have no order. */
function normal(value: unknown): unknown {
  if (typeof value === 'string' && /^[[{]/.test(value)) {
    try {
      return normal(JSON.parse(value));
    } catch {
      return value;
    }
  }
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0)
    return value === '' ? null : emptyAsNull(value);
  if (Array.isArray(value)) return value.map(normal);
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, normal(item)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function emptyAsNull(value: unknown): unknown {
  return value !== null && typeof value === 'object' ? null : value;
}

function outcome(result: LuaResult): { ok: boolean; result: unknown } {
  return result.ok ? { ok: true, result: JSON.parse(result.json) } : { ok: false, result: result.error };
}

describe.runIf(available)('a real Lua 5.1 agrees with the engine', () => {
  const scripts = [...packagedScripts().scripts, ...builtinScripts().scripts];

  test.each(scripts.map((script) => [script.file.split('lua_configuration/')[1], script] as const))(
    '%s',
    (_, script) => {
      const inputs = inputsOf(script);
      expect(inputs.length).toBeGreaterThan(0);
      const compiled = compileLua(script.source);
      const real = runReally(script, inputs);
      inputs.forEach((input, index) => {
        const ours = outcome(compiled.run(input));
        expect(ours.ok, JSON.stringify({ input, ours, real: real[index] })).toBe(real[index].ok);
        // The messages of error() are those of the script; the messages of the two implementations differ.
        if (ours.ok) expect(normal(ours.result)).toStrictEqual(normal(real[index].result));
      });
    },
  );
});
