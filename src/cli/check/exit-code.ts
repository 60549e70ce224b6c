import type { Finding } from '../../core/finding';

/** Rules that report input that was not checked. */
export const UNREAD: ReadonlySet<string> = new Set([
  'file-unreadable',
  'file-not-utf8',
  'too-much-input',
  'yaml-too-deep',
  'yaml-excessive-aliasing',
  'yaml-invalid',
  'helm-template',
  'budget-spent',
  'rehearsal-budget-spent',
]);

/** What an exit code depends on in addition to the reported findings. */
export interface ExitOptions {
  readonly maxWarnings: number;
  /** Whether there was nothing to check. */
  readonly isEmpty: boolean;
  /** All findings, reported or not. */
  readonly all: readonly Finding[];
}

/** 0 no errors; 1 errors, or more warnings than allowed; 2 input that cannot be read. */
export function exitCodeOf(findings: readonly Finding[], { maxWarnings, isEmpty, all }: ExitOptions): number {
  if (isEmpty || all.some(({ rule }) => UNREAD.has(rule))) return 2;
  const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  return count('error') > 0 || count('warning') > maxWarnings ? 1 : 0;
}
