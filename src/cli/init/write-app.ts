import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { UserError } from '../../settings/user-error';

/**
 * Writes files into a folder, which may be there already: all of them, or none. What is in the way stays as it is.
 * @param shown the folder as the user called it
 */
export function writeApp(folder: string, files: ReadonlyMap<string, string>, shown: string): void {
  const taken = [...files.keys()].filter((path) => inTheWay(folder, path));
  if (taken.length > 0) {
    throw new UserError(
      `"${shown}" has these files already: ${taken.join(', ')}`,
      'nothing was written; name another folder, or move them away',
    );
  }
  const made: (() => void)[] = [];
  try {
    for (const [path, text] of files) {
      const file = join(folder, path);
      for (const missing of missingFolders(dirname(file))) {
        mkdirSync(missing);
        made.push(() => rmdirSync(missing));
      }
      // Never over a file that has come in between.
      const handle = openSync(file, 'wx');
      made.push(() => rmSync(file));
      try {
        writeFileSync(handle, text);
      } finally {
        closeSync(handle);
      }
    }
  } catch (error) {
    for (const undo of made.reverse()) undo();
    throw new UserError(`cannot write into "${shown}": ${reasonOf(error as NodeJS.ErrnoException, folder)}`);
  }
}

/** Also a link that leads nowhere, and a file where a folder has to be. */
function inTheWay(folder: string, path: string): boolean {
  if (there(join(folder, path), lstatSync) !== undefined) return true;
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    if (there(join(folder, parent), statSync)?.isDirectory() === false) return true;
  }
  return false;
}

/** What a path leads to; nothing, where a part of it is a file. */
function there(path: string, look: typeof statSync): Stats | undefined {
  try {
    return look(path);
  } catch {
    return undefined;
  }
}

/** The folders that have to be made, the outermost first. */
function missingFolders(folder: string): string[] {
  if (there(folder, statSync) !== undefined || dirname(folder) === folder) return [];
  return [...missingFolders(dirname(folder)), folder];
}

function reasonOf({ code, message, path }: NodeJS.ErrnoException, folder: string): string {
  const name = path === undefined ? 'it' : relative(folder, path) || 'it';
  if (code === 'EACCES' || code === 'EPERM') return `"${name}" may not be written`;
  if (code === 'ENOTDIR') return 'a part of its path is a file';
  if (code === 'EEXIST') return `"${name}" is there already`;
  return message;
}
