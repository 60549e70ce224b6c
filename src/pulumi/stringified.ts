import { isDeepStrictEqual } from 'node:util';
import { formatPath, type Path } from '../core/path';

/** What a template string or JSON.stringify makes of an Output, whichever the release. */
const STRINGIFIED = /Calling \[(toString|toJSON)\] on an \[Output<T>\] is not supported/;

/** Whether a text holds what is left of an Output that was written into it. */
function isStringified(text: string): boolean {
  return STRINGIFIED.test(text);
}

/**
 * Where Outputs were written into texts: in options, in objects, and in scripts. A program does not fail of that, and the
 * words of a warning end up in the cluster.
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
  // Outputs and resources refer to all of Pulumi, and are no texts.
  if (typeof value !== 'object' || value === null || seen.has(value) || '__pulumiOutput' in value) return;
  if ('__pulumiResource' in value) return;
  seen.add(value);
  const isList = Array.isArray(value);
  for (const [key, entry] of Object.entries(value)) {
    if (!isList && isStringified(key)) paths.push(path);
    visit(entry, [...path, isList ? Number(key) : key], paths, seen);
  }
}
