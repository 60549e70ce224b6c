import { coveragePercent, type ScriptCoverage } from '../../core/test-result';

/** Rounded down, so that 100% means every line, and a value below a threshold never looks as if it reached it. */
export function formatPercent(coverage: ScriptCoverage): string {
  return `${Math.floor(coveragePercent(coverage) * 10) / 10}%`;
}

/** The message for a script below the threshold. */
export function belowThreshold(coverage: ScriptCoverage, threshold: number | undefined): string {
  return `${formatPercent(coverage)} of lines covered, below the threshold of ${threshold}%`;
}
