/** What `core/sha256` does, by Node itself. The bundles have it in its place, as a process that just started runs JavaScript slowly. */
import { createHash } from 'node:crypto';

/** The digest of a text in UTF-8, or of bytes. */
export function sha256(content: string | Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(content).digest());
}

/** The digest in hexadecimal digits. */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The digest in base64. */
export function sha256Base64(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64');
}
