import { isJsonObject, type Json } from '../json';
import type { Place, Places } from './places';

/** Numbers that JSON.parse and kubectl read differently, or with a loss. */
const DELICATE_NUMBER = /\d{16}|[eE]\+?\d{3}|-0(?![.\d])/;

/** The line that separates this document from the one before. */
const SEPARATOR = /^---[ \t]*\r?\n/;

/**
 * The value of JSON text, many times faster than a YAML parser. Undefined unless YAML certainly has the same value and no
 * findings: no duplicate key, no special number, no limit reached.
 */
export function parsePlainJson(text: string, maxDepth: number): Json | undefined {
  const start = startOfJson(text);
  if (text[start + text.slice(start).search(/\S/)] !== '{') return undefined;
  const shape = shapeOf(text, start);
  if (shape === undefined || shape.depth > maxDepth) return undefined;
  try {
    const value: Json = JSON.parse(start === 0 ? text : text.slice(start));
    return countKeys(value) === shape.keys ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The offset after the separator line, if the text has one. */
export function startOfJson(text: string): number {
  return SEPARATOR.exec(text)?.[0].length ?? 0;
}

/** The depth and the number of keys of the text; undefined for unbalanced brackets and special numbers. */
function shapeOf(text: string, start: number): { readonly depth: number; readonly keys: number } | undefined {
  let depth = 0;
  let deepest = 0;
  let keys = 0;
  for (let at = start; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x3a: // :
        keys++;
        break;
      case 0x7b: // {
      case 0x5b: // [
        deepest = Math.max(deepest, ++depth);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
      default:
        if (isNumeric(text.charCodeAt(at))) {
          const from = at;
          while (isNumeric(text.charCodeAt(at + 1))) at++;
          if (DELICATE_NUMBER.test(text.slice(from, at + 1))) return undefined;
        }
    }
  }
  return depth === 0 ? { depth: deepest, keys } : undefined;
}

/** Whether a character outside of strings belongs to a number. `e` also occurs in `true` and `false`. */
function isNumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2b || code === 0x2e || (code | 0x20) === 0x65;
}

/** The end of the string that starts here; the end of the text if it is not closed. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at++;
  }
  return text.length;
}

/** The number of keys of a value. It is lower than in the text if a key is there twice: the parser keeps the last. */
function countKeys(value: Json): number {
  let count = 0;
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const values = Object.values(next) as Json[];
    if (!Array.isArray(next)) count += values.length;
    for (const inner of values) open.push(inner);
  }
  return count;
}

/** The places of all values in the text of plain JSON. */
export function placesOfPlainJson(text: string, value: Json, places: Places): void {
  let at = startOfJson(text);
  const skipSpace = (): void => {
    while (SPACES.has(text.charCodeAt(at))) at++;
  };
  const read = (inner: Json): void => {
    if (Array.isArray(inner)) items(inner);
    else if (isJsonObject(inner)) entries(inner);
    else if (typeof inner === 'string') at = endOfString(text, at) + 1;
    else while (!ENDS_SCALAR.has(text.charCodeAt(at))) at++;
    skipSpace();
    if (text[at] === ',') at++;
    skipSpace();
  };
  const items = (list: readonly Json[]): void => {
    const known = new Map<string | number, Place>();
    places.set(list, known);
    at++;
    skipSpace();
    for (const [index, item] of list.entries()) {
      known.set(index, { key: at, value: at });
      read(item);
    }
    at++;
  };
  const entries = (object: Readonly<Record<string, Json>>): void => {
    const known = new Map<string | number, Place>();
    places.set(object, known);
    at++;
    skipSpace();
    while (text[at] !== '}') {
      const start = at;
      at = endOfString(text, at) + 1;
      const key: string = JSON.parse(text.slice(start, at));
      skipSpace();
      // The colon.
      at++;
      skipSpace();
      known.set(key, { key: start, value: at });
      read(object[key]!);
    }
    at++;
  };
  skipSpace();
  read(value);
}

const codes = (characters: string): ReadonlySet<number> => new Set([...characters].map((one) => one.charCodeAt(0)));
const SPACES = codes(' \t\r\n');
const ENDS_SCALAR = codes(' \t\r\n,]}');
