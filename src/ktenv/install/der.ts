/** DER, the binary form of certificates and keys: as much of it as tells whose they are. */

/** One value with its tag. */
export interface DerValue {
  readonly tag: number;
  /** The value without its tag and length. */
  readonly content: Uint8Array;
  /** The value with its tag and length. */
  readonly whole: Uint8Array;
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Bytes that are no DER. */
export class NotDer extends Error {}

/** The values that follow each other in bytes. */
export function derValues(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const value = valueAt(bytes, offset);
    values.push(value);
    offset += value.whole.length;
  }
  return values;
}

/** The one value that fills the bytes, or starts them. */
export function firstDer(bytes: Uint8Array, tag: number): DerValue {
  return expected(valueAt(bytes, 0), tag);
}

/** The values within a value of this tag. */
export function within(value: DerValue | undefined, tag: number = TAG.sequence): DerValue[] {
  return derValues(expected(value, tag).content);
}

export function expected(value: DerValue | undefined, tag: number): DerValue {
  if (value?.tag !== tag) throw new NotDer();
  return value;
}

function valueAt(bytes: Uint8Array, offset: number): DerValue {
  const first = bytes[offset + 1];
  if (first === undefined) throw new NotDer();
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  // Longer values are no certificates; a length of zero bytes is not DER.
  if (first >= 0x80 && (lengthBytes === 0 || lengthBytes > 3)) throw new NotDer();
  const start = offset + 2 + lengthBytes;
  const length =
    first < 0x80 ? first : bytes.subarray(offset + 2, start).reduce((number, byte) => number * 256 + byte, 0);
  const end = start + length;
  if (end > bytes.length) throw new NotDer();
  return { tag: bytes[offset]!, content: bytes.subarray(start, end), whole: bytes.subarray(offset, end) };
}

/** Writes a value. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const content = Uint8Array.from(contents.flatMap((each) => [...each]));
  const { length } = content;
  const lengthBytes =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : length < 0x10000
          ? [0x82, length >> 8, length & 255]
          : [0x83, length >> 16, (length >> 8) & 255, length & 255];
  return Uint8Array.from([tag, ...lengthBytes, ...content]);
}
