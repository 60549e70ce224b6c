/** Proofs that come with the package: a script that was proven when it was built is not run at synth, any other script is. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proofKey } from '../../../src/kruise/scripts/proven';
import { KruiseRolloutVersion } from '../../../src/kruise/version';

const ROOT = join(__dirname, '..', '..', '..');
const SCRIPT = 'lua_configuration/trafficrouting_ingress/aws-alb.lua';
const CASE = 'lua_configuration/trafficrouting_ingress/testdata/aws-alb/weight.yaml';
const PROOFS = 'lib/kruise/scripts/proofs.json';

describe.runIf(existsSync(join(ROOT, PROOFS)))('the proofs of the package', () => {
  const copy = mkdtempSync(join(tmpdir(), 'rollout-constructs-proven-'));
  beforeAll(() => {
    for (const name of ['lib', 'lua_configuration', 'package.json'])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** What a synth finds in the library's script, and whether it compiled any Lua for that. */
  const synth = (): { findings: string[]; ran: boolean } => {
    const program = `
      const lua = require('./lib/lua/load');
      let ran = false;
      const { loadLua } = lua;
      lua.loadLua = (source) => { ran = true; return loadLua(source); };
      const { App, Chart } = require('cdk8s');
      const { LuaRoutingConfigMap, LuaScripts } = require('./lib/constructs');
      const chart = new Chart(new App(), 'shop');
      const map = new LuaRoutingConfigMap(chart, 'Scripts', { scripts: [LuaScripts.fromLibrary('aws-alb')] });
      console.log(JSON.stringify({ findings: map.findings().map(({ rule }) => rule), ran }));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
      cwd: copy,
      encoding: 'utf8',
      // No place for a cache on the disk, so that only the package can have proofs.
      env: {
        ...process.env,
        NODE_PATH: join(ROOT, 'node_modules'),
        HOME: '',
        XDG_CACHE_HOME: join(copy, 'package.json'),
      },
    });
    if (stderr) throw new Error(stderr);
    return JSON.parse(stdout);
  };

  const changed = (name: string, change: (text: string) => string, then: () => void) => {
    const file = join(copy, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, change(text));
    try {
      then();
    } finally {
      writeFileSync(file, text);
    }
  };

  it('stand for a run', () => {
    expect(synth()).toEqual({ findings: [], ran: false });
  });

  it('are void when a byte of the script changes', () => {
    changed(
      SCRIPT,
      (text) => `${text}\n`,
      () => expect(synth()).toEqual({ findings: [], ran: true }),
    );
    changed(
      SCRIPT,
      (text) => `${text.trimEnd().replace(/return[^\n]*$/, 'return {}')}\n`,
      () => expect(synth()).toMatchObject({ findings: expect.arrayContaining(['lua-testdata-failed']), ran: true }),
    );
  });

  it('are void when a byte of the testdata changes', () => {
    changed(
      CASE,
      (text) => `${text}\n`,
      () => expect(synth()).toEqual({ findings: [], ran: true }),
    );
  });

  it('are not needed', () => {
    changed(
      PROOFS,
      () => 'no JSON',
      () => expect(synth()).toEqual({ findings: [], ran: true }),
    );
  });
});

describe('the key of a proof', () => {
  it('depends on the release', () => {
    const script = { target: { provider: 'ingress', classType: 'x' }, source: 'return {}' } as const;
    const keys = KruiseRolloutVersion.ALL.map((version) => proofKey(script, [], version));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
