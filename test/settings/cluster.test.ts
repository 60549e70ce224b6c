import { describe, expect, test } from 'vitest';
import { checkStack } from '../../src/check';
import { parseManifests, World } from '../../src/core';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { clusterOf, describeVersions } from '../../src/settings/cluster';
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

  test.each([
    ['Deployment', 'docker.io/traefik:v3.6.12', 'traefikVersion', '3.6.12'],
    ['DaemonSet', 'traefik:3.6.12@sha256:00', 'traefikVersion', '3.6.12'],
    ['DaemonSet', 'traefik:latest', 'traefikVersion', '3.7.13'],
    ['Deployment', 'registry.k8s.io/ingress-nginx/controller:v1.11.5@sha256:00', 'ingressNginxVersion', '1.11.5'],
    ['Deployment', 'registry.k8s.io/ingress-nginx/controller-chroot:v1.11.5', 'ingressNginxVersion', '1.11.5'],
    ['DaemonSet', 'rancher/nginx-ingress-controller:v1.11.5-hardened1', 'ingressNginxVersion', '1.11.5'],
    ['Deployment', 'example.com/traefik-helper:v1.0.0', 'traefikVersion', '3.7.13'],
  ] as const)('has the release of a gateway: a %s of %s', (kind, image, name, version) => {
    const spec = { template: { spec: { containers: [{ name: 'main', image }] } } };
    const install = JSON.stringify({ apiVersion: 'apps/v1', kind, metadata: { name: 'gateway' }, spec });
    const world = World.of(parseManifests(install, 'stack.yaml').manifests);
    expect(clusterOf(world)[name].version).toBe(version);
    const isKnown = version !== clusterOf(World.of([]))[name].version;
    expect(Object.values(describeVersions(clusterOf(world))).includes(version)).toBe(isKnown);
  });

  test.each([
    [
      'traefikVersion',
      'assumed Traefik v3.7.13 (no install in the stack; state traefikVersion)',
      { apiVersion: 'traefik.io/v1alpha1', kind: 'IngressRoute', spec: { routes: [{ match: 'Host(`*.a.com`)' }] } },
      { apiVersion: 'traefik.io/v1alpha1', kind: 'IngressRoute', spec: { routes: [{ match: 'Host(`a.com`)' }] } },
    ],
    [
      'ingressNginxVersion',
      'assumed ingress-nginx v1.14.0 (no install in the stack; state ingressNginxVersion)',
      { kind: 'Ingress', annotations: { 'nginx.ingress.kubernetes.io/canary-by-header-value': 'a@b' } },
      { kind: 'Ingress', annotations: { 'nginx.ingress.kubernetes.io/canary-by-header-value': 'a' } },
    ],
  ] as const)('assumes a %s only where it matters', (name, assumption, one, other) => {
    const assumptions = ({ annotations = {}, ...object }: { annotations?: object; kind: string }, stated = {}) => {
      const whole = { apiVersion: 'networking.k8s.io/v1', ...object, metadata: { name: 'web', annotations } };
      return clusterOf(World.of(parseManifests(JSON.stringify(whole), 'stack.yaml').manifests), stated).assumptions;
    };
    expect(assumptions(one)).toEqual([assumption]);
    expect(assumptions(other)).toEqual([]);
    expect(
      assumptions(
        one,
        readVersions({ [name]: '1.2.3' }, (each) => each),
      ),
    ).toEqual([]);
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
