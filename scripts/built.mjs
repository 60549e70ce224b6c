// Whether `lib` is what the compiler makes of the present `src`.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The build writes this file last. */
export const stamp = join(root, 'lib', '.built');

/** When a file was written; 0 if there is none. */
export function modified(file) {
  return existsSync(file) ? statSync(file).mtimeMs : 0;
}

export function isBuilt() {
  return modified(stamp) >= Math.max(newest(join(root, 'src')), modified(join(root, 'tsconfig.json')));
}

function newest(folder) {
  return Math.max(
    0,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => modified(join(entry.parentPath, entry.name))),
  );
}
