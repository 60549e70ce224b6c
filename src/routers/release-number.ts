import { parseVersionNumber, type VersionNumber } from '../core/version-number';

/** The number of a release of the controller of a load balancer, as text and in parts. A text that is none is an error. */
export function releaseNumberOf(
  title: string,
  version: string,
  example: string,
): { readonly text: string; readonly number: VersionNumber } {
  const text = version.replace(/^v/, '');
  const number = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(text) ? parseVersionNumber(text) : undefined;
  if (number !== undefined) return { text, number };
  throw new Error(`${title} version "${version}" is not a version: write it as in "${example}"`);
}
