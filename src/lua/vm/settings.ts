import type { Patterns } from '../text/pattern';
import type { Prototype } from './prototype';

/** The settings of one run. */
export interface MachineSettings {
  /** When the time runs out, on the clock of `performance.now`. */
  readonly deadline: number;
  readonly onLine: ((line: number) => void) | undefined;
  /** The text that `json.encode` writes for an empty table. */
  readonly emptyTable: string;
  /** The order of the keys that `json.decode` reads; without it, the order of the text. */
  readonly order: EntryOrder | undefined;
  /** The patterns that runs of this script have compiled. */
  readonly patterns: Patterns;
  /** Compiles text for `loadstring` and similar functions. */
  readonly load: (source: string, chunkName: string) => Prototype;
}

/** Orders entries for `pairs`. */
export type EntryOrder = <T>(entries: readonly T[]) => readonly T[];

/** Charges for text before it is built. Throws when the text is over budget. */
export type TextAccount = (length: number) => void;
