import type { Finding, Severity, SourceLocation } from '../core/finding';
import { causesOf, overviewOf } from './causes';
import { escapeCommands, escapeTerminal, escapeTerminalLine } from './escape';
import {
  countFindings,
  objectNameOf,
  type ReportContext,
  scopeLines,
  subjectOf,
  summaryOf,
  suppressedGroups,
  suppressedText,
} from './reporter';
import { SourceLines } from './source-line';

/** For people: the message, the line in the file, the reason, and the smallest fix. */
export function pretty(findings: readonly Finding[], context: ReportContext): string {
  const style = styleOf(context);
  const lines = new SourceLines(context.sources);
  const causes = causesOf(findings);
  const overview = overviewOf(causes).map((line) => `${style.strong(safe(line))}\n`);
  const blocks = causes.map(({ findings: [first, ...others], consequences }) => {
    const also = others.map((finding) => alsoLine(finding, style));
    const so = consequences.map((finding) => consequenceLine(finding, style));
    return `${[...block(first, lines, style), ...also, ...so].join('\n')}\n\n`;
  });
  const counts = countFindings(findings, context);
  const paint = counts.errors > 0 ? style.paint.error : counts.warnings > 0 ? style.paint.warning : style.good;
  const accepted = suppressedGroups(context).map((group) => `suppressed: ${suppressedText(group)}`);
  const ending = [...accepted, ...scopeLines(context)].map((line) => `${escapeTerminalLine(line)}\n`);
  return `${overview.join('')}${overview.length > 0 ? '\n' : ''}${blocks.join('')}${paint(summaryOf(counts))}\n${ending.join('')}`;
}

/** The lines of one finding, for reports with other content. */
export function prettyFinding(finding: Finding, context: ReportContext): string[] {
  return block(finding, new SourceLines(context.sources), styleOf(context));
}

type Paint = (text: string) => string;

interface Style {
  readonly paint: Readonly<Record<Severity, Paint>>;
  readonly good: Paint;
  readonly strong: Paint;
  readonly frame: Paint;
}

function styleOf({ color }: ReportContext): Style {
  const ansi =
    (open: number, close: number): Paint =>
    (text) =>
      color && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    paint: { error: ansi(31, 39), warning: ansi(33, 39), note: ansi(36, 39) },
    good: ansi(32, 39),
    strong: ansi(1, 22),
    frame: ansi(34, 39),
  };
}

function block(finding: Finding, lines: SourceLines, style: Style): string[] {
  const { severity, rule, message, source, related } = finding;
  const title = `${style.paint[severity](`${severity}[${escapeTerminalLine(rule)}]`)}: ${style.strong(safe(message))}`;
  const gutter = ' '.repeat(Math.max(...[source, related?.source].map((place) => String(place?.line ?? 0).length)));
  return [
    title,
    ...place(source, gutter, lines, style, style.paint[severity]),
    ...details(finding, gutter, style),
    ...(related === undefined ? [] : [`${style.paint.note('note')}: ${safe(related.message)}`]),
    ...place(related?.source, gutter, lines, style, style.paint.note),
  ];
}

/** Another finding of the same cause: what it says, and where. */
function alsoLine({ message, source, path }: Finding, style: Style): string {
  const where = source === undefined ? (path ?? '') : `${source.file}:${source.line}:${source.column}`;
  const place = where === '' ? '' : ` ${style.frame('-->')} ${escapeTerminalLine(where)}`;
  return `${style.paint.note('also')}: ${safe(message)}${place}`;
}

/** What a rehearsal shows of the mistake. */
function consequenceLine({ severity, rule, message, object }: Finding, style: Style): string {
  const title = style.paint[severity](`${severity}[${escapeTerminalLine(rule)}]`);
  const where = object === undefined ? '' : ` ${style.frame('-->')} ${escapeTerminalLine(objectNameOf(object))}`;
  return `${style.paint.note('so')}: ${title}: ${safe(message)}${where}`;
}

function place(
  source: SourceLocation | undefined,
  gutter: string,
  lines: SourceLines,
  style: Style,
  paint: Paint,
): string[] {
  if (source === undefined) return [];
  const { file, line, column } = source;
  const header = `${gutter}${style.frame('-->')} ${escapeTerminalLine(file)}:${line}:${column}`;
  const shown = lines.show(file, line, column);
  if (shown === undefined) return [header];
  const bar = style.frame('|');
  const number = style.frame(String(line).padStart(gutter.length));
  return [header, `${gutter} ${bar}`, `${number} ${bar} ${shown.text}`, `${gutter} ${bar} ${paint(shown.marker)}`];
}

function details(finding: Finding, gutter: string, style: Style): string[] {
  const subject = subjectOf(finding);
  const entries = [
    ['in', subject],
    ['because', finding.because],
    ['fix', finding.fix],
    ['lowered', finding.lowered === undefined ? '' : `from ${finding.lowered.from} by ${finding.lowered.by}`],
    ['see', `rollout-constructs explain ${finding.rule}`],
  ];
  return entries
    .filter(([, text]) => text !== '')
    .map(([name, text]) => {
      return `${gutter} ${style.frame('=')} ${style.strong(`${name}:`)} ${safe(text!, `${gutter}     `)}`;
    });
}

/** A text that may hold what somebody else wrote: only its first line can begin a line of the report. */
function safe(text: string, indent = '    '): string {
  return escapeCommands(escapeTerminal(text)).trimEnd().replaceAll('\n', `\n${indent}`);
}
