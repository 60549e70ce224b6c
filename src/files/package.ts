import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The folder of this package, from src, from lib and from the bundle of the command line alike. */
export const PACKAGE_FOLDER = folderWith('package.json', __dirname);

/** The folder of the code that runs: `src`, or `lib` once it is built. */
export const CODE_FOLDER = join(PACKAGE_FOLDER, relative(PACKAGE_FOLDER, __dirname).split(sep)[0]!);

/** The version of this package. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8')).version;
}

function folderWith(file: string, folder: string): string {
  return existsSync(join(folder, file)) ? folder : folderWith(file, dirname(folder));
}
