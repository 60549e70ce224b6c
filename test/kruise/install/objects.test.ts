import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { kruiseInstall } from '../../../src/kruise/install';
import type { KruiseInstallOptions } from '../../../src/kruise/install/options';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { EVERYTHING } from './everything';

/** What the construct writes is kept beside its test. */
const written = (name: string) =>
  JSON.parse(
    readFileSync(join(__dirname, `../../constructs/__snapshots__/kruise-rollout-install-${name}.json`), 'utf8'),
  );
const plain = (options: KruiseInstallOptions) => JSON.parse(JSON.stringify(kruiseInstall(options)));

describe('an install', () => {
  test.each<[string, KruiseInstallOptions]>([
    ['v0.6.2', { version: KruiseRolloutVersion.V0_6_2, crds: 'skip' }],
    ['v0.5.0', { version: KruiseRolloutVersion.V0_5_0, crds: 'skip' }],
    ['v0.3.0', { version: KruiseRolloutVersion.V0_3_0, crds: 'skip' }],
    ['everything', EVERYTHING],
  ])('%s has the objects of the construct', (name, options) => {
    expect(plain(options)).toEqual(written(name));
  });

  it('keeps its CRDs unless they may go with it, or come from elsewhere', () => {
    const crds = (options: KruiseInstallOptions) =>
      plain(options).filter(({ kind }: { kind: string }) => kind === 'CustomResourceDefinition');
    const kept = {
      'helm.sh/resource-policy': 'keep',
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    };
    expect(crds({}).map(({ metadata }: { metadata: object }) => metadata)).toEqual(
      ['batchreleases', 'rollouts', 'rollouthistories', 'trafficroutings'].map((name) => ({
        name: `${name}.rollouts.kruise.io`,
        annotations: expect.objectContaining(kept),
      })),
    );
    expect(crds({ crds: 'remove' })).toHaveLength(4);
    expect(JSON.stringify(crds({ crds: 'remove' }))).not.toContain('helm.sh/resource-policy');
    expect(crds({ crds: 'skip' })).toEqual([]);
  });

  it('grants gateways and workloads only where they are asked for', () => {
    const rulesOf = (permissions: KruiseInstallOptions['permissions']) => {
      const role = plain({ permissions, crds: 'skip' }).find(({ kind }: { kind: string }) => kind === 'ClusterRole');
      return role.rules as { readonly apiGroups: string[]; readonly resources: string[] }[];
    };
    const has = (permissions: KruiseInstallOptions['permissions'], group: string) =>
      rulesOf(permissions).some(({ apiGroups }) => apiGroups.includes(group));
    for (const [name, group] of [
      ['gatewayApi', 'gateway.networking.k8s.io'],
      ['istio', 'networking.istio.io'],
      ['kruiseWorkloads', 'apps.kruise.io'],
    ] as const) {
      expect([has({ [name]: true }, group), has({ [name]: false }, group)], name).toEqual([true, false]);
    }
  });
});
