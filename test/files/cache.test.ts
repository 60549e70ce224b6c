import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FindingStore } from '../../src/core/finding-store';
import { DiskCache } from '../../src/files/cache/disk-cache';
import { scriptStore } from '../../src/files/cache/script-store';
import { checkScriptWith } from '../../src/kruise/scripts/checks/kept';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { built } from '../cli/built';
import { cli, folderWith } from '../cli/fixture';

const script = (source: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: kruise-rollout-configuration, namespace: kruise-rollout}
data:
  lua.traffic.routing.ingress.mine: |
${source.replace(/^/gm, '    ')}
`;

const FAULTY = 'obj.annotations["a"] = obj.matches[1].headers[1].value\nreturn obj.annotations';
const isBuilt = existsSync(join(__dirname, '..', '..', 'lib', 'files', 'cache', 'disk-cache.js'));
const FOLDER = 'home/.cache/rollout-constructs';
const envOf = (cwd: string) => ({ HOME: join(cwd, 'home') });
const check = (cwd: string, ...args: string[]) =>
  cli(['check', 'a.yaml', '--format', 'json', ...args], { cwd, env: envOf(cwd) });
const project = (source = FAULTY) => folderWith({ 'a.yaml': script(source), 'home/x': '' });

describe('the cache of what is found in scripts', () => {
  it('answers the same as no cache', async () => {
    const cwd = project();
    const plain = await check(cwd, '--no-cache');
    expect(() => readdirSync(join(cwd, FOLDER))).toThrow();
    const first = await check(cwd);
    expect(readdirSync(join(cwd, FOLDER))).toHaveLength(1);
    const second = await check(cwd);
    expect(JSON.parse(plain.stdout).findings.length).toBeGreaterThan(0);
    expect([first, second]).toEqual([plain, plain]);
  });

  it('is asked', async () => {
    const cwd = project();
    await check(cwd);
    const store = scriptStore({ env: envOf(cwd) }, false)!;
    const asked = [undefined, { rule: 'x' }].map((answer) => {
      const recording = { get: () => (answer ? [answer] : undefined), set() {} } as unknown as FindingStore;
      return checkScriptWith(recording, { source: FAULTY, target: { provider: 'ingress', classType: 'mine' } });
    });
    expect(asked[0]!.length).toBeGreaterThan(1);
    expect(asked[1]).toEqual([{ rule: 'x' }]);
    store.set('key', asked[0]!);
    expect(store.get('key')).toEqual(asked[0]);
    expect(store.get('another key')).toBeUndefined();
  });

  it('knows a script by everything that its findings depend on', () => {
    const keys = new Set<string>();
    const recording: FindingStore = { get: (key) => [...keys.add(key)].slice(keys.size) as never[], set() {} };
    const target = { provider: 'ingress', classType: 'mine' } as const;
    const base = { source: FAULTY, target, file: 'a.lua', version: KruiseRolloutVersion.LATEST };
    for (const one of [
      base,
      { ...base, source: `${FAULTY}\n` },
      { ...base, file: 'b.lua' },
      { ...base, target: { ...target, classType: 'other' } },
      { ...base, version: KruiseRolloutVersion.V0_5_0 },
      { ...base, testdata: [] },
    ]) {
      checkScriptWith(recording, one);
    }
    expect(keys.size).toBe(6);
  });

  it('keeps nothing that another day may see otherwise', () => {
    const kept: string[] = [];
    const recording: FindingStore = { get: () => undefined, set: (key) => kept.push(key) };
    const target = { provider: 'ingress', classType: 'mine' } as const;
    checkScriptWith(recording, { source: 'while true do end', target });
    checkScriptWith(recording, { source: '-- rollout-constructs.io/ignore lua-time-limit: x\nreturn {}', target });
    expect(kept).toEqual([]);
    checkScriptWith(recording, { source: 'return {}', target });
    expect(kept).toHaveLength(1);
  });

  it('forgets what is damaged', async () => {
    const cwd = project();
    const { stdout } = await check(cwd);
    const file = join(cwd, FOLDER, readdirSync(join(cwd, FOLDER))[0]!);
    const whole = readFileSync(file, 'utf8');
    for (const damaged of ['', whole.slice(0, -1), whole.replace('error', 'eRRor'), `\n${whole}`, '[]', '{"a"']) {
      writeFileSync(file, damaged);
      expect((await check(cwd)).stdout).toBe(stdout);
      expect(readFileSync(file, 'utf8')).toBe(whole);
    }
  });

  it('goes without a place that can be written', async () => {
    const cwd = project();
    writeFileSync(join(cwd, 'home/.cache'), 'a file');
    expect((await check(cwd)).stdout).toBe((await check(cwd, '--no-cache')).stdout);
  });

  it('is where the system keeps such things', () => {
    const cwd = folderWith({ 'a.yaml': '' });
    scriptStore({ env: { XDG_CACHE_HOME: join(cwd, 'xdg'), HOME: join(cwd, 'home') } }, false)!.set('a', []);
    scriptStore({ env: { HOME: join(cwd, 'home') } }, false)!.set('a', []);
    expect(readdirSync(join(cwd, 'xdg', 'rollout-constructs'))).toHaveLength(1);
    expect(readdirSync(join(cwd, 'home', '.cache', 'rollout-constructs'))).toHaveLength(1);
    expect(scriptStore({ env: {} }, false)).toBeUndefined();
  });

  it('is used by test', async () => {
    const cwd = folderWith({
      'lua_configuration/trafficrouting_ingress/mine.lua': FAULTY,
      'lua_configuration/trafficrouting_ingress/testdata/mine/a.yaml': 'rollout: {}\n',
    });
    const test = (...args: string[]) => cli(['test', '--reporter', 'json', ...args], { cwd, env: envOf(cwd) });
    const plain = await test('--no-cache');
    expect([await test(), await test()]).toEqual([plain, plain]);
    expect(readdirSync(join(cwd, FOLDER))).toHaveLength(1);
  });

  it.runIf(isBuilt)('is safe when several processes write it at once', async () => {
    const cwd = project();
    const run = () => built(['check', 'a.yaml', '--format', 'json'], cwd, envOf(cwd));
    const [first, ...others] = await Promise.all([run(), run(), run()]);
    expect(others).toEqual([first, first]);
    expect(readdirSync(join(cwd, FOLDER))).toHaveLength(1);
    expect(await run()).toEqual(first);
    expect(JSON.parse(first.stdout).findings.length).toBeGreaterThan(0);
  });
});

describe('a cache on the disk', () => {
  it('keeps within its limits, and the newest', () => {
    const folder = folderWith({});
    const limits = { size: 1_000_000, entries: 10 };
    for (let index = 0; index < 11; index++) new DiskCache(folder, limits).set(`key ${index}`, 'text');
    expect(readdirSync(folder)).toHaveLength(11);
    new DiskCache(folder, limits).set('one more', 'text');
    expect(readdirSync(folder)).toHaveLength(6);
    expect(new DiskCache(folder).get('one more')).toBe('text');
  });

  it('deletes nothing that it did not write, and follows no link', () => {
    const folder = folderWith(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`theirs-${index}`, 'x'])));
    const limits = { size: 1, entries: 1 };
    for (let index = 0; index < 5; index++) new DiskCache(folder, limits).set(`key ${index}`, 'text');
    expect(readdirSync(folder).filter((name) => name.startsWith('theirs'))).toHaveLength(20);

    const linked = join(folderWith({}), 'cache');
    symlinkSync(folder, linked);
    const before = readdirSync(folder);
    const cache = new DiskCache(linked, limits);
    cache.set('a key', 'text');
    expect(cache.get('a key')).toBeUndefined();
    expect(cache.get('key 4')).toBeUndefined();
    expect(new DiskCache(folder, limits).get('key 4')).toBe('text');
    expect(readdirSync(folder)).toEqual(before);
  });

  it('gives no entry of another key', () => {
    const folder = folderWith({});
    const cache = new DiskCache(folder);
    cache.set('faulty', 'an error');
    const [faulty] = readdirSync(folder);
    cache.set('sound', 'nothing');
    const [sound] = readdirSync(folder).filter((name) => name !== faulty);
    writeFileSync(join(folder, faulty!), readFileSync(join(folder, sound!)));
    expect(cache.get('faulty')).toBeUndefined();
    expect(cache.get('sound')).toBe('nothing');
  });

  it('gives no findings that are none', () => {
    const home = folderWith({});
    const store = scriptStore({ env: { HOME: home } }, false)!;
    for (const wrong of [{}, 'x', [1], [{ rule: 5 }]]) {
      store.set('key', wrong as never);
      expect(store.get('key'), JSON.stringify(wrong)).toBeUndefined();
    }
    store.set('key', []);
    expect(store.get('key')).toEqual([]);
  });

  it('keeps within its size', () => {
    const folder = folderWith({});
    const limits = { size: 10_000, entries: 100 };
    for (let index = 0; index < 30; index++) new DiskCache(folder, limits).set(`key ${index}`, 'x'.repeat(2000));
    expect(readdirSync(folder).length).toBeLessThan(7);
    expect(new DiskCache(folder).get('key 29')).toHaveLength(2000);
  });

  it('keeps any text', () => {
    const cache = new DiskCache(folderWith({}));
    for (const text of ['', '\n', 'a\nb\n', '\u{1f600}\u0000', '{"a": 1}']) {
      cache.set(`key of ${text}`, text);
      expect(cache.get(`key of ${text}`)).toBe(text);
    }
  });
});
