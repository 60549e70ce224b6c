import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type ScriptFolder, ScriptLibraryError } from '../../kruise/scripts/script-folder';

/** No script is larger: a ConfigMap holds 1 MiB in total. */
const MAX_SCRIPT_BYTES = 1_048_576;

/** Lists and reads files in one folder, and never outside it. */
export class FolderReader implements ScriptFolder {
  readonly folder: string;
  private readonly root: string;

  constructor(readonly named: string) {
    this.folder = resolve(named);
    const root = realPath(this.folder);
    if (root === undefined || !isFolder(root)) throw new ScriptLibraryError(`no folder of Lua scripts at "${named}"`);
    this.root = root;
  }

  folders(...path: string[]): string[] {
    return this.entries(path)
      .filter((entry) => this.targetOf(path, entry)?.isDirectory())
      .map(({ name }) => name);
  }

  files(extensions: readonly string[], ...path: string[]): string[] {
    return this.entries(path)
      .filter(({ name }) => extensions.includes(extname(name)))
      .filter((entry) => this.targetOf(path, entry)?.isFile())
      .map(({ name }) => join(this.folder, ...path, name));
  }

  read(file: string): string {
    const bytes = readBytes(file);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new ScriptLibraryError(`"${file}" is not valid UTF-8: save it as UTF-8`);
    }
  }

  has(...path: string[]): boolean {
    return this.entries(path.slice(0, -1)).some(({ name }) => name === path[path.length - 1]);
  }

  private entries(path: readonly string[]): Dirent[] {
    const folder = this.inside(...path);
    if (!isFolder(folder)) return [];
    return readEntries(folder)
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** What an entry is. A link may lead to a file or a folder, and some file systems do not tell what an entry is. */
  private targetOf(path: readonly string[], entry: Dirent): Dirent | Stats | undefined {
    return entry.isFile() || entry.isDirectory() ? entry : statsOf(this.inside(...path, entry.name));
  }

  /** A path in the folder. A link may point to another place in the folder, but not out of it. */
  private inside(...path: string[]): string {
    const file = join(this.folder, ...path);
    const target = realPath(file);
    if (target === undefined && isLink(file)) {
      throw new ScriptLibraryError(`"${join(this.named, ...path)}" is a broken symbolic link: remove it`);
    }
    if (target !== undefined && leaves(this.root, target)) {
      throw new ScriptLibraryError(
        `"${join(this.named, ...path)}" is a symbolic link to "${target}", outside "${this.named}": ` +
          'copy the target into the folder',
      );
    }
    return file;
  }
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** The stats of a path; undefined if it does not exist or cannot be read. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw new ScriptLibraryError(`cannot list the folder "${folder}": ${(error as Error).message}`);
  }
}

function readBytes(file: string): Buffer {
  try {
    const { size } = statSync(file);
    if (size <= MAX_SCRIPT_BYTES) return readFileSync(file);
    throw new Error(`it has ${size} bytes, but a ConfigMap holds at most ${MAX_SCRIPT_BYTES}`);
  } catch (error) {
    throw new ScriptLibraryError(`cannot read "${file}": ${(error as Error).message}`);
  }
}

/** The resolved path; undefined if nothing exists there, for example for a link to nothing or to itself. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function leaves(root: string, target: string): boolean {
  const path = relative(root, target);
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}
