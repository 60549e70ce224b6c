/** The limits of a read. Reaching a limit is a finding. */
export interface ReadLimits {
  /**
   * Maximum number of files.
   * @default 10000
   */
  readonly files: number;
  /**
   * Maximum size of one file in bytes.
   * @default 33554432 (32 MiB)
   */
  readonly fileSize: number;
  /**
   * Maximum size of all files in bytes.
   * @default 134217728 (128 MiB)
   */
  readonly totalSize: number;
  /**
   * Maximum number of documents, including the items of Lists.
   * @default 100000
   */
  readonly documents: number;
  /**
   * Maximum number of values in one document. A document that is plain JSON costs far less, and may have 20 times as many.
   * @default 100000
   */
  readonly values: number;
  /**
   * Maximum nesting of maps and lists.
   * @default 200
   */
  readonly depth: number;
  /**
   * Maximum number of values that the aliases (`*name`) of one document expand to.
   * @default 100000
   */
  readonly aliasedValues: number;
}

/** Far more than any stack of manifests needs, and far less than what exhausts memory. */
export const DEFAULT_LIMITS: ReadLimits = {
  files: 10_000,
  fileSize: 32 * 1024 * 1024,
  totalSize: 128 * 1024 * 1024,
  documents: 100_000,
  values: 100_000,
  depth: 200,
  aliasedValues: 100_000,
};
