import { factsOf, type Histories } from '../core/release-history';
import { parseVersionNumber } from '../core/version-number';

/** A release of the controller of a load balancer. */
export interface KnownRelease<Facts> {
  /** The number, without `v`. */
  readonly version: string;
  readonly facts: Facts;
}

/**
 * A release and its facts; a text that is no number of a release is an error.
 * @param own the facts of a custom build
 */
export function knownRelease<Facts>(
  { title, example, history }: { readonly title: string; readonly example: string; readonly history: Histories<Facts> },
  release: string,
  own: Partial<Facts>,
): KnownRelease<Facts> {
  const version = release.replace(/^v/, '');
  const number = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version) ? parseVersionNumber(version) : undefined;
  if (number !== undefined) return { version, facts: { ...factsOf(history, number), ...own } };
  throw new Error(`${title} version "${release}" is not a version: write it as in "${example}"`);
}
