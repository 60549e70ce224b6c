import type { StackDiff } from '../../core/stack-diff';
import { escapeJson } from '../escape';
import { findingFields } from '../json';
import { mergeSummary, summaryOf } from './reporter';

/** For other tools, with all data. Later versions only add fields. */
export function json(diff: StackDiff): string {
  const { findings, ...rest } = diff;
  const report = {
    summary: summaryOf(diff),
    merge: mergeSummary(diff),
    ...rest,
    findings: {
      added: findings.added.map(findingFields),
      fixed: findings.fixed.map(findingFields),
      unchanged: findings.unchanged,
      accepted: findings.accepted.map(({ finding, ...acceptance }) => ({
        ...acceptance,
        finding: findingFields(finding),
      })),
    },
  };
  return `${escapeJson(JSON.stringify(report, null, 2))}\n`;
}
