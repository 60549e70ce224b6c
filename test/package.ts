import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

const ROOT = join(__dirname, '..');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}, 120_000);

/**
 * Packs the library as it would be published, and installs it beside packages that this repository has anyway: nothing is
 * downloaded. A project has it all with a link to the folder, `node_modules`, that this returns.
 */
export function installedLibrary(packages: readonly string[]): string {
  const modules = join(temporary(), 'node_modules');
  const own = join(modules, 'rollout-constructs');
  mkdirSync(own, { recursive: true });
  ran('tar', ['-xzf', packLibrary(), '--strip-components=1', '-C', own]);
  for (const name of packages) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'dir');
  }
  mkdirSync(join(modules, '.bin'));
  for (const name of ['rollout-constructs', ...packages]) linkCommands(modules, name);
  return modules;
}

/** Compiles first where `npm test` has not done so. */
function packLibrary(): string {
  const folder = temporary();
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
  for (const name of ['package.json', '.npmignore', ...files.filter((each) => each !== 'lib' && !each.startsWith('!'))])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  if (isBuilt()) cpSync(join(ROOT, 'lib'), join(folder, 'lib'), { recursive: true });
  else ran(process.execPath, [TSC, '-p', join(ROOT, 'tsconfig.json'), '--noCheck', '--outDir', join(folder, 'lib')]);
  const [packed] = JSON.parse(ran('npm', ['pack', '--json', '--loglevel=error'], folder));
  return join(folder, packed.filename);
}

function linkCommands(modules: string, name: string): void {
  const { bin = {} } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
  const commands: Record<string, string> = typeof bin === 'string' ? { [name]: bin } : bin;
  for (const [command, file] of Object.entries(commands))
    symlinkSync(join(modules, name, file), join(modules, '.bin', command));
}

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

function isBuilt(): boolean {
  const stamp = join(ROOT, 'lib', '.built');
  if (!existsSync(stamp)) return false;
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const built = statSync(stamp).mtimeMs;
  return sources.every((name) => statSync(join(ROOT, 'src', name)).mtimeMs <= built);
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-package-'));
  folders.push(folder);
  return folder;
}

function ran(command: string, args: readonly string[], cwd = ROOT): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? ''}${stdout}${stderr}`);
  return stdout;
}
