/** Builds programs into the user's cache, one at a time; what is built already is kept. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { binaryOf, type Program } from './programs';

/** Builds each program that is not there yet, or whose module has changed. Throws what the Go command printed. */
export function build(programs: readonly Program[], report: (line: string) => void = () => {}): void {
  for (const [index, program] of programs.entries()) {
    const place = `[${index + 1}/${programs.length}] ${program.name}`;
    if (isBuilt(program)) {
      report(`${place}: built`);
      continue;
    }
    report(`${place}: building`);
    const start = Date.now();
    buildOne(program);
    report(`${place}: built in ${Math.round((Date.now() - start) / 1000)} s`);
  }
}

/** True when the cache holds the program of exactly this module and these flags. */
function isBuilt(program: Program): boolean {
  const stamp = stampOf(program);
  return existsSync(binaryOf(program)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOf(program);
}

/** The source folder of the module that holds the program: Kruise reads its Lua scripts from there. */
export function moduleFolder(program: Program): string {
  return go(program, ['list', '-find', '-f', '{{.Module.Dir}}', program.package]).trim();
}

function buildOne(program: Program): void {
  const binary = binaryOf(program);
  mkdirSync(dirname(binary), { recursive: true });
  // A build that is killed leaves the old program, or none, and never half of one.
  const unfinished = `${binary}.part`;
  go(program, ['build', '-ldflags', `-s -w ${program.ldflags ?? ''}`, '-o', unfinished, program.package]);
  renameSync(unfinished, binary);
  writeFileSync(stampOf(program), digestOf(program));
}

/** The folder of the program's go.mod: a copy of ours in the cache, where a module needs a stub. */
function sourceOf(program: Program): string {
  const { folder, stubs = [] } = program;
  const own = join(__dirname, 'programs', folder);
  if (stubs.length === 0) return own;
  const source = join(dirname(binaryOf(program)), 'source');
  cpSync(own, source, { recursive: true });
  for (const { module, version, copy, file, with: stub } of stubs) {
    const target = join(source, copy);
    if (!existsSync(target)) {
      cpSync(downloaded(module, version), target, { recursive: true });
      spawnSync('chmod', ['-R', 'u+w', target]);
    }
    if (typeof stub === 'string') copyFileSync(join(own, stub), join(target, file));
    else replaceLine(join(target, file), ...stub);
  }
  return source;
}

function replaceLine(file: string, line: string, instead: string): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.map((each) => (each === line ? instead : each)).join('\n'));
}

/** The source of a module. The go command also unpacks those that ask for a newer Go, although it then says that it failed. */
function downloaded(module: string, version: string): string {
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-modcacherw' };
  // The program's own module may name a copy that is not there yet.
  const run = (...args: string[]) => spawnSync('go', args, { cwd: tmpdir(), encoding: 'utf8', env });
  const ended = run('mod', 'download', '-json', `${module}@${version}`);
  const folder = join(run('env', 'GOMODCACHE').stdout.trim(), `${module}@${version}`);
  if (!existsSync(folder)) throw new Error(`${module}@${version}: ${ended.stderr || ended.stdout}`);
  return folder;
}

function go(program: Program, args: readonly string[]): string {
  const { name, folder } = program;
  const cwd = sourceOf(program);
  const ended = spawnSync('go', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' },
  });
  if (ended.error !== undefined) throw new Error(`${name}: the go command does not run: ${ended.error.message}`);
  if (ended.status !== 0)
    throw new Error(`${name}: "go ${args.join(' ')}" in ${folder} failed:\n${ended.stderr.trim()}`);
  return ended.stdout;
}

function stampOf(program: Program): string {
  return `${binaryOf(program)}.digest`;
}

function digestOf({ folder, package: name, ldflags = '', stubs = [] }: Program): string {
  const hash = createHash('sha256').update(`${name}\n${ldflags}\n`);
  for (const { with: stub } of stubs) if (typeof stub !== 'string') hash.update(stub.join('\n'));
  const files = ['go.mod', 'go.sum', ...stubs.flatMap(({ with: stub }) => (typeof stub === 'string' ? [stub] : []))];
  for (const file of files) hash.update(readFileSync(join(__dirname, 'programs', folder, file)));
  return hash.digest('hex');
}
