// `npm start`: without arguments, tests every script of the library against its testdata; with arguments, runs the
// command line.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/rollout-constructs', import.meta.url));
const given = process.argv.slice(2);
const args = given.length > 0 ? given : ['test', 'lua_configuration', '--coverage'];
process.exitCode = spawnSync(process.execPath, [bin, ...args], { stdio: 'inherit' }).status ?? 1;
