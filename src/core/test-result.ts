import type { Finding, SourceLocation } from './finding';
import type { Json } from './json';

/** One difference between the expected and the actual result. */
export interface Difference {
  readonly kind:
    | 'changed'
    /** Expected, but missing. */
    | 'missing'
    /** Not expected, but present. */
    | 'unexpected'
    /** A list with the expected items in another order. */
    | 'reordered';
  /** The field: `spec.http[0].route[1].weight`. */
  readonly path: string;
  /** The field within the JSON text at `path`, as in annotations of load balancers. */
  readonly jsonPath?: string;
  readonly expected?: Json;
  readonly actual?: Json;
}

/** The result of one step of a test case. */
export interface StepResult {
  /** `step 0`, `creation`, or `testdata` for an error in the file itself. */
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped, unless the differences explain it. */
  readonly message?: string;
  readonly differences: readonly Difference[];
  /** The place of the expectation in the testdata file. */
  readonly source?: SourceLocation;
  /** The line of the script that raised an error. */
  readonly scriptSource?: SourceLocation;
  /** What the script printed. */
  readonly stdout?: string;
  /** Problems of the controller although the step has the expected result. */
  readonly warning?: string;
}

/** One testdata file. */
export interface CaseResult {
  readonly name: string;
  readonly file: string;
  readonly steps: readonly StepResult[];
}

/** Consecutive lines that no test executed, with their text. */
export interface UncoveredLines {
  readonly first: number;
  readonly last: number;
  readonly text: readonly string[];
}

/** The lines of a script that its testdata executes. */
export interface ScriptCoverage {
  /** The lines with code. */
  readonly lines: number;
  readonly covered: number;
  readonly uncovered: readonly UncoveredLines[];
}

/** The test results of one script. */
export interface ScriptResult {
  /** `networking.istio.io/VirtualService`, `trafficrouting_ingress/nginx`. */
  readonly name: string;
  readonly file: string;
  /** Set if the script cannot run at all, so that its cases are skipped. */
  readonly problem?: { readonly message: string; readonly source: SourceLocation };
  readonly cases: readonly CaseResult[];
  /** The findings of the checks; empty if checks are off. */
  readonly findings: readonly Finding[];
  readonly coverage?: ScriptCoverage;
}

/** The result of a test run, the input of every reporter. */
export interface TestReport {
  readonly scripts: readonly ScriptResult[];
  /** The required percentage of executed lines per script. */
  readonly coverageThreshold?: number;
}

/** The counts of a report. */
export interface TestSummary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly errors: number;
  readonly warnings: number;
  /** Scripts below the coverage threshold. */
  readonly belowThreshold: readonly string[];
}

/** Counts steps, findings and scripts below the threshold. A script that cannot run counts as one failure. */
export function summarize(report: TestReport): TestSummary {
  const steps = report.scripts.flatMap((script) => script.cases.flatMap((testCase) => testCase.steps));
  const count = (status: StepResult['status']) => steps.filter((step) => step.status === status).length;
  const findings = report.scripts.flatMap((script) => script.findings);
  return {
    passed: count('passed'),
    failed: count('failed') + report.scripts.filter((script) => script.problem).length,
    skipped: count('skipped'),
    errors: findings.filter((finding) => finding.severity === 'error').length,
    warnings:
      findings.filter((finding) => finding.severity === 'warning').length +
      steps.filter((step) => step.warning !== undefined).length,
    belowThreshold: report.scripts
      .filter((script) => script.coverage && coveragePercent(script.coverage) < (report.coverageThreshold ?? 0))
      .map((script) => script.name),
  };
}

/** Whether the run passes: no failures, no errors, and no script below the threshold. */
export function passes(summary: TestSummary): boolean {
  return summary.failed === 0 && summary.errors === 0 && summary.belowThreshold.length === 0;
}

/** The executed lines in percent; 100 for a script without code. */
export function coveragePercent(coverage: ScriptCoverage): number {
  return coverage.lines === 0 ? 100 : (100 * coverage.covered) / coverage.lines;
}
