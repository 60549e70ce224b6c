import { type Json, ownValue } from './json';

/** The path from an object to one of its values: keys of maps and indexes of lists. */
export type Path = readonly (string | number)[];

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;
const SEGMENT = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/**
 * A path as text. Quotes a key with characters other than letters, digits, `-` and `_`.
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
 * Parses the output of `formatPath`. Throws an Error that shows the position of a mistake.
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

/** Keys of maps alone, as most paths are in code. */
const PLAIN_PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/** A path from a path or its text. */
export function toPath(path: Path | string): Path {
  if (typeof path !== 'string') return path;
  return PLAIN_PATH.test(path) ? path.split('.') : parsePath(path);
}

/** The value at a path; undefined if the path does not exist. */
export function valueAt(data: unknown, path: Path): Json | undefined {
  return path.reduce<unknown>(ownValue, data) as Json | undefined;
}
