import type { Finding } from '../core/finding';
import { escapeMarkdown, markdownCode } from './escape';
import { countFindings, type ReportContext, scopeLines, subjectOf, summaryOf } from './reporter';

/** For a comment on a pull request: a table with a row for each finding. */
export function markdown(findings: readonly Finding[], context: ReportContext): string {
  const scope = scopeLines(context).map((line) => `\n\n${escapeMarkdown(line)}`);
  const title = `### ${summaryOf(countFindings(findings, context))}${scope.join('')}`;
  if (findings.length === 0) return `${title}\n`;
  return `${[title, '', '| | Where | Finding |', '| --- | --- | --- |', ...findings.map(row)].join('\n')}\n`;
}

function row(finding: Finding): string {
  const { rule, severity, message, because, fix, source, cause } = finding;
  const subject = subjectOf(finding);
  const places = [...(source ? [`${source.file}:${source.line}:${source.column}`] : []), ...(subject ? [subject] : [])];
  const text = [
    `**${escapeMarkdown(rule)}**: ${escapeMarkdown(message)}`,
    escapeMarkdown(because),
    ...(cause === undefined ? [] : [`follows from ${escapeMarkdown(cause.rule)}`]),
    `**Fix:** ${escapeMarkdown(fix)}`,
  ];
  return `| ${severity} | ${places.map(inCell).join('<br>')} | ${text.join('<br>')} |`;
}

/** In a table, an unescaped bar ends the cell even in a code span. */
function inCell(text: string): string {
  return markdownCode(text).replaceAll('|', '\\|');
}
