/** Findings in the log of Pulumi, on the resource that each is about. */
import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';

/** One finding in lines. */
export function findingLines(finding: Finding): string[] {
  // Loaded on first use, because most programs have no findings.
  const { prettyFinding } = require('../report/pretty') as typeof import('../report/pretty');
  return prettyFinding(finding, { color: false, ascii: false });
}

/** Logs a finding. After an error the preview or the update fails, when everything else is done. */
export function logFinding(finding: Finding, resource: pulumi.Resource | undefined, fails: boolean): void {
  const text = findingLines(finding).join('\n');
  if (fails || finding.severity === 'error') logged(pulumi.log.error(text, resource));
  else if (finding.severity === 'warning') logged(pulumi.log.warn(text, resource));
  else logged(pulumi.log.info(text, resource));
}

/** Logs a problem of options. */
export function logProblem(problem: string, resource: pulumi.Resource): void {
  logged(pulumi.log.error(problem, resource));
}

/** Logs which values are not checked. */
export function logUnchecked(text: string, resource: pulumi.Resource): void {
  logged(pulumi.log.info(text, resource));
}

/** A log entry fails if its resource failed, which must not stop the program. */
function logged(log: Promise<void>): void {
  log.catch(() => undefined);
}
