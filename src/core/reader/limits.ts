/** What a read may cost. Each limit that is reached ends in a finding. */
export interface ReadLimits {
  /**
   * Files in all.
   * @default 10000
   */
  readonly files: number;
  /**
   * Bytes of one file.
   * @default 33554432 (32 MiB)
   */
  readonly fileSize: number;
  /**
   * Bytes of all files together.
   * @default 134217728 (128 MiB)
   */
  readonly totalSize: number;
  /**
   * Documents in all, the items of Lists included.
   * @default 100000
   */
  readonly documents: number;
  /**
   * Values of one document, if it is not plain JSON (which costs far less).
   * @default 1000000
   */
  readonly values: number;
  /**
   * Maps and lists within each other.
   * @default 200
   */
  readonly depth: number;
  /**
   * Values that the aliases (`*name`) of one document expand to.
   * @default 100000
   */
  readonly aliasedValues: number;
}

/** Far above what any stack of manifests needs, and far below what hurts. */
export const DEFAULT_LIMITS: ReadLimits = {
  files: 10_000,
  fileSize: 32 * 1024 * 1024,
  totalSize: 128 * 1024 * 1024,
  documents: 100_000,
  values: 1_000_000,
  depth: 200,
  aliasedValues: 100_000,
};
