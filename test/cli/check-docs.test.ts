import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { committedConfigSchema, configSchemaText } from '../../scripts/write-config-schema';
import { configSchema } from '../../src/settings/config-schema';
import { blocks, document, runLine, standIn } from './doc-blocks';
import { cli, folderWith } from './fixture';

const TEXT = document('check.md');
const [MANIFESTS, CONFIG, ANNOTATION] = blocks(TEXT, 'yaml') as [string, string, string];
const COMMANDS = blocks(TEXT, 'sh');
const lines = (block: string | undefined) => block!.trimEnd().split('\n');

/** The commands in the block that begins like this. */
const commandsOf = (start: string) => lines(COMMANDS.find((block) => block.startsWith(start)));
const repository = (files: Readonly<Record<string, string>> = {}) =>
  folderWith({ 'deploy/shop.yaml': MANIFESTS, ...files });

describe('docs/check.md', () => {
  it('has all its blocks run here', () => {
    expect(COMMANDS).toHaveLength(8);
    expect(blocks(TEXT, 'yaml')).toHaveLength(3);
    expect([...TEXT.matchAll(/^```\w+$/gm)]).toHaveLength(8 + 3 + 1 + 1 + 1);
  });

  it('shows the output as it is', async () => {
    const cwd = repository();
    const { code, stdout } = await runLine(lines(COMMANDS[0])[0]!, cwd);
    expect(code).toBe(1);
    expect(blocks(TEXT, 'text')).toEqual([stdout.replaceAll(`${cwd}/`, '')]);
  });

  it('shows options and commands that there are', async () => {
    const cwd = repository();
    const [check, explain, rules] = commandsOf('rollout-constructs check deploy --kruise-version');
    expect((await runLine(check!, cwd)).stdout).toMatch(
      /for Kruise Rollouts 0\.5\.\d, .*AWS Load Balancer Controller 2\.13\.4, Istio 1\.24, Kubernetes 1\.33\n$/,
    );
    expect((await runLine(explain!, cwd)).code).toBe(0);
    expect((await runLine(rules!, cwd)).code).toBe(0);
    const { stdout: help } = await cli(['check', '--help']);
    const { stdout: merge } = await cli(['report', 'merge', '--help']);
    for (const [option] of TEXT.matchAll(/--[a-z][a-z-]+/g)) expect(help + merge, option).toContain(option);
    const table = TEXT.split('\n## ').find((section) => section.startsWith('Formats'))!;
    const formats = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, format]) => format);
    expect(help).toContain(`${formats.slice(0, -1).join(', ')} or ${formats.at(-1)} (default ${formats[0]})`);
  });

  it('reads files, and what Helm and kustomize write', async () => {
    const bin = folderWith({});
    // As `helm template` writes it.
    const rendered = MANIFESTS.split('---\n').map((each) => `---\n# Source: shop/templates/shop.yaml\n${each}`);
    standIn(bin, 'helm', rendered.join(''));
    standIn(bin, 'kustomize', MANIFESTS);
    standIn(bin, 'kubectl', MANIFESTS);
    const cwd = repository({ 'cluster/namespace.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n' });
    const [files, ...pipes] = commandsOf('rollout-constructs check deploy/shop.yaml');
    expect((await runLine(files!, cwd)).stdout).toContain('1 error\n3 objects checked');
    expect(pipes).toHaveLength(3);
    for (const pipe of pipes) {
      const { code, stdout } = await runLine(pipe, cwd, bin);
      expect(code, pipe).toBe(1);
      expect(stdout).toMatch(/--> <stdin>:\d+:44\n/);
    }
  });

  it('writes the report into a file', async () => {
    const cwd = repository();
    const { code, stdout } = await runLine(commandsOf('rollout-constructs check deploy --format')[0]!, cwd);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('error[alb-group-order]') });
    expect(JSON.parse(readFileSync(join(cwd, 'findings.sarif'), 'utf8')).version).toBe('2.1.0');
  });

  it('ends as the table of exit codes says', async () => {
    const [warnings, only, without] = commandsOf('rollout-constructs check deploy --max-warnings');
    const cwd = repository({ 'deploy/again.yaml': MANIFESTS.split('---\n')[0]! });
    expect((await runLine(without!, cwd)).code).toBe(0);
    expect((await runLine(`${without} --max-warnings 0`, cwd)).code).toBe(1);
    expect((await runLine(warnings!, cwd)).code).toBe(1);
    const { stdout } = await runLine(only!, cwd);
    expect(stdout).toMatch(/error\[alb-group-order\]/);
    expect(stdout).not.toMatch(/warning\[/);
    const { code, stdout: rest } = await runLine('rollout-constructs check deploy none.yaml', cwd);
    expect({ code, rest }).toEqual({ code: 2, rest: expect.stringContaining('error[alb-group-order]') });
  });

  it.each([
    ['yaml', CONFIG],
    ['json', blocks(TEXT, 'json')[0]!],
    ['ts', blocks(TEXT, 'ts')[0]!],
  ])('shows a configuration in %s that works', async (end, text) => {
    const compiler = `module.exports = require(${JSON.stringify(require.resolve('typescript'))});`;
    const cwd = repository({
      [`rollout-constructs.config.${end}`]: text,
      'node_modules/typescript/index.js': compiler,
    });
    const { code, stdout, stderr } = await cli(['check'], { cwd });
    expect(stderr).toBe('');
    expect(stdout).toContain('2 objects checked for Kruise Rollouts 0.6.');
    // What is accepted in the first one is no error in it.
    expect(code).toBe(end === 'yaml' ? 0 : 1);
    if (end === 'yaml') expect(stdout).toContain('(1 suppressed)');
    if (end === 'ts') expect(stdout).toContain('Istio 1.24');
  });

  it('lists every field of the configuration', () => {
    const rows = [...TEXT.matchAll(/^\| `([$\w]+)` \| /gm)].map(([, field]) => field!);
    expect(rows).toEqual(expect.arrayContaining(Object.keys(configSchema.properties!)));
  });

  it('shows an annotation that accepts the finding', async () => {
    const annotated = MANIFESTS.replace(/ {2}annotations:\n/, lines(ANNOTATION).slice(1).join('\n').concat('\n'));
    const cwd = folderWith({ 'deploy/shop.yaml': annotated });
    expect(await runLine('rollout-constructs check deploy', cwd)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no findings (1 suppressed)'),
    });
  });

  it('begins with a baseline', async () => {
    const cwd = repository();
    const [update, use] = commandsOf('rollout-constructs check deploy --baseline');
    expect((await runLine(use!, cwd)).code).toBe(2);
    expect((await runLine(update!, cwd)).code).toBe(0);
    expect((await runLine(use!, cwd)).code).toBe(0);
  });

  it('divides the work', async () => {
    const cwd = repository();
    const [first, second, merge] = commandsOf('rollout-constructs check deploy --shard');
    for (const command of [first!, second!]) expect((await runLine(command, cwd)).code).toBeLessThan(2);
    expect((await runLine(merge!, cwd)).code).toBe(1);
    expect(readFileSync(join(cwd, 'findings.xml'), 'utf8')).toContain('tests="1" failures="1"');
  });
});

describe('config.schema.json', () => {
  it('is up to date', () => {
    expect(committedConfigSchema(), 'npm run schemas writes it').toBe(configSchemaText());
  });

  it('stands where the documents say', () => {
    const { files } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
    expect(files).toContain('config.schema.json');
    expect(TEXT).toContain('$schema=./node_modules/rollout-constructs/config.schema.json\n');
    expect(existsSync(join(__dirname, '../../config.schema.json'))).toBe(true);
  });

  it('agrees with the command on what is right', async () => {
    // cdk8s-cli is the nearest that has ajv.
    const { default: Ajv } = createRequire(require.resolve('cdk8s-cli/package.json'))('ajv');
    const validate = new Ajv({ strict: true }).compile(JSON.parse(committedConfigSchema()));
    const tried = [
      [parse(CONFIG), true],
      [JSON.parse(blocks(TEXT, 'json')[0]!), true],
      [parse(readFileSync(join(__dirname, '../../templates/app/rollout-constructs.config.yaml'), 'utf8')), true],
      [{}, true],
      [{ file: ['a'] }, false],
      [{ kind: 'a' }, false],
      [{ kruisVersion: '0.6' }, false],
      [{ kruiseVersion: 0.6 }, false],
      [{ external: [{ kind: 'Secret' }] }, false],
      [{ suppressions: [{ rule: 'alb-group-order' }] }, false],
      [{ rules: { 'alb-group-order': 'fatal' } }, false],
      [{ maxWarnings: -1 }, false],
    ] as const;
    for (const [config, isRight] of tried) {
      const text = JSON.stringify(config);
      expect(validate(config), text).toBe(isRight);
      const cwd = repository({ 'rollout-constructs.config.json': text, 'cluster/facts.yaml': '{}' });
      const { stderr } = await cli(['check', 'deploy'], { cwd });
      expect(stderr === '', `${text}: ${stderr}`).toBe(isRight);
    }
  });
});
