import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants';

/** A mutant that means the same as the source, so that no test can notice it. */
export interface Equivalent {
  readonly file: string;
  /** The text of its line. */
  readonly source: string;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  readonly because: string;
}

export const EQUIVALENTS: readonly Equivalent[] = JSON.parse(readFileSync(join(__dirname, 'equivalents.json'), 'utf8'));

export function equivalentOf(mutant: Mutant): Equivalent | undefined {
  return EQUIVALENTS.find((equivalent) => isThe(equivalent, mutant));
}

export function isThe(equivalent: Equivalent, mutant: Mutant): boolean {
  return (['file', 'source', 'mutator', 'original', 'replacement'] as const).every(
    (name) => equivalent[name] === mutant[name],
  );
}
