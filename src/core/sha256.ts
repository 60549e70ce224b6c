/** SHA-256 (FIPS 180-4), for names of contents. It is no shield for secrets: it takes no care of time. */
import { toBase64, utf8 } from './bytes';

/** The first 32 bits of the fractional parts of the roots of the first primes. */
function rootsOfPrimes(count: number, root: (prime: number) => number): Uint32Array {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return Uint32Array.from(found, (prime) => (root(prime) % 1) * 2 ** 32);
}

const START = rootsOfPrimes(8, Math.sqrt);
const CONSTANTS = rootsOfPrimes(64, Math.cbrt);
const BLOCK = 64;

/** The digest of a text in UTF-8, or of bytes. */
export function sha256(content: string | Uint8Array): Uint8Array {
  const bytes = padded(typeof content === 'string' ? utf8(content) : content);
  const view = new DataView(bytes.buffer);
  const state = START.slice();
  const words = new Uint32Array(BLOCK);
  for (let offset = 0; offset < bytes.length; offset += BLOCK) {
    for (let index = 0; index < 16; index++) words[index] = view.getUint32(offset + 4 * index);
    extend(words);
    compress(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setUint32(4 * index, word);
  return new Uint8Array(digest.buffer);
}

/** The digest in hexadecimal digits. */
export function sha256Hex(content: string | Uint8Array): string {
  return Array.from(sha256(content), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The digest in base64. */
export function sha256Base64(content: string | Uint8Array): string {
  return toBase64(sha256(content));
}

/** The content with a one, zeros, and its length in bits, in whole blocks. */
function padded(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((content.length + 9) / BLOCK) * BLOCK);
  bytes.set(content);
  bytes[content.length] = 0x80;
  new DataView(bytes.buffer).setBigUint64(bytes.length - 8, BigInt(content.length) * 8n);
  return bytes;
}

function extend(words: Uint32Array): void {
  for (let index = 16; index < BLOCK; index++) {
    const a = words[index - 15]!;
    const b = words[index - 2]!;
    const small = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
    const large = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
    words[index] = words[index - 16]! + small + words[index - 7]! + large;
  }
}

function compress(state: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < BLOCK; index++) {
    const chosen = (e & f) ^ (~e & g);
    const major = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + CONSTANTS[index]! + words[index]!) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + major) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index]! += word;
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
