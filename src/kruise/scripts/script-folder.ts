/** A script library cannot be read, for a reason that the user can fix. */
export class ScriptLibraryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ScriptLibraryError';
  }
}

/** A folder of scripts: on a disk, or in memory. Nothing leads out of it. */
export interface ScriptFolder {
  /** Where it is. */
  readonly folder: string;
  /** The name that users gave. */
  readonly named: string;
  /** Names of the folders in a folder, sorted; empty if the folder does not exist. */
  folders(...path: string[]): string[];
  /** Paths of the files with one of the extensions in a folder, sorted; empty if the folder does not exist. */
  files(extensions: readonly string[], ...path: string[]): string[];
  /** The exact text of a file. A byte order mark stays, because the controller rejects it. */
  read(file: string): string;
  /** Whether a file or folder with this name exists. */
  has(...path: string[]): boolean;
}
