/** ROLLOUT_CONSTRUCTS_REPORT with a Pulumi program, as `pulumi preview` runs it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KruiseRolloutStrategy } from '../../src/constructs';
import { readManifests } from '../../src/files/manifests';
import { run } from './program';

const workload = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const strategy = KruiseRolloutStrategy.canary({ steps: [{ replicas: '20%' }, { replicas: '100%' }] });

describe('ROLLOUT_CONSTRUCTS_REPORT', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pulumi-report-'));
    vi.stubEnv('ROLLOUT_CONSTRUCTS_REPORT', `${folder}/reports`);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  it('gets every format of what a preview finds, and the manifests that it refuses', async () => {
    const { findings } = await run(
      ({ library, recorded, pulumi }) => {
        for (const name of ['web', 'web-again'])
          new library.KruiseRollout(
            name,
            { workload, strategy, metadata: { name, annotations: { secret: pulumi.secret('hidden') } } },
            recorded,
          );
      },
      { preview: true },
    );
    const errors = findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
    expect(errors).toContain('rollout-workload-taken');
    const names = readdirSync(join(folder, 'reports')).sort();
    expect(names).toEqual([
      'annotations.txt',
      'findings.json',
      'findings.md',
      'findings.sarif',
      'findings.xml',
      'rehearsal.html',
      'rejected',
    ]);
    const written = JSON.parse(readFileSync(join(folder, 'reports/findings.json'), 'utf8')).findings;
    expect(written.map(({ rule }: { rule: string }) => rule).sort()).toEqual(findings.map(({ rule }) => rule).sort());
    const { manifests } = readManifests([join(folder, 'reports/rejected')]);
    expect(manifests.map(({ name }) => name)).toEqual(['web', 'web-again']);
    expect(readFileSync(join(folder, 'reports/rejected/stack.k8s.yaml'), 'utf8')).not.toContain('hidden');
  });

  it('gets no manifests where nothing is refused', async () => {
    await run(({ library, recorded }) => void new library.KruiseRollout('web', { workload, strategy }, recorded));
    expect(readdirSync(join(folder, 'reports'))).not.toContain('rejected');
  });
});
