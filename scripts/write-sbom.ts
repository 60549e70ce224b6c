import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the SBOM of the published package as CycloneDX 1.5: its run-time dependencies, without development dependencies.
 * `npm sbom` omits packages that are both. The same package-lock.json always gives the same bytes.
 *
 *     npm run --silent sbom > sbom.cdx.json
 *     npm run sbom -- sbom.cdx.json
 */

const ROOT = join(__dirname, '..');

interface LockedPackage {
  readonly name?: string;
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The parts of package-lock.json that an SBOM needs. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** The text of the SBOM. */
export function sbomText(lock: Lock): string {
  const paths = runtimePaths(lock);
  const component = (path: string) => componentOf(path, lock.packages[path]!);
  const root = component('');
  const dependencies = ['', ...paths].map((path) => ({
    ref: component(path)['bom-ref'],
    dependsOn: needed(lock, path).map((each) => component(each)['bom-ref']),
  }));
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { lifecycles: [{ phase: 'pre-build' }], component: root },
    components: paths.map(component),
    dependencies,
  };
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

/** The folders of all run-time dependencies, sorted. */
function runtimePaths(lock: Lock): string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    for (const each of needed(lock, path)) {
      if (found.has(each)) continue;
      found.add(each);
      visit(each);
    }
  };
  visit('');
  return [...found].sort();
}

/** The folders of a package's dependencies: next to it or in a parent folder, as Node resolves them. */
function needed({ packages }: Lock, path: string): string[] {
  return Object.keys(packages[path]!.dependencies ?? {})
    .sort()
    .map((name) => {
      for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
        const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
        if (packages[candidate]) return candidate;
        if (folder === '') throw new Error(`package-lock.json does not say where ${name} is, which ${path} needs`);
      }
    });
}

function componentOf(
  path: string,
  { name = path.split('node_modules/').at(-1)!, version, integrity, license }: LockedPackage,
) {
  const [, algorithm, hash] = /^(sha\d+)-(.+)$/.exec(integrity ?? '') ?? [];
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(hash === undefined
      ? {}
      : {
          hashes: [{ alg: algorithm!.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }],
        }),
    ...(license === undefined
      ? {}
      : { licenses: [/ (OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }] }),
  };
}

if (require.main === module) {
  const text = sbomText(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  const [file] = process.argv.slice(2);
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
}
