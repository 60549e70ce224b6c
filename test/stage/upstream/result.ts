/** What came of upstream's stacks: one line each, in a file that the command makes anew. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a rehearsal is what happened. */
export type Verdict =
  /** The rehearsal is what the controller did. */
  | 'as rehearsed'
  /** It is not. */
  | 'differs'
  /** The library says that it does not rehearse it, or the stage cannot play it. */
  | 'not rehearsed'
  /** The API server or the controller refuses the stack, and `check` reports an error. */
  | 'refused';

/** What came of one story of one stack. */
export interface Result {
  /** `kruise@0.6.2` */
  readonly release: string;
  readonly stack: string;
  /**
   * The story that was played.
   * @default - the stack was not played
   */
  readonly story?: string;
  readonly verdict: Verdict;
  /**
   * What differs.
   * @default - nothing
   */
  readonly where?: string;
  /**
   * Why it is not as rehearsed.
   * @default - it is
   */
  readonly reason?: string;
  /**
   * The rules with which `check` reports errors.
   * @default - none
   */
  readonly errors?: readonly string[];
}

const FILE = join(__dirname, 'results.jsonl');

/** The results that are there. */
export function knownResults(): Result[] {
  if (!existsSync(FILE)) return [];
  return readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Writes results in the place of those that `replaces` names, and gives the lines that are new or gone. */
export function writeResults(results: readonly Result[], replaces: (result: Result) => boolean): string[] {
  const before = knownResults();
  const kept = [...before.filter((result) => !replaces(result)), ...results].sort((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  );
  const [old, now] = [before.map(lineOf), kept.map(lineOf)];
  writeFileSync(FILE, `${now.join('\n')}\n`);
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ];
}

function keyOf({ release, stack, story = '' }: Result): string {
  return `${release} ${stack} ${story}`;
}

function lineOf({ release, stack, story, verdict, where, reason, errors }: Result): string {
  return JSON.stringify({ release, stack, story, verdict, where, reason, errors });
}
