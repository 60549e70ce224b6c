/** Which bytes a piece of a pattern matches: 1 at the index of each. */
export type ByteClass = Uint8Array;

/** The class of one byte; out of range, it matches nothing. */
export function literalClass(byte: number): ByteClass {
  return byteClass((candidate) => candidate === byte);
}

/** The class of `.`. */
export function anyClass(): ByteClass {
  return byteClass(() => true);
}

/** The class of `%x`: a letter with a meaning, a capital for its opposite, or else the byte itself. */
export function letterClass(byte: number): ByteClass {
  const contains = LETTER_CLASSES.get(byte | LOWER_CASE);
  const isLetter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
  if (!contains || !isLetter) return literalClass(byte);
  const inverted = (byte & LOWER_CASE) === 0;
  return byteClass((candidate) => contains(candidate) !== inverted);
}

/** The class of `a-z`. */
export function rangeClass(first: number, last: number): ByteClass {
  return byteClass((byte) => byte >= first && byte <= last);
}

/** The class of `[…]`. */
export function unionClass(members: readonly ByteClass[], inverted: boolean): ByteClass {
  const union = new Uint8Array(256).fill(Number(inverted));
  for (const member of members) {
    for (let byte = 0; byte < 256; byte++) if (member[byte]) union[byte] = Number(!inverted);
  }
  return union;
}

const LOWER_CASE = 0x20;

const within =
  (...ranges: [number, number][]) =>
  (byte: number) =>
    ranges.some(([first, last]) => byte >= first && byte <= last);

const LETTER_CLASSES = new Map<number, (byte: number) => boolean>(
  Object.entries({
    a: within([0x41, 0x5a], [0x61, 0x7a]),
    c: within([0x00, 0x1f], [0x7f, 0x7f]),
    d: within([0x30, 0x39]),
    l: within([0x61, 0x7a]),
    p: within([0x21, 0x2f], [0x3a, 0x40], [0x5b, 0x60], [0x7b, 0x7e]),
    s: within([0x09, 0x0d], [0x20, 0x20]),
    u: within([0x41, 0x5a]),
    w: within([0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a]),
    x: within([0x30, 0x39], [0x41, 0x46], [0x61, 0x66]),
    z: within([0x00, 0x00]),
  }).map(([letter, contains]) => [letter.charCodeAt(0), contains]),
);

function byteClass(contains: (byte: number) => boolean): ByteClass {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(contains(byte)));
}
