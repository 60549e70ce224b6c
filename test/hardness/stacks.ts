import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { ruleGroups } from '../../src/check';
import { type Manifest, parseManifests } from '../../src/core';

/** A stack to be spoilt, with the name by which a failing test tells it. */
export interface NamedStack {
  readonly name: string;
  readonly manifests: readonly Manifest[];
}

/** The failing examples of all rules: all systems, all kinds, all annotations. */
export function ruleStacks(): NamedStack[] {
  return ruleGroups
    .flatMap(({ rules }) => rules)
    .filter(({ failing }) => failing.language === 'yaml')
    .map(({ id, failing }) => ({ name: id, manifests: parseManifests(failing.text, 'example.yaml').manifests }))
    .filter(({ manifests }) => manifests.length > 0);
}

const EXAMPLES = join(__dirname, '..', '..', 'examples');

/** They print what others print too, and megabytes of CRDs. */
const LARGE = new Set(['argo-verification.ts', 'custom-gateway.ts']);

/** What the examples print, without the CRDs, which no check reads. To be asked once: an example prints when it is loaded. */
export async function exampleStacks(): Promise<NamedStack[]> {
  const stacks: NamedStack[] = [];
  for (const name of readdirSync(EXAMPLES).filter((each) => each.endsWith('.ts') && !LARGE.has(each))) {
    let text = '';
    const print = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      text += chunk;
      return true;
    });
    const log = vi.spyOn(console, 'log').mockImplementation((line) => {
      text += `${line}\n`;
    });
    try {
      await import(join(EXAMPLES, name));
    } finally {
      print.mockRestore();
      log.mockRestore();
    }
    const { manifests } = parseManifests(withoutCrds(text), name);
    if (manifests.length > 0) stacks.push({ name, manifests });
  }
  return stacks;
}

function withoutCrds(text: string): string {
  return text
    .split(/^---\n/m)
    .filter((document) => !/^kind: CustomResourceDefinition$/m.test(document))
    .join('---\n');
}
