import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { argoReleaseRules } from '../../src/argo/release';
import { built } from '../cli/built';
import { folderWith } from '../cli/fixture';
import { data, ROOT, text } from './files';

const examples = argoReleaseRules['rehearsal-verification-fails'];
const [failing, corrected] = [examples.failing.text, examples.corrected.text];
const { bin } = data('package.json');
const hooks: Hook[] = data('.pre-commit-hooks.yaml');

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly files: string;
  readonly pass_filenames: boolean;
}

/** Runs the entry of a hook as pre-commit does: at the root of the repository, without a shell. */
function hook(id: string, files: Readonly<Record<string, string>>) {
  const cwd = folderWith({ ...files, 'package.json': '{"name":"shop","private":true}' });
  mkdirSync(join(cwd, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(join(ROOT, bin['rollout-constructs']), join(cwd, 'node_modules', '.bin', 'rollout-constructs'));
  const [program, ...args] = hooks.find((each) => each.id === id)!.entry.split(' ');
  return spawnSync(program!, args, { cwd, encoding: 'utf8' });
}

describe('the hooks of pre-commit', () => {
  it('run what the repository has installed, on all files', () => {
    for (const each of hooks) {
      expect(each.entry).toMatch(/^npx --no-install rollout-constructs \w+$/);
      expect(each).toMatchObject({ language: 'system', pass_filenames: false });
    }
    const files = new RegExp(hooks[0]!.files);
    expect(['deploy/a.yaml', 'b.yml', 'c.json', 'main.ts'].filter((each) => files.test(each))).toHaveLength(3);
    expect(text('docs/tools.md')).toContain(`entry: ${hooks[0]!.entry}\n`);
  });

  it('fail for what the configuration names', () => {
    const config = { 'rollout-constructs.config.yaml': 'files: [deploy]\n' };
    expect(hook('rollout-constructs-check', { ...config, 'deploy/a.yaml': failing }).status).toBe(1);
    expect(hook('rollout-constructs-check', { ...config, 'deploy/a.yaml': corrected }).status).toBe(0);
  });
});

describe('the plugin of kubectl', () => {
  const name = 'kubectl-rollout_constructs';

  it('has the name that kubectl looks for', () => {
    // kubectl writes a dash of the command as an underscore.
    expect(bin).toHaveProperty(name);
    expect(text('docs/tools.md')).toContain(`kubectl ${name.replace('kubectl-', '').replace('_', '-')} doctor`);
  });

  it('is the command', async () => {
    const folder = folderWith({});
    symlinkSync(join(ROOT, bin[name]), join(folder, name));
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
    const { status, stdout } = spawnSync(name, ['--version'], { env, encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout).toBe((await built(['--version'], folder)).stdout);
  });
});
