import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KRUISE } from '../upgrade/stacks';
import { cli, folderWith } from './fixture';

const STEPS = /steps:[\s\S]*$/;
const STAGING = KRUISE.replace(STEPS, 'steps: [{replicas: 10, traffic: 100%, pause: {}}]\n');
const PROD = KRUISE.replace(STEPS, 'steps: [{replicas: 1, traffic: 10%, pause: {}}, {replicas: 10, traffic: 100%}]\n');
const CONFIG = `clusters:
  staging: {files: [deploy/staging], kruiseVersion: "0.6.2"}
  prod: {files: [deploy/prod], kruiseVersion: "0.5.5"}
`;
const folder = folderWith({
  'rollout-constructs.config.yaml': CONFIG,
  'deploy/staging/stack.yaml': STAGING,
  'deploy/prod/stack.yaml': PROD,
  'wrong/rollout-constructs.config.yaml': 'clusters: {prod: {kruiseVersoin: "0.6"}}\n',
  'none/rollout-constructs.config.yaml': 'clusters: {prod: {kruiseVersion: "0.6"}}\n',
});
const check = async (args: readonly string[], cwd = folder) => {
  const ended = await cli(['check', ...args, '--no-cache', '--format', 'json'], { cwd });
  return { ...ended, report: ended.stdout === '' ? undefined : JSON.parse(ended.stdout) };
};
const rulesOf = (report: { findings: { rule: string; message: string }[] }) => report.findings.map(({ rule }) => rule);

describe('folders of environments in one call', () => {
  it('are checked each by itself, and what differs for a release is said', async () => {
    const { report } = await check(['deploy', '--no-config']);
    expect(rulesOf(report)).not.toContain('manifest-duplicate');
    expect(report.stacks.map((each: object) => ({ ...each, checkedFor: 0 }))).toEqual([
      { name: 'prod', objects: 4, checkedFor: 0 },
      { name: 'staging', objects: 4, checkedFor: 0 },
    ]);
    expect(report.objects).toBe(8);
    expect(report.differences).toEqual(['Rollout web has other steps: 10%, 100% in prod; 100% in staging']);
  });

  it('are named by a rehearsal, which is of one cluster', async () => {
    const { stderr } = await cli(['rehearse', 'deploy', '--no-config', '--format', 'json'], { cwd: folder });
    expect(stderr).toContain('these folders are for several clusters or environments (prod, staging)');
  });

  it('are one stack if they are named alone', async () => {
    const { report } = await check(['deploy/prod', '--no-config']);
    expect(report).not.toHaveProperty('stacks');
    expect(report.objects).toBe(4);
  });
});

describe('clusters of the configuration', () => {
  it('have their own files and releases', async () => {
    const { report, code } = await check([]);
    expect(code).toBe(1);
    expect(report.stacks.map(({ name }: { name: string }) => name)).toEqual(['staging', 'prod']);
    expect(report.differences[0]).toBe('Kruise Rollouts has other releases: 0.6.2 in staging; 0.5.5 in prod');
    // Only 0.5.5 lets requests reach the canary before the first step.
    const early = report.findings.filter(({ rule }: { rule: string }) => rule === 'rehearsal-canary-too-early');
    expect(early.map(({ source }: { source: { file: string } }) => source.file)).toEqual([
      expect.stringMatching(/deploy\/prod\/stack\.yaml$/),
    ]);
  });

  it('are picked with --in, by every command', async () => {
    const { report, code } = await check(['--in', 'staging']);
    expect(code).toBe(0);
    expect(report.objects).toBe(4);
    const upgrade = await cli(['upgrade', '--in', 'prod', '--to', 'kruise=0.6.2'], { cwd: folder });
    expect(upgrade.stdout).toContain('Kruise Rollouts 0.5.5 → 0.6.2');
    expect(upgrade.code).toBe(0);
  });

  it.each([
    [['check', '--in', 'prd'], folder, '--in is "prd"; did you mean "prod"?'],
    [['check', 'deploy', '--no-config', '--in', 'prod'], folder, '--in is "prod", and there is no configuration'],
    [['check'], join(folder, 'wrong'), 'unknown field "clusters.prod.kruiseVersoin"; did you mean "kruiseVersion"?'],
    [['check'], join(folder, 'none'), 'the cluster "prod" of the configuration has no files'],
    [['upgrade', '--to', 'kruise=0.6.2'], folder, 'the configuration has several clusters: staging, prod'],
    [
      ['upgrade', 'deploy', '--no-config', '--from', 'kruise=0.6', '--to', 'kruise=0.6.2'],
      folder,
      'these folders are for several clusters',
    ],
  ])('say what is wrong with %j', async (args, cwd, message) => {
    const { code, stderr, stdout } = await cli(args, { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('docs/environments.md', () => {
  const text = readFileSync(join(__dirname, '..', '..', 'docs', 'environments.md'), 'utf8');
  const blockOf = (language: string) => new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)![1]!;

  it('shows the end of a report as it is', async () => {
    const { stdout } = await cli(['check', 'deploy', '--no-config', '--no-cache'], { cwd: folder });
    expect(stdout.endsWith(blockOf('text'))).toBe(true);
  });

  it('shows a configuration that is understood', async () => {
    const cwd = folderWith({
      'rollout-constructs.config.yaml': blockOf('yaml'),
      'clusters/prod/facts.yaml': 'kruiseVersion: "0.6.1"\n',
      'clusters/prod/stack.yaml': PROD,
      'clusters/staging/stack.yaml': STAGING,
      'base/service.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: api, namespace: shop}\nspec: {clusterIP: None}\n',
    });
    const { report } = await check([], cwd);
    expect(report.stacks.map(({ name, objects }: { name: string; objects: number }) => [name, objects])).toEqual([
      ['staging', 5],
      ['prod', 5],
    ]);
    expect(report.differences[0]).toContain('0.6.2 in staging; 0.6.1 in prod');
  });
});
