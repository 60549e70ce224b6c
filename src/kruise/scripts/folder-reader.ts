import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { extname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** A library that cannot be read, for a reason that its owner can mend. */
export class ScriptLibraryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ScriptLibraryError';
  }
}

/** Far beyond any script: a ConfigMap holds 1 MiB in all. */
const MAX_SCRIPT_BYTES = 1_048_576;

/** Lists and reads what is below one folder, and nothing else. */
export class FolderReader {
  readonly folder: string;
  private readonly root: string;

  constructor(readonly named: string) {
    this.folder = resolve(named);
    const root = realPath(this.folder);
    if (root === undefined || !isFolder(root)) throw new ScriptLibraryError(`no folder of Lua scripts at "${named}"`);
    this.root = root;
  }

  /** Names of the folders in a folder, sorted; none where it is not there. */
  folders(...path: string[]): string[] {
    return this.names(path).filter((name) => isFolder(this.inside(...path, name)));
  }

  /** Paths of the files with one of the extensions in a folder, sorted; none where it is not there. */
  files(extensions: readonly string[], ...path: string[]): string[] {
    return this.names(path)
      .filter((name) => extensions.includes(extname(name)))
      .map((name) => this.inside(...path, name))
      .filter(isFile);
  }

  /** The text of a file, byte for byte: a byte order mark stays, because it is an error for the controller. */
  read(file: string): string {
    const bytes = readBytes(file);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new ScriptLibraryError(`"${file}" is not UTF-8 text: save it as UTF-8`);
    }
  }

  /** Whether a file or a folder of that name is there. */
  has(...path: string[]): boolean {
    return this.names(path.slice(0, -1)).includes(path[path.length - 1]);
  }

  private names(path: readonly string[]): string[] {
    const folder = this.inside(...path);
    if (!isFolder(folder)) return [];
    return readNames(folder)
      .filter((name) => !name.startsWith('.') && name !== 'node_modules')
      .sort();
  }

  /** A path below the folder. A link may point to another place in the folder, never out of it. */
  private inside(...path: string[]): string {
    const file = join(this.folder, ...path);
    const target = realPath(file);
    if (target === undefined && isLink(file)) {
      throw new ScriptLibraryError(`"${join(this.named, ...path)}" is a symbolic link that leads nowhere: remove it`);
    }
    if (target !== undefined && leaves(this.root, target)) {
      throw new ScriptLibraryError(
        `"${join(this.named, ...path)}" is a symbolic link to "${target}", which is outside of "${this.named}": ` +
          'copy what it points to into the folder',
      );
    }
    return file;
  }
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

function isFile(path: string): boolean {
  return statsOf(path)?.isFile() ?? false;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** What is at a path; undefined where nothing is there or nobody lets us look. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new ScriptLibraryError(`cannot list the folder "${folder}": ${(error as Error).message}`);
  }
}

function readBytes(file: string): Buffer {
  try {
    const { size } = statSync(file);
    if (size <= MAX_SCRIPT_BYTES) return readFileSync(file);
    throw new Error(`it has ${size} bytes, and no ConfigMap holds more than ${MAX_SCRIPT_BYTES}`);
  } catch (error) {
    throw new ScriptLibraryError(`cannot read "${file}": ${(error as Error).message}`);
  }
}

/** Where a path leads; undefined where nothing is there, which includes a link to nothing or to itself. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function leaves(root: string, target: string): boolean {
  const path = relative(root, target);
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}
