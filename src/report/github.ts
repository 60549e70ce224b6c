import type { Finding, SourceLocation } from '../core/finding';
import { githubCommand } from './escape';
import {
  countFindings,
  type ReportContext,
  remarksOf,
  subjectOf,
  summaryOf,
  suppressedGroups,
  suppressedText,
} from './reporter';

/** For GitHub Actions: an annotation at the line of each finding. */
export function github(findings: readonly Finding[], context: ReportContext): string {
  const accepted = suppressedGroups(context).map((group) =>
    githubCommand('notice', { ...placeOf(group.source), title: 'suppressed' }, suppressedText(group)),
  );
  const lines = [...findings.map(githubFinding), ...accepted, summaryOf(countFindings(findings, context))];
  return `${lines.join('\n')}\n`;
}

/** One finding as a workflow command. */
export function githubFinding(finding: Finding): string {
  const { rule, severity, message, because, fix, source } = finding;
  const text = [message, subjectOf(finding), because, `fix: ${fix}`, ...remarksOf(finding)].filter(Boolean).join('\n');
  return githubCommand(severity === 'note' ? 'notice' : severity, { ...placeOf(source), title: rule }, text);
}

/** GitHub has no file for text from a pipe. */
function placeOf(source: SourceLocation | undefined): { file?: string; line?: number; col?: number } {
  if (source === undefined || /^<.*>$/.test(source.file)) return {};
  return { file: source.file, line: source.line, col: source.column };
}
