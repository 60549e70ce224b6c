import type { Finding, SourceLocation } from './finding';
import type { Json } from './json';

/** One place where what came differs from what was expected. */
export interface Difference {
  readonly kind:
    | 'changed'
    /** Expected, and did not come. */
    | 'missing'
    /** Came, and was not expected. */
    | 'unexpected'
    /** A list with the expected items in another order. */
    | 'reordered';
  /** The field: `spec.http[0].route[1].weight`. */
  readonly path: string;
  /** The field within the JSON that the string at `path` holds, as annotations of load balancers do. */
  readonly jsonPath?: string;
  readonly expected?: Json;
  readonly actual?: Json;
}

/** How one step of a test case ended. */
export interface StepResult {
  /** `step 0`, `creation`, or `testdata` for a fault of the file itself. */
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped, where differences do not say it all. */
  readonly message?: string;
  readonly differences: readonly Difference[];
  /** The expectation in the testdata file. */
  readonly source?: SourceLocation;
  /** The line of the script that raised an error. */
  readonly scriptSource?: SourceLocation;
  /** What the script printed. */
  readonly stdout?: string;
  /** What the controller will trip over although the step is as expected. */
  readonly warning?: string;
}

/** One testdata file. */
export interface CaseResult {
  readonly name: string;
  readonly file: string;
  readonly steps: readonly StepResult[];
}

/** A run of neighbouring lines that no test executed, with their text. */
export interface UncoveredLines {
  readonly first: number;
  readonly last: number;
  readonly text: readonly string[];
}

/** Which lines of a script its testdata executes. */
export interface ScriptCoverage {
  /** Lines on which code starts. */
  readonly lines: number;
  readonly covered: number;
  readonly uncovered: readonly UncoveredLines[];
}

/** All that was tested of one script. */
export interface ScriptResult {
  /** `networking.istio.io/VirtualService`, `trafficrouting_ingress/nginx`. */
  readonly name: string;
  readonly file: string;
  /** Set when the script itself cannot be run; its cases are then skipped. */
  readonly problem?: { readonly message: string; readonly source: SourceLocation };
  readonly cases: readonly CaseResult[];
  /** What the checks found; empty when they are switched off. */
  readonly findings: readonly Finding[];
  readonly coverage?: ScriptCoverage;
}

/** What a test run ends with, and what every reporter is given. */
export interface TestReport {
  readonly scripts: readonly ScriptResult[];
  /** Percentage of lines that every script must reach. */
  readonly coverageThreshold?: number;
}

/** The numbers of a report. */
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

/** Whether everything that the run was asked to hold did hold. */
export function passes(summary: TestSummary): boolean {
  return summary.failed === 0 && summary.errors === 0 && summary.belowThreshold.length === 0;
}

/** Covered lines in percent; a script without code is wholly covered. */
export function coveragePercent(coverage: ScriptCoverage): number {
  return coverage.lines === 0 ? 100 : (100 * coverage.covered) / coverage.lines;
}
