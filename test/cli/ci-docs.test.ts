import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { argoReleaseRules } from '../../src/argo/release';
import { TEMPLATES } from '../../src/cli/init/templates';
import { BIN } from './built';
import { blocks, document, runLine } from './doc-blocks';
import { cli, folderWith } from './fixture';

const TEXT = document('ci.md');
const [GITHUB, GITLAB, MATRIX] = blocks(TEXT, 'yaml').map((text) => parse(text)) as [Workflow, Pipeline, Workflow];
const { id, failing, corrected } = argoReleaseRules['rehearsal-verification-fails'];

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly steps: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string;
  readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
}

interface Workflow {
  readonly on: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface PipelineJob {
  readonly extends?: string;
  readonly script?: readonly string[];
  readonly before_script?: readonly string[];
  readonly artifacts?: { readonly paths?: readonly string[]; readonly reports?: { readonly junit: string } };
}

type Pipeline = Readonly<Record<string, PipelineJob>>;

/** A repository in which the commands of a job can run: `npx` runs the command line as it is shipped, `npm` and `gh` say that they were called. */
function repository(manifests: string) {
  const folder = folderWith({ 'deploy/stack.yaml': manifests });
  const bin = folderWith({});
  const stand = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  stand('npx', `shift\nexec '${process.execPath}' '${BIN}' "$@"`);
  stand('npm', 'echo "npm $*" >> called');
  stand('gh', 'echo "gh $*" >> called');
  // The base of the pull request, which --trust owner reads.
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' });
  git('init', '-q');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'base');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  return { folder, bin };
}

/** What GitHub says of a pull request, and GitLab of a merge request. */
const BASE = { GITHUB_BASE_REF: 'main', GITHUB_REPOSITORY: 'shop/shop' };

/** Runs a step as its runner does. */
async function run({ folder, bin }: ReturnType<typeof repository>, script: string, env: Record<string, string> = {}) {
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, FORCE_COLOR: '', PATH: `${bin}:${process.env.PATH}`, ...BASE, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
const called = (folder: string) =>
  existsSync(join(folder, 'called')) ? read(folder, 'called').trim().split('\n') : [];

describe('the workflow for GitHub', () => {
  const { check: first, report: second } = GITHUB.jobs as { check: Job; report: Job };
  const steps = [...first.steps, ...second.steps];
  const commands = steps.flatMap(({ run: command = [] }) => command);

  it('runs nothing of the branch where it may write, and keeps no token where it does', () => {
    expect(first.permissions).toEqual({ contents: 'read' });
    expect(first.steps.find(({ uses }) => uses?.startsWith('actions/checkout@'))!.with).toMatchObject({
      'persist-credentials': false,
    });
    expect(second.permissions).toEqual({ contents: 'read', 'security-events': 'write', 'pull-requests': 'write' });
    expect(second.steps.some(({ uses }) => uses?.startsWith('actions/checkout@'))).toBe(false);
    for (const { run: command = '' } of second.steps) expect(command).not.toMatch(/\bnp[mx]\b|\bnode\b/);
    for (const command of commands)
      if (command.includes('rollout-constructs')) expect(command).toContain('--trust owner');
  });

  it('uses files that its steps write', () => {
    const upload = steps.find(({ uses }) => uses?.startsWith('github/codeql-action/upload-sarif@'));
    expect(commands.some((command) => command.endsWith(`--output ${upload!.with!.sarif_file}`))).toBe(true);
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w/-]+@v\d+$/);
    // Nothing of an event is put into a script as text.
    for (const command of commands) expect(command).not.toContain('${{');
  });

  it.each([
    ['wrong', failing.text, 1],
    ['right', corrected.text, 0],
  ])('runs, for manifests that are %s', async (_, manifests, expected) => {
    const project = repository(manifests);
    const { folder } = project;
    const [install, check, rehearse, diff, comment] = commands;
    expect(commands).toHaveLength(5);
    await run(project, install!);
    expect((await run(project, check!)).code).toBe(expected);
    expect(JSON.parse(read(folder, 'findings.sarif')).version).toBe('2.1.0');
    expect((await run(project, rehearse!, { GITHUB_STEP_SUMMARY: join(folder, 'summary.md') })).code).toBe(expected);
    expect(read(folder, 'summary.md')).toBe(read(folder, 'rehearsal.md'));
    expect((await run(project, diff!)).code).toBe(0);
    expect(read(folder, 'diff.md')).toMatch(/^### Releases: 1 of 1 release differs/);
    expect((await run(project, comment!, { PULL_REQUEST: '7' })).code).toBe(0);
    expect(read(folder, 'comment')).toBe(read(folder, 'diff.md') + read(folder, 'rehearsal.md'));
    expect(called(folder)).toEqual([
      'npm ci',
      'gh pr comment 7 --repo shop/shop --edit-last --create-if-none --body-file comment',
    ]);
  });

  it('fails where there is nothing to rehearse', async () => {
    const project = repository('apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n');
    const { code } = await run(project, commands[2]!, { GITHUB_STEP_SUMMARY: join(project.folder, 'summary.md') });
    expect(code).toBe(1);
    expect(existsSync(join(project.folder, 'summary.md'))).toBe(false);
  });

  it('has another way without code scanning', async () => {
    const { folder } = repository(failing.text);
    const line = blocks(TEXT, 'sh')[0]!.trim();
    expect(await runLine(line, folder)).toMatchObject({ code: 1, stdout: expect.stringMatching(/^::error file=/) });
  });
});

