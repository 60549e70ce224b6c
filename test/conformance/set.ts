/** What came of one vector. */
export interface Outcome {
  /** The library answers as the controller does, at the level that counts. */
  readonly same: boolean;
  /** Also equal to the letter; only for sets that tell the two apart. */
  readonly exact?: boolean;
  /** What differs, for a reader: `json: expected {"a":1}, got {"a":2}`. */
  readonly difference?: string;
}

/** Runs the vectors of one file: `sets/lua.ts` runs `lua.jsonl`. Each file in `sets/` exports one by default. */
export interface VectorSet {
  // biome-ignore lint/suspicious/noExplicitAny: each set has a format of its own, described in vectors/README.md
  check(vector: any): Outcome;
}
