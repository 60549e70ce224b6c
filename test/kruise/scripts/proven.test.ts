/** Proofs that come with the package: a script that was proven when it was built is not run at synth, any other script is. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tableText } from '../../../src/bundle/table';
import { proofKey } from '../../../src/kruise/scripts/proven';
import { KruiseRolloutVersion } from '../../../src/kruise/version';

const ROOT = join(__dirname, '..', '..', '..');
const SCRIPT = 'lua_configuration/trafficrouting_ingress/aws-alb.lua';
const CASE = 'lua_configuration/trafficrouting_ingress/testdata/aws-alb/weight.yaml';
const PROOFS = 'lib/bundle/kruise-scripts-proofs.table';

describe.runIf(existsSync(join(ROOT, PROOFS)))('the proofs of the package', () => {
  const copy = mkdtempSync(join(tmpdir(), 'rollout-constructs-proven-'));
  beforeAll(() => {
    for (const name of ['lib', 'lua_configuration', 'package.json'])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** What a synth with the package finds in the library's script, and whether it ran it for that: what it finds then is cached. */
  const synth = (): { findings: string[]; ran: boolean } => {
    const program = `
      const { App, Chart } = require('cdk8s');
      const { LuaRoutingConfigMap, LuaScripts } = require('./lib/bundle/constructs.js');
      const chart = new Chart(new App(), 'shop');
      const map = new LuaRoutingConfigMap(chart, 'Scripts', { scripts: [LuaScripts.fromLibrary('aws-alb')] });
      console.log(JSON.stringify(map.findings().map(({ rule }) => rule)));`;
    const cache = mkdtempSync(join(copy, 'cache-'));
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules'), XDG_CACHE_HOME: cache },
    });
    if (stderr) throw new Error(stderr);
    return { findings: JSON.parse(stdout), ran: readdirSync(cache).length > 0 };
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
      () => tableText({ keys: [] }),
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