describe('the jobs for GitLab', () => {
  it('run, and write what they keep', async () => {
    const project = repository(failing.text);
    const jobs = Object.entries(GITLAB).filter(([name]) => !name.startsWith('.'));
    expect(jobs).toHaveLength(3);
    for (const [name, { extends: base, script, artifacts }] of jobs) {
      const all = [...GITLAB[base!]!.before_script!, ...script!];
      const { code } = await run(project, all.join('\n'), { CI_MERGE_REQUEST_DIFF_BASE_SHA: 'origin/main' });
      expect(code, name).toBe(name === 'what the change does' ? 0 : 1);
      for (const file of [...(artifacts!.paths ?? []), ...Object.values(artifacts!.reports ?? {})])
        expect(existsSync(join(project.folder, file)), file).toBe(true);
    }
    expect(read(project.folder, 'findings.xml')).toMatch(/failures="[1-9]/);
    expect(called(project.folder)).toEqual(jobs.map(() => 'npm ci --cache .npm'));
  });
});

describe('the workflow for several machines', () => {
  it('puts together what the shards have found', async () => {
    const project = repository(failing.text);
    const { check, report } = MATRIX.jobs as { check: Job; report: Job };
    expect(report.needs).toBe('check');
    const { shard } = check.strategy!.matrix;
    const [, command] = check.steps.flatMap(({ run: each = [] }) => each);
    for (const number of shard) {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the expression of a workflow
      const filled = command!.replaceAll('${{ matrix.shard }}', String(number));
      expect((await run(project, filled)).code, filled).toBe(0);
    }
    const [, merge] = report.steps.flatMap(({ run: each = [] }) => each);
    const { code, output } = await run(project, merge!);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(id) });
    for (const number of shard) expect(merge).toContain(`shard-${number}.json`);
  });
});

describe('a new app', () => {
  it('comes from a template that there is', async () => {
    const cwd = folderWith({});
    mkdirSync(join(cwd, 'work'));
    expect((await runLine(blocks(TEXT, 'sh').at(-1)!.trim(), join(cwd, 'work'))).code).toBe(0);
    const rows = [...TEXT.matchAll(/^\| `([\w-]+)` \| (.*) \|$/gm)].map(([, name, summary]) => [name, summary]);
    expect(rows).toEqual(Object.entries(TEMPLATES).map(([name, { summary }]) => [name, summary]));
    expect((await cli(['init', '--help'])).stdout).toContain(rows[0]![1]);
  });
});
