import { type Finding, fingerprintOf } from '../core/finding';
import { UserError } from './user-error';

/** A finding as the baseline keeps it. */
type Entry = ReturnType<typeof fingerprintOf>;

/** The findings that the baseline does not hold and those that it does, and how many of its entries are gone. */
export interface Compared {
  readonly findings: readonly Finding[];
  readonly known: readonly Finding[];
  readonly gone: number;
}

/** Leaves out the findings that the text of a baseline holds. */
export function withoutKnown(findings: readonly Finding[], text: string, name: string): Compared {
  const counts = new Map<string, number>();
  for (const entry of readEntries(text, name)) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
  const known: Finding[] = [];
  const left = findings.filter((finding) => {
    const key = keyOf(fingerprintOf(finding));
    const count = counts.get(key) ?? 0;
    if (count === 0) return true;
    counts.set(key, count - 1);
    known.push(finding);
    return false;
  });
  const gone = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { findings: left, known, gone };
}

/** The text of a baseline that holds these findings. */
export function baselineText(findings: readonly Finding[]): string {
  const entries = findings.map(fingerprintOf).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return `${JSON.stringify({ version: 1, findings: entries }, undefined, 2)}\n`;
}

function keyOf({ rule, object, path, message }: Entry): string {
  return JSON.stringify([object, rule, path, message]);
}

function readEntries(text: string, name: string): readonly Entry[] {
  try {
    const { version, findings } = JSON.parse(text);
    if (version === 1 && Array.isArray(findings) && findings.every(isEntry)) return findings;
  } catch {
    // Reported below.
  }
  throw new UserError(`"${name}" is not a baseline of rollout-constructs`, '--update-baseline writes a new one');
}

function isEntry(value: unknown): value is Entry {
  const fields = ['rule', 'object', 'path', 'message'] as const;
  return (
    typeof value === 'object' && value !== null && fields.every((field) => typeof (value as Entry)[field] === 'string')
  );
}
