/** A file to read. */
export interface InputFile {
  /** The name that the user gave, or the path within a folder that the user named. */
  readonly name: string;
  /** True if the user named the file itself, so that it is expected to hold manifests. */
  readonly named: boolean;
}

/** A folder that is not read, with the reason. */
export interface SkippedFolder {
  readonly name: string;
  readonly skipped: string;
}

/** A file or folder that cannot be read, with the reason. */
export interface Unreadable {
  readonly name: string;
  readonly problem: string;
}
