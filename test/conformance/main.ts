import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readVectors, runnerOf, runVectors, SETS, setOf, summaryOf, type Tally, UsageError } from './run';

const USAGE = `usage: npm run conformance -- <folder> [--sets <folder>]

Runs every vector file (<set>.jsonl) of a folder through this library and counts the answers that differ from the
controller's. The runner of a set is test/conformance/sets/<set>.ts; --sets names another folder of runners.

exit codes: 0 all passed, 1 a vector failed, 2 a set has no runner or cannot be read, or wrong usage (1 wins over 2)`;

const DIFFERENCES_SHOWN = 5;
const SLOW_MILLISECONDS = 2_000;

interface Arguments {
  readonly folder: string;
  readonly sets: string;
}

function parseArguments(args: readonly string[]): Arguments {
  const folders: string[] = [];
  let sets = SETS;
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!;
    if (argument === '--sets') {
      const value = args[++index];
      if (value === undefined) throw new UsageError('--sets needs a folder');
      sets = value;
    } else if (argument.startsWith('-')) {
      throw new UsageError(`unknown option ${argument}`);
    } else {
      folders.push(argument);
    }
  }
  if (folders.length !== 1) throw new UsageError(`expected one folder of vectors, got ${folders.length}`);
  return { folder: folders[0]!, sets };
}

function vectorFiles(folder: string): string[] {
  const kind = statSync(folder, { throwIfNoEntry: false });
  if (kind === undefined) throw new UsageError(`${folder}: no such folder`);
  if (!kind.isDirectory()) throw new UsageError(`${folder}: not a folder; give the folder that holds the .jsonl files`);
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  if (names.length === 0) throw new UsageError(`${folder}: holds no .jsonl file`);
  return names.map((name) => join(folder, name));
}

/** Says on a terminal how far a slow set is; leaves no trace on the screen, and none at all in a log. */
function progressOf(set: string, total: number) {
  const started = Date.now();
  let shown = false;
  return {
    report(done: number): void {
      if (!process.stderr.isTTY || Date.now() - started < SLOW_MILLISECONDS) return;
      shown = true;
      process.stderr.write(`\r${set}: ${done} of ${total}`);
    },
    clear(): void {
      if (shown) process.stderr.write('\r\u001b[K');
    },
  };
}

function print(tally: Tally): void {
  console.log(summaryOf(tally));
  for (const { vector, difference } of tally.differences.slice(0, DIFFERENCES_SHOWN)) {
    console.log(`  ${vector}\n    ${difference.replace(/\n/g, '\n    ')}`);
  }
  const more = tally.differences.length - DIFFERENCES_SHOWN;
  if (more > 0) console.log(`  and ${more} more`);
}

/** Runs one file and returns what it means for the exit code. */
async function runFile(file: string, sets: string): Promise<'passed' | 'failed' | 'not run'> {
  const set = setOf(file);
  try {
    const vectors = readVectors(file);
    const runner = await runnerOf(set, sets);
    if (runner === undefined) {
      console.log(
        `${set}: no runner yet, ${vectors.length} vectors not run (add ${relative('', join(sets, `${set}.ts`))})`,
      );
      return 'not run';
    }
    const progress = progressOf(set, vectors.length);
    const tally = runVectors(set, runner, vectors, progress.report);
    progress.clear();
    print(tally);
    return tally.failed === 0 ? 'passed' : 'failed';
  } catch (error) {
    console.log(`${set}: cannot be run`);
    console.error(`  ${error instanceof UsageError ? error.message : `${join(sets, `${set}.ts`)}: ${error}`}`);
    return 'not run';
  }
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(USAGE);
    return 0;
  }
  try {
    const { folder, sets } = parseArguments(args);
    const results = [];
    for (const file of vectorFiles(folder)) results.push(await runFile(file, sets));
    if (results.includes('failed')) return 1;
    return results.includes('not run') ? 2 : 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    return 2;
  }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
