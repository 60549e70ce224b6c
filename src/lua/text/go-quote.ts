import { decodeRune, latin1Bytes, utf8Bytes } from './bytes';

/**
 * A string as a Go string literal: what `%q` writes.
 * @param ascii escape everything beyond ASCII
 */
export function quote(bytes: Uint8Array, ascii: boolean): string {
  let quoted = '"';
  for (let offset = 0; offset < bytes.length; ) {
    const { codePoint, size } = decodeRune(bytes, offset);
    quoted += codePoint < 0 ? `\\x${hex(bytes[offset]!, 2)}` : quoteRune(codePoint, ascii);
    offset += size;
  }
  return `${quoted}"`;
}

/** True for a string that Go can write between backquotes: one line of UTF-8, no control characters but tabs. */
export function canBackquote(bytes: Uint8Array): boolean {
  for (let offset = 0; offset < bytes.length; ) {
    const { codePoint, size } = decodeRune(bytes, offset);
    if (codePoint < 0 || codePoint === BYTE_ORDER_MARK || codePoint === BACKQUOTE || codePoint === DELETE) return false;
    if (codePoint < 0x20 && codePoint !== TAB) return false;
    offset += size;
  }
  return true;
}

/** True for a character that Go prints as it is: letters, marks, numbers, punctuation, symbols, the ASCII space. */
export function isPrintable(codePoint: number): boolean {
  if (codePoint < 0x80) return codePoint >= 0x20 && codePoint < DELETE;
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(String.fromCodePoint(codePoint));
}

const TAB = 0x09;
const BACKQUOTE = 0x60;
const DELETE = 0x7f;
const BYTE_ORDER_MARK = 0xfeff;

const NAMED = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x0c, '\\f'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x09, '\\t'],
  [0x0b, '\\v'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

function quoteRune(codePoint: number, ascii: boolean): string {
  const named = NAMED.get(codePoint);
  if (named) return named;
  if (isPrintable(codePoint) && (codePoint < 0x80 || !ascii)) return runeText(codePoint);
  if (codePoint < 0x20 || codePoint === DELETE) return `\\x${hex(codePoint, 2)}`;
  return codePoint < 0x10000 ? `\\u${hex(codePoint, 4)}` : `\\U${hex(codePoint, 8)}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}

/** The UTF-8 bytes of a character, one character each; an invalid code point becomes U+FFFD. */
export function runeText(codePoint: number): string {
  if (codePoint >= 0 && codePoint < 0x80) return String.fromCharCode(codePoint);
  const surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  const valid = codePoint >= 0 && codePoint <= 0x10ffff && !surrogate;
  return String.fromCharCode(...utf8Bytes(String.fromCodePoint(valid ? codePoint : 0xfffd)));
}

/** The number of characters in bytes. A byte that is not UTF-8 counts as one. */
export function runeCount(text: string): number {
  if (isAscii(text)) return text.length;
  const bytes = latin1Bytes(text);
  let count = 0;
  for (let offset = 0; offset < bytes.length; offset += decodeRune(bytes, offset).size) count++;
  return count;
}

/** The first `count` characters of bytes. */
export function firstRunes(text: string, count: number): string {
  if (isAscii(text)) return text.slice(0, count);
  const bytes = latin1Bytes(text);
  let offset = 0;
  for (let done = 0; done < count && offset < bytes.length; done++) offset += decodeRune(bytes, offset).size;
  return text.slice(0, offset);
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}
