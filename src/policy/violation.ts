import { type Finding, findingTexts } from '../core/finding';
import { escapeTerminal } from '../report/escape';
import { subjectOf } from '../report/reporter';

/** A finding as the text of a violation: what happened, where, why it matters, and the smallest fix. */
export function violationText(finding: Finding): string {
  const { message, because, fix, note } = findingTexts(finding);
  const lines = [
    ['in', subjectOf(finding)],
    ['note', note],
    ['because', because],
    ['fix', fix],
    ['see', `rollout-constructs explain ${finding.rule}`],
  ]
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `  ${name}: ${text}`);
  return escapeTerminal([message, ...lines].join('\n'));
}
