import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseManifests, World } from '../../src/core';
import { checkGatewayPermissions } from '../../src/kruise/gateway-permissions';
import { checkKruiseInstall } from '../../src/kruise/install/check';

const ROOT = join(__dirname, '..', '..');

function run(example: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', `examples/${example}.ts`], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stderr: stderr.replace(/^\(node.*\n?/gm, '') }).toMatchObject({ status: 0 });
  const { manifests, findings } = parseManifests(stdout, 'example.yaml');
  expect(findings).toEqual([]);
  const world = World.of(manifests);
  return {
    world,
    stderr,
    findings: [...world.findings, ...checkKruiseInstall(world), ...checkGatewayPermissions(world)],
  };
}

describe('the examples of installs', () => {
  it('kruise-install writes a whole install without a finding', () => {
    const { world, findings } = run('kruise-install');
    expect(findings).toEqual([]);
    expect(world.manifests.length).toBeGreaterThan(20);
    expect(world.find('ConfigMap', 'kruise-rollout-configuration', 'kruise-rollout')).toBeDefined();
  });

  it('kruise-existing-install grants Traefik’s kinds, and says that Istio needs nothing', () => {
    const { world, findings, stderr } = run('kruise-existing-install');
    expect(findings).toEqual([]);
    expect(world.manifests.map(({ kind }) => kind)).toEqual(['ClusterRole', 'ClusterRoleBinding']);
    expect(stderr).toContain('names VirtualService and DestinationRule already');
  });
});
