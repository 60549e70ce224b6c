import type { Finding } from '../core/finding';
import { escapeMarkdown, markdownCode } from './escape';
import {
  countFindings,
  type ReportContext,
  remarksOf,
  scopeLines,
  subjectOf,
  summaryOf,
  suppressedGroups,
  suppressedText,
} from './reporter';

/** For a comment on a pull request: a table with a row for each finding. */
export function markdown(findings: readonly Finding[], context: ReportContext): string {
  const scope = scopeLines(context).map((line) => `\n\n${escapeMarkdown(line)}`);
  const title = `### ${summaryOf(countFindings(findings, context))}${scope.join('')}`;
  const table = findings.length === 0 ? [] : ['', '| | Where | Finding |', '| --- | --- | --- |', ...findings.map(row)];
  const groups = suppressedGroups(context).map((group) => `- ${escapeMarkdown(suppressedText(group))}`);
  const accepted = groups.length === 0 ? [] : ['', 'Suppressed:', '', ...groups];
  return `${[title, ...table, ...accepted].join('\n')}\n`;
}

function row(finding: Finding): string {
  const { rule, severity, message, because, fix, source } = finding;
  const subject = subjectOf(finding);
  const places = [...(source ? [`${source.file}:${source.line}:${source.column}`] : []), ...(subject ? [subject] : [])];
  const text = [
    `**${escapeMarkdown(rule)}**: ${escapeMarkdown(message)}`,
    escapeMarkdown(because),
    ...remarksOf(finding).map(escapeMarkdown),
    `**Fix:** ${escapeMarkdown(fix)}`,
  ];
  return `| ${severity} | ${places.map(inCell).join('<br>')} | ${text.join('<br>')} |`;
}

/** In a table, an unescaped bar ends the cell even in a code span. */
function inCell(text: string): string {
  return markdownCode(text).replaceAll('|', '\\|');
}
