import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Ended } from './fixture';

/** The command as it is shipped; `npm test` compiles what it loads. */
export const BIN = join(__dirname, '..', '..', 'bin', 'rollout-constructs');

/** Runs the command line as it is shipped: the built files, in a process of its own. */
export function built(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { ...process.env, CI: '', FORCE_COLOR: '', ...env },
  });
  const ended: { stdout: string; stderr: string } = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    ended.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    ended.stderr += chunk;
  });
  child.stdin.end();
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code: code ?? -1, ...ended }));
  });
}
