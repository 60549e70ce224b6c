/** Imported programs for Pulumi, run with a recorder in place of the engine. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Manifest } from '../../src/core';
import { isJsonObject, type Json } from '../../src/core/json';
import { type ImportedProgram, importProgram } from '../../src/synthesis';
import { HAND_WRITTEN, NO_CONSTRUCTS, ODD_OBJECTS, ON_AN_ALB } from '../import/fixtures';
import { compile, differencesBetween, manifestsOf, projectOf } from '../import/projects';
import { printedExamples } from '../printed-examples';
import { run } from './program';

/** One for each component; test/import has all of them with cdk8s. */
const EXAMPLES = [
  'aliyun-alb-canary.ts',
  'argo-blue-green.ts',
  'argo-migration.ts',
  'argo-two-albs.ts',
  'aws-alb-canary.ts',
  'kruise-install.ts',
  'kruise-traffic-routing.ts',
  'ktenv-environments.ts',
];

const WRITTEN: Readonly<Record<string, string>> = {
  'odd-objects': ODD_OBJECTS,
  'hand-written': HAND_WRITTEN,
  'no-constructs': NO_CONSTRUCTS,
  'on-an-alb': ON_AN_ALB,
};

const NAMES = [...Object.keys(WRITTEN), ...EXAMPLES.map((name) => name.replace(/\.ts$/, ''))];

/** Null is an absent field for Kubernetes, and Pulumi sends none. */
function withoutNull(json: Json): Json {
  if (Array.isArray(json)) return json.map(withoutNull);
  if (!isJsonObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, entry]) => (entry === null ? [] : [[key, withoutNull(entry)]])),
  );
}

describe('the program of an import for Pulumi', () => {
  const inputs = new Map<string, string>(Object.entries(WRITTEN));
  const imported = new Map<string, ImportedProgram>();
  let folder: string;

  beforeAll(() => {
    const printed = printedExamples();
    for (const name of EXAMPLES) inputs.set(name.replace(/\.ts$/, ''), printed[name]!.stdout);
    for (const [name, text] of inputs) {
      imported.set(name, importProgram(manifestsOf(text), { target: 'pulumi', inputs: [`${name}.yaml`] }));
    }
    folder = projectOf(Object.fromEntries([...imported].map(([name, { text }]) => [name, text])));
  });

  it('compiles', () => {
    expect(compile(folder, NAMES)).toEqual([]);
  });

  it.each(NAMES)('%s asks for the same objects', async (name) => {
    const load = createRequire(join(folder, name, 'main.js'));
    const { resources, log } = await run(() => {
      load('./main.js');
    });
    expect(log.filter(({ severity }) => severity === 'error')).toEqual([]);
    const written = resources.filter(({ type }) => type.startsWith('kubernetes:')).map(({ inputs: all }) => all);
    const input = manifestsOf(inputs.get(name)!);
    expect(written.length).toBe(input.length);
    const wanted = input.map(({ object }) => Manifest.of(withoutNull(object) as object));
    const differing = differencesBetween(
      wanted,
      written.map((one) => withoutNull(one) as object),
    );
    expect(differing).toEqual([]);
  });

  it('has components where the cdk8s program has constructs', () => {
    const classes = imported.get('on-an-alb')!.plan.statements.map((statement) => statement.class);
    expect(classes).toEqual(['AlbIngressClass', 'AlbCanaryIngress', 'Ingress', 'Service', 'Service', 'ConfigMap']);
    expect(imported.get('aws-alb-canary')!.text).toContain('new KruiseRollout(');
  });
});
