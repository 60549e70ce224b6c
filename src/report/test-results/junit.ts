import type { Finding } from '../../core/finding';
import {
  type CaseResult,
  coveragePercent,
  type ScriptResult,
  type StepResult,
  summarize,
  type TestReport,
} from '../../core/test-result';
import { escapeXmlAttribute, escapeXmlText } from '../escape';
import { belowThreshold } from './coverage';
import { stepLines } from './difference';

/** For CI systems: JUnit XML with a suite per script and a test per case and step. Findings are failed tests. */
export function junit(report: TestReport): string {
  const { passed, failed, skipped, errors } = summarize(report);
  const low = report.scripts.filter((script) => isLow(script, report)).length;
  const totals = { tests: passed + failed + skipped + errors + low, failures: failed + errors + low, skipped };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="rollout-constructs"${attributes(totals)}>`,
    ...report.scripts.flatMap((script) => suite(script, report)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(script: ScriptResult, report: TestReport): string[] {
  const { passed, failed, skipped, errors } = summarize({ scripts: [script] });
  const low = isLow(script, report) ? 1 : 0;
  const totals = { tests: passed + failed + skipped + errors + low, failures: failed + errors + low, skipped };
  return [
    `  <testsuite${attributes({ name: script.name, file: script.file, ...totals })}>`,
    ...problem(script),
    ...script.cases.flatMap((testCase) => testCase.steps.flatMap((step) => test(script, testCase, step))),
    ...script.findings
      .filter(({ severity }) => severity === 'error')
      .flatMap((finding) => findingTest(script, finding)),
    ...(low > 0 ? coverageTest(script, report) : []),
    '  </testsuite>',
  ];
}

function test(script: ScriptResult, testCase: CaseResult, step: StepResult): string[] {
  const open = `    <testcase${attributes({ classname: script.name, name: `${testCase.name} > ${step.name}`, file: testCase.file })}`;
  if (step.status === 'passed') return [`${open}/>`];
  if (step.status === 'skipped')
    return [`${open}>`, `      <skipped${attributes({ message: step.message })}/>`, '    </testcase>'];
  const lines = stepLines(step);
  const where = step.source ? [`${step.source.file}:${step.source.line}`] : [];
  return [`${open}>`, ...failure(lines[0] ?? 'failed', [...where, ...lines]), '    </testcase>'];
}

function problem({ name, problem }: ScriptResult): string[] {
  if (problem === undefined) return [];
  const { message, source } = problem;
  const open = `    <testcase${attributes({ classname: name, name: 'script', file: source.file })}>`;
  return [open, ...failure(message, [`${source.file}:${source.line}`, message]), '    </testcase>'];
}

function findingTest({ name }: ScriptResult, finding: Finding): string[] {
  const { rule, message, because, fix, source } = finding;
  const where = source ? [`${source.file}:${source.line}`] : [];
  return [
    `    <testcase${attributes({ classname: name, name: rule, file: source?.file })}>`,
    ...failure(message, [...where, message, because, `fix: ${fix}`]),
    '    </testcase>',
  ];
}

function coverageTest({ name, coverage }: ScriptResult, { coverageThreshold }: TestReport): string[] {
  const message = belowThreshold(coverage!, coverageThreshold);
  return [
    `    <testcase${attributes({ classname: name, name: 'coverage' })}>`,
    ...failure(message, [message]),
    '    </testcase>',
  ];
}

function failure(message: string, lines: readonly string[]): string[] {
  return [`      <failure${attributes({ message })}>${escapeXmlText(lines.join('\n'))}</failure>`];
}

function isLow({ coverage }: ScriptResult, { coverageThreshold }: TestReport): boolean {
  return coverage !== undefined && coveragePercent(coverage) < (coverageThreshold ?? 0);
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(String(value))}"`)
    .join('');
}
