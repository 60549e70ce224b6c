import type { Patterns } from '../text/pattern';
import type { Prototype } from './prototype';

/** How one run of a script behaves. */
export interface MachineSettings {
  /** When the time is up, on the clock of `performance.now`. */
  readonly deadline: number;
  readonly onLine: ((line: number) => void) | undefined;
  /** What `json.encode` writes for an empty table. */
  readonly emptyTable: string;
  /** The order of the keys of objects that `json.decode` reads; none keeps theirs. */
  readonly order: EntryOrder | undefined;
  /** The patterns that runs of this script have compiled. */
  readonly patterns: Patterns;
  /** Compiles text for `loadstring` and its kin. */
  readonly load: (source: string, chunkName: string) => Prototype;
}

/** Puts entries into the order in which `pairs` is to walk them. */
export type EntryOrder = <T>(entries: readonly T[]) => readonly T[];

/** Is told how much text is about to be written, before that costs anything, and ends the work by throwing. */
export type TextAccount = (length: number) => void;
