import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as cdk8s from 'cdk8s';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as library from '../../src/constructs';
import { parseManifests } from '../../src/core';
import { ktenvRules } from '../../src/ktenv/rules';
import * as lua from '../../src/lua';
import * as policy from '../../src/policy';
import { rehearsalRules } from '../../src/rehearsal';
import { cli, folderWith } from '../cli/fixture';
import { Compiler, emit, type Known, type Module, moduleOf } from './compile';
import { type Block, blocksOf, pagesIn, ROOT, textOf } from './pages';
import { settings } from './setting';

// The examples of rules are held by test/rule-examples.test.ts, those of components by test/pulumi.
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...pagesIn('docs').filter((page) => !/^docs\/(rules|reference\/pulumi)\//.test(page)),
];
const blocks = PAGES.flatMap(blocksOf);
const of = (...languages: readonly string[]) =>
  blocks.filter(({ language }) => languages.includes(language)).map((block) => [block.place, block] as const);
const isPlain = ({ fragment }: Block) => fragment === '';

describe('the blocks of the pages', () => {
  it('are of languages that are tried here, or plain text', () => {
    const languages = ['ts', 'sh', 'yaml', 'json', 'lua', 'text', 'mermaid'];
    expect(blocks.filter(({ language }) => !languages.includes(language)).map(({ place }) => place)).toEqual([]);
    expect(blocks.length).toBeGreaterThan(50);
  });

  it('are fragments in few places only', () => {
    expect(blocks.filter(isPlain).length).toBeLessThan(blocks.length / 5);
  });
});

const known: Known = {
  exports: new Map([
    ['rollout-constructs', Object.keys(library)],
    ['cdk8s', Object.keys(cdk8s)],
    ['rollout-constructs/lua', Object.keys(lua)],
    ['rollout-constructs/policy', Object.keys(policy)],
    ['@pulumi/policy', ['PolicyPack']],
  ]),
  settingOf(page) {
    const key = page in settings ? (page as keyof typeof settings) : 'pages';
    const setting = new settings[key]();
    const members = [...Object.keys(setting), ...Object.getOwnPropertyNames(Object.getPrototypeOf(setting))];
    return { key, members: members.filter((name) => name !== 'constructor') };
  },
};

describe('TypeScript of the pages', () => {
  const modules = of('ts').flatMap(([, block], index) => (isPlain(block) ? [] : [moduleOf(block, index, known)]));
  const named = modules.map((module) => [module.block.place, module] as const);
  // Programs of Pulumi run in its runtime: test/pulumi/docs.test.ts has it.
  const runnable = named.filter(([, { source }]) => !/from '(@pulumi\/pulumi|rollout-constructs\/pulumi)/.test(source));

  let compiler: Compiler;
  let cwd: string;
  let restore: () => void;
  beforeAll(() => {
    compiler = new Compiler(modules);
    const before = process.cwd();
    cwd = newProject();
    process.chdir(cwd);
    const outputs = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockReturnValue(true));
    restore = () => {
      process.chdir(before);
      for (const output of outputs) output.mockRestore();
    };
  }, 120_000);
  afterAll(() => restore());

  it.each(named)('%s is typed right', (_, module) => {
    expect(compiler.errorsOf(module)).toEqual([]);
  });

  it.each(runnable)('%s runs', async (_, module) => {
    await run(module);
  });

  it.each(named.filter((one) => !runnable.includes(one)))('%s is run by a test of its page', (_, { block }) => {
    expect(textOf('test/pulumi/docs.test.ts')).toContain(`'${block.page.split('/').at(-1)}'`);
  });
});

/** Runs a module as a user would have written it. */
async function run(module: Module): Promise<void> {
  const packages: Record<string, unknown> = {
    'rollout-constructs': library,
    'rollout-constructs/lua': lua,
    'rollout-constructs/validation': await import('../../src/validation'),
    'rollout-constructs/policy': policy,
    // The real one waits for Pulumi to call it; test/policy has that.
    '@pulumi/policy': { PolicyPack: class {} },
  };
  const code = emit(module);
  for (const [, path] of code.matchAll(/require\("(\.\.[^"]+)"\)/g)) {
    packages[path!] = await import(/* @vite-ignore */ join(ROOT, 'docs', path!));
  }
  const load = createRequire(join(ROOT, 'docs', 'page.ts'));
  const require = (name: string) => packages[name] ?? load(name);
  new Function('require', 'exports', code)(require, {});
}

describe('YAML of the pages', () => {
  it.each(of('yaml'))('%s is read', (place, block) => {
    for (const document of parseAllDocuments(block.text)) expect(document.errors).toEqual([]);
    const { findings } = parseManifests(block.text, place);
    const faults = findings.filter(({ severity, rule }) => severity === 'error' && rule !== 'not-kubernetes');
    expect(faults.map(({ message }) => message)).toEqual([]);
  });
});

describe('JSON of the pages', () => {
  it('is read', () => {
    for (const [place, { text }] of of('json')) expect(() => JSON.parse(text), place).not.toThrow();
  });
});

describe('Lua of the pages', () => {
  it.each(of('lua'))('%s compiles', (_, { text }) => {
    const result = lua.compileLua(text).run({});
    if (!result.ok) expect(result.error).not.toMatch(/parse error|syntax error/);
  });
});

