import type { IConstruct } from 'constructs';
import type { Finding } from '../core/finding';
import type { CheckProps } from './checks';

/** What was printed of a construct. A synth of an app validates it once for itself, and once for every chart. */
const printed = new WeakMap<IConstruct, string>();

/** How findings are reported. */
export interface FindingsReport extends Pick<CheckProps, 'warnings'> {
  /**
   * The text of files that findings point into, so that the line can be shown.
   * @default - only file, line and column are named
   */
  readonly sources?: ReadonlyMap<string, string>;
}

/**
 * The findings that fail the synth, as text; warnings are printed. Notes, about which there is nothing to do, are left to
 * the command line.
 * @param construct of which the same is not printed twice in a row
 */
export function reportFindings(
  findings: readonly Finding[],
  { warnings, sources }: FindingsReport,
  construct?: IConstruct,
): string[] {
  const isFailing = ({ severity }: Finding) => severity === 'error' || warnings === 'fail';
  const told = findings.filter(({ severity }) => severity !== 'note');
  const text = told
    .filter((finding) => !isFailing(finding))
    .map((finding) => describe(finding, sources))
    .join('\n');
  const isKnown = construct !== undefined && printed.get(construct) === text;
  if (text !== '' && !isKnown) process.stderr.write(`${text}\n`);
  if (construct !== undefined) printed.set(construct, text);
  return told.filter(isFailing).map((finding) => describe(finding, sources));
}

function describe(finding: Finding, sources?: ReadonlyMap<string, string>): string {
  // Loaded here, because most synths find nothing.
  const { prettyFinding } = require('../report/pretty') as typeof import('../report/pretty');
  return prettyFinding(finding, { color: false, ascii: false, ...(sources && { sources }) }).join('\n');
}
