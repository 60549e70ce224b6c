import { isDeepStrictEqual } from 'node:util';
import { formatPath, type Path } from '../core/path';

/** The text that a template string or JSON.stringify gives for an Output, in every release. */
const STRINGIFIED = /Calling \[(toString|toJSON)\] on an \[Output<T>\] is not supported/;

/** Whether a text contains a stringified Output. */
function isStringified(text: string): boolean {
  return STRINGIFIED.test(text);
}

/**
 * The paths of stringified Outputs in options, objects and scripts. A program does not fail on them: the text of a warning
 * ends up in the cluster.
 *
 * @example stringifiedIn({ host: `${output}` }) // ['host']
 */
export function stringifiedIn(value: unknown): string[] {
  const paths: Path[] = [];
  visit(value, [], paths, new Set());
  return paths
    .filter((path, index) => paths.findIndex((other) => isDeepStrictEqual(other, path)) === index)
    .map((path) => formatPath(path));
}

function visit(value: unknown, path: Path, paths: Path[], seen: Set<object>): void {
  if (typeof value === 'string') {
    if (isStringified(value)) paths.push(path);
    return;
  }
  // Skips Outputs and resources, which refer to the whole runtime of Pulumi.
  if (typeof value !== 'object' || value === null || seen.has(value) || '__pulumiOutput' in value) return;
  if ('__pulumiResource' in value) return;
  seen.add(value);
  const isList = Array.isArray(value);
  for (const [key, entry] of Object.entries(value)) {
    if (!isList && isStringified(key)) paths.push(path);
    visit(entry, [...path, isList ? Number(key) : key], paths, seen);
  }
}
