/** Reports of what changes between two releases: what appears, then section by section. */
import type { Finding } from '../../core/finding';
import type { UpgradeReport } from '../../core/upgrade-result';
import { escapeCommands, escapeJson, escapeMarkdown, escapeTerminalLine, markdownCode } from '../escape';
import { findingFields } from '../json';
import { markdown as findingsMarkdown } from '../markdown';
import { pretty as findingsPretty } from '../pretty';
import type { ReportContext } from '../reporter';
import { html } from './html';
import { releasesText, type UpgradeItem, type UpgradeSection, upgradeSections, upgradeSummary } from './words';

/** Writes what changes in one format. The context is that of the findings that appear. */
export type UpgradeReporter = (report: UpgradeReport, context: ReportContext) => string;

/** For a terminal. */
function pretty(report: UpgradeReport, context: ReportContext): string {
  const strong = (text: string) => (context.color ? `\u001b[1m${text}\u001b[22m` : text);
  const item = ({ text, source, lines }: UpgradeItem): string => {
    const place = source === undefined ? '' : `  ${source.file}:${source.line}`;
    return [`  ${text}${place}`, ...lines.map((line) => `      ${line}`)].map(escapeTerminalLine).join('\n');
  };
  const section = ({ title, items }: UpgradeSection) => `${strong(title)}\n${items.map(item).join('\n')}\n\n`;
  const head = escapeTerminalLine(releasesText(report, context.ascii));
  const appears =
    report.appears.length === 0
      ? ''
      : `${strong('Findings that appear')}\n${findingsPretty(report.appears, context)}\n`;
  const sections = upgradeSections(report).map(section).join('');
  return `${escapeCommands(`${strong(head)}\n\n`)}${appears}${escapeCommands(`${sections}${upgradeSummary(report)}\n`)}`;
}

/** For other tools. Later versions only add fields. */
function json(report: UpgradeReport, context: ReportContext): string {
  const { appears, gone, stays, ...rest } = report;
  const fields = (findings: readonly Finding[]) => findings.map(findingFields);
  const findings = { appears: fields(appears), gone: fields(gone), stays };
  const ok = !appears.some(({ severity }) => severity === 'error');
  const assumed = (context.assumptions ?? []).length === 0 ? {} : { assumed: context.assumptions };
  const { releases, ...differences } = rest;
  return `${escapeJson(JSON.stringify({ ok, releases, ...assumed, findings, ...differences }, undefined, 2))}\n`;
}

/** For a ticket or a comment. */
function markdown(report: UpgradeReport, context: ReportContext): string {
  const item = ({ text, source, lines }: UpgradeItem): string => {
    const place = source === undefined ? '' : ` ${markdownCode(`${source.file}:${source.line}`)}`;
    return [`- ${escapeMarkdown(text)}${place}`, ...lines.map(markdownLine)].join('\n');
  };
  const sections = upgradeSections(report).map(
    ({ title, items }) => `### ${escapeMarkdown(title)}\n\n${items.map(item).join('\n')}\n`,
  );
  const head = `## ${escapeMarkdown(releasesText(report))}\n\n${escapeMarkdown(upgradeSummary(report))}\n`;
  const appears = report.appears.length === 0 ? [] : [findingsMarkdown(report.appears, context)];
  return [head, ...appears, ...sections].join('\n');
}

/** What is indented belongs to the line before. */
function markdownLine(line: string): string {
  return line.startsWith('  ') ? `    - ${escapeMarkdown(line.trimStart())}` : `  - ${escapeMarkdown(line)}`;
}

/** The formats in which an upgrade is reported, by name. */
export const upgradeReporters = { pretty, json, markdown, html } as const satisfies Record<string, UpgradeReporter>;
