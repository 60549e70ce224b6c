import { compareBytes } from './bytes';
import { isJsonObject, type StringMap } from './json';

/** The map, or undefined if it is empty, like Go's `omitempty`. */
export function omitEmpty<T extends object>(value: T | undefined): T | undefined {
  return value === undefined || Object.keys(value).length === 0 ? undefined : value;
}

/** Equality of two string maps. An undefined map equals only another one, as `reflect.DeepEqual` distinguishes nil from empty. */
export function sameStringMap(a: StringMap | undefined, b: StringMap | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}

/**
 * JSON exactly as Go's `encoding/json` writes it: no spaces, map keys in byte order, `<`, `>`, `&` and the line separators
 * escaped. Values without a JSON form (undefined, functions) become null.
 */
export function goJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return goString(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : JSON.stringify(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
      if (!isJsonObject(value)) return 'null';
      return goMembers(Object.entries(value).sort(([a], [b]) => compareBytes(a, b)));
  }
}

/** A JSON object with its members in the given order, as Go writes a struct. Skips undefined members. */
export function goMembers(members: readonly (readonly [key: string, value: unknown])[]): string {
  const present = members.filter(([, value]) => value !== undefined);
  return `{${present.map(([key, value]) => `${goString(key)}:${goJson(value)}`).join(',')}}`;
}

function goString(text: string): string {
  // In such a text both languages escape the same characters.
  if (PLAIN.test(text)) return JSON.stringify(text);
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/(\\\\)|\\([bf])/g, (whole, _backslash, letter) =>
      letter === undefined ? whole : letter === 'b' ? '\\u0008' : '\\u000c',
    );
}

/** Printable characters of ASCII, but those that only Go escapes. */
const PLAIN = /^[ -%'-;=?-~]*$/;
