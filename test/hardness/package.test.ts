/** What is published, and what comes with it. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Lock, sbomText } from '../../scripts/write-sbom';
import { folderWith } from '../cli/fixture';

const ROOT = join(__dirname, '..', '..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const lock: Lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));

describe('the package', () => {
  it('holds what is used and nothing else', () => {
    const wanted = [
      'LICENSE',
      'README.md',
      'bin/rollout-constructs',
      'config.schema.json',
      'lib/argo/api/schemas.json',
      'lib/cli/main.d.ts',
      'lib/cli/main.js',
      // A construct and a check prove the scripts of the library with it.
      'lua_configuration/kuma.io/MeshHTTPRoute/testdata/weight.yaml',
      'lua_configuration/kuma.io/MeshHTTPRoute/trafficRouting.lua',
      'package.json',
      'story.schema.json',
      'policy-pack/PulumiPolicy.yaml',
      'templates/app/cdk8s.yaml',
    ];
    const unwanted = [
      'lib/.built',
      'src/cli/main.ts',
      'test/hardness/package.test.ts',
      'bench/main.ts',
      'docs/ci.md',
      'examples/argo-basic.ts',
      'scripts/write-sbom.ts',
      'projenrc/x.ts',
      '.projenrc.ts',
      '.env',
      '.npmrc',
      '.github/workflows/x.yaml',
      'tsconfig.json',
      'package-lock.json',
      'node_modules/yaml/package.json',
      'sbom.cdx.json',
    ];
    const folder = folderWith(Object.fromEntries([...wanted, ...unwanted].map((name) => [name, '{}'])));
    for (const name of ['package.json', '.npmignore'])
      writeFileSync(join(folder, name), readFileSync(join(ROOT, name), 'utf8'));
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    expect(files.map(({ path }) => path).sort()).toEqual([...wanted].sort());
  });

  it('runs nothing when it is installed', () => {
    const hooks = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish'];
    expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toEqual([]);
    for (const path of runtime()) expect(lock.packages[path], path).not.toHaveProperty('hasInstallScript');
  });

  it('brings one package, which needs no other', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(['yaml']);
    const names = runtime().map((path) => path.split('node_modules/').at(-1));
    expect(names).toEqual(['yaml']);
  });

  it('can be traced to its sources', () => {
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
    for (const path of runtime()) {
      const { integrity, resolved } = lock.packages[path] as { integrity?: string; resolved?: string };
      expect(integrity, path).toMatch(/^sha512-/);
      // Without it npm asks the registry of who installs.
      expect(resolved ?? 'https://registry.npmjs.org/', path).toMatch(/^https:\/\/registry\.npmjs\.org\//);
    }
  });
});

let installed: readonly string[] | undefined;

/** What npm installs with the package, as npm itself tells it. */
function runtime(): readonly string[] {
  installed ??= listed();
  return installed;
}

function listed(): string[] {
  const { stdout } = spawnSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((folder) => folder.slice(folder.indexOf('node_modules')).replaceAll('\\', '/'))
    .sort();
}

describe('the SBOM', () => {
  interface Component {
    readonly 'bom-ref': string;
    readonly type: string;
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
    readonly licenses: readonly { readonly license: { readonly id: string } }[];
  }
  const bom = JSON.parse(sbomText(lock));
  const components: readonly Component[] = bom.components;

  it('names what npm installs', () => {
    const names = runtime().map((path) => `${path.slice('node_modules/'.length)}@${lock.packages[path]!.version}`);
    expect(components.map((each) => each['bom-ref'])).toEqual(names);
  });

  it('is CycloneDX', () => {
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
    expect(bom.metadata.component).toMatchObject({ name: manifest.name, version: manifest.version, type: 'library' });
    for (const { type, name, version, purl, hashes, licenses } of components) {
      expect(type).toBe('library');
      expect(purl).toBe(`pkg:npm/${name}@${version}`);
      expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
      expect(licenses[0]!.license.id).toMatch(/^[A-Za-z0-9.-]+$/);
    }
    const refs = [bom.metadata.component, ...components].map((each) => each['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    const dependencies: readonly { ref: string; dependsOn: readonly string[] }[] = bom.dependencies;
    expect(dependencies.map(({ ref }) => ref)).toEqual(refs);
    for (const { dependsOn } of dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
    expect(dependencies[0]!.dependsOn.map((ref) => ref.split('@')[0])).toEqual(Object.keys(manifest.dependencies));
  });

  it('is the same every time, also of a lock file in another order', () => {
    expect(sbomText(lock)).toBe(sbomText({ packages: Object.fromEntries(Object.entries(lock.packages).reverse()) }));
    expect(sbomText(lock)).not.toMatch(/timestamp|serialNumber/);
  });

  it('finds a package that lies within another, and names scopes and licences as they are', () => {
    const packages = {
      '': { name: 'a', version: '1.0.0', dependencies: { b: '1', '@c/d': '1' } },
      'node_modules/b': { version: '1.0.0', license: '(MIT OR GPL-3.0)', dependencies: { '@c/d': '2' } },
      'node_modules/b/node_modules/@c/d': { version: '2.0.0' },
      'node_modules/@c/d': { version: '1.0.0', license: 'MIT' },
      'node_modules/e': { version: '9.0.0' },
    };
    const { components: found, dependencies } = JSON.parse(sbomText({ packages }));
    expect(found.map((each: Component) => each.purl)).toEqual([
      'pkg:npm/%40c/d@1.0.0',
      'pkg:npm/b@1.0.0',
      'pkg:npm/%40c/d@2.0.0',
    ]);
    expect(found[1].licenses).toEqual([{ expression: '(MIT OR GPL-3.0)' }]);
    expect(dependencies[2]).toEqual({ ref: 'b@1.0.0', dependsOn: ['@c/d@2.0.0'] });
    expect(() => sbomText({ packages: { '': { version: '1', dependencies: { x: '1' } } } })).toThrow(/where x is/);
  });
});
