import type { Finding } from '../core/finding';
import { escapeXmlAttribute, escapeXmlText } from './escape';
import {
  countFindings,
  type ReportContext,
  remarksOf,
  type SuppressedGroup,
  subjectOf,
  suppressedGroups,
  suppressedText,
} from './reporter';

/** For CI systems: JUnit XML. An error is a failed test; a warning or note is a passed test with output. */
export function junit(findings: readonly Finding[], context: ReportContext): string {
  const { errors } = countFindings(findings, context);
  // Some systems reject a suite without tests.
  const skipped = suppressedGroups(context);
  const tests =
    findings.length + skipped.length === 0
      ? [`    <testcase${attributes({ name: 'no findings' })}/>`]
      : [...findings.flatMap(test), ...skipped.flatMap(skippedTest)];
  const totals = attributes({
    name: 'rollout-constructs',
    tests: Math.max(1, findings.length + skipped.length),
    failures: errors,
    ...(skipped.length > 0 && { skipped: skipped.length }),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${totals}>`,
    `  <testsuite${totals}>`,
    ...tests,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function test(finding: Finding): string[] {
  const { rule, severity, message, because, fix, docs, source } = finding;
  const place = source === undefined ? '' : `${source.file}:${source.line}:${source.column}`;
  const subject = subjectOf(finding);
  const name = [rule, place || subject].filter(Boolean).join(' ');
  const text = escapeXmlText(
    [place, subject, message, because, `fix: ${fix}`, ...remarksOf(finding), docs].filter(Boolean).join('\n'),
  );
  const content =
    severity === 'error'
      ? `      <failure${attributes({ type: rule, message })}>${text}</failure>`
      : `      <system-out>${severity}: ${text}</system-out>`;
  return [
    `    <testcase${attributes({ classname: 'rollout-constructs', name, file: source?.file, line: source?.line })}>`,
    content,
    '    </testcase>',
  ];
}

/** What is suppressed is a test that was skipped. */
function skippedTest(group: SuppressedGroup): string[] {
  const { rule, source } = group;
  const name = `suppressed ${[rule, source && `${source.file}:${source.line}`].filter(Boolean).join(' ')}`;
  return [
    `    <testcase${attributes({ classname: 'rollout-constructs', name, file: source?.file, line: source?.line })}>`,
    `      <skipped${attributes({ message: suppressedText(group) })}/>`,
    '    </testcase>',
  ];
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(String(value))}"`)
    .join('');
}
