/** Which scripts a folder or file on the command line means. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ScriptLibraryError } from './folder-reader';
import { type LibraryScript, readScriptLibrary } from './library';

/** A script with the cases that a path stands for: all of its testdata, or some. */
export interface SelectedScript extends LibraryScript {
  readonly cases: readonly string[];
}

/** The scripts at a place in the file system. */
export interface ScriptSelection {
  readonly scripts: readonly SelectedScript[];
  /** Lua files that lie where no script is looked for. */
  readonly unused: readonly string[];
  /** Libraries inside those that were selected. They are selected by their own path alone. */
  readonly nested: readonly string[];
}

/** Folders that are never searched for libraries. */
const SKIPPED = new Set(['node_modules', 'testdata']);
const MAX_DEPTH = 6;
const MAX_FOLDERS = 20_000;

/**
 * The scripts that a path stands for: a library (`lua_configuration`), a folder with libraries somewhere in it, or a
 * part of one: the folder of a group, kind or script, a script's file, a testdata folder or a single testdata file.
 *
 * @throws ScriptLibraryError when there is nothing at the path, or no script
 */
export function selectScripts(path: string): ScriptSelection {
  const place = resolve(path);
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) throw new ScriptLibraryError(`there is no folder or file "${path}"`);
  if (found.isDirectory()) {
    const folders = libraryFolders(place);
    if (folders.length > 0) return merged(folders, place);
  }
  return { scripts: partOfLibrary(place) ?? noScripts(path, found.isDirectory()), unused: [], nested: [] };
}

/** Where there are several libraries, the folder of each stands before the names of its scripts. */
function merged(folders: readonly string[], place: string): ScriptSelection {
  const libraries = folders.map((folder) => readScriptLibrary(folder));
  const nested = folders.flatMap((folder) => foldersIn(folder).flatMap((name) => libraryFolders(join(folder, name))));
  const isNested = (file: string) => nested.some((folder) => file.startsWith(`${folder}${sep}`));
  return {
    scripts: libraries.flatMap((library) => {
      const folder = relative(place, library.folder).split(sep).join('/');
      const prefix = libraries.length === 1 ? '' : `${folder}/`;
      return library.scripts.map((script) => ({ ...script, name: `${prefix}${script.name}`, cases: script.testdata }));
    }),
    unused: libraries.flatMap(({ unused }) => unused.filter((file) => !isNested(file))),
    nested,
  };
}

/** The outermost libraries at or below a folder: `lua_configuration` within a repository. */
function libraryFolders(top: string): string[] {
  const found: string[] = [];
  let seen = 0;
  const visit = (folder: string, depth: number): void => {
    if (++seen > MAX_FOLDERS) {
      throw new ScriptLibraryError(`"${top}" holds too many folders to search: name the folder of the scripts`);
    }
    if (isLibrary(folder)) found.push(folder);
    else if (depth < MAX_DEPTH) for (const name of foldersIn(folder)) visit(join(folder, name), depth + 1);
  };
  visit(top, 0);
  return found;
}

function isLibrary(folder: string): boolean {
  return foldersIn(folder).some((name) =>
    name === 'trafficrouting_ingress'
      ? filesIn(join(folder, name)).some((file) => file.endsWith('.lua'))
      : foldersIn(join(folder, name)).some((kind) => filesIn(join(folder, name, kind)).includes('trafficRouting.lua')),
  );
}

/** The scripts, or the cases of one, at a path inside a library. */
function partOfLibrary(place: string): SelectedScript[] | undefined {
  let folder = place;
  for (let levels = 0; levels < 4; levels++) {
    folder = dirname(folder);
    if (!isLibrary(folder)) continue;
    const scripts = readScriptLibrary(folder).scripts.flatMap((script) => narrowed(script, place) ?? []);
    if (scripts.length > 0) return scripts;
  }
  return undefined;
}

/** The script if the path covers it or the folder of its cases, with those cases alone that the path covers. */
function narrowed(script: LibraryScript, place: string): SelectedScript | undefined {
  const covers = (file: string) => file === place || file.startsWith(`${place}${sep}`);
  const cases = covers(script.file) ? script.testdata : script.testdata.filter(covers);
  return cases.length > 0 || covers(script.file) ? { ...script, cases } : undefined;
}

function noScripts(path: string, isFolder: boolean): never {
  const layout = 'trafficrouting_ingress/<class>.lua or <group>/<Kind>/trafficRouting.lua';
  throw new ScriptLibraryError(
    isFolder
      ? `no Lua script in "${path}": expected ${layout} in it`
      : `"${basename(path)}" is neither a routing script nor testdata of one: a script lies at ${layout}, its testdata in testdata/ beside it`,
  );
}

function foldersIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name))
    .map(({ name }) => name)
    .sort();
}

function filesIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name);
}

/** What may not be read is passed over: the search goes through folders that have nothing to do with scripts. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
