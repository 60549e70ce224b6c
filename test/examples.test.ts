import { type SpawnSyncReturns, spawnSync } from 'node:child_process';

import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseManifests, World } from '../src/core';
import { findingsOf, rehearse } from '../src/rehearsal';
import { schemaProblems } from './kubernetes-schema';
import { EXAMPLES, type Printed, printedExamples } from './printed-examples';

const ROOT = join(__dirname, '..');

function run(...args: readonly string[]): SpawnSyncReturns<string> {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 256 * 2 ** 20 } as const;
  return spawnSync(process.execPath, ['--import', 'tsx', ...args], options);
}

describe('the examples', () => {
  let printed: Readonly<Record<string, Printed>>;

  beforeAll(() => {
    printed = printedExamples();
  });

  it.each(EXAMPLES)('%s prints manifests, without a finding', (name) => {
    const { stdout, stderr } = printed[name]!;
    expect(stderr).not.toMatch(/\b(error|warning|note)\[/);
    const { manifests, findings } = parseManifests(stdout, name);
    expect(findings).toEqual([]);
    expect(manifests.length).toBeGreaterThan(0);
    expect(manifests.flatMap(schemaProblems)).toEqual([]);
    const wrong = findingsOf(rehearse(World.of(manifests))).filter(({ severity }) => severity !== 'note');
    expect(wrong).toEqual([]);
  });

  it('print the same when each is run by itself, as its first lines say', () => {
    const { status, stdout } = run(join('examples', 'argo-basic.ts'));
    expect(status).toBe(0);
    expect(stdout).toBe(printed['argo-basic.ts']!.stdout);
  });
});
