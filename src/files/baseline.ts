import { existsSync, readFileSync } from 'node:fs';
import type { Finding } from '../core/finding';
import { baselineText, type Compared, withoutKnown } from '../settings/baseline';
import { UserError } from '../settings/user-error';
import { writeAtomically } from './paths';

/** The file of a baseline, and the path as the user wrote it. */
export interface BaselineFile {
  readonly file: string;
  readonly name: string;
  /**
   * What it holds for its owner.
   * @default - what the file holds
   */
  readonly text?: string;
}

/** Leaves out the findings that the file holds. */
export function comparedWithBaseline(findings: readonly Finding[], { file, name, text }: BaselineFile): Compared {
  if (text !== undefined) return withoutKnown(findings, text, name);
  if (!existsSync(file)) {
    throw new UserError(`there is no baseline "${name}"`, '--update-baseline writes one with the current findings');
  }
  return withoutKnown(findings, textOf(file), name);
}

/** Writes the findings as the new baseline. */
export function writeBaseline(findings: readonly Finding[], { file, name }: BaselineFile): void {
  writeAtomically(file, baselineText(findings), name);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A folder, or a file without permission: no baseline either way.
    return '';
  }
}
