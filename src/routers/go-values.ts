import { compareBytes } from '../core/bytes';

/** Numbers, booleans and lists in text, read by the rules of Go's standard library. */

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/** Go's `strconv.ParseInt(text, 10, 32)`; undefined for what it rejects: spaces, fractions, `0x10`, out of range. */
export function parseInt32(text: string): number | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  // Beyond 2^53 the value is rounded, but by then it is far out of range.
  const value = Number(text);
  return value >= INT32_MIN && value <= INT32_MAX ? value + 0 : undefined;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** Go's `strconv.ParseBool`; undefined for what it rejects: `yes`, `on`, the empty text. */
export function parseBool(text: string): boolean | undefined {
  return BOOLEANS.get(text);
}

/** Kubernetes' `intstr.Parse`: a number if the text is one, the text itself otherwise. */
export function parseIntOrString(text: string): number | string {
  return parseInt32(text) ?? text;
}

/** Go's `strings.TrimSpace`: what Unicode calls white space, which is not quite what JavaScript does. */
export function trimSpace(text: string): string {
  return text.replace(/^\p{White_Space}+/u, '').replace(/\p{White_Space}+$/u, '');
}

/** The parts of a list separated by commas, without empty parts. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map(trimSpace)
    .filter((part) => part !== '');
}

/**
 * A map written as `key=value,key=value`; `\,` is a comma in a value.
 * @returns undefined if a part has no `=` or no key
 */
export function parseStringMap(text: string): ReadonlyMap<string, string> | undefined {
  const map = new Map<string, string>();
  for (const pair of splitPairs(text)) {
    const at = pair.indexOf('=');
    const key = trimSpace(pair.slice(0, Math.max(at, 0)));
    if (at < 0 || key === '') return undefined;
    map.set(key, trimSpace(pair.slice(at + 1)));
  }
  return map;
}

/** A comma ends a pair only if another `=` follows; a trailing comma belongs to the value. */
function splitPairs(text: string): string[] {
  const lastEquals = text.lastIndexOf('=');
  const pairs: string[] = [];
  let pair = '';
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (character === '\\' && index + 1 < text.length) {
      pair += text[++index];
    } else if (character !== ',') {
      pair += character;
    } else if (lastEquals > index) {
      pairs.push(trimSpace(pair));
      pair = '';
    } else {
      const rest = trimSpace(text.slice(index + 1));
      if (rest !== '') return [...pairs, trimSpace(pair), rest];
      pair += character;
    }
  }
  return pair === '' ? pairs : [...pairs, trimSpace(pair)];
}

/** A set as Go prints it: `map[a:{} b:{}]`. */
export function printSet(values: Iterable<string>): string {
  const sorted = [...values].sort(compareBytes);
  return `map[${sorted.map((value) => `${value}:{}`).join(' ')}]`;
}
