/** Which findings of a script are kept, and for which script they are found again. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../src/core';
import type { ScriptToCheck } from '../../../../src/kruise/scripts/checks';
import { checkScriptAndComments } from '../../../../src/kruise/scripts/checks';
import { checkScriptWith, isLasting } from '../../../../src/kruise/scripts/checks/kept';
import { KruiseRolloutVersion } from '../../../../src/kruise/version';
import { NGINX, ROUTE, read, rollout, route } from '../cases';
import { byWeightWith, demo } from './check';

/** A store in memory, with what it was asked for. */
function recorded() {
  const kept = new Map<string, readonly Finding[]>();
  return {
    kept,
    get: (key: string) => kept.get(key),
    set: (key: string, found: readonly Finding[]) => void kept.set(key, found),
  };
}
const script: ScriptToCheck = { source: byWeightWith('count = 1'), target: demo };

describe('the findings of a script', () => {
  it('are kept, with those that comments accept', () => {
    const store = recorded();
    const source = byWeightWith('count = 1', '-- rollout-constructs.io/ignore lua-global: why');
    const found = checkScriptWith(store, { ...script, source });
    expect(found).toEqual(checkScriptAndComments({ ...script, source }));
    expect(found).toMatchObject([{ rule: 'lua-global', accepted: { reason: 'why' } }]);
    expect([...store.kept.values()]).toEqual([found]);
    expect(checkScriptWith(store, { ...script, source })).toBe(found);
  });

  it('are those of the store', () => {
    const store = recorded();
    checkScriptWith(store, script);
    const [key] = store.kept.keys();
    const other: Finding[] = [];
    store.kept.set(key!, other);
    expect(checkScriptWith(store, script)).toBe(other);
    expect(checkScriptWith(undefined, script)).toHaveLength(1);
  });

  it('are those of an equal script only', () => {
    const store = recorded();
    const { LATEST, V0_5_0 } = KruiseRolloutVersion;
    const testdata = [read({ rollout: rollout([{ traffic: '20%' }]), original: route({}) }, ROUTE).testdata!];
    const others: readonly ScriptToCheck[] = [
      script,
      { ...script, file: 'demo.lua' },
      { ...script, source: `${script.source} ` },
      { ...script, target: NGINX },
      { ...script, testdata: [] },
      { ...script, target: ROUTE, testdata },
      { ...script, version: V0_5_0 },
      { ...script, version: KruiseRolloutVersion.of('9.9.9', LATEST.facts) },
      { ...script, version: KruiseRolloutVersion.of('9.9.9', V0_5_0.facts) },
    ];
    for (const other of others) checkScriptWith(store, other);
    expect(store.kept.size).toBe(others.length);
    for (const other of [...others, { ...script, version: LATEST }]) checkScriptWith(store, { ...other });
    expect(store.kept.size).toBe(others.length);
  });

  it('are not kept behind a limit of time, which another day may not reach', () => {
    const finding = (rule: string) => ({ rule }) as Finding;
    const lasts = (source: string, ...rules: readonly string[]) => isLasting(source)(rules.map(finding));
    expect(lasts('return {}')).toBe(true);
    expect(lasts('return {}', 'lua-global', 'lua-memory-limit')).toBe(true);
    expect(lasts('return {}', 'lua-time-limit')).toBe(false);
    expect(lasts('return {}', 'lua-global', 'lua-time-limit')).toBe(false);
    expect(lasts('return {} -- lua-time-limit')).toBe(false);
    const store = recorded();
    checkScriptWith(store, { ...script, source: byWeightWith('while true do end') });
    expect(store.kept.size).toBe(0);
  });
});
