import { stringify } from 'yaml';
import { coveragePercent, type StepResult, type TestReport } from '../../core/test-result';
import { escapeTap, escapeTerminal } from '../escape';
import { stepLines } from './difference';

/** The Test Anything Protocol, version 14: a test point per case and step. */
export function tap(report: TestReport): string {
  const points = report.scripts.flatMap((script) => [
    ...(script.problem
      ? [point(false, script.name, { message: script.problem.message, at: script.problem.source })]
      : []),
    ...script.cases.flatMap(({ name, steps }) => steps.map((step) => stepPoint(`${script.name} > ${name}`, step))),
    ...script.findings
      .filter(({ severity }) => severity === 'error')
      .map(({ rule, message, because, fix, source }) =>
        point(false, `${script.name} > ${rule}`, { message, because, fix, ...(source ? { at: source } : {}) }),
      ),
    ...(script.coverage && coveragePercent(script.coverage) < (report.coverageThreshold ?? 0)
      ? [
          point(false, `${script.name} > coverage`, {
            percent: coveragePercent(script.coverage),
            threshold: report.coverageThreshold,
          }),
        ]
      : []),
  ]);
  const numbered = points.map(({ ok, text, block }, index) => `${ok ? 'ok' : 'not ok'} ${index + 1} - ${text}${block}`);
  return ['TAP version 14', `1..${points.length}`, ...numbered, ''].join('\n');
}

interface Point {
  readonly ok: boolean;
  readonly text: string;
  readonly block: string;
}

function stepPoint(prefix: string, step: StepResult): Point {
  const name = `${prefix} > ${step.name}`;
  if (step.status === 'passed') return point(true, name);
  if (step.status === 'failed')
    return point(false, name, { message: stepLines(step).join('\n'), ...(step.source ? { at: step.source } : {}) });
  return { ok: true, text: `${escapeTap(name)} # SKIP ${escapeTap(step.message ?? '')}`.trimEnd(), block: '' };
}

function point(ok: boolean, name: string, details?: object): Point {
  return { ok, text: escapeTap(name), block: details === undefined ? '' : diagnostic(details) };
}

function diagnostic(details: object): string {
  // Escaped first, because afterwards the text contains characters of the YAML syntax.
  const safe = JSON.parse(
    JSON.stringify(details, (_, value) => (typeof value === 'string' ? escapeTerminal(value) : value)),
  );
  const lines = stringify(safe, { lineWidth: 0 }).trimEnd().split('\n');
  return `\n${['---', ...lines, '...'].map((line) => `  ${line}`).join('\n')}`;
}
