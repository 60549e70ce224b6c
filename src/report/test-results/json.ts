import { coveragePercent, passes, summarize, type TestReport } from '../../core/test-result';
import { escapeJson } from '../escape';

/** For other tools: the complete report, starting with the totals. */
export function json(report: TestReport): string {
  const summary = summarize(report);
  const scripts = report.scripts.map(({ coverage, ...script }) => ({
    ...script,
    ...(coverage ? { coverage: { percent: coveragePercent(coverage), ...coverage } } : {}),
  }));
  return `${escapeJson(JSON.stringify({ ok: passes(summary), summary, ...report, scripts }, null, 2))}\n`;
}
