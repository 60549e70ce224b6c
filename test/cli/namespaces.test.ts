/** Objects without a namespace: where kubectl, a kustomization or the configuration puts them. */
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { objectsOf } from '../rehearsal/stack';
import { cli, folderWith } from './fixture';

const STEPS = [
  { traffic: '20%', replicas: '20%' },
  { traffic: '100%', replicas: '100%' },
];
const objects = objectsOf({
  steps: STEPS,
  annotations: {},
  ingressClassName: 'nginx',
  port: { number: 80 },
  route: { ingress: { name: 'web', classType: 'nginx' } },
}) as { kind: string; metadata: { namespace?: string } }[];
const yaml = (all: readonly object[]) => all.map((object) => stringify(object)).join('---\n');
const bare = yaml(objects.map(({ metadata: { namespace: _, ...metadata }, ...rest }) => ({ ...rest, metadata })));
/** The Service names its namespace, the other objects do not. */
const mixed = yaml(
  objects.map((object) => {
    const { namespace: _, ...metadata } = object.metadata;
    return object.kind === 'Service' ? object : { ...object, metadata };
  }),
);

async function rehearse(files: Readonly<Record<string, string>>, ...args: string[]) {
  const { stdout, code } = await cli(['rehearse', ...args], { cwd: folderWith(files) });
  return { code, title: stdout.split('\n')[0]! };
}

describe('objects without a namespace', () => {
  it('are in the namespace "default", as for kubectl', async () => {
    expect(await rehearse({ 'web.yaml': bare }, 'web.yaml')).toMatchObject({
      code: 0,
      title: expect.stringContaining('✓ Rollout web'),
    });
    expect((await rehearse({ 'web.yaml': mixed }, 'web.yaml')).title).not.toContain('✓');
  });

  it('are in that of --namespace or of the configuration', async () => {
    const shop = { code: 0, title: expect.stringContaining('✓ Rollout web') };
    expect(await rehearse({ 'web.yaml': mixed }, 'web.yaml', '-n', 'shop')).toMatchObject(shop);
    const files = { 'web.yaml': mixed, 'rollout-constructs.config.yaml': 'namespace: shop\n' };
    expect(await rehearse(files, 'web.yaml')).toMatchObject(shop);
    expect((await rehearse(files, 'web.yaml', '--namespace', 'other')).title).not.toContain('✓');
  });

  it('are in that of the kustomization that has their file, with or without its kind', async () => {
    const shop = { code: 0, title: expect.stringContaining('✓ Rollout shop/web') };
    for (const header of ['', 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n']) {
      const kustomization = `${header}namespace: shop\nresources: [web.yaml]\n`;
      expect(
        await rehearse({ 'deploy/web.yaml': mixed, 'deploy/kustomization.yaml': kustomization }, 'deploy'),
      ).toMatchObject(shop);
    }
    const overlay = { 'prod/kustomization.yaml': 'namespace: shop\nresources: [../base]\n', 'base/web.yaml': mixed };
    expect(await rehearse(overlay, 'prod', 'base')).toMatchObject(shop);
  });

  it('are left alone where overlays disagree, or do not list their file', async () => {
    const two = {
      'base/web.yaml': bare,
      'prod/kustomization.yaml': 'namespace: prod\nresources: [../base]\n',
      'test/kustomization.yaml': 'namespace: test\nresources: [../base]\n',
    };
    expect((await rehearse(two, 'base', 'prod', 'test')).title).toContain('Rollout web');
    const other = {
      'deploy/web.yaml': bare,
      'deploy/kustomization.yaml': 'namespace: shop\nresources: [other.yaml]\n',
    };
    expect((await rehearse(other, 'deploy')).title).toContain('Rollout web');
  });
});
