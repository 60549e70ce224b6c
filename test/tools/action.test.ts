import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { argoReleaseRules } from '../../src/argo/release';
import { BIN } from '../cli/built';
import { folderWith } from '../cli/fixture';
import { data, text } from './files';

const action = data('action.yml');
const [step] = action.runs.steps;
const { id, ...examples } = argoReleaseRules['rehearsal-verification-fails'];
const [failing, corrected] = [examples.failing.text, examples.corrected.text];

/** Runs the step as a runner does, in a repository that has the command in its devDependencies. */
function run(files: Readonly<Record<string, string>>, inputs: Readonly<Record<string, string>>) {
  const cwd = folderWith({ ...files, 'package.json': '{"name":"shop","private":true}', summary: '' });
  mkdirSync(join(cwd, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(BIN, join(cwd, 'node_modules', '.bin', 'rollout-constructs'));
  const values = Object.entries<{ default?: string }>(action.inputs).map(([name, input]) => [
    variableOf(name),
    inputs[name] ?? input.default ?? '',
  ]);
  const env = { ...process.env, ...Object.fromEntries(values), GITHUB_STEP_SUMMARY: join(cwd, 'summary') };
  // As `shell: bash` stands for.
  const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run];
  const { status, stdout, stderr } = spawnSync('bash', shell, { cwd, env, encoding: 'utf8' });
  return { status, stdout, stderr, cwd, summary: readFileSync(join(cwd, 'summary'), 'utf8') };
}

/** The variable of the step that has an input. */
function variableOf(input: string): string {
  const [name] = Object.entries(step.env).find(([, value]) => value === `\${{ inputs.${input} }}`) ?? ['UNUSED'];
  return name;
}

describe('the action', () => {
  it('has what the metadata of an action has to have', () => {
    expect(Object.keys(action).sort()).toEqual(['author', 'branding', 'description', 'inputs', 'name', 'runs']);
    expect(Object.keys(action.runs).sort()).toEqual(['steps', 'using']);
    expect(action.runs.using).toBe('composite');
    expect(action.runs.steps).toHaveLength(1);
    // A step with `run` needs a shell; there is no `timeout-minutes` in a composite action.
    expect(Object.keys(step).sort()).toEqual(['env', 'name', 'run', 'shell', 'working-directory']);
    for (const [name, input] of Object.entries<object>(action.inputs)) {
      const allowed = ['default', 'description', 'required'];
      expect(
        Object.keys(input).filter((key) => !allowed.includes(key)),
        name,
      ).toEqual([]);
      expect(input).toHaveProperty('description');
      expect('required' in input !== 'default' in input, name).toBe(true);
    }
  });

  it('uses every input, and none that does not exist', () => {
    const used = [...text('action.yml').matchAll(/\$\{\{ *inputs\.([\w-]+) *\}\}/g)].map(([, name]) => name);
    expect(used.sort()).toEqual(Object.keys(action.inputs).sort());
    for (const variable of Object.keys(step.env)) expect(step.run).toContain(`$${variable}"`);
  });

  it('has no value of a user in its script', () => {
    expect(step.run).not.toContain('${{');
  });

  it('passes, and shows the rehearsal', () => {
    const { status, stderr, summary } = run({ 'deploy/shop.yaml': corrected }, { files: 'deploy\n\n' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(summary).toContain('Rollout');
  });

  it('fails with annotations, and writes what is asked for all the same', () => {
    const files = { 'my deploy/shop.yaml': failing };
    const inputs = { files: 'my deploy', sarif: 'findings.sarif', html: 'rehearsal.html' };
    const { status, stdout, summary, cwd } = run(files, inputs);
    expect(status).toBe(1);
    expect(stdout).toMatch(new RegExp(`^::error file=my deploy/shop.yaml,.*${id}`, 'm'));
    expect(summary).toContain(id.replaceAll('-', '\\-'));
    expect(JSON.parse(readFileSync(join(cwd, 'findings.sarif'), 'utf8')).version).toBe('2.1.0');
    expect(readFileSync(join(cwd, 'rehearsal.html'), 'utf8')).toMatch(/^<!doctype html>/);
  });

  it('takes no file for an option, and no text for a command', () => {
    const files = '--output\n$(touch stolen)\n';
    const { status, cwd } = run({}, { files });
    expect(status).toBe(2);
    expect(existsSync(join(cwd, 'stolen'))).toBe(false);
  });

  it('is described in the guide', () => {
    const rows = [...text('docs/tools.md').matchAll(/^\| `([\w-]+)` \| /gm)].map(([, name]) => name);
    expect(rows).toEqual(Object.keys(action.inputs));
  });
});
