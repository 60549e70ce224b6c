import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseManifests, World } from '../src/core';
import { findingsOf, rehearse } from '../src/rehearsal';
import { schemaProblems } from './kubernetes-schema';

const ROOT = join(__dirname, '..');
const examples = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.ts'));

describe('the examples', () => {
  it.each(examples)(
    '%s prints manifests, without a finding',
    (name) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', join('examples', name)], {
        cwd: ROOT,
        encoding: 'utf8',
        // The CRDs of Argo Rollouts alone are more than the default.
        maxBuffer: 64 * 2 ** 20,
      });
      expect(stderr).not.toMatch(/\b(error|warning|note)\[/);
      expect(status).toBe(0);
      const { manifests, findings } = parseManifests(stdout, name);
      expect(findings).toEqual([]);
      expect(manifests.length).toBeGreaterThan(0);
      expect(manifests.flatMap(schemaProblems)).toEqual([]);
      const wrong = findingsOf(rehearse(World.of(manifests))).filter(({ severity }) => severity !== 'note');
      expect(wrong).toEqual([]);
    },
    30_000,
  );
});
