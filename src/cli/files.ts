import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Io } from './io';
import { UserError } from './user-error';

/** A path of the command line as an absolute one. */
export function toAbsolute(io: Pick<Io, 'cwd'>, path: string): string {
  return resolve(io.cwd, path);
}

/** A file as the user would call it: from where he stands, unless it lies far away. */
export function toDisplay(io: Pick<Io, 'cwd'>, file: string): string {
  const path = relative(io.cwd, file);
  return path === '' || path.startsWith(`..${sep}..${sep}`) || isAbsolute(path) ? file : path;
}

/**
 * Writes a file whole or not at all: nobody ever reads half of it. Its permissions stay.
 * @param shown the path as the user gave it
 */
export function writeAtomically(path: string, text: string, shown = path): void {
  // A link stays a link to the file that is replaced.
  const file = existsSync(path) ? realpathSync(path) : path;
  const problem = problemOf(file, shown);
  if (problem !== undefined) throw new UserError(`cannot write "${shown}": ${problem}`);
  const stats = statSync(file, { throwIfNoEntry: false });
  // A dot in front, so that nobody takes what a killed run leaves behind for a manifest.
  const temporary = join(dirname(file), `.rollout-constructs-${randomBytes(6).toString('hex')}.tmp`);
  try {
    // What is no file, as /dev/stdout or a named pipe, cannot be replaced by one.
    if (stats !== undefined && !stats.isFile()) {
      writeFileSync(file, text);
      return;
    }
    writeFileSync(temporary, text, { mode: stats?.mode ?? 0o666 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    // The temporary file is an affair of ours.
    throw new UserError(`cannot write "${shown}": ${(error as Error).message.replaceAll(temporary, shown)}`);
  }
}

function problemOf(file: string, shown: string): string | undefined {
  if (!existsSync(dirname(file))) return `there is no folder "${dirname(shown)}"`;
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ? 'it is a folder' : undefined;
}
