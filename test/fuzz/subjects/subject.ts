/** What every subject of fuzzing has, and what must never be said. */
import { UserError } from '../../../src/settings/user-error';

/** One kind of input. */
export interface Subject {
  /** The input of a seed, as text. */
  readonly make: (seed: number) => string;
  /** What does not hold for the input; undefined if all does. */
  readonly fault: (input: string) => string | undefined | Promise<string | undefined>;
  /** Smaller inputs to try instead of one with a fault. */
  readonly smaller?: (input: string) => readonly string[];
}

/** A check that takes longer than this has no end that people wait for. */
export const SECONDS = 20;

/** What an engine, and not we, would say. Lua says that `__unm` is undefined. */
export const RAW =
  /(?<!__\w+ )\bundefined\b|\[object |\bNaN\b|Cannot (read|set|convert|destructure)|is not (a function|iterable)|call stack/;

/** Runs what may refuse its input with a sentence, and nothing else. */
export async function refusal(run: () => unknown): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof UserError && !RAW.test(error.message)) return undefined;
    return `throws ${String(error).slice(0, 300)}`;
  }
}
