import { describe, expect, test } from 'vitest';
import { ARGO_HISTORY } from '../../src/argo/facts';
import type { Since } from '../../src/core/release-history';
import { KRUISE_HISTORY } from '../../src/kruise/facts';
import { KruiseRolloutVersion } from '../../src/kruise/version';

describe('releases of the controller', () => {
  test('the newest is the default', () => {
    expect(KruiseRolloutVersion.LATEST.version).toBe('0.6.2');
    expect(KruiseRolloutVersion.ALL.at(-1)).toBe(KruiseRolloutVersion.LATEST);
  });

  test('an empty table is a list up to 0.5 and null from 0.6 on', () => {
    for (const { version, facts } of KruiseRolloutVersion.ALL) {
      expect(`${version} ${facts.emptyTable}`).toBe(`${version} ${/^0\.[345]\./.test(version) ? '[]' : 'null'}`);
    }
  });

  test('mse is built in from 0.4 on, the Istio kinds from 0.5 on', () => {
    const { V0_3_0, V0_4_0, V0_5_0 } = KruiseRolloutVersion;
    expect(V0_3_0.facts.builtinIngressScripts).not.toContain('mse');
    expect(V0_4_0.facts.builtinIngressScripts).toContain('mse');
    expect(V0_4_0.facts.builtinCustomScripts).toEqual([]);
    expect(V0_5_0.facts.builtinCustomScripts).toContain('VirtualService.networking.istio.io');
  });

  test('no release has an aws-alb script', () => {
    for (const { facts } of KruiseRolloutVersion.ALL) expect(facts.builtinIngressScripts).not.toContain('aws-alb');
  });

  test('a release is found by its number, with or without v', () => {
    expect(KruiseRolloutVersion.find('v0.5.0')).toBe(KruiseRolloutVersion.V0_5_0);
    expect(KruiseRolloutVersion.find('0.6.1')).toBe(KruiseRolloutVersion.V0_6_1);
    expect(KruiseRolloutVersion.find('0.6')).toBeUndefined();
    expect(String(KruiseRolloutVersion.V0_6_2)).toBe('v0.6.2');
  });

  test('another release uses the given facts', () => {
    const version = KruiseRolloutVersion.of('v0.5.5', KruiseRolloutVersion.V0_5_0.facts);
    expect(version.version).toBe('0.5.5');
    expect(version.facts.emptyTable).toBe('[]');
    expect(KruiseRolloutVersion.of('0.7.0-rc.1', version.facts).version).toBe('0.7.0-rc.1');
  });

  test.each(['latest', '0.6', '', '0.6.2 '])('"%s" is not a version', (text) => {
    expect(() => KruiseRolloutVersion.of(text, KruiseRolloutVersion.LATEST.facts)).toThrow(
      `Kruise Rollouts version "${text}" is not a version: write it as in "0.6.2"`,
    );
  });
});

describe('what differs between releases', () => {
  test.each([
    ['Kruise', KRUISE_HISTORY],
    ['Argo', ARGO_HISTORY],
  ])('of %s is read in a file of its sources, in an issue, or recorded', (_, history) => {
    const entries = Object.values(history as Readonly<Record<string, readonly Since<unknown>[]>>).flat();
    const places = entries.flatMap(({ source, recordings = [] }) => [source ?? recordings[0] ?? '']);
    expect(places.filter((place) => !/^[\w./-]{5,}|#\d+/.test(place))).toEqual([]);
    expect(entries.filter(({ from }) => !/^(\d+\.\d+\.\d+|next)$/.test(from))).toEqual([]);
  });
});
