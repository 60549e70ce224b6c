import type { IConstruct } from 'constructs';
import type { Finding } from '../core/finding';
import type { CheckProps } from './checks';

/** The last warnings that were printed for a construct. A second synth finds them again, and so does each validation outside of one. */
const printed = new WeakMap<IConstruct, string>();

/** How findings are reported. */
export interface FindingsReport extends Pick<CheckProps, 'warnings'> {
  /**
   * The text of the files in findings, to show the line.
   * @default - only file, line and column are shown
   */
  readonly sources?: ReadonlyMap<string, string>;
}

/**
 * The findings that fail the synth, as text. Prints warnings. Notes need no action and are shown by the command line only.
 * @param construct the construct; its repeated warnings are suppressed
 */
export function reportFindings(
  findings: readonly Finding[],
  { warnings, sources }: FindingsReport,
  construct?: IConstruct,
): string[] {
  const isFailing = ({ severity }: Finding) => severity === 'error' || warnings === 'fail';
  const reported = findings.filter(({ severity }) => severity !== 'note');
  const text = reported
    .filter((finding) => !isFailing(finding))
    .map((finding) => `${describe(finding, sources, hasColour())}\n`)
    .join('\n');
  const isKnown = construct !== undefined && printed.get(construct) === text;
  if (text !== '' && !isKnown) process.stderr.write(`${text}\n`);
  if (construct !== undefined) printed.set(construct, text);
  const failing = reported.filter(isFailing);
  if (failing.length > 0) hideStack();
  return failing.map((finding) => describe(finding, sources));
}

/**
 * cdk8s throws an error with what is returned, at once. Its stack would end the report with lines about cdk8s, and the
 * findings name the line of the construct.
 */
function hideStack(): void {
  if (process.env.ROLLOUT_CONSTRUCTS_DEBUG || Error.stackTraceLimit === 0) return;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  queueMicrotask(() => {
    // Somebody else may have set it meanwhile.
    if (Error.stackTraceLimit === 0) Error.stackTraceLimit = limit;
  });
}

/** As the command line colours its own reports. */
function hasColour(): boolean {
  return process.stderr.isTTY === true && !process.env.NO_COLOR;
}

function describe(finding: Finding, sources?: ReadonlyMap<string, string>, color = false): string {
  // Loaded on first use, because most synths have no findings.
  const { prettyFinding } = require('../report/pretty') as typeof import('../report/pretty');
  return prettyFinding(finding, { color, ascii: false, ...(sources && { sources }) }).join('\n');
}
