/** Writes the files of a report. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeAtomically } from './paths';

/** The variable that asks for reports: files separated by commas, or a folder. */
export const REPORT_VARIABLE = 'ROLLOUT_CONSTRUCTS_REPORT';

/** The files of one target. */
export interface WrittenReport {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /**
   * The folder of manifests that were refused: those of an earlier run go.
   * @default - the report is one file
   */
  readonly rejected?: string;
}

/** Writes all files, each as a whole. */
export function writeReport({ files, rejected }: WrittenReport): void {
  const paths = files.map(({ name, text }) => ({ path: resolve(name), text }));
  for (const { path, text } of paths) {
    mkdirSync(dirname(path), { recursive: true });
    writeAtomically(path, text);
  }
  if (rejected !== undefined) removeEarlier(resolve(rejected), new Set(paths.map(({ path }) => path)));
}

/** Removes the manifests that an earlier run has refused, and nothing else. */
function removeEarlier(folder: string, kept: ReadonlySet<string>): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const names = readdirSync(folder);
  const gone = names.filter((name) => name.endsWith('.k8s.yaml') && !kept.has(join(folder, name)));
  for (const name of gone) rmSync(join(folder, name));
  if (gone.length > 0 && gone.length === names.length) rmSync(folder, { recursive: true });
}
