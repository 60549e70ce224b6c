import { type Json, ownValue } from './json';

/** The way from an object to one of its values: keys of maps and indexes of lists. */
export type Path = readonly (string | number)[];

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;
const SEGMENT = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/**
 * Writes a path as people write it; a key that holds more than letters, digits, `-` and `_` is quoted.
 * @example formatPath(['metadata', 'annotations', 'a.b/c']) // 'metadata.annotations["a.b/c"]'
 */
export function formatPath(path: Path): string {
  return path.map(formatSegment).join('').replace(/^\./, '');
}

function formatSegment(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return PLAIN_KEY.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
}

/**
 * Reads what `formatPath` writes. Throws an Error that shows where the text stops being a path.
 * @example parsePath('spec.steps[1].matches') // ['spec', 'steps', 1, 'matches']
 */
export function parsePath(text: string): Path {
  const path: (string | number)[] = [];
  let at = 0;
  while (at < text.length) {
    SEGMENT.lastIndex = at;
    const found = SEGMENT.exec(text);
    const needsDot = at > 0;
    if (found === null || (found[1] !== undefined && found[0].startsWith('.') !== needsDot)) {
      throw new Error(
        `not a path: ${JSON.stringify(text)} at character ${at + 1}; expected .key, [0] or ["a key with dots"]`,
      );
    }
    path.push(found[1] ?? (found[2] === undefined ? (JSON.parse(found[3]!) as string) : Number(found[2])));
    at = SEGMENT.lastIndex;
  }
  return path;
}

/** A path, whichever way it was given. */
export function toPath(path: Path | string): Path {
  return typeof path === 'string' ? parsePath(path) : path;
}

/** The value at the end of a path, or undefined where the path leaves the data. */
export function valueAt(data: unknown, path: Path): Json | undefined {
  return path.reduce<unknown>(ownValue, data) as Json | undefined;
}
