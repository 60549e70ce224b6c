import type { Finding } from '../core/finding';
import { escapeTerminal } from '../report/escape';
import { subjectOf } from '../report/reporter';

/** A finding as the text of a violation: what happened, where, why it matters, and the smallest fix. */
export function violationText(finding: Finding): string {
  const lines = [
    ['in', subjectOf(finding)],
    ['note', finding.related?.message ?? ''],
    ['because', finding.because],
    ['fix', finding.fix],
    ['see', `${finding.docs}, or rollout-constructs explain ${finding.rule}`],
  ]
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `  ${name}: ${text}`);
  return escapeTerminal([finding.message, ...lines].join('\n'));
}