/** One command of a block, as a shell would split it into words. */
interface CommandLine {
  readonly words: readonly string[];
  /** What an `echo` before it writes to it. */
  readonly stdin: string | undefined;
}

function commandsOf({ text }: Block): CommandLine[] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n');
  const prompted = lines.some((line) => line.startsWith('$ '));
  const written = prompted ? lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2)) : lines;
  return written.flatMap((line) => {
    const commands: { words: string[]; stdin: string | undefined }[] = [{ words: [], stdin: undefined }];
    for (const [, single, double, bare] of line.replace(/(^|\s)#.*$/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)) {
      const { words } = commands.at(-1)!;
      if (bare !== '|' && bare !== '&&' && bare !== '>') words.push(single ?? double ?? bare!);
      else commands.push({ words: [], stdin: words[0] === 'echo' ? `${words[1]}\n` : undefined });
    }
    return commands.filter(({ words }) => words.length > 0);
  });
}

describe('commands of the pages', () => {
  const commands = of('sh').flatMap(([place, block]) => commandsOf(block).map((command) => [place, command] as const));
  const own = commands.flatMap(([place, { words, stdin }]) => {
    const at = words[0] === 'npx' ? 1 : 0;
    const args = words.slice(at + 1);
    return words[at] === 'rollout-constructs' ? [[place, args.join(' '), args, stdin] as const] : [];
  });
  const { scripts, dependencies, peerDependencies } = JSON.parse(textOf('package.json'));

  it('are many', () => {
    expect(own.length).toBeGreaterThan(10);
  });

  it.each(own)('%s: %s is understood', async (place, __, words, stdin) => {
    const name = await commandNameOf(words);
    const { stdout: help } = await cli([...name.split(' '), '--help']);
    for (const word of words.filter((one) => one.startsWith('--'))) {
      expect(help.split(/[^\w-]+/), name).toContain(word.split('=')[0]);
    }
    // These ask a cluster, wait for changes, or write what is not there before.
    const asksCluster = name === 'doctor' || name === 'watch' || words.includes('--context');
    if (asksCluster || name === 'init' || words.includes('--watch')) return;
    if (name === 'diff') makeRepository(projectOf(place));
    const { code, stderr } = await cli(words, {
      cwd: projectOf(place),
      stdin: stdin ?? `${STACK}---\n${ENVIRONMENTS}`,
    });
    expect(stderr).not.toMatch(/^rollout-constructs: /m);
    expect([0, 1]).toContain(code);
  });

  it('of npm are of packages and scripts that there are', () => {
    const known = new Set([
      'rollout-constructs',
      'cdk8s-cli',
      ...Object.keys({ ...dependencies, ...peerDependencies }),
    ]);
    for (const [place, { words }] of commands) {
      const first = words.slice(0, 2).join(' ');
      if (first === 'npm run')
        expect(Object.keys(scripts), place).toContain(words.slice(2).find((word) => !word.startsWith('-')));
      if (/^npm (start|test)$/.test(first)) expect(Object.keys(scripts), place).toContain(words[1]);
      if (first === 'npm install') {
        const packages = words.slice(2).filter((word) => !word.startsWith('-'));
        for (const name of packages) expect(known, `${place}: ${name}`).toContain(name);
      }
      if (first === 'npx tsx') expect(existsSync(join(ROOT, words[2]!)), `${place}: ${words[2]}`).toBe(true);
    }
  });
});

async function commandNameOf(words: readonly string[]): Promise<string> {
  const names = [...(await cli(['--help'])).stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}/gm)].map(
    ([, name]) => name!,
  );
  const name = [words.slice(0, 2).join(' '), words[0]!].find((one) => names.includes(one));
  expect(name, `a command among ${names.join(', ')}`).toBeDefined();
  return name!;
}

/** A stack without an error. */
const STACK = rehearsalRules['rehearsal-canary-gets-nothing'].corrected.text;

/** The ConfigMap of a cluster. */
const CONFIG_MAP = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kruise-rollout-configuration', namespace: 'kruise-rollout' },
  data: {},
});

/** A namespace with a virtual environment. */
const ENVIRONMENTS = ktenvRules['ktenv-gateway-port'].corrected.text;

const projects = new Map<string, string>();

/** The project in which the commands of a block are run, one after the other. */
function projectOf(place: string): string {
  const project = projects.get(place) ?? newProject();
  projects.set(place, project);
  return project;
}

/** A project with what the commands of the pages name. */
function newProject(): string {
  const files = [
    ...textOf('docs/testing-scripts.md').matchAll(
      /^`(lua_configuration\/[^`]+)`\n\n```(?:lua|yaml)\n([\s\S]*?)^```$/gm,
    ),
  ].map(([, path, text]) => [path!, text!] as const);
  return folderWith({
    ...Object.fromEntries(files),
    'deploy/shop.yaml': STACK,
    'deploy/environments.yaml': ENVIRONMENTS,
    'dist/shop.yaml': STACK,
    'base/dist/shop.yaml': STACK,
    'dump.yaml': CONFIG_MAP,
    'cluster/facts.yaml': 'kruiseVersion: 0.6.2\nscripts: [routing-scripts.yaml]\n',
    'cluster/routing-scripts.yaml': CONFIG_MAP,
    'cluster/namespace.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n',
  });
}

/** Makes a project a checkout whose only commit is that of the main branch, too. */
function makeRepository(folder: string): void {
  if (existsSync(join(folder, '.git'))) return;
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'base');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
}
