import { describe, expect, it } from 'vitest';
import { readManifests } from '../../src/files/manifests';
import { folderWith } from '../cli/fixture';

const service = (name = 'web', namespace = 'shop') =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {selector: {app: web}}\n`;
const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n';
const application = (path: string, server: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web-${path.split('/').at(-1)}, namespace: argocd}
spec: {source: {repoURL: https://git.example.com/shop, path: ${path}}, destination: {server: ${server}, namespace: shop}}\n`;

/** The objects of each stack, as `kind name`, of files in a folder. */
function stacksIn(files: Readonly<Record<string, string>>) {
  const { stacks = [] } = readManifests([folderWith(files)]);
  return Object.fromEntries(
    stacks.map(({ name, manifests }) => [name, manifests.map((one) => `${one.kind} ${one.name}`).sort()]),
  );
}

describe('stacks of a read', () => {
  it('are overlays with what they share', () => {
    const files = {
      'base/service.yaml': service('api'),
      'base/kustomization.yaml': 'resources: [service.yaml]\n',
      'overlays/dev/web.yaml': service(),
      'overlays/dev/kustomization.yaml': 'resources: [../../base, web.yaml]\n',
      'overlays/prod/web.yaml': service(),
      'overlays/prod/kustomization.yaml': 'resources: [../../base, web.yaml]\n',
    };
    const both = ['Service api', 'Service web'];
    expect(stacksIn(files)).toEqual({ dev: both, prod: both });
  });

  it('are clusters, whose applications belong together', () => {
    const files = Object.fromEntries(
      ['a', 'b'].flatMap((cluster) => [
        [`clusters/${cluster}/apps/web/service.yaml`, service()],
        [`clusters/${cluster}/apps/api/service.yaml`, service('api')],
      ]),
    );
    expect(stacksIn(files)).toEqual({ a: ['Service api', 'Service web'], b: ['Service api', 'Service web'] });
  });

  it('are environments of each application, across applications', () => {
    const files = {
      'apps/web/envs/staging/web.yaml': service(),
      'apps/web/envs/prod/web.yaml': service(),
      'apps/api/envs/prod/api.yaml': service('api'),
    };
    expect(stacksIn(files)).toEqual({ staging: ['Service web'], prod: ['Service api', 'Service web'] });
  });

  it('are all combinations of folders, where no file is in all of a stack', () => {
    const files = {
      'clusters/eu/gateway.yaml': service('gateway'),
      'clusters/us/gateway.yaml': service('gateway'),
      'envs/staging/web.yaml': service(),
      'envs/prod/web.yaml': service(),
    };
    const both = ['Service gateway', 'Service web'];
    expect(stacksIn(files)).toEqual({ 'eu/prod': both, 'eu/staging': both, 'us/prod': both, 'us/staging': both });
  });

  it('are at most 32', () => {
    const overlays = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`overlays/o${index}/web.yaml`, service()]));
    expect(Object.keys(stacksIn(overlays(32)))).toHaveLength(32);
    expect(stacksIn(overlays(33))).toEqual({});
  });

  it.each([['cluster', 'environments', 'environment', 'envs', 'env', 'overlays', 'stages', 'Clusters']])(
    'are the folders of %s',
    (...parents) => {
      for (const parent of parents) {
        expect(
          Object.keys(stacksIn({ [`${parent}/a/web.yaml`]: service(), [`${parent}/b/web.yaml`]: service() })),
        ).toEqual(['a', 'b']);
      }
    },
  );

  it.each([
    'dev',
    'develop',
    'development',
    'testing',
    'qa',
    'uat',
    'int',
    'integration',
    'sandbox',
    'demo',
    'local',
    'stage',
    'staging',
    'stg',
    'preprod',
    'preview',
    'nonprod',
    'prod',
    'production',
    'prd',
    'live',
    'PROD',
    'prod-eu',
    'eu_prod1',
    'shop.prod',
    'prod2',
  ])('are folders with the names of environments: %s', (name) => {
    expect(Object.keys(stacksIn({ [`${name}/web.yaml`]: service(), 'test/web.yaml': service() }))).toHaveLength(2);
  });

  it('are no folders with other names', () => {
    for (const other of ['product', 'developer', 'api']) {
      expect(stacksIn({ [`${other}/web.yaml`]: service(), 'test/web.yaml': service() })).toEqual({});
    }
  });

  it('are clusters with environments of each', () => {
    const files = Object.fromEntries(
      ['eu', 'us'].flatMap((cluster) =>
        ['staging', 'prod'].map((env) => [`clusters/${cluster}/${env}/web.yaml`, service()]),
      ),
    );
    expect(Object.keys(stacksIn(files))).toEqual(['eu/prod', 'eu/staging', 'us/prod', 'us/staging']);
  });

  it('are folders that Argo CD deploys to different clusters', () => {
    const files = (second: string) => ({
      'argocd/one.yaml': application('deploy/one', 'https://one.example.com'),
      'argocd/two.yaml': application('deploy/two', second),
      'deploy/one/web.yaml': service(),
      'deploy/two/web.yaml': service(),
    });
    expect(Object.keys(stacksIn(files('https://two.example.com')))).toEqual(['one', 'two']);
    expect(stacksIn(files('https://one.example.com'))).toEqual({});
  });

  it('are folders of the elements of an ApplicationSet', () => {
    const set = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: web, namespace: argocd}
spec:
  generators: [{list: {elements: [{cluster: one, url: 'https://one'}, {cluster: two, url: 'https://two'}]}}]
  template: {spec: {source: {path: 'deploy/{{cluster}}'}, destination: {server: '{{ .url }}'}}}
`;
    const files = { 'set.yaml': set, 'deploy/one/web.yaml': service(), 'deploy/two/web.yaml': service() };
    expect(Object.keys(stacksIn(files))).toEqual(['one', 'two']);
  });

  it('are folders that Flux deploys from the folders of clusters', () => {
    const flux = (path: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps-${path}, namespace: flux-system}
spec: {path: ./apps/${path}, interval: 1m, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
`;
    const files = {
      'flux/one/apps.yaml': flux('blue'),
      'flux/two/apps.yaml': flux('green'),
      'apps/blue/web.yaml': service(),
      'apps/green/web.yaml': service(),
    };
    expect(Object.keys(stacksIn(files))).toEqual(['blue', 'green']);
  });

  it.each([
    [
      'applications that each declare their namespace',
      { 'apps/web/ns.yaml': namespace, 'apps/api/ns.yaml': namespace },
    ],
    [
      'environments of one cluster, in namespaces',
      { 'dev/web.yaml': service('web', 'dev'), 'prod/web.yaml': service('web', 'prod') },
    ],
    ['an object twice in one environment', { 'overlays/dev/a.yaml': service(), 'overlays/dev/b.yaml': service() }],
    ['folders that differ in more than one name', { 'dev/web/a.yaml': service(), 'prod/app/a.yaml': service() }],
  ])('are one for %s', (_what, files) => {
    expect(stacksIn(files)).toEqual({});
  });

  it('ignore the names of folders above all files', () => {
    const { stacks } = readManifests([
      folderWith({ 'test/prod/envs/test/a.yaml': service(), 'test/prod/envs/prod/a.yaml': service() }),
    ]);
    expect(stacks!.map(({ name, manifests }) => [name, manifests.length])).toEqual([
      ['prod', 1],
      ['test', 1],
    ]);
  });

  it('give each object the namespace of its own kustomization', () => {
    const overlay = (name: string) => ({
      [`overlays/${name}/web.yaml`]: service().replace(', namespace: shop', ''),
      [`overlays/${name}/kustomization.yaml`]: `namespace: ${name}\nresources: [../../base, web.yaml]\n`,
    });
    const { stacks } = readManifests([
      folderWith({
        'base/api.yaml': service('api').replace(', namespace: shop', ''),
        ...overlay('dev'),
        ...overlay('prod'),
      }),
    ]);
    const namespaces = stacks!.map(({ manifests }) => manifests.map((one) => one.namespace));
    expect(namespaces).toEqual([
      ['dev', 'dev'],
      ['prod', 'prod'],
    ]);
  });
});

describe('patches of kustomize', () => {
  it('are no objects', () => {
    const patch = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n';
    const { manifests, findings } = readManifests([
      folderWith({
        'web.yaml': service(),
        'patch.yaml': patch,
        'merge.yaml': patch,
        'kustomization.yaml':
          'resources: [web.yaml]\npatches: [{path: patch.yaml}]\npatchesStrategicMerge: [merge.yaml]\n',
      }),
    ]);
    expect(manifests.map(({ kind }) => kind)).toEqual(['Service']);
    expect(findings.map(({ message }) => message).join()).toContain('patches of kustomize are not applied');
  });
});
