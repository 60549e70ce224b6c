import { decodeRune, latin1Bytes, latin1Text, utf8Bytes } from '../text/bytes';
import type { TextAccount } from '../vm/settings';

/**
 * `string.upper` of a Lua string, as Go's `strings.ToUpper`: by character and one for one, so that `é` becomes `É` and
 * `ß` stays. Invalid UTF-8 becomes U+FFFD, unless the whole string is ASCII.
 */
export function upperCase(text: string, account: TextAccount): string {
  return NOT_ASCII.test(text) ? mapped(text, upperRune, account) : text.toUpperCase();
}

/** `string.lower` of a Lua string, as Go's `strings.ToLower`. */
export function lowerCase(text: string, account: TextAccount): string {
  return NOT_ASCII.test(text) ? mapped(text, lowerRune, account) : text.toLowerCase();
}

const NOT_ASCII = /[\x80-\xff]/;

/** How many characters are converted between two checks of the budget. */
const PIECE = 65_536;

function mapped(text: string, map: (character: string) => string, account: TextAccount): string {
  const bytes = latin1Bytes(text);
  let result = '';
  let accounted = 0;
  for (let at = 0; at < bytes.length; ) {
    if (at >= accounted) {
      account(PIECE);
      accounted += PIECE;
    }
    const { codePoint, size } = decodeRune(bytes, at);
    result += codePoint < 0 ? '\ufffd' : map(String.fromCodePoint(codePoint));
    at += size;
  }
  return latin1Text(utf8Bytes(result));
}

function upperRune(character: string): string {
  const upper = character.toUpperCase();
  return [...upper].length === 1 ? upper : (GREEK_WITH_IOTA.get(character) ?? character);
}

function lowerRune(character: string): string {
  const lower = character.toLowerCase();
  if ([...lower].length === 1) return lower;
  return character === '\u0130' ? 'i' : character;
}

/** JavaScript writes the iota of these as a second capital; one for one they have a title case form. */
const GREEK_WITH_IOTA = new Map([
  ...[0x1f80, 0x1f90, 0x1fa0].flatMap((first) =>
    Array.from({ length: 8 }, (_, index) => pair(first + index, first + index + 8)),
  ),
  pair(0x1fb3, 0x1fbc),
  pair(0x1fc3, 0x1fcc),
  pair(0x1ff3, 0x1ffc),
]);

function pair(from: number, to: number): [string, string] {
  return [String.fromCodePoint(from), String.fromCodePoint(to)];
}
