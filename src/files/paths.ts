import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { UserError } from '../settings/user-error';

/** The folder that relative paths start from. */
export interface WorkingFolder {
  readonly cwd: string;
}

/** Makes a path of the command line absolute. */
export function toAbsolute(io: WorkingFolder, path: string): string {
  return resolve(io.cwd, path);
}

/** A file relative to the working folder, or absolute if it is more than one folder above. */
export function toDisplay(io: WorkingFolder, file: string): string {
  const path = relative(io.cwd, file);
  return path === '' || path.startsWith(`..${sep}..${sep}`) || isAbsolute(path) ? file : path;
}

/**
 * Writes a whole file or nothing, so that no reader sees half of it. Keeps its permissions.
 * @param shown the path as the user wrote it
 */
export function writeAtomically(path: string, text: string, shown = path): void {
  // A symbolic link stays, and its target is replaced.
  const file = existsSync(path) ? realpathSync(path) : path;
  const problem = problemOf(file, shown);
  if (problem !== undefined) throw new UserError(`cannot write "${shown}": ${problem}`);
  const stats = statSync(file, { throwIfNoEntry: false });
  // The leading dot hides what a killed run leaves behind from tools that read manifests.
  const temporary = join(dirname(file), `.rollout-constructs-${randomBytes(6).toString('hex')}.tmp`);
  try {
    // /dev/stdout and named pipes cannot be replaced by a file.
    if (stats !== undefined && !stats.isFile()) {
      writeFileSync(file, text);
      return;
    }
    writeFileSync(temporary, text, { mode: stats?.mode ?? 0o666 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    // The message names the user's file, not the temporary one.
    throw new UserError(`cannot write "${shown}": ${(error as Error).message.replaceAll(temporary, shown)}`);
  }
}

function problemOf(file: string, shown: string): string | undefined {
  if (!existsSync(dirname(file))) return `there is no folder "${dirname(shown)}"`;
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ? 'it is a folder' : undefined;
}
