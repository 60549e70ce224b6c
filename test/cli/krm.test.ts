import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { argoReleaseRules } from '../../src/argo/release';
import { BIN } from './built';
import { cli, folderWith } from './fixture';

const { id, ...examples } = argoReleaseRules['rehearsal-verification-fails'];
const [failing, corrected] = [examples.failing.text, examples.corrected.text];

/** What kustomize writes to a function. */
function resourceList(manifests: string, spec?: object): string {
  const items = manifests
    .split(/^---$/m)
    .map((each) => parse(each))
    .filter(Boolean);
  for (const [index, item] of items.entries()) {
    item.metadata.annotations = {
      ...item.metadata.annotations,
      'internal.config.kubernetes.io/path': 'base/shop.yaml',
      'internal.config.kubernetes.io/index': String(index),
    };
  }
  const functionConfig = { apiVersion: 'rollout-constructs.io/v1', kind: 'Check', metadata: { name: 'x' }, spec };
  return stringify({ apiVersion: 'config.kubernetes.io/v1', kind: 'ResourceList', functionConfig, items });
}

const run = (stdin: string) => cli(['krm'], { stdin, cwd: folderWith({}) });

describe('krm', () => {
  it('writes findings as results, and fails', async () => {
    const input = resourceList(failing);
    const { code, stdout, stderr } = await run(input);
    expect(code).toBe(1);
    const { results, ...list } = parse(stdout);
    // A validator may not change the items.
    expect(list).toEqual(parse(input));
    const result = results.find(({ tags }: { tags: { rule: string } }) => tags.rule === id);
    expect(result).toMatchObject({ severity: 'error', message: expect.stringContaining('; fix: ') });
    expect(result.resourceRef).toMatchObject({ kind: 'Rollout' });
    expect(result.field.path).toMatch(/^spec\./);
    const place = list.items.findIndex(({ kind }: { kind: string }) => kind === 'Rollout');
    expect(result.file).toEqual({ path: 'base/shop.yaml', index: place });
    expect(stderr).toContain(`error[${id}]`);
    // Nobody sees the lines of the ResourceList.
    expect(stderr).not.toContain('<stdin>');
  });

  it('passes what has no errors', async () => {
    const { code, stdout, stderr } = await run(resourceList(corrected));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const results = parse(stdout).results ?? [];
    expect(results.filter(({ severity }: { severity: string }) => severity === 'error')).toEqual([]);
  });

  it('keeps comments, styles and what it does not read', async () => {
    const items = 'items:\n  - apiVersion: v1 # a comment\n    kind: ConfigMap\n    metadata: { name: "x" }\n';
    const text = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n${items}results:\n  - message: of before\n`;
    const { code, stdout } = await run(text);
    expect(code).toBe(0);
    expect(stdout).toBe(`apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n${items}`);
  });

  it('has the settings of the functionConfig, before those of the file', async () => {
    const off = { [id]: 'off' };
    const found = async (spec: object, files: Record<string, string> = {}) => {
      const { stdout } = await cli(['krm'], { stdin: resourceList(failing, spec), cwd: folderWith(files) });
      return JSON.stringify(parse(stdout).results ?? []).includes(`"${id}"`);
    };
    expect(await found({})).toBe(true);
    expect(await found({ rules: off })).toBe(false);
    const config = { 'rollout-constructs.config.yaml': stringify({ rules: off }) };
    expect(await found({}, config)).toBe(false);
    expect(await found({ rules: { [id]: 'warning' } }, config)).toBe(true);
  });

  it.each([
    ['', 'standard input is no ResourceList'],
    ['a: [', 'standard input is no YAML'],
    ['kind: List\napiVersion: v1\nitems: []\n', 'standard input is a List, not a ResourceList'],
    ['kind: ResourceList\napiVersion: config.kubernetes.io/v1alpha1\nitems: []\n', 'config.kubernetes.io/v1alpha1'],
    [resourceList('', { kruiseVersion: '9' }), 'kruiseVersion of the spec of the functionConfig is "9"'],
    [resourceList('', { files: ['x'] }), 'files in the spec of the functionConfig'],
    [resourceList('', { rulez: {} }), 'rulez'],
    [
      'kind: ResourceList\napiVersion: config.kubernetes.io/v1\nfunctionConfig: { data: { a: b } }\nitems: []\n',
      'the functionConfig has data',
    ],
  ])('refuses %j', async (stdin, message) => {
    const { code, stdout, stderr } = await run(stdin);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain('    at ');
  });

  it('runs without arguments, as kustomize calls it', () => {
    const program = join(BIN, '..', 'rollout-constructs-krm');
    const { status, stdout } = spawnSync(program, {
      input: resourceList(failing),
      encoding: 'utf8',
      cwd: folderWith({}),
    });
    expect(status).toBe(1);
    expect(parse(stdout).results.length).toBeGreaterThan(0);
  });
});
