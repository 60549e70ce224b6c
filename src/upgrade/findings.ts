import { collectFindings, type Finding } from '../core/finding';
import { findingKey } from './outcome';

/** The findings of only one of two sides, and how many both have. */
export interface ComparedFindings {
  readonly appears: readonly Finding[];
  readonly gone: readonly Finding[];
  readonly stays: number;
}

/**
 * Compares the findings of the same manifests with two sets of releases.
 * @param releases the texts of all these releases, which messages name
 */
export function comparedFindings(
  from: readonly Finding[],
  to: readonly Finding[],
  releases: readonly string[],
): ComparedFindings {
  const keyed = (findings: readonly Finding[]) =>
    new Map(findings.map((finding) => [findingKey(finding, releases), finding]));
  const [before, after] = [keyed(from), keyed(to)];
  const appears = [...after].filter(([key]) => !before.has(key)).map(([, finding]) => finding);
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, finding]) => finding);
  return { appears: collectFindings(appears), gone: collectFindings(gone), stays: after.size - appears.length };
}
