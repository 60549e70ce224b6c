import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJsonObject, parseManifests } from '../../src/core';
import { READ_KINDS } from '../../src/doctor';
import { kruiseCluster } from '../doctor/kruise-cluster';
import { cli, folderWith } from './fixture';

const TEXT = readFileSync(join(__dirname, '..', '..', 'docs', 'doctor.md'), 'utf8');
const blockOf = (language: string, at = 0) =>
  [...TEXT.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))][at]![1]!;

describe('docs/doctor.md', () => {
  it('shows an answer as it is', async () => {
    const cwd = folderWith({ 'dump.yaml': kruiseCluster({ weight: 50 }) });
    const { stdout } = await cli(['doctor', 'dump.yaml', '--no-color'], { cwd });
    expect(stdout.startsWith(blockOf('text'))).toBe(true);
  });

  it('shows the command that writes a dump', async () => {
    expect(blockOf('sh', 1)).toBe((await cli(['doctor', '--dump-command'])).stdout);
  });

  it('names options that there are', async () => {
    const { stdout: help } = await cli(['doctor', '--help']);
    const own = TEXT.replace(blockOf('sh', 1), '').replace(/npm install.*/g, '');
    for (const [option] of own.matchAll(/--[a-z][a-z-]+/g)) expect(help, option).toContain(option);
  });

  it('shows a role that allows all that is read, and nothing else', () => {
    const [role] = parseManifests(blockOf('yaml'), 'role.yaml').manifests;
    const rules = role!.get('rules');
    const allowed = (Array.isArray(rules) ? rules : []).filter(isJsonObject).flatMap((rule) => {
      const { apiGroups, resources, verbs } = rule as Record<string, readonly string[]>;
      expect(verbs).toEqual(['get', 'list']);
      return apiGroups!.flatMap((group) => resources!.map((resource) => `${group}/${resource}`));
    });
    expect(allowed.sort()).toEqual(READ_KINDS.map(({ group, plural }) => `${group}/${plural}`).sort());
  });
});
