import { existsSync, readFileSync } from 'node:fs';
import { type Finding, fingerprintOf } from '../../core/finding';
import { writeAtomically } from '../files';
import { UserError } from '../user-error';

/** A finding as the baseline keeps it. */
type Entry = ReturnType<typeof fingerprintOf>;

/** Findings that were there before somebody began to check, and how many of the baseline are gone since. */
export interface Compared {
  readonly findings: readonly Finding[];
  readonly known: number;
  readonly gone: number;
}

/** Leaves out the findings that the baseline knows. */
export function withoutKnown(findings: readonly Finding[], file: string, name: string): Compared {
  const counts = new Map<string, number>();
  for (const entry of readEntries(file, name)) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
  const before = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const left = findings.filter((finding) => {
    const key = keyOf(fingerprintOf(finding));
    const count = counts.get(key) ?? 0;
    if (count > 0) counts.set(key, count - 1);
    return count === 0;
  });
  const gone = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { findings: left, known: before - gone, gone };
}

/** Writes the findings as the new baseline. */
export function writeBaseline(findings: readonly Finding[], file: string, name: string): void {
  const entries = findings.map(fingerprintOf).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  writeAtomically(file, `${JSON.stringify({ version: 1, findings: entries }, undefined, 2)}\n`, name);
}

function keyOf({ rule, object, path, message }: Entry): string {
  return JSON.stringify([object, rule, path, message]);
}

function readEntries(file: string, name: string): readonly Entry[] {
  if (!existsSync(file)) {
    throw new UserError(`there is no baseline "${name}"`, '--update-baseline writes one of what is found now');
  }
  try {
    const { version, findings } = JSON.parse(readFileSync(file, 'utf8'));
    if (version === 1 && Array.isArray(findings) && findings.every(isEntry)) return findings;
  } catch {
    // Told below.
  }
  throw new UserError(`"${name}" is not a baseline of rollout-constructs`, '--update-baseline writes it anew');
}

function isEntry(value: unknown): value is Entry {
  const fields = ['rule', 'object', 'path', 'message'] as const;
  return (
    typeof value === 'object' && value !== null && fields.every((field) => typeof (value as Entry)[field] === 'string')
  );
}
