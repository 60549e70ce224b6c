/** Reports in every format, about things whose every text is hostile. */
import type { Checkup } from '../../src/core/checkup';
import type { EnvironmentPreview } from '../../src/core/environment-preview';
import type { Finding, Severity } from '../../src/core/finding';
import type { StackDiff } from '../../src/core/stack-diff';
import type { TestReport } from '../../src/core/test-result';
import { type ReportContext, reporters } from '../../src/report';
import { diffReporters } from '../../src/report/diff';
import { checkupReporters } from '../../src/report/doctor';
import { environmentPreviewText } from '../../src/report/environment-preview';
import { environmentPreviewHtml } from '../../src/report/environment-preview-html';
import { rehearsalReporters } from '../../src/report/rehearsal';
import { testReporters } from '../../src/report/test-results';
import { contextOf, FAILING, STOPPED, withText } from '../report/rehearsal/rehearsals';

/** A report of something into which this text was put everywhere, with or without colours. */
export interface HostileReport {
  readonly name: string;
  readonly format: string;
  readonly write: (text: string, options?: { readonly color?: boolean }) => string;
}

function hostileFinding(text: string, severity: Severity = 'error'): Finding {
  const source = { file: `${text}.yaml`, line: 1, column: 1 };
  return {
    rule: 'a-rule',
    severity,
    message: `${text} and ${text}`,
    because: text,
    fix: `${text}\n${text}`,
    docs: 'docs/rules/a-rule.md',
    object: { apiVersion: text, kind: text, namespace: text, name: text },
    path: text,
    source,
    related: { message: text, source },
    construct: text,
    step: 0,
    request: text,
  };
}

function findingsOf(text: string): Finding[] {
  return (['error', 'warning', 'note'] as const).map((severity) => hostileFinding(text, severity));
}

function contextFor(text: string, color: boolean): ReportContext {
  return {
    color,
    ascii: false,
    sources: new Map([[`${text}.yaml`, `${text}: ${text}\n`]]),
    suppressed: [{ finding: hostileFinding(text), reason: text }],
    objects: 1,
    checkedFor: { Kubernetes: text },
    version: '1.2.3',
  };
}

function previewOf(text: string): EnvironmentPreview {
  const cell = { workloads: [text], answeredBy: [text], why: text };
  const cells = [
    { ...cell, reason: 'exact' as const },
    { ...cell, reason: 'error' as const, workloads: [], statusCode: '503' },
  ];
  return {
    namespace: text,
    virtualEnvironment: text,
    header: text,
    environments: [undefined, text],
    rows: [{ service: text, port: 80, cells }],
  };
}

function testReportOf(text: string): TestReport {
  const source = { file: text, line: 1, column: 1 };
  const step = {
    name: text,
    source,
    scriptSource: source,
    stdout: `${text}\n${text}`,
    warning: text,
    differences: [
      { kind: 'changed' as const, path: text, jsonPath: text, expected: text, actual: [text] },
      { kind: 'unexpected' as const, path: text, actual: { [text]: text } },
    ],
  };
  const cases = (['passed', 'failed', 'skipped'] as const).map((status) => ({
    name: text,
    file: text,
    steps: [{ ...step, status, ...(status === 'passed' ? {} : { message: text }) }],
  }));
  const script = { name: text, file: text, cases, findings: findingsOf(text) };
  return {
    coverageThreshold: 90,
    scripts: [
      { ...script, coverage: { lines: 2, covered: 1, uncovered: [{ first: 1, last: 1, text: [text] }] } },
      { ...script, cases: [], findings: [], problem: { message: text, source } },
    ],
  };
}

function checkupOf(text: string): Checkup {
  const items = (['ok', 'problem', 'unknown', 'not-applicable'] as const).map((status) => ({
    id: 'an-item',
    question: text,
    status,
    answer: text,
    looked: [text, text],
    details: [text, `- ${text}`, `+ ${text}`],
    fix: text,
    permission: text,
  }));
  return { from: text, sections: [{ title: text, object: { kind: text, name: text }, items }] };
}

function diffOf(text: string): StackDiff {
  const ref = { apiVersion: text, kind: text, namespace: text, name: text };
  const effect = { rollout: ref, object: ref, path: text, message: text, because: text, fix: text };
  const source = { file: text, line: 1, column: 1 };
  const [first] = withText(FAILING, text).moments;
  const cell = first!.cells[0]!;
  const answer = {
    ...cell,
    answer: { kind: 'fixed-response' as const, statusCode: text },
    shares: { stable: 0, canary: 0, failed: 1, other: 0 },
  };
  const object = { metadata: { name: text, annotations: { [text]: text } }, spec: text };
  return {
    base: { name: text, commit: text, objects: 1 },
    head: { name: text, objects: 1 },
    effects: [
      { ...effect, kind: 'bypass', severity: 'warning', source },
      { ...effect, kind: 'starts-release', severity: 'note', source },
    ],
    releases: (['changed', 'new', 'gone'] as const).map((change) => ({
      rollout: ref,
      change,
      remarks: (['worse', 'plain', 'better'] as const).map((tone) => ({ tone, text })),
      requests: (['both', 'base', 'head'] as const).map((on) => ({
        on,
        class: 'match',
        label: text,
        text,
        loadBalancer: text,
      })),
      moments: (['both', 'base', 'head'] as const).map((on) => ({
        on,
        phase: 'step',
        before: text,
        after: `${text}.`,
        cells: [{ before: cell, after: answer, differs: true }, { before: cell, differs: false }, { differs: false }],
      })),
      before: object,
      after: { ...object, spec: `${text}.` },
    })),
    unchanged: 1,
    findings: {
      added: findingsOf(text),
      fixed: findingsOf(text),
      unchanged: 1,
      accepted: [{ finding: hostileFinding(text), reason: text }],
    },
  };
}

/** Enough moments for every kind of change, and no more, as each is written once for every text. */
const REHEARSALS = [{ ...FAILING, moments: FAILING.moments.slice(0, 3) }, STOPPED];

/** Every reporter that there is. */
export const HOSTILE_REPORTS: readonly HostileReport[] = [
  ...Object.entries(reporters).map(([format, report]) => ({
    name: `findings as ${format}`,
    format,
    write: (text: string, { color = false } = {}) => report(findingsOf(text), contextFor(text, color)),
  })),
  ...Object.entries(rehearsalReporters).map(([format, report]) => ({
    name: `rehearsals as ${format}`,
    format,
    write: (text: string, { color = false } = {}) => {
      const rehearsals = REHEARSALS.map((each) => withText(each, text));
      return report(rehearsals, { ...contextFor(text, color), ...contextOf(rehearsals), color });
    },
  })),
  ...Object.entries(diffReporters).map(([format, report]) => ({
    name: `differences as ${format}`,
    format,
    write: (text: string, { color = false } = {}) => report(diffOf(text), contextFor(text, color)),
  })),
  ...Object.entries(testReporters).map(([format, report]) => ({
    name: `tests of scripts as ${format}`,
    format,
    write: (text: string, { color = false } = {}) => report(testReportOf(text), contextFor(text, color)),
  })),
  ...Object.entries(checkupReporters).map(([format, report]) => ({
    name: `a checkup as ${format}`,
    format,
    write: (text: string, { color = false } = {}) => report(checkupOf(text), findingsOf(text), contextFor(text, color)),
  })),
  {
    name: 'environments as a table',
    format: 'pretty',
    write: (text) => environmentPreviewText([previewOf(text)]),
  },
  {
    name: 'environments as html',
    format: 'html',
    write: (text) => environmentPreviewHtml([previewOf(text)], findingsOf(text)),
  },
];
