/** What docs/ktenv.md shows is what the example and the command line give. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseManifests } from '../../src/core';
import { readManifests } from '../../src/files/manifests';
import { cli, folderWith } from '../cli/fixture';

const ROOT = join(__dirname, '..', '..');
const DOCS = readFileSync(join(ROOT, 'docs', 'ktenv.md'), 'utf8');

/** The commands of the document that read the example, with the text that it shows as their output. */
const SHOWN = [
  ...DOCS.matchAll(
    /```sh\nnpx tsx examples\/ktenv-environments\.ts \| npx rollout-constructs (.*)\n```\n\n```text\n([\s\S]*?)```/g,
  ),
].map(([, command, output]) => ({ args: command!.split(' '), output: output! }));

let stdin: string;
beforeAll(() => {
  const example = ['--import', 'tsx', join('examples', 'ktenv-environments.ts')];
  const { status, stdout, stderr } = spawnSync(process.execPath, example, { cwd: ROOT, encoding: 'utf8' });
  expect(stderr).not.toMatch(/\b(error|warning|note)\[/);
  expect(status).toBe(0);
  stdin = stdout;
}, 60_000);

describe('docs/ktenv.md', () => {
  it('shows the actual preview of the example, which has no findings', async () => {
    const { args, output } = SHOWN[0]!;
    expect(await cli(args, { stdin })).toEqual({ code: 0, stdout: output, stderr: '' });
  });

  it('shows the finding for an environment without workloads', async () => {
    const { args, output } = SHOWN[1]!;
    const { code, stdout } = await cli(args, { stdin });
    expect(stdout).toContain(output);
    expect(code).toBe(1);
    // Every environment but this one answers as before.
    expect(stdout.split('\n').find((line) => line.includes('web:80'))).toMatch(/ web-dev \(default\)$/);
  });

  it('shows an app that writes these objects', () => {
    const [, code] = /```ts\n(import [\s\S]*?)```/.exec(DOCS)!;
    const program = code!
      .replace("'rollout-constructs'", () => JSON.stringify(join(ROOT, 'src', 'constructs')))
      .replace("'cdk8s'", () => JSON.stringify(require.resolve('cdk8s')));
    const cwd = folderWith({ 'app.ts': program });
    const tsx = pathToFileURL(require.resolve('tsx')).href;
    const { status, stderr } = spawnSync(process.execPath, ['--import', tsx, 'app.ts'], { cwd, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const { manifests } = readManifests([join(cwd, 'dist')]);
    expect(manifests.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['MutatingWebhookConfiguration', 'Namespace', 'VirtualEnvironment', 'RoleBinding']),
    );
  }, 60_000);

  it('has an example of three services and two environments above the shared one', () => {
    const { manifests } = parseManifests(stdin, 'example.yaml');
    const inShop = manifests.filter(({ namespace }) => namespace === 'shop');
    expect(inShop.filter(({ kind }) => kind === 'Service').map(({ name }) => name)).toEqual(['web', 'cart', 'orders']);
    const environments = inShop.map((one) => one.get(['spec', 'template', 'metadata', 'labels', 'virtual-env']));
    expect([...new Set(environments)].filter((one) => one !== undefined)).toEqual([
      'dev',
      'dev.checkout',
      'dev.checkout.anna',
    ]);
  });

  it('has only valid links', () => {
    const links = [...DOCS.matchAll(/\]\((?!https:|#)([^)]+)\)/g)].map(([, target]) => target!);
    expect(links.length).toBeGreaterThan(40);
    expect(links.filter((target) => !existsSync(join(ROOT, 'docs', target)))).toEqual([]);
  });

  it('names existing options', async () => {
    const { stdout: help } = await cli(['env', 'preview', '--help']);
    for (const [option] of DOCS.matchAll(/--[a-z][a-z-]+/g)) expect(help, option).toContain(option);
  });
});
