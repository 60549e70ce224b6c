/** A Lua string is bytes. Text from JavaScript becomes its UTF-8 bytes. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of bytes. Each byte that is not UTF-8 becomes U+FFFD, as in the controller's JSON. */
export function utf8Text(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return lenientText(bytes);
  }
}

/** One character per byte, U+0000 to U+00FF. */
export function latin1Text(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += PIECE) {
    text += String.fromCharCode.apply(null, bytes.subarray(start, start + PIECE) as unknown as number[]);
  }
  return text;
}

/** The bytes of a text that `latin1Text` made. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** One decoded character: its code point (-1 when the bytes are not UTF-8) and how many bytes it took. */
export interface DecodedRune {
  readonly codePoint: number;
  readonly size: number;
}

/**
 * Reads one UTF-8 character as Go does: surrogates, overlong forms and truncated sequences are invalid, and an invalid
 * sequence counts for one byte.
 */
export function decodeRune(bytes: Uint8Array, offset: number): DecodedRune {
  const first = bytes[offset]!;
  if (first < 0x80) return { codePoint: first, size: 1 };
  const size = sequenceLength(first);
  if (size === 0 || offset + size > bytes.length) return INVALID_RUNE;
  let codePoint = first & (0xff >> (size + 1));
  for (let index = 1; index < size; index++) {
    const next = bytes[offset + index]!;
    if ((next & 0xc0) !== 0x80) return INVALID_RUNE;
    codePoint = (codePoint << 6) | (next & 0x3f);
  }
  const overlong = codePoint < SMALLEST_OF_LENGTH[size]!;
  const surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return overlong || surrogate || codePoint > 0x10ffff ? INVALID_RUNE : { codePoint, size };
}

/** The number of arguments of a function is limited. */
const PIECE = 8_192;

const encoder = new TextEncoder();
// `ignoreBOM` keeps a leading U+FEFF, which is an ordinary character of a Lua string.
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const INVALID_RUNE: DecodedRune = { codePoint: -1, size: 1 };
const SMALLEST_OF_LENGTH = [0, 0, 0x80, 0x800, 0x10000];

function sequenceLength(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  if (first >= 0xf0 && first <= 0xf4) return 4;
  return 0;
}

function lenientText(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const { codePoint, size } = decodeRune(bytes, offset);
    parts.push(codePoint < 0 ? '\ufffd' : String.fromCodePoint(codePoint));
    offset += size;
  }
  return parts.join('');
}
