import { join } from 'node:path';
import { lazy } from '../../core/lazy';
import { libraryIn, type ScriptLibrary } from '../../kruise/scripts/library';
import { PACKAGE_FOLDER } from '../package';
import { FolderReader } from './folder-reader';

/** The folder of the scripts of this package. */
export const PACKAGED_FOLDER = join(PACKAGE_FOLDER, 'lua_configuration');

/**
 * Reads a folder of scripts, with the files of their testdata.
 *
 * @throws ScriptLibraryError if the folder does not exist, has no script, or has a link to a place outside it.
 *
 * @example
 * for (const script of readScriptLibrary('lua_configuration').scripts) {
 *   console.log(script.name, script.testdata.length);
 * }
 */
export function readScriptLibrary(folder: string): ScriptLibrary {
  return libraryIn(new FolderReader(folder));
}

/** The scripts that this package ships, with the files of their testdata. Reads them once. */
export const shippedScripts = lazy(() => readScriptLibrary(PACKAGED_FOLDER));
