/** Texts as bytes, without what only Node has: the heart of this library also runs in a browser. */

const encoder = new TextEncoder();
// A byte order mark is a character like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes of a text in UTF-8. Half a surrogate pair becomes U+FFFD. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

const ASCII = /^[\0-\x7f]*$/;

/** How many bytes a text has in UTF-8. */
export function utf8Length(text: string): number {
  if (ASCII.test(text)) return text.length;
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) length += 1;
    else if (code < 0x800) length += 2;
    else if (isPair(code, text.charCodeAt(index + 1))) {
      length += 4;
      index++;
    } else length += 3;
  }
  return length;
}

/** Whether texts have at most so many bytes in UTF-8 together. No character of a text has more than three. */
export function utf8Fits(texts: readonly string[], most: number): boolean {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return characters * 3 <= most || texts.reduce((sum, text) => sum + utf8Length(text), 0) <= most;
}

function isPair(first: number, second: number): boolean {
  return first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000;
}

/** The text of bytes in UTF-8. What is no UTF-8 becomes U+FFFD. */
export function textOfUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** A text with one character for each byte. */
export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK)
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return text;
}

/** A function takes no more arguments in some engines. */
const CHUNK = 8192;

/** Whether the order of UTF-16 may differ from that of UTF-8. */
const SURROGATE = /[\ud800-\udfff]/;

/** Byte by byte in UTF-8, as Go compares strings. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : 1;
  const [left, right] = [utf8(a), utf8(b)];
  const differs = left.findIndex((byte, index) => byte !== right[index]);
  if (differs < 0) return Math.sign(left.length - right.length);
  return left[differs]! < (right[differs] ?? -1) ? -1 : 1;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES: ReadonlyMap<string, number> = new Map([
  ...[...DIGITS].map((digit, value): [string, number] => [digit, value]),
  // The digits of URLs.
  ['-', 62],
  ['_', 63],
]);

/** The bytes of a text in base64, up to its first `=`. Characters that are no digits are skipped. */
export function fromBase64(text: string): Uint8Array {
  const end = text.indexOf('=');
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const character of end < 0 ? text : text.slice(0, end)) {
    const value = VALUES.get(character);
    if (value === undefined) continue;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Uint8Array.from(bytes);
}

/** Bytes in base64, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const three = (bytes[index]! << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    for (let digit = 0; digit < 4; digit++)
      text += digit > bytes.length - index ? '=' : DIGITS[(three >> (18 - 6 * digit)) & 63];
  }
  return text;
}
