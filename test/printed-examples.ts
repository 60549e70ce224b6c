/** What the examples print. They run in one process, which loads the library once. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../src/core/lazy';
import { oncePerRun } from './once-per-run';

const ROOT = join(__dirname, '..');

/** The files of the examples, `argo-basic.ts`. */
export const EXAMPLES: readonly string[] = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.ts'));

/** What one example prints. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** What each example prints, by its file. They run once for all tests of a run. Throws what the process prints, if it fails. */
export const printedExamples = lazy((): Readonly<Record<string, Printed>> => {
  const folder = oncePerRun('examples', (made) => writeFileSync(join(made, 'printed.json'), runAll()));
  return JSON.parse(readFileSync(join(folder, 'printed.json'), 'utf8'));
});

function runAll(): string {
  const args = ['--import', 'tsx', join('test', 'run-examples.ts'), ...EXAMPLES];
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 256 * 2 ** 20 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  if (status !== 0) throw new Error(`the examples do not run: ${stderr}`);
  return stdout;
}
