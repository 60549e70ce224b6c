/** Findings in the log of Pulumi, on the resource that each is about. */
import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';

/** One finding in lines. */
export function findingLines(finding: Finding): string[] {
  // Loaded on first use, because most programs have no findings.
  const { prettyFinding } = require('../report/pretty') as typeof import('../report/pretty');
  return prettyFinding(finding, { color: false, ascii: false });
}

/** Stacks that fail, by their monitors. */
const failing = new WeakSet<object>();

/**
 * Makes the preview or the update fail, when everything else is done. The engine only counts errors in the log: nothing but an
 * error of the program fails it. Tests with mocks have no engine, and read the findings.
 */
export function failStack(): void {
  const stack = pulumi.runtime.getMonitor() ?? failing;
  if (!pulumi.runtime.hasEngine() || failing.has(stack)) return;
  failing.add(stack);
  const error = new pulumi.RunError('rollout-constructs found errors in this stack, each on its resource');
  // After the end of the program, the runtime shows the stack of a RunError, too.
  error.stack = error.message;
  // Nobody waits for it: the runtime shows its message, and the other resources are still made.
  void Promise.reject(error);
}

/** Logs a finding. */
export function logFinding(finding: Finding, resource: pulumi.Resource | undefined, fails: boolean): void {
  const text = findingLines(finding).join('\n');
  if (fails || finding.severity === 'error') logged(pulumi.log.error(text, resource));
  else if (finding.severity === 'warning') logged(pulumi.log.warn(text, resource));
  else logged(pulumi.log.info(text, resource));
}

/** Logs a problem of options, which fails the stack. */
export function logProblem(problem: string, resource: pulumi.Resource): void {
  logged(pulumi.log.error(problem, resource));
  failStack();
}

/** Logs which values are not checked. */
export function logUnchecked(text: string, resource: pulumi.Resource): void {
  logged(pulumi.log.info(text, resource));
}

/** A log entry fails if its resource failed, which must not stop the program. */
function logged(log: Promise<void>): void {
  log.catch(() => undefined);
}
