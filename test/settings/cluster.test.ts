import { describe, expect, test } from 'vitest';
import { checkStack } from '../../src/check';
import { parseManifests, World } from '../../src/core';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { clusterOf } from '../../src/settings/cluster';
import { readVersions } from '../../src/settings/versions';
import { STACKS } from './stacks';

const worldOf = (name: string) => World.of(parseManifests(STACKS[name]!, 'stack.yaml').manifests);
const rulesOf = (name: string) => checkStack(worldOf(name)).findings.map(({ rule }) => rule);

describe('the cluster that a stack is for', () => {
  test('has the version of the install in the stack, unless users state another', () => {
    const world = worldOf('an install of Kruise 0.5.5');
    expect(clusterOf(world).kruiseVersion.version).toBe('0.5.5');
    expect(clusterOf(world, { kruiseVersion: KruiseRolloutVersion.V0_6_2 }).kruiseVersion.version).toBe('0.6.2');
    expect(clusterOf(world).assumptions).toEqual([]);
  });

  test.each([
    [
      'an install of an unknown patch of Kruise',
      'kruiseVersion',
      '0.5.5',
      'Kruise Rollouts v0.5.9 is not known: it is checked as v0.5.5',
    ],
    [
      'an install of an unknown minor of Kruise',
      'kruiseVersion',
      '0.6.2',
      'Kruise Rollouts v0.9.0 is not known: it is checked as v0.6.2',
    ],
    [
      'pingPong through a plugin with Argo 1.10.0-rc1',
      'argoVersion',
      '1.10.0',
      'Argo Rollouts v1.10.0-rc1 is not known: it is checked as v1.10.0',
    ],
  ] as const)('takes the nearest known version for %s, with one warning', (name, version, nearest, message) => {
    const cluster = clusterOf(worldOf(name));
    expect(cluster[version].version).toBe(nearest);
    expect(cluster.findings.map((finding) => finding.message)).toEqual([message]);
    expect(rulesOf(name).filter((rule) => rule === 'controller-version-unknown')).toHaveLength(1);
  });

  test('names what it assumes', () => {
    expect(clusterOf(worldOf('a canary behind nginx')).assumptions).toEqual([
      'assumed Kruise Rollouts v0.6.2 (no install in the stack; state kruiseVersion)',
    ]);
    expect(clusterOf(worldOf('an install whose image names no version')).assumptions).toEqual([
      'assumed Kruise Rollouts v0.6.2 (the image of the install names no version; state kruiseVersion)',
    ]);
  });

  test('has the partition limit that the install sets', () => {
    expect(rulesOf('partition style above the limit')).toContain('rollout-partition-limit');
    expect(rulesOf('partition style with a raised limit')).not.toContain('rollout-partition-limit');
  });

  test('has the load balancer controller of the stack', () => {
    expect(rulesOf('regular expressions of an ALB')).not.toContain('alb-regex-version');
    expect(rulesOf('regular expressions with an install of the controller 2.13.4')).toContain('alb-regex-version');
    expect(rulesOf('values and regular expressions with 2.13.4')).not.toContain('alb-condition-invalid');
  });

  test('has an Argo Rollouts that refuses pingPong through plugins before 1.10', () => {
    expect(rulesOf('pingPong through a plugin')).toContain('argo-ping-pong-router');
  });
});

describe('a stated version', () => {
  const contradicted = (name: string, stated: Parameters<typeof clusterOf>[1]) =>
    clusterOf(worldOf(name), stated).findings.map(({ message }) => message);

  test('that behaves differently from the install is told', () => {
    const install = 'an install of Kruise 0.5.5';
    expect(contradicted(install, { kruiseVersion: KruiseRolloutVersion.V0_6_2 })).toEqual([
      'the stack installs Kruise Rollouts v0.5.5, but kruiseVersion states v0.6.2: it is checked as v0.6.2',
    ]);
    expect(contradicted(install, { kruiseVersion: KruiseRolloutVersion.V0_5_5 })).toEqual([]);
    expect(contradicted(install, { kruiseVersion: KruiseRolloutVersion.of('0.5.4') })).toEqual([]);
  });

  test.each([
    ['kruiseVersion', '0.6.9', 'Kruise Rollouts v0.6.9 is not known: it is checked as v0.6.2'],
    ['argoVersion', '1.9.9', 'Argo Rollouts v1.9.9 is not known: it is checked as v1.9.3'],
  ] as const)('%s may be a patch release that is not known: %s', (name, text, assumption) => {
    const stated = readVersions({ [name]: text }, (each) => each);
    expect(stated[name]?.version).toBe(text);
    expect(clusterOf(World.of([]), stated).assumptions).toEqual([assumption]);
  });

  test('may not be of a minor release that is not known', () => {
    expect(() => readVersions({ kruiseVersion: '0.9.1' }, (each) => each)).toThrow('kruiseVersion is "0.9.1"');
  });
});

test.each(['0.5', '0.5.5', 'v0.5.5'])('a version is read as %s', (kruiseVersion) => {
  expect(readVersions({ kruiseVersion }, (name) => name).kruiseVersion?.version).toBe('0.5.5');
});
