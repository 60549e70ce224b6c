import { describe, expect, test } from 'vitest';
import { ArgoRolloutsVersion } from '../../../src/argo/version';

describe('releases of the controller', () => {
  test('the default is the release with which the library is compared', () => {
    expect(ArgoRolloutsVersion.LATEST.version).toBe('1.9.1');
    expect(ArgoRolloutsVersion.ALL.at(-1)).toBe(ArgoRolloutsVersion.V1_10_2);
  });

  test.each(['1.7.0', '1.7.1', '1.7.2', '1.8.0', '1.8.5', '1.9.2', '1.9.3', '1.10.0', '1.10.1', '1.10.2'])(
    'knows the patch release %s',
    (number) => expect(ArgoRolloutsVersion.find(number)?.version).toBe(number),
  );

  test('the first patch of 1.8 has neither flags nor behaviour of 1.9', () => {
    const { flags } = ArgoRolloutsVersion.V1_8_3.facts;
    expect(flags).toContain('enable-pprof-address');
    expect(flags.filter((flag) => flag.startsWith('ephemeral-metadata-'))).toEqual([]);
    expect(ArgoRolloutsVersion.find('1.7.2')?.facts.flags).not.toContain('enable-pprof-address');
    expect(ArgoRolloutsVersion.V1_10_2.facts.flags).not.toContain('configmap-name');
  });

  test('what 1.10 changed is not in 1.9', () => {
    expect(ArgoRolloutsVersion.V1_9_3.facts.minPodsCappedAtReplicas).toBe(false);
    expect(ArgoRolloutsVersion.V1_10_2.facts.minPodsCappedAtReplicas).toBe(true);
  });

  test('the APIs of AWS have flags from 1.9 on', () => {
    const known = ArgoRolloutsVersion.ALL.map(({ version, facts }) => `${version} ${facts.awsApiFlags}`);
    expect(known.filter((line) => line.endsWith('true'))).toEqual(known.filter((line) => /^1\.(9|10)\./.test(line)));
    expect(known).toContain('1.8.5 false');
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
