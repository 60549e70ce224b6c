// Prepares a fresh clone: installs the packages of package-lock.json, and with --build compiles src to lib.
// Does nothing if both are up to date, so that every script can start with it.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt, modified, stamp } from './built.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => join(root, ...parts);

function run(what, command, args) {
  process.stderr.write(`${what}\n`);
  const ended = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (ended.status === 0) return;
  // npm and tsc have reported the error; a stack trace would only hide it.
  process.stderr.write(`${what} failed${ended.error ? `: ${ended.error.message}` : ''}\n`);
  process.exit(ended.status || 1);
}

// npm writes this file last, so it is older than the lock file if the install is missing or out of date.
if (modified(at('node_modules', '.package-lock.json')) < modified(at('package-lock.json'))) {
  run('installing dependencies', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

if (process.argv.includes('--build')) {
  if (!isBuilt()) {
    // Files of an older checkout would shadow the new ones.
    rmSync(at('lib'), { recursive: true, force: true });
    run('compiling', process.execPath, [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', at('tsconfig.json')]);
    run('proving the scripts of the library', process.execPath, [at('scripts', 'prove.mjs')]);
    run('bundling the command line', process.execPath, [at('scripts', 'bundle.mjs')]);
    run('building the playground', process.execPath, [at('scripts', 'playground.mjs')]);
    writeFileSync(stamp, '');
  }
}
