/** A word in a picture: a tEXt chunk of PNG, which programs keep and nobody sees. */
import { crc32 } from 'node:zlib';

const KEY = 'Shows';

/** The signature and the header, which every file begins with: 8 bytes, and a chunk of 13. */
const HEAD = 8 + 12 + 13;

/** The picture with a digest of what it shows. */
export function withDigest(png: Buffer, digest: string): Buffer {
  const body = Buffer.from(`tEXt${KEY}\0${digest}`, 'latin1');
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return Buffer.concat([png.subarray(0, HEAD), chunk, png.subarray(HEAD)]);
}

/** The digest that a picture carries; undefined if it has none. */
export function carriedDigest(png: Buffer): string | undefined {
  for (let at = 8; at + 8 <= png.length; at += png.readUInt32BE(at) + 12) {
    const body = png.toString('latin1', at + 8, at + 8 + png.readUInt32BE(at));
    if (png.toString('latin1', at + 4, at + 8) === 'tEXt' && body.startsWith(`${KEY}\0`))
      return body.slice(KEY.length + 1);
  }
  return undefined;
}
