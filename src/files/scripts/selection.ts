/** Selects the scripts that a path on the command line refers to. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type LibraryScript, ScriptLibraryError } from '../../kruise/scripts/library';
import { readScriptLibrary } from './library';

/** A script with the selected cases: all of its testdata, or some. */
export interface SelectedScript extends LibraryScript {
  readonly cases: readonly string[];
}

/** The scripts at a path. */
export interface ScriptSelection {
  readonly scripts: readonly SelectedScript[];
  /** Lua files at a path where no script is expected. */
  readonly unused: readonly string[];
  /** Libraries inside the selected ones. Only their own path selects them. */
  readonly nested: readonly string[];
}

/** Folders to skip in the search for libraries. */
const SKIPPED = new Set(['node_modules', 'testdata']);
const MAX_DEPTH = 6;
const MAX_FOLDERS = 20_000;

/**
 * Returns the scripts at a path. The path is a library (`lua_configuration`), a folder with libraries somewhere below it,
 * or a part of a library: the folder of a group, kind or script, a script's file, a testdata folder or a testdata file.
 *
 * @throws ScriptLibraryError if nothing exists at the path, or it has no script
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

/** With several libraries, the name of a script starts with the folder of its library. */
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
      throw new ScriptLibraryError(`"${top}" has too many folders to search: name the folder of the scripts`);
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
    if (!leadsToScript(folder, place)) continue;
    const scripts = readScriptLibrary(folder).scripts.flatMap((script) => narrowed(script, place) ?? []);
    if (scripts.length > 0) return scripts;
  }
  return undefined;
}

/**
 * Whether a folder is a library that has scripts on the way to a place below it. What else is in the folder may be a
 * whole disk.
 */
function leadsToScript(folder: string, place: string): boolean {
  const [group, kind] = relative(folder, place).split(sep) as [string, string | undefined];
  if (!isSearched(group)) return false;
  if (group === 'trafficrouting_ingress') return filesIn(join(folder, group)).some((file) => file.endsWith('.lua'));
  const kinds = kind === undefined ? entriesOf(join(folder, group)).map(({ name }) => name) : [kind];
  return kinds.some((name) => existsSync(join(folder, group, name, 'trafficRouting.lua')));
}

/** The script with the cases that the path covers; undefined if the path covers neither the script nor a case. */
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
      : `"${basename(path)}" is neither a routing script nor its testdata: put a script at ${layout}, and its testdata in testdata/ next to it`,
  );
}

function foldersIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && isSearched(entry.name))
    .map(({ name }) => name)
    .sort();
}

function isSearched(name: string): boolean {
  return !name.startsWith('.') && !SKIPPED.has(name);
}

function filesIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name);
}

/** Skips folders that cannot be read: the search also visits folders without scripts. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
