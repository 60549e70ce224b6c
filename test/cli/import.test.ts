import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HAND_WRITTEN, NO_CONSTRUCTS, ON_AN_ALB } from '../import/fixtures';
import { built } from './built';
import { cli, folderWith } from './fixture';

describe('rollout-constructs import', () => {
  it('writes a program to stdout, and to stderr what stays as it is', async () => {
    const cwd = folderWith({ 'web.yaml': HAND_WRITTEN });
    const { code, stdout, stderr } = await cli(['import', 'web.yaml'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("import { ApiObject, App, Chart } from 'cdk8s';\n");
    expect(stdout).toContain("  trafficRouting: { service: webService, ingress: webIngress, classType: 'nginx'");
    expect(stderr).toMatch(/^5 objects: 2 constructs write 2, 3 stay as they are\n/);
  });

  it('writes a file, and no other over it', async () => {
    const cwd = folderWith({ 'web.yaml': HAND_WRITTEN });
    const { stderr } = await cli(['import', 'web.yaml', '--output', 'main.ts'], { cwd });
    expect(stderr).toMatch(/^main\.ts: 5 objects/);
    const written = readFileSync(join(cwd, 'main.ts'), 'utf8');
    const again = await cli(['import', 'web.yaml', '--output', 'main.ts', '--to', 'pulumi'], { cwd });
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('"main.ts" exists already') });
    expect(readFileSync(join(cwd, 'main.ts'), 'utf8')).toBe(written);
    await cli(['import', 'web.yaml', '--output', 'main.ts', '--to', 'pulumi', '--force'], { cwd });
    expect(readFileSync(join(cwd, 'main.ts'), 'utf8')).toContain("from 'rollout-constructs/pulumi'");
  });

  it('says why an object has no construct, in the program and on stderr', async () => {
    const { stdout, stderr } = await cli(['import', '-'], { stdin: NO_CONSTRUCTS });
    const reason = 'spec.strategy.canary.enableExtraWorkloadForCanary is false, and would be left out';
    expect(stdout).toContain(`// not a KruiseRollout: ${reason}\nnew ApiObject(chart, 'Rollout-explicit'`);
    expect(stderr).toContain(`  Rollout "explicit" is no KruiseRollout: ${reason}\n`);
  });

  it('accepts errors that are there already, and lists them', async () => {
    const { code, stdout, stderr } = await cli(['import', '-'], { stdin: ON_AN_ALB });
    expect(code).toBe(0);
    expect(stderr).toContain('errors that the objects have already, accepted in the program:\n  lua-');
    expect(stdout).toContain("{ rule: 'lua-annotations-unguarded', reason: 'imported as it was' }");
  });

  it.each([
    ['no input', ['import'], '', 'import needs manifests'],
    ['another tool', ['import', '-', '--to', 'cdk'], HAND_WRITTEN, '--to is "cdk"'],
    ['YAML that is none', ['import', '-'], 'a: [', 'the manifests cannot be read: <stdin>:1: '],
    ['no objects', ['import', '-'], '# nothing\n', 'there are no objects'],
    ['an object without a kind', ['import', '-'], 'apiVersion: v1\nmetadata: { name: a }\n', 'kind'],
    [
      'an object that is there twice',
      ['import', '-'],
      'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n---\napiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n',
      'the Namespace "a" is there twice: in <stdin>:1 and in <stdin>:5',
    ],
    [
      'a key that cdk8s cannot write',
      ['import', '-'],
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { __proto__: x }\n',
      'ConfigMap "a" cannot be written',
    ],
  ])('ends with 2 for %s', async (_, args, stdin, message) => {
    const { code, stdout, stderr } = await cli(args, { stdin });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/internal error|^ +at /m);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('works as it is shipped', async () => {
    const cwd = folderWith({ 'web.yaml': HAND_WRITTEN });
    const { code } = await built(['import', 'web.yaml', '--output', 'main.ts'], cwd);
    expect(code).toBe(0);
    expect(existsSync(join(cwd, 'main.ts'))).toBe(true);
  });
});
