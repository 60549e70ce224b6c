import { lazy } from '../../core/lazy';
import packaged from './packaged.json';
import type { ScriptFolder } from './script-folder';

/** Every file of `lua_configuration` by its path; of testdata only the name. `npm run schemas` writes it from the folder. */
const files = lazy((): ReadonlyMap<string, string | null> => new Map(Object.entries(packaged)));

/** The scripts of this package, or the part of them in one folder, where no file can be read. */
export class PackagedFolder implements ScriptFolder {
  constructor(readonly folder = 'lua_configuration') {}

  get named(): string {
    return this.folder;
  }

  folders(...path: string[]): string[] {
    const names = this.below(path).flatMap((rest) => (rest.includes('/') ? [rest.slice(0, rest.indexOf('/'))] : []));
    return [...new Set(names)].sort();
  }

  files(extensions: readonly string[], ...path: string[]): string[] {
    return this.below(path)
      .filter((rest) => !rest.includes('/') && extensions.some((extension) => rest.endsWith(extension)))
      .sort()
      .map((name) => [this.folder, ...path, name].join('/'));
  }

  read(file: string): string {
    return files().get(file) ?? '';
  }

  has(...path: string[]): boolean {
    return files().has([this.folder, ...path].join('/')) || this.below(path).length > 0;
  }

  /** The paths within a folder. */
  private below(path: readonly string[]): string[] {
    const start = `${[this.folder, ...path].join('/')}/`;
    return [...files().keys()].flatMap((file) => (file.startsWith(start) ? [file.slice(start.length)] : []));
  }
}
