import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { kruiseCluster } from '../doctor/kruise-cluster';
import { apiServer } from './api-server';
import { cli, folderWith } from './fixture';

const REQUEST = ['--request', 'http://shop.example.com/'];

async function withCluster(files: Record<string, string> = {}) {
  const server = await apiServer({ objects: kruiseCluster(), version: 'v1.33.4-eks-1' });
  return { ...server, cwd: folderWith({ kubeconfig: server.kubeconfig, ...files }) };
}

describe('rollout-constructs route --cluster', () => {
  it('asks the objects of the cluster, and only reads them', async () => {
    const { cwd, asked } = await withCluster();
    const args = ['route', '--cluster', '--kubeconfig', 'kubeconfig', ...REQUEST, '--format', 'json'];
    const { code, stdout, stderr } = await cli(args, { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [route] = JSON.parse(stdout).routes;
    const shares = route.destinations.map(({ name, share }: { name: string; share: number }) => [name, share]);
    expect(shares).toEqual([
      ['web', 0.8],
      ['web-canary', 0.2],
    ]);
    expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it.each([
    [['route', 'kubeconfig', '--cluster', ...REQUEST], '--cluster reads a cluster, and "kubeconfig" is a file'],
    [
      ['route', 'kubeconfig', '--context', 'prod', ...REQUEST],
      '--context is about a cluster, and "kubeconfig" is a file',
    ],
    [['route', ...REQUEST], 'route needs manifests'],
    [['route', '--cluster', '--kubeconfig', 'none', ...REQUEST], 'there is no kubeconfig "none"'],
  ])('%j is refused', async (args, message) => {
    const { cwd } = await withCluster();
    const { code, stdout, stderr } = await cli(args, { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

const APP = kruiseCluster()
  .split('---\n')
  .filter((one) => one.includes('namespace: shop') && !one.includes('-canary'))
  .join('---\n');

describe('rollout-constructs cluster pull', () => {
  it('writes versions, scripts and classes, with which the repository of an app is rehearsed', async () => {
    const { cwd } = await withCluster({ 'app/shop.yaml': APP, 'rollout-constructs.config.yaml': 'files: [app]\n' });
    const before = await cli(['check', '--format', 'json'], { cwd });
    const rulesOf = (text: string) => JSON.parse(text).findings.map(({ rule }: { rule: string }) => rule);
    expect(rulesOf(before.stdout)).toContain('kruise-script-missing');

    const pulled = await cli(['cluster', 'pull', '--kubeconfig', 'kubeconfig', '--namespace', 'shop'], { cwd });
    expect({ code: pulled.code, stderr: pulled.stderr }).toEqual({ code: 0, stderr: '' });
    expect(pulled.stdout).toContain('kruiseVersion: 0.6.2');
    const facts = parse(readFileSync(join(cwd, 'cluster/facts.yaml'), 'utf8'));
    expect(facts).toMatchObject({
      kruiseVersion: '0.6.2',
      kubernetesVersion: '1.33',
      controllerNamespace: 'kruise-rollout',
      scripts: ['routing-scripts.yaml'],
    });
    expect(facts.external).toContainEqual({ apiVersion: 'v1', kind: 'Service', name: 'web', namespace: 'shop' });
    const scripts = parse(readFileSync(join(cwd, 'cluster/routing-scripts.yaml'), 'utf8'));
    expect(scripts.metadata).toEqual({ name: 'kruise-rollout-configuration', namespace: 'kruise-rollout' });

    for (const args of [
      ['--cluster-facts', 'cluster/facts.yaml'],
      ['--config', 'with-facts.yaml'],
    ]) {
      const { writeFileSync } = await import('node:fs');
      writeFileSync(join(cwd, 'with-facts.yaml'), 'files: [app]\ncluster: cluster/facts.yaml\n');
      const { stdout } = await cli(['check', '--format', 'json', ...args], { cwd });
      expect(rulesOf(stdout)).not.toContain('kruise-script-missing');
      expect(JSON.parse(stdout).checkedFor).toMatchObject({ 'Kruise Rollouts': '0.6.2', Kubernetes: '1.33' });
    }
    const stated = await cli(
      ['check', '--format', 'json', '--cluster-facts', 'cluster/facts.yaml', '--kruise-version', '0.6.0'],
      { cwd },
    );
    expect(JSON.parse(stated.stdout).checkedFor['Kruise Rollouts']).toBe('0.6.0');
  });

  it('reads a dump', async () => {
    const cwd = folderWith({ 'dump.yaml': kruiseCluster() });
    const { code } = await cli(['cluster', 'pull', 'dump.yaml', '--output', 'facts-of-prod'], { cwd });
    expect(code).toBe(0);
    expect(existsSync(join(cwd, 'facts-of-prod/routing-scripts.yaml'))).toBe(true);
  });

  it.each([
    ['no object', ['cluster', 'pull', 'empty.yaml'], 'empty.yaml'],
    [
      'a folder that is a file',
      ['cluster', 'pull', 'dump.yaml', '--output', 'wrong.yaml'],
      'cannot make the folder "wrong.yaml": EEXIST',
    ],
    ['a context beside a dump', ['cluster', 'pull', 'empty.yaml', '--context', 'x'], '"empty.yaml" is a dump'],
    [
      'facts that are none',
      ['check', 'empty.yaml', '--cluster-facts', 'wrong.yaml'],
      '"wrong.yaml" has the field "files", which is no fact',
    ],
    [
      'facts that are not there',
      ['check', 'empty.yaml', '--cluster-facts', 'none.yaml'],
      '--cluster-facts is "none.yaml", and there is no such file',
    ],
  ])('refuses %s', async (_what, args, message) => {
    const cwd = folderWith({ 'empty.yaml': '', 'wrong.yaml': 'files: [app]\n', 'dump.yaml': kruiseCluster() });
    const { code, stderr } = await cli(args, { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
