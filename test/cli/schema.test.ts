import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith } from './fixture';

describe('schema', () => {
  it('prints one schema for all kinds', async () => {
    const { code, stdout } = await cli(['schema']);
    expect(code).toBe(0);
    const { allOf, definitions } = JSON.parse(stdout);
    expect(allOf).toHaveLength(Object.keys(definitions).length);
  });

  it.each([
    ['Rollout.argoproj.io', 'argoproj.io/v1alpha1'],
    ['rollout.rollouts.kruise.io', 'rollouts.kruise.io/v1beta1'],
    ['Rollout.v1alpha1.rollouts.kruise.io', 'rollouts.kruise.io/v1alpha1'],
    ['VirtualEnvironment', 'env.alibaba.com/v1alpha2'],
  ])('prints that of %s', async (name, apiVersion) => {
    const { code, stdout } = await cli(['schema', name]);
    expect(code).toBe(0);
    const { $schema, properties } = JSON.parse(stdout);
    expect($schema).toContain('draft-07');
    expect(properties.apiVersion.const).toBe(apiVersion);
  });

  it('describes the release that is asked for', async () => {
    const of = async (version: string) =>
      (await cli(['schema', 'Rollout.rollouts.kruise.io', '--kruise-version', version])).stdout;
    expect(await of('0.6')).toContain('queryParams');
    expect(await of('0.5')).not.toContain('queryParams');
  });

  it('writes a folder, as kubeconform reads it', async () => {
    const cwd = folderWith({});
    const { code, stdout } = await cli(['schema', '--output', 'schemas'], { cwd });
    expect(code).toBe(0);
    const files = stdout.trim().split('\n');
    expect(files).toContain('schemas/argoproj.io/analysistemplate_v1alpha1.json');
    const { stdout: all } = await cli(['schema', '--list']);
    expect(files).toHaveLength(1 + all.trim().split('\n').length);
    for (const file of files) JSON.parse(readFileSync(join(cwd, file), 'utf8'));
    expect(readFileSync(join(cwd, 'schemas/all.json'), 'utf8')).toBe((await cli(['schema'])).stdout);
  });

  it.each([
    [
      ['Rollout'],
      '"Rollout" is a kind of several systems\n  name one: Rollout.argoproj.io, Rollout.rollouts.kruise.io',
    ],
    [['AnalysisTemplat'], 'there is no schema of "AnalysisTemplat"; did you mean "AnalysisTemplate"?'],
    [['Deployment'], 'there is no schema of "Deployment"'],
    [['--kruise-version', '9'], '--kruise-version is "9"'],
    [['--output', 'file'], 'cannot write into "file": it is a file'],
  ])('refuses %j', async (args, message) => {
    const cwd = folderWith({ file: '' });
    const { code, stdout, stderr } = await cli(['schema', ...args], { cwd });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });
});
