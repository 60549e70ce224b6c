import { lazy } from '../../core/lazy';
import packaged from './packaged.json';
import type { ScriptFolder } from './script-folder';

/** Every file of `lua_configuration` by its path; of testdata only the name. `npm run schemas` writes it from the folder. */
const files = lazy((): ReadonlyMap<string, string | null> => new Map(Object.entries(packaged)));

/** What is directly in a folder. */
interface Entries {
  readonly folders: Set<string>;
  readonly files: string[];
}

/** Every folder by its path. */
const entries = lazy((): ReadonlyMap<string, Entries> => {
  const all = new Map<string, Entries>();
  /** The folder of a file; it and those above it are made with their first file. */
  const folderAt = (path: string): Entries => {
    const known = all.get(path);
    if (known !== undefined) return known;
    const made = { folders: new Set<string>(), files: [] };
    all.set(path, made);
    const [above, name] = splitAtName(path);
    if (above !== '') folderAt(above).folders.add(name);
    return made;
  };
  for (const file of files().keys()) {
    const [folder, name] = splitAtName(file);
    folderAt(folder).files.push(name);
  }
  return all;
});

function splitAtName(path: string): readonly [string, string] {
  const end = path.lastIndexOf('/');
  return [path.slice(0, Math.max(end, 0)), path.slice(end + 1)];
}

/** The scripts of this package, or the part of them in one folder, where no file can be read. */
export class PackagedFolder implements ScriptFolder {
  constructor(readonly folder = 'lua_configuration') {}

  get named(): string {
    return this.folder;
  }

  folders(...path: string[]): string[] {
    return [...(entries().get(this.pathOf(path))?.folders ?? [])].sort();
  }

  files(extensions: readonly string[], ...path: string[]): string[] {
    const folder = this.pathOf(path);
    const names = entries().get(folder)?.files ?? [];
    return names
      .filter((name) => extensions.some((extension) => name.endsWith(extension)))
      .sort()
      .map((name) => `${folder}/${name}`);
  }

  read(file: string): string {
    return files().get(file) ?? '';
  }

  has(...path: string[]): boolean {
    const at = this.pathOf(path);
    return files().has(at) || entries().has(at);
  }

  private pathOf(path: readonly string[]): string {
    return [this.folder, ...path].join('/');
  }
}
