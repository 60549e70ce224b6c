import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Outcome, VectorSet } from './set';

/** Where the runners of the sets live: `<set>.ts`, one per file of vectors. */
export const SETS = join(__dirname, 'sets');

/** A vector that the library answers otherwise than the controller. */
export interface Difference {
  readonly vector: string;
  readonly difference: string;
}

/** The score of one file of vectors. */
export interface Tally {
  readonly set: string;
  readonly passed: number;
  readonly failed: number;
  /** How many vectors are equal to the letter; only for sets that tell. */
  readonly exact?: number;
  readonly differences: readonly Difference[];
}

/** A file or a runner that cannot be used; the message names the place. */
export class UsageError extends Error {}

interface Vector {
  readonly name: string;
}

/** The set that a file of vectors belongs to: `lua` for `some/folder/lua.jsonl`. */
export function setOf(file: string): string {
  return basename(file, '.jsonl');
}

/** The vectors of a file, one JSON object per line. Throws a UsageError that names file and line. */
export function readVectors(file: string): Vector[] {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  const vectors = lines.flatMap((line, index) => (line.trim() === '' ? [] : [vectorOf(line, `${file}:${index + 1}`)]));
  if (vectors.length === 0) throw new UsageError(`${file}: holds no vectors; expected one JSON object per line`);
  return vectors;
}

function vectorOf(line: string, place: string): Vector {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new UsageError(`${place}: not a JSON document: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(
      `${place}: expected a JSON object with "name", "input" and "expect", got ${line.slice(0, 40)}`,
    );
  }
  const vector = value as { name?: unknown };
  return { ...vector, name: typeof vector.name === 'string' ? vector.name : place };
}

/** The runner of a set, or undefined where there is none yet. */
export async function runnerOf(set: string, folder: string = SETS): Promise<VectorSet | undefined> {
  const file = join(folder, `${set}.ts`);
  if (!existsSync(file)) return undefined;
  const module = await import(pathToFileURL(file).href);
  // A CommonJS module comes with its exports under `default`, an ES module without.
  const runner = module.default?.default ?? module.default;
  if (typeof runner?.check !== 'function') {
    throw new UsageError(`${file}: its default export has no method check(vector); see test/conformance/set.ts`);
  }
  return runner;
}

function outcomeOf(runner: VectorSet, vector: Vector): Outcome {
  try {
    return runner.check(vector);
  } catch (error) {
    const [message, place] = String((error as Error)?.stack ?? error).split('\n');
    return { same: false, difference: `the runner threw ${message}${place === undefined ? '' : ` ${place.trim()}`}` };
  }
}

/** Runs every vector and counts; `onProgress` hears of each vector that is done. */
export function runVectors(
  set: string,
  runner: VectorSet,
  vectors: readonly Vector[],
  onProgress: (done: number) => void = () => {},
): Tally {
  const differences: Difference[] = [];
  let exact: number | undefined;
  vectors.forEach((vector, index) => {
    const outcome = outcomeOf(runner, vector);
    if (outcome.exact !== undefined) exact = (exact ?? 0) + (outcome.exact ? 1 : 0);
    if (!outcome.same) {
      differences.push({
        vector: vector.name,
        difference: outcome.difference ?? 'differs (the runner does not say how)',
      });
    }
    onProgress(index + 1);
  });
  return { set, passed: vectors.length - differences.length, failed: differences.length, exact, differences };
}

/** `lua: 530 passed, 0 failed (exact 521)` */
export function summaryOf(tally: Tally): string {
  const exact = tally.exact === undefined ? '' : ` (exact ${tally.exact})`;
  return `${tally.set}: ${tally.passed} passed, ${tally.failed} failed${exact}`;
}
