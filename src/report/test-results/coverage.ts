import { coveragePercent, type ScriptCoverage } from '../../core/test-result';

/** Rounded down, so that 100% means every line, and that what is below a threshold never reads as if it reached it. */
export function formatPercent(coverage: ScriptCoverage): string {
  return `${Math.floor(coveragePercent(coverage) * 10) / 10}%`;
}

/** What a script that stays below the threshold is told. */
export function belowThreshold(coverage: ScriptCoverage, threshold: number | undefined): string {
  return `${formatPercent(coverage)} of lines covered, below the threshold of ${threshold}%`;
}
