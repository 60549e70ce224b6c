import type { Finding } from '../core/finding';
import { githubCommand } from './escape';
import { countFindings, type ReportContext, subjectOf, summaryOf } from './reporter';

/** For GitHub Actions: an annotation at the line of each finding. */
export function github(findings: readonly Finding[], context: ReportContext): string {
  const lines = [...findings.map(githubFinding), summaryOf(countFindings(findings, context))];
  return `${lines.join('\n')}\n`;
}

/** One finding as a workflow command. */
export function githubFinding(finding: Finding): string {
  const { rule, severity, message, because, fix, source } = finding;
  const text = [message, subjectOf(finding), because, `fix: ${fix}`].filter(Boolean).join('\n');
  // GitHub has no file for text from a pipe.
  const isFile = source !== undefined && !/^<.*>$/.test(source.file);
  const place = isFile ? { file: source.file, line: source.line, col: source.column } : {};
  return githubCommand(severity === 'note' ? 'notice' : severity, { ...place, title: rule }, text);
}
