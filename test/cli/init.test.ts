import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { TEMPLATES, type TemplateName } from '../../src/cli/init/templates';
import { installedLibrary } from '../package';
import { cli, folderWith } from './fixture';

const NAMES = Object.keys(TEMPLATES) as TemplateName[];

/** What every app has, by its tool. */
const WRITTEN = {
  cdk8s: ['app.test.ts', 'app.ts', 'cdk8s.yaml', 'main.ts', 'rollout-constructs.config.yaml'],
  pulumi: ['Pulumi.yaml', 'index.test.ts', 'index.ts'],
};
const ALWAYS = [
  '.github/workflows/check.yaml',
  '.gitignore',
  '.gitlab-ci.yml',
  'README.md',
  'package.json',
  'tsconfig.json',
];

/** All files below a folder, with their texts. */
function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

async function run(cwd: string, command: string, args: readonly string[]) {
  const child = spawn(command, args, { cwd, env: { ...process.env, CI: '1', NO_COLOR: '1', FORCE_COLOR: '' } });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

describe('an app that init has written', () => {
  /** All apps beside each other, with the packed library in the folder above. */
  let apps: string;
  const app = (template: TemplateName) => join(apps, template);
  const packageOf = (template: TemplateName) => JSON.parse(readFileSync(join(app(template), 'package.json'), 'utf8'));

  beforeAll(async () => {
    const pulumi = ['pulumi', 'kubernetes', 'aws'].map((name) => `@pulumi/${name}`);
    const modules = installedLibrary([
      ...['@types/node', 'cdk8s', 'cdk8s-cli', 'constructs', 'tsx', 'typescript', 'yaml'],
      ...pulumi,
    ]);
    apps = folderWith({});
    symlinkSync(modules, join(apps, 'node_modules'), 'dir');
    const bin = join(modules, '.bin', 'rollout-constructs');
    const written = NAMES.map((name) => run(apps, bin, ['init', name, '--template', name]));
    for (const { code, output } of await Promise.all(written)) expect(code, output).toBe(0);
    // What an app asks for is what stands in for an install of it.
    for (const name of NAMES) {
      const { dependencies, devDependencies } = packageOf(name);
      for (const each of Object.keys({ ...dependencies, ...devDependencies }))
        expect(existsSync(join(modules, each, 'package.json')), each).toBe(true);
      // As npm would install it.
      symlinkSync(modules, join(app(name), 'node_modules'), 'dir');
    }
  }, 300_000);

  it('compiles, whatever the template', async () => {
    const config = { extends: './kruise-alb/tsconfig.json', include: ['*/*.ts'] };
    writeFileSync(join(apps, 'tsconfig.json'), JSON.stringify(config));
    for (const name of NAMES)
      expect(readFileSync(join(app(name), 'tsconfig.json'))).toEqual(
        readFileSync(join(app('kruise-alb'), 'tsconfig.json')),
      );
    const { code, output } = await run(apps, 'node_modules/.bin/tsc', ['-p', '.', '--listFiles']);
    const [files, said] = [/^\/.*\n/gm, /^(?!\/).*\n/gm].map((lines) => output.match(lines)?.join('') ?? '');
    expect({ code, said }).toEqual({ code: 0, said: '' });
    for (const name of NAMES) expect(files).toContain(`/${name}/`);
  });

  // Those of kruise-alb and argo-alb-pulumi run in their jobs.
  const tested = NAMES.filter((name) => name !== 'kruise-alb' && name !== 'argo-alb-pulumi');
  it.each(tested)('%s passes its test', async (name) => {
    const { code, output } = await run(app(name), 'npm', ['test']);
    expect(code, output).toBe(0);
    expect(output).toMatch(/^# pass [1-9]/m);
    if (name === 'lua-gateway') expect(output).toContain('9 passed, 0 failed');
  });

  it('fails its test after a mistake', async () => {
    const path = join(app('kruise-alb'), 'app.ts');
    const text = readFileSync(path, 'utf8');
    expect(text).toContain("traffic('20%'");
    writeFileSync(path, text.replace("traffic('20%'", "traffic('30%'"));
    try {
      const { code, output } = await run(app('kruise-alb'), 'npm', ['test']);
      expect(code, output).toBe(1);
      expect(output).toMatch(/second step reaches a fifth[\s\S]*0\.3 !== 0\.2/);
    } finally {
      writeFileSync(path, text);
    }
  });

  it.each(['ktenv', 'lua-gateway'] as const)('%s passes the check, and has a preview', async (name) => {
    const synth = await run(app(name), process.execPath, ['--import', 'tsx', 'main.ts']);
    expect(synth.code, synth.output).toBe(0);
    expect(readdirSync(join(app(name), 'dist')).sort()).toEqual(['platform.k8s.yaml', 'shop.k8s.yaml']);
    const check = await cli(['check'], { cwd: app(name) });
    expect(check.code, check.stdout).toBe(0);
    expect(check.stdout).toMatch(/^(no findings|\d notes?)\b/m);
    expect(check.stdout).not.toMatch(/\b(error|warning)\[/);
    const [, ...preview] = packageOf(name).scripts.preview.split(' ');
    expect(preview).toEqual(name === 'ktenv' ? ['env', 'preview', 'dist'] : ['rehearse', 'dist']);
    expect((await cli(preview, { cwd: app(name) })).code).toBe(0);
  });

  it('runs the jobs of cdk8s', async () => {
    const folder = app('kruise-alb');
    inGit(folder);
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' });
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const github = steps('.github/workflows/check.yaml', folder);
    const output = await runsIn(folder, github.filter(isNew), {
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_BASE_REF: 'main',
    });
    expect(output).toMatch(/^\d notes?$/m);
    expect(output).toMatch(/^# pass 3$/m);
    expect(output).not.toMatch(/\b(error|warning)\[|::(error|warning)/);
    expect(readFileSync(join(folder, 'summary'), 'utf8')).toMatch(/^### \d+ notes[\s\S]+\n#/);
    // What a manifest holds could end a block of code.
    expect(readFileSync(join(folder, 'summary'), 'utf8')).not.toContain('```text');
    expect(readFileSync(join(folder, 'preview.html'), 'utf8')).toMatch(/^<!doctype html>/);
    expect(readFileSync(join(folder, 'diff.html'), 'utf8')).toMatch(/^<!doctype html>/);
    expect(readFileSync(join(folder, 'diff.md'), 'utf8')).toContain('this change starts no release');
    expect(readdirSync(join(folder, 'reports'))).toContain('rehearsal.html');
    // What both jobs do runs once.
    const gitlab = steps('.gitlab-ci.yml', folder).filter((command) => !github.includes(command));
    expect(gitlab).toHaveLength(3);
    git('worktree', 'remove', '--force', '../base');
    await runsIn(folder, gitlab, { CI_MERGE_REQUEST_DIFF_BASE_SHA: git('rev-parse', 'HEAD').toString().trim() });
    expect(readFileSync(join(folder, 'findings.xml'), 'utf8')).toContain('<testsuites');
  }, 300_000);

  it('runs the jobs of Pulumi, with annotations for the lines of the program', async () => {
    const folder = app('argo-alb-pulumi');
    const github = steps('.github/workflows/check.yaml', folder).filter(isNew);
    const output = await runsIn(folder, github, { GITHUB_STEP_SUMMARY: join(folder, 'summary') });
    expect(output).toMatch(/^# pass 1$/m);
    expect(output).toMatch(/^::notice file=index\.ts,line=\d+,col=\d+,title=/m);
    expect(output).not.toMatch(/::(error|warning)/);
    expect(readFileSync(join(folder, 'summary'), 'utf8')).toMatch(/^### \d+ notes/);
    expect(readdirSync(join(folder, 'reports'))).toContain('rehearsal.html');
    expect(steps('.gitlab-ci.yml', folder).filter(isNew)).toEqual(github.slice(0, 1));
  });
});

/** All templates are compiled at once. */
const isNew = (command: string) => command !== 'npm run compile';

/** As an app is once it was reviewed: the base of what comes later. */
function inGit(folder: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' });
  git('init', '-q');
  // The packages are a link here, which .gitignore does not know.
  git('add', '-A', '--', '.', ':!node_modules');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'base');
}

/** The commands of a job, without the install, which needs a registry. */
function steps(file: string, folder: string): string[] {
  const { jobs, check = jobs.check } = parse(readFileSync(join(folder, file), 'utf8'));
  const all: string[] =
    check.script?.concat(check.after_script ?? []) ??
    check.steps.flatMap(({ run: command }: { run?: string }) => command ?? []);
  expect(all[0]).toMatch(/^npm ci\b/);
  return all.slice(1);
}

/** Runs commands as a job does: all in one folder, each in a shell of its own, until one fails. */
async function runsIn(folder: string, commands: readonly string[], env: Readonly<Record<string, string>>) {
  const assignments = Object.entries(env).map(([key, value]) => `export ${key}='${value}'`);
  const script = [...assignments, ...commands.map((command) => `(\n${command}\n)`)].join('\n');
  const { code, output } = await run(folder, 'bash', ['-exo', 'pipefail', '-c', script]);
  expect(code, output).toBe(0);
  return output;
}

describe('the jobs of an app', () => {
  it.each(['ktenv', 'argo-alb-pulumi'])('run nothing of the branch where they may write: %s', async (template) => {
    const cwd = folderWith({});
    await cli(['init', 'shop', '--template', template], { cwd });
    const { permissions, jobs } = parse(readFileSync(join(cwd, 'shop/.github/workflows/check.yaml'), 'utf8'));
    expect(permissions).toEqual({ contents: 'read' });
    expect(Object.keys(jobs)).toEqual(['check', 'comment']);
    expect(jobs.check.permissions).toBeUndefined();
    expect(jobs.comment.permissions).toEqual({ 'pull-requests': 'write' });
    const checkout = jobs.check.steps.find(({ uses }: { uses?: string }) => uses?.startsWith('actions/checkout@'));
    expect(checkout.with['persist-credentials']).toBe(false);
    for (const { run: command = '', uses = '' } of jobs.comment.steps) {
      expect(`${command}${uses}`).not.toMatch(/checkout|\bnp[mx]\b|\bnode\b|git /);
      expect(command).not.toContain('${{');
    }
    for (const { run: command = '', env } of jobs.check.steps) {
      expect(command).not.toContain('${{');
      expect(env).toBeUndefined();
    }
  });
});

describe('init', () => {
  it.each(NAMES)('writes %s, says what and what to do next', async (template) => {
    const cwd = folderWith({});
    const { code, stdout } = await cli(['init', 'My Shop', '--template', template], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("  cd 'My Shop'\n  npm install ");
    const files = filesIn(join(cwd, 'My Shop'));
    expect(JSON.parse(files['package.json']!).name).toBe('my-shop');
    const own = Object.keys(files).filter((path) => !path.startsWith('lua_configuration/'));
    expect(own).toEqual([...ALWAYS, ...WRITTEN[TEMPLATES[template].tool]].sort());
    expect(own.length < Object.keys(files).length).toBe(template === 'lua-gateway');
    for (const [path, text] of Object.entries(files)) {
      expect(stdout).toContain(`  ${path}\n`);
      expect(text, path).not.toMatch(/\{\{\w+\}\}/);
      expect(text, path).toMatch(/\S\n$/);
    }
    const { scripts } = JSON.parse(files['package.json']!);
    const named = [...`${stdout}${files['README.md']}`.matchAll(/npm (?:run )?(?!install)(\w+)/g)].map(
      ([, script]) => script!,
    );
    expect(named).toContain('test');
    for (const script of named) expect(scripts, script).toHaveProperty(script);
  });

  it('writes into the folder where you are, beside what is there', async () => {
    const cwd = folderWith({ '.git/HEAD': 'ref', 'notes.md': 'mine' });
    const { code, stdout } = await cli(['init', '--template', 'ktenv'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('written into this folder:');
    expect(stdout).not.toContain('  cd ');
    expect(filesIn(cwd)).toMatchObject({ 'notes.md': 'mine', 'main.ts': expect.stringContaining('createApp') });
  });

  it.each([
    ['files', { 'main.ts': 'mine', '.github/workflows/check.yaml': 'mine' }, 'main.ts, .github/workflows/check.yaml'],
    ['a file where a folder has to be', { '.github': 'mine' }, '.github/workflows/check.yaml'],
  ])('writes nothing because of %s in the way', async (_, files, listed) => {
    const cwd = folderWith(files);
    const { code, stderr } = await cli(['init', '.', '--template', 'argo-alb'], { cwd });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        `rollout-constructs: "." has these files already: ${listed}\n` +
        '  nothing was written; name another folder, or move them away\n',
    });
    expect(filesIn(cwd)).toEqual(files);
  });

  it('takes a link that leads nowhere for a file', async () => {
    const cwd = folderWith({});
    symlinkSync('nowhere', join(cwd, 'tsconfig.json'));
    const { code, stderr } = await cli(['init', '--template', 'argo-alb'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('already: tsconfig.json') });
    expect(readdirSync(cwd)).toEqual(['tsconfig.json']);
  });

  it('leaves nothing behind when it cannot write everything', async () => {
    const cwd = folderWith({ file: '' });
    const { code, stderr } = await cli(['init', 'file/app', '--template', 'argo-alb'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('a part of its path is a file') });
    expect(readdirSync(cwd)).toEqual(['file']);
  });

  it('takes back what it wrote before it was stopped', async () => {
    const cwd = folderWith({ 'app/notes.md': 'mine' });
    symlinkSync('nowhere', join(cwd, 'app', '.github'));
    const { code, stderr } = await cli(['init', 'app', '--template', 'argo-alb'], { cwd });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'rollout-constructs: cannot write into "app": ".github" is there already\n',
    });
    expect(readdirSync(join(cwd, 'app')).sort()).toEqual(['.github', 'notes.md']);
  });

  it.each([
    [[], 'init needs --template\n  there are: kruise-alb, aliyun-alb, lua-gateway, argo-alb, argo-alb-pulumi, ktenv'],
    [['--template', 'kruise-abl'], '--template is "kruise-abl"; did you mean "kruise-alb"?'],
    [['a', 'b', '--template', 'ktenv'], 'init does not know what to do with the argument "b"'],
  ])('refuses %j', async (args, message) => {
    const cwd = folderWith({});
    const { code, stderr } = await cli(['init', ...args], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(readdirSync(cwd)).toEqual([]);
  });
});
