/** What takes long to make, and is the same for all test files of a run. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the temporary folder of a run is named; unset outside of a run. */
export const RUN_FOLDER = 'ROLLOUT_CONSTRUCTS_TEST_RUN';

const WAIT_MS = 20;
const MOST_WAITS = 120_000 / WAIT_MS;

/**
 * Makes a folder once for all workers of a run: the first makes it, the others wait for it. Outside of a run, the process makes its own.
 * @param make throws what all of them throw
 */
export function oncePerRun(name: string, make: (folder: string) => void): string {
  const run = process.env[RUN_FOLDER] ?? temporaryFolder();
  const folder = join(run, `once-${name}`);
  const end = join(run, `once-${name}.end`);
  if (isFirst(folder)) {
    try {
      make(folder);
      writeFileSync(end, '');
    } catch (error) {
      writeFileSync(end, String(error));
    }
  }
  const failure = waitFor(end);
  if (failure !== '') throw new Error(failure);
  return folder;
}

/** A folder that goes with the process. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-once-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** What is in a file, once it is there. */
function waitFor(file: string): string {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  for (let waits = 0; !existsSync(file); waits += 1) {
    if (waits === MOST_WAITS) throw new Error(`${file} did not come`);
    Atomics.wait(nobody, 0, 0, WAIT_MS);
  }
  return readFileSync(file, 'utf8');
}
