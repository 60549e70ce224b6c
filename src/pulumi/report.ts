/** What was found, in the log of Pulumi and on the resource that it is about. */
import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';

/** One finding in lines. */
export function findingLines(finding: Finding): string[] {
  // Loaded here, because most programs find nothing.
  const { prettyFinding } = require('../report/pretty') as typeof import('../report/pretty');
  return prettyFinding(finding, { color: false, ascii: false });
}

/** Logs a finding; an error makes the preview or the update fail when all else is done. */
export function logFinding(finding: Finding, resource: pulumi.Resource | undefined, fails: boolean): void {
  const text = findingLines(finding).join('\n');
  if (fails || finding.severity === 'error') logged(pulumi.log.error(text, resource));
  else if (finding.severity === 'warning') logged(pulumi.log.warn(text, resource));
  else logged(pulumi.log.info(text, resource));
}

/** Logs what is wrong with options. */
export function logProblem(problem: string, resource: pulumi.Resource): void {
  logged(pulumi.log.error(problem, resource));
}

/** Logs what could not be checked. */
export function logUnchecked(text: string, resource: pulumi.Resource): void {
  logged(pulumi.log.info(text, resource));
}

/** A log that fails because its resource failed must not end the program by itself. */
function logged(log: Promise<void>): void {
  log.catch(() => undefined);
}
