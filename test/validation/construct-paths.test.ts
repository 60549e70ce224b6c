import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ApiObject, App, Chart, YamlOutputType } from 'cdk8s';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readManifests } from '../../src/files/manifests';
import { constructPaths } from '../../src/validation/construct-paths';
import { folderWith } from '../cli/fixture';

const IDS = ['a', 'a-b', 'b', 'app', 'Web', '0001-a'];

/** A chart, the names of the objects in it by their ids, and the chart within it. */
interface Charts {
  readonly id: string;
  readonly names: readonly string[];
  readonly inner: readonly Charts[];
}

const charts = (depth: number): fc.Arbitrary<readonly Charts[]> =>
  fc.uniqueArray(
    fc.record({
      id: fc.constantFrom(...IDS),
      names: fc.array(fc.constantFrom('web', 'shop', 'constructor', 'b'), { maxLength: 4 }),
      inner: depth === 0 ? fc.constant([]) : charts(depth - 1),
    }),
    { minLength: depth === 0 ? 0 : 1, maxLength: 3, selector: ({ id }) => id.toLowerCase() },
  );

const OUTPUTS = [
  YamlOutputType.FILE_PER_APP,
  YamlOutputType.FILE_PER_CHART,
  YamlOutputType.FILE_PER_RESOURCE,
  YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE,
];

/** Writes an app with the real cdk8s. Each object has the path of its construct in a label, which the finding of paths does not see. */
function synth(all: readonly Charts[], output: YamlOutputType, isOrdered: boolean): string {
  const outdir = folderWith({});
  const app = new App({ outdir, yamlOutputType: output, recordConstructMetadata: true });
  const make = (scope: App | Chart, { id, names, inner }: Charts): Chart => {
    const chart = new Chart(scope, id, { disableResourceNameHashes: true });
    for (const [index, name] of names.entries()) {
      const kind = index % 2 === 0 ? 'Service' : 'ConfigMap';
      const object = new ApiObject(chart, `o${index}`, { apiVersion: 'v1', kind, metadata: { name } });
      object.metadata.addAnnotation('made-by', object.node.path);
    }
    for (const each of inner) make(chart, each);
    return chart;
  };
  const made = all.map((each) => make(app, each));
  if (isOrdered && made.length > 1) made[0]!.addDependency(made[1]!);
  app.synth();
  return outdir;
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return names.filter((name) => statSync(name).isFile() && basename(name).endsWith('.k8s.yaml')).sort();
}

describe('the path of a construct', () => {
  it('is its own, or that of its chart, or not known: whatever the app and however it is written', () => {
    let exact = 0;
    const apps = fc.property(charts(1), fc.constantFrom(...OUTPUTS), fc.boolean(), (all, output, isOrdered) => {
      const outdir = synth(all, output, isOrdered);
      const { resources } = JSON.parse(readFileSync(join(outdir, 'construct-metadata.json'), 'utf8'));
      const { manifests } = readManifests(filesIn(outdir));
      const pathOf = constructPaths(manifests, resources);
      for (const manifest of manifests) {
        const own = manifest.annotations['made-by']!;
        const path = pathOf(manifest);
        if (path === own) exact++;
        else if (path !== undefined) expect(own.startsWith(`${path}/`), `${path} for ${own}`).toBe(true);
      }
      // A name that only one object has is always known.
      for (const manifest of manifests) {
        if (manifests.filter(({ name }) => name === manifest.name).length > 1) continue;
        expect(pathOf(manifest)).toBe(manifest.annotations['made-by']);
      }
    });
    fc.assert(apps, { seed: 17, numRuns: 80 });
    expect(exact).toBeGreaterThan(50);
  });
});
