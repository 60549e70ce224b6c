/** The library as npm packs it, which its users install. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { lazy } from '../src/core/lazy';
import { oncePerRun, temporaryFolder } from './once-per-run';

const ROOT = join(__dirname, '..');
const NPM_FLAGS = ['--offline', '--ignore-scripts', '--loglevel=error'];

/** A file of the package, as npm lists it. */
export interface PackedFile {
  readonly path: string;
  readonly mode: number;
}

/** The packed library. */
export interface Packed {
  readonly files: readonly PackedFile[];
  /** The folder into which the package was unpacked. */
  readonly folder: string;
}

/** Compiles what is not compiled yet, as `npm test` does before all tests, and packs it: once for all test files of a run. */
export const packedLibrary = lazy((): Packed => {
  const folder = oncePerRun('package', pack);
  return { files: JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')), folder: join(folder, 'package') };
});

function pack(folder: string): void {
  ran(process.execPath, [join(ROOT, 'scripts', 'set-up.mjs'), '--build']);
  const output = npm(['pack', '--json', '--pack-destination', folder, ...NPM_FLAGS]);
  const [{ filename, files }] = JSON.parse(output) as [{ filename: string; files: PackedFile[] }];
  execFileSync('tar', ['-xzf', filename], { cwd: folder });
  writeFileSync(join(folder, 'files.json'), JSON.stringify(files));
}

/**
 * Installs the packed library beside packages that this repository has anyway: nothing is downloaded. A project has it all
 * with a link to the folder, `node_modules`, that this returns.
 */
export function installedLibrary(packages: readonly string[]): string {
  const modules = join(temporaryFolder(), 'node_modules');
  cpSync(packedLibrary().folder, join(modules, 'rollout-constructs'), { recursive: true });
  for (const name of packages) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'dir');
  }
  mkdirSync(join(modules, '.bin'));
  for (const name of ['rollout-constructs', ...packages]) linkCommands(modules, name);
  return modules;
}

function linkCommands(modules: string, name: string): void {
  const { bin = {} } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
  const commands: Record<string, string> = typeof bin === 'string' ? { [name]: bin } : bin;
  for (const [command, file] of Object.entries(commands))
    symlinkSync(join(modules, name, file), join(modules, '.bin', command));
}

function ran(command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? ''}${stdout}${stderr}`);
}

/** The npm of this Node.js, which a shell would find too, but not under Windows. */
function npm(args: readonly string[]): string {
  const cli = process.env.npm_execpath ?? npmBeside(process.execPath);
  const [command, first] = cli === undefined ? ['npm', []] : [process.execPath, [cli]];
  return execFileSync(command, [...first, ...args], { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
}

function npmBeside(node: string): string | undefined {
  try {
    return createRequire(join(dirname(node), '..', 'lib', 'x.js')).resolve('npm/bin/npm-cli.js');
  } catch {
    return undefined;
  }
}
