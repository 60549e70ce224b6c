/** What the examples print. They run in one process, which loads the library once. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');

/** What one example prints. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs examples, `argo-basic.ts`, and gives what each prints. Throws what the process prints, if it fails. */
export function printedBy(examples: readonly string[]): Readonly<Record<string, Printed>> {
  const args = ['--import', 'tsx', join('test', 'run-examples.ts'), ...examples];
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 256 * 2 ** 20 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  if (status !== 0) throw new Error(`the examples do not run: ${stderr}`);
  return JSON.parse(stdout);
}
