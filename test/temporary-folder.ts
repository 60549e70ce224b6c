import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RUN_FOLDER } from './once-per-run';

/**
 * All temporary folders of a run are in one, which is removed at its end: those of tests, of cdk8s and of all processes. Files that
 * share a worker share the modules that they import, so a module cannot remove what it made for each of them.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-test-'));
  // Some tests run a process as nobody.
  chmodSync(folder, 0o755);
  for (const name of ['TMPDIR', 'TMP', 'TEMP', RUN_FOLDER]) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
