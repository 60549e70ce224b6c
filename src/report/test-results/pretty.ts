import type { SourceLocation } from '../../core/finding';
import {
  coveragePercent,
  type ScriptResult,
  type StepResult,
  summarize,
  type TestReport,
  type TestSummary,
} from '../../core/test-result';
import { escapeTerminal, escapeTerminalLine } from '../escape';
import { prettyFinding } from '../pretty';
import { formatPercent } from './coverage';
import { stepLines } from './difference';
import type { TestReportContext } from './reporter';

/** For people: a line per case and step, the differences of failed ones, findings, coverage, and the totals. */
export function pretty(report: TestReport, context: TestReportContext): string {
  const style = styleOf(context);
  const blocks = report.scripts.map((script) => scriptLines(script, report.coverageThreshold, context, style));
  return [...blocks.flatMap((lines) => [...lines, '']), summaryLine(summarize(report), report, style), ''].join('\n');
}

type Paint = (text: string) => string;

interface PrettyStyle {
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly dim: Paint;
  readonly bold: Paint;
  readonly passed: string;
  readonly failed: string;
  readonly skipped: string;
  readonly separator: string;
}

function styleOf({ color, ascii }: TestReportContext): PrettyStyle {
  const paint =
    (open: number, close: number): Paint =>
    (text) =>
      color && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    dim: paint(2, 22),
    bold: paint(1, 22),
    passed: ascii ? 'ok' : '✓',
    failed: ascii ? 'FAIL' : '✗',
    skipped: '-',
    separator: ascii ? '>' : '›',
  };
}

function scriptLines(
  script: ScriptResult,
  threshold: number | undefined,
  context: TestReportContext,
  style: PrettyStyle,
): string[] {
  const none = script.cases.length === 0 && !script.problem ? [style.dim('no testdata')] : [];
  const lines = [
    ...problemLines(script, style),
    ...script.cases.flatMap(({ name, steps }) => steps.flatMap((step) => stepBlock(name, step, style))),
    ...none,
    ...script.findings.flatMap((finding) => prettyFinding(finding, context)),
    ...coverageLines(script, threshold, style),
  ];
  const title = `${style.bold(escapeTerminalLine(script.name))}  ${style.dim(escapeTerminalLine(script.file))}`;
  return [title, ...lines.map((line) => `  ${line}`)];
}

function problemLines({ problem }: ScriptResult, style: PrettyStyle): string[] {
  if (problem === undefined) return [];
  return [style.red(`${style.failed} ${escapeTerminal(problem.message)}`), `  ${style.dim(place(problem.source))}`];
}

function stepBlock(testCase: string, step: StepResult, style: PrettyStyle): string[] {
  const name = `${escapeTerminalLine(testCase)} ${style.separator} ${escapeTerminalLine(step.name)}`;
  const warning =
    step.warning === undefined ? [] : [`    ${style.yellow('warning')}: ${escapeTerminalLine(step.warning)}`];
  if (step.status === 'passed') return [`${style.green(style.passed)} ${name}`, ...warning];
  if (step.status === 'skipped') {
    const why = step.message === undefined ? '' : `: ${escapeTerminalLine(step.message)}`;
    return [style.dim(`${style.skipped} ${name} (skipped${why})`)];
  }
  const places = [step.source, step.scriptSource].flatMap((source) => (source ? [style.dim(place(source))] : []));
  return [style.red(`${style.failed} ${name}`), ...[...places, ...stepLines(step)].map((line) => `    ${line}`)];
}

function coverageLines({ coverage }: ScriptResult, threshold: number | undefined, style: PrettyStyle): string[] {
  if (coverage === undefined) return [];
  const percent = coveragePercent(coverage);
  const low = percent < (threshold ?? 0);
  const counts = `${formatPercent(coverage)} of lines covered (${coverage.covered} of ${coverage.lines})`;
  const wanted = low ? `, below the threshold of ${threshold}%` : '';
  const paint = low ? style.red : coverage.uncovered.length > 0 ? style.yellow : style.green;
  return [
    paint(`${counts}${wanted}`),
    ...coverage.uncovered.flatMap(({ first, last, text }) => [
      `  not executed: ${first === last ? `line ${first}` : `lines ${first}-${last}`}`,
      ...text.map((line, index) => style.dim(`  ${String(first + index).padStart(6)} | ${escapeTerminal(line)}`)),
    ]),
  ];
}

function summaryLine(summary: TestSummary, report: TestReport, style: PrettyStyle): string {
  const { passed, failed, skipped, errors, warnings, belowThreshold } = summary;
  const counted = (count: number, what: string) => (count > 0 ? [`${count} ${what}${count === 1 ? '' : 's'}`] : []);
  const line = [
    `${passed} passed, ${failed} failed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...counted(errors, 'error'),
    ...counted(warnings, 'warning'),
    ...(belowThreshold.length > 0
      ? [`${belowThreshold.length} of ${report.scripts.length} scripts below ${report.coverageThreshold}% coverage`]
      : []),
  ].join(', ');
  return (failed + errors + belowThreshold.length > 0 ? style.red : style.green)(line);
}

function place({ file, line, column }: SourceLocation): string {
  return escapeTerminalLine(`${file}:${line}:${column}`);
}
