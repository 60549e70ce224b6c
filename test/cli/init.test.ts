import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { TEMPLATES } from '../../src/cli/init/templates';
import { installedLibrary } from '../package';
import { cli, folderWith } from './fixture';

const NAMES = Object.keys(TEMPLATES);
const WRITTEN = [
  '.github/workflows/check.yaml',
  '.gitignore',
  '.gitlab-ci.yml',
  'README.md',
  'cdk8s.yaml',
  'main.ts',
  'package.json',
  'rollout-constructs.config.yaml',
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
  let modules: string;
  beforeAll(() => {
    const packages = ['@types/node', 'cdk8s', 'cdk8s-cli', 'constructs', 'tsx', 'typescript', 'yaml'];
    modules = installedLibrary(packages);
  }, 300_000);

  it.each(NAMES)(
    '%s compiles, synthesises and passes, with the packed library',
    async (template) => {
      const cwd = folderWith({});
      const bin = join(modules, '.bin', 'rollout-constructs');
      const init = await run(cwd, bin, ['init', 'My Shop', '--template', template]);
      expect(init).toMatchObject({ code: 0, output: expect.stringContaining("  cd 'My Shop'\n  npm install ") });

      const folder = join(cwd, 'My Shop');
      const { name, dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      expect(name).toBe('my-shop');
      // What the app asks for is what stands in for an install of it.
      for (const each of Object.keys({ ...dependencies, ...devDependencies }))
        expect(existsSync(join(modules, each, 'package.json')), each).toBe(true);
      symlinkSync(modules, join(folder, 'node_modules'), 'dir');

      // As it is once it was reviewed: the base of what comes later.
      const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' });
      git('init', '-q');
      git('add', '-A');
      git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'base');

      // The commands of the two jobs, after the install; what both do runs once.
      const github = steps('.github/workflows/check.yaml', folder);
      const output = await runsIn(folder, github, {
        GITHUB_STEP_SUMMARY: join(folder, 'summary'),
        GITHUB_EVENT_NAME: 'push',
      });
      expect(output).toMatch(/^(no findings|\d notes?)$/m);
      expect(output).not.toMatch(/\b(error|warning)\[|::(error|warning)/);
      expect(readdirSync(join(folder, 'dist')).sort()).toEqual(['platform.k8s.yaml', 'shop.k8s.yaml']);
      expect(readFileSync(join(folder, 'summary'), 'utf8')).toMatch(/^### \d+ notes[\s\S]+\n#/);
      // What a manifest holds could end a block of code.
      expect(readFileSync(join(folder, 'summary'), 'utf8')).not.toContain('```text');
      expect(readFileSync(join(folder, 'preview.html'), 'utf8')).toMatch(/^<!doctype html>/);
      const gitlab = steps('.gitlab-ci.yml', folder).filter((command) => !github.includes(command));
      expect(gitlab).toHaveLength(3);
      await runsIn(folder, gitlab, { CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' });
      expect(readFileSync(join(folder, 'findings.xml'), 'utf8')).toContain('<testsuites');
    },
    300_000,
  );
});

/** The commands of a job, without the install, which needs a registry. */
function steps(file: string, folder: string): string[] {
  const { jobs, check = jobs.check } = parse(readFileSync(join(folder, file), 'utf8'));
  const all: string[] = check.script ?? check.steps.flatMap(({ run: command }: { run?: string }) => command ?? []);
  expect(all[0]).toMatch(/^npm ci\b/);
  return all.slice(1);
}

/** Runs commands as a job does: all in one folder, until one fails. */
async function runsIn(folder: string, commands: readonly string[], env: Readonly<Record<string, string>>) {
  const assignments = Object.entries(env).map(([key, value]) => `export ${key}='${value}'`);
  const script = [...assignments, ...commands].join('\n');
  const { code, output } = await run(folder, 'bash', ['-exo', 'pipefail', '-c', script]);
  expect(code, output).toBe(0);
  return output;
}

describe('init', () => {
  it.each(NAMES)('writes %s, says what and what to do next', async (template) => {
    const cwd = folderWith({});
    const { code, stdout } = await cli(['init', 'shop', '--template', template], { cwd });
    expect(code).toBe(0);
    const files = filesIn(join(cwd, 'shop'));
    expect(Object.keys(files)).toEqual(WRITTEN);
    for (const [path, text] of Object.entries(files)) {
      expect(stdout).toContain(`  ${path}\n`);
      expect(text, path).not.toContain('{{name}}');
      expect(text, path).toMatch(/\S\n$/);
    }
    const { scripts } = JSON.parse(files['package.json']!);
    const named = [...`${stdout}${files['README.md']}`.matchAll(/npm run (\w+)/g)].map(([, script]) => script!);
    expect(named.length).toBeGreaterThan(5);
    for (const script of named) expect(scripts, script).toHaveProperty(script);
  });

  it('writes into the folder where you are, beside what is there', async () => {
    const cwd = folderWith({ '.git/HEAD': 'ref', 'notes.md': 'mine' });
    const { code, stdout } = await cli(['init', '--template', 'ktenv'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('written into this folder:');
    expect(stdout).not.toContain('  cd ');
    expect(filesIn(cwd)).toMatchObject({ 'notes.md': 'mine', 'main.ts': expect.stringContaining('KtEnvInstall') });
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
    [[], 'init needs --template\n  there are: kruise-alb, argo-alb, ktenv'],
    [['--template', 'kruise-abl'], '--template is "kruise-abl"; did you mean "kruise-alb"?'],
    [['a', 'b', '--template', 'ktenv'], 'init does not know what to do with the argument "b"'],
  ])('refuses %j', async (args, message) => {
    const cwd = folderWith({});
    const { code, stderr } = await cli(['init', ...args], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(readdirSync(cwd)).toEqual([]);
  });
});
