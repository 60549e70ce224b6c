/** Builds programs into the user's cache, one at a time; what is built already is kept. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { binaryOf, type GoProgram, type Program, type PythonProgram } from './programs';

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
  if ('command' in program) throw new Error(`${program.name} has no Go module`);
  return go(program, ['list', '-find', '-f', '{{.Module.Dir}}', program.package]).trim();
}

function buildOne(program: Program): void {
  if ('command' in program) installPackages(program);
  else buildGo(program);
  writeFileSync(stampOf(program), digestOf(program));
}

function buildGo(program: GoProgram): void {
  const binary = binaryOf(program);
  mkdirSync(dirname(binary), { recursive: true });
  // A build that is killed leaves the old program, or none, and never half of one.
  const unfinished = `${binary}.part`;
  go(program, ['build', '-ldflags', `-s -w ${program.ldflags ?? ''}`, '-o', unfinished, program.package]);
  renameSync(unfinished, binary);
}

/** Installs the packages of requirements.txt into a virtual environment. One that is not finished has no digest. */
function installPackages(program: PythonProgram): void {
  const environment = dirname(dirname(binaryOf(program)));
  rmSync(environment, { recursive: true, force: true });
  python(program, 'python3', ['-m', 'venv', environment]);
  const requirements = join(__dirname, 'programs', program.folder, REQUIREMENTS);
  python(program, join(environment, 'bin', 'python'), ['-m', 'pip', 'install', '--no-input', '-r', requirements]);
}

const REQUIREMENTS = 'requirements.txt';

function python({ name }: PythonProgram, command: string, args: readonly string[]): void {
  const ended = spawnSync(command, args, { encoding: 'utf8' });
  if (ended.error !== undefined)
    throw new Error(`${name} needs Python 3 with venv, and ${command} does not run: ${ended.error.message}`);
  if (ended.status !== 0)
    throw new Error(`${name}: "${command} ${args.join(' ')}" failed:\n${(ended.stderr || ended.stdout).trim()}`);
}

/** The folder of the program's go.mod: a copy of ours in the cache, where a module needs a stub. */
function sourceOf(program: GoProgram): string {
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

function go(program: GoProgram, args: readonly string[]): string {
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

function digestOf(program: Program): string {
  const hash = createHash('sha256');
  if (!('command' in program)) hash.update(`${program.package}\n${program.ldflags ?? ''}\n`);
  for (const line of linesOf(program)) hash.update(line);
  for (const file of pinsOf(program)) hash.update(readFileSync(join(__dirname, 'programs', program.folder, file)));
  return hash.digest('hex');
}

/** The lines that stand in for others. */
function linesOf(program: Program): string[] {
  if ('command' in program) return [];
  return (program.stubs ?? []).flatMap(({ with: stub }) => (typeof stub === 'string' ? [] : stub));
}

/** The files that say exactly what is built. */
function pinsOf(program: Program): string[] {
  if ('command' in program) return [REQUIREMENTS];
  const files = (program.stubs ?? []).flatMap(({ with: stub }) => (typeof stub === 'string' ? [stub] : []));
  return ['go.mod', 'go.sum', ...files];
}
