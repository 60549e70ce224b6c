/** The folder that no link leads out of. Otherwise the author of a link decides what else a check reads and quotes. */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The checkout that a name belongs to: that of git, else the working folder if the name is below it, else its own folder. */
export function checkoutOf(name: string): string {
  const stats = lstatSync(name);
  const start = realpathSync(stats.isDirectory() ? name : dirname(name));
  return gitFolder(start) ?? [realpathSync('.')].find((folder) => isWithin(folder, start)) ?? start;
}

/** Whether a path is the folder or below it. Both are real paths. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:|^[\\/]/.test(way));
}

function gitFolder(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
