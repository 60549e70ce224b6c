import { describe, expect, test } from 'vitest';
import { ArgoRolloutsVersion } from '../../../src/argo/version';

describe('releases of the controller', () => {
  test('the newest is the default', () => {
    expect(ArgoRolloutsVersion.LATEST.version).toBe('1.9.1');
    expect(ArgoRolloutsVersion.ALL.at(-1)).toBe(ArgoRolloutsVersion.LATEST);
  });

  test('the APIs of AWS have flags from 1.9 on', () => {
    const known = ArgoRolloutsVersion.ALL.map(({ version, facts }) => `${version} ${facts.awsApiFlags}`);
    expect(known.filter((line) => line.endsWith('true'))).toEqual(['1.9.0 true', '1.9.1 true']);
    expect(known).toContain('1.8.4 false');
    for (const { facts } of ArgoRolloutsVersion.ALL) {
      expect(facts.flags.includes('aws-target-group-binding-api-version')).toBe(facts.awsApiFlags);
      expect(facts.flags).toContain(facts.metricsPortFlag);
    }
  });

  test('no release has a flag for the region', () => {
    for (const { facts } of ArgoRolloutsVersion.ALL) expect(facts.flags).not.toContain('aws-region');
  });

  test('a release is found by its number, with or without v', () => {
    expect(ArgoRolloutsVersion.find('v1.9.0')).toBe(ArgoRolloutsVersion.V1_9_0);
    expect(ArgoRolloutsVersion.find('1.8.3')).toBe(ArgoRolloutsVersion.V1_8_3);
    expect(ArgoRolloutsVersion.find('1.9')).toBeUndefined();
    expect(String(ArgoRolloutsVersion.V1_9_1)).toBe('v1.9.1');
  });

  test('another release uses the given facts', () => {
    const { facts } = ArgoRolloutsVersion.V1_9_1;
    const version = ArgoRolloutsVersion.of('v1.10.0-rc1', { ...facts, flags: ['one'] });
    expect(version.version).toBe('1.10.0-rc1');
    expect(version.facts.flags).toEqual(['one']);
  });

  test.each(['1.9', 'latest', '', '1.9.1 '])('"%s" is not a version', (text) => {
    expect(() => ArgoRolloutsVersion.of(text, ArgoRolloutsVersion.V1_9_1.facts)).toThrow(
      `Argo Rollouts version "${text}" is not a version: write it as in "1.9.1"`,
    );
  });
});
