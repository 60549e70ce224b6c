/** A link that holds all that a person has written, compressed, in the part of the address that no server sees. */
import { fromBase64, textOfUtf8, toBase64, utf8 } from '../core/bytes';
import { isJsonObject } from '../core/json';
import type { PlaygroundInput } from './answer';
import { MOST_REQUESTS } from './limits';

/** The form of the link, so that a later one can differ. */
const MARK = 'v1.';

/** What browsers and chats carry without cutting it off. */
export const LONGEST_LINK = 32_000;

/** The most that a link may unfold to: more is no playground, and a small link can hold a huge text. */
export const LARGEST_TEXT = 1024 * 1024;

/** A link that cannot be made or read, with a sentence for people. */
export class ShareError extends Error {}

/** The fragment for a text and its requests. */
export async function fragmentOf({ text, requests }: PlaygroundInput): Promise<string> {
  const packed = await throughStream(
    utf8(JSON.stringify({ text, requests })),
    new CompressionStream('deflate-raw'),
    Number.POSITIVE_INFINITY,
  );
  const fragment = `${MARK}${toBase64(packed).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
  if (fragment.length > LONGEST_LINK) {
    throw new ShareError(
      `These manifests make a link of ${kilobytes(fragment.length)}, and browsers and chats cut off links beyond ${kilobytes(LONGEST_LINK)}: share the file instead.`,
    );
  }
  return fragment;
}

/** What a fragment holds; undefined if there is none. */
export async function inputOf(fragment: string): Promise<PlaygroundInput | undefined> {
  if (fragment === '') return undefined;
  if (!fragment.startsWith(MARK)) throw broken('it does not begin as a link of the playground does');
  if (fragment.length > LONGEST_LINK) throw broken(`it has more than ${kilobytes(LONGEST_LINK)}`);
  if (!/^[\w.-]*$/.test(fragment)) throw broken('it holds characters that no such link has');
  const bytes = await unpacked(fromBase64(fragment.slice(MARK.length)));
  return checkedInput(parsed(textOfUtf8(bytes)));
}

async function unpacked(packed: Uint8Array): Promise<Uint8Array> {
  try {
    return await throughStream(packed, new DecompressionStream('deflate-raw'), LARGEST_TEXT);
  } catch (error) {
    if (error instanceof ShareError) throw error;
    throw broken('a part of it is missing or changed');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken('a part of it is missing or changed');
  }
}

function checkedInput(value: unknown): PlaygroundInput {
  if (!isJsonObject(value)) throw broken('it holds no manifests');
  const { text, requests = [] } = value;
  const isRead =
    typeof text === 'string' && Array.isArray(requests) && requests.every((one) => typeof one === 'string');
  if (!isRead) throw broken('it holds no manifests');
  return { text, requests: (requests as readonly string[]).slice(0, MOST_REQUESTS) };
}

function broken(why: string): ShareError {
  return new ShareError(`The link cannot be read: ${why}. Ask for it again, as a whole.`);
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}

interface ByteTransform {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

/** The bytes that come out of a stream; stops at the limit, so that no small link fills the memory. */
async function throughStream(bytes: Uint8Array, stream: object, limit: number): Promise<Uint8Array> {
  const { readable, writable } = stream as ByteTransform;
  const writer = writable.getWriter();
  // What fails here fails at the reader too.
  const written = writer.write(bytes).then(() => writer.close());
  written.catch(() => {});
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      reader.cancel().catch(() => {});
      throw broken(`it unfolds to more than ${kilobytes(limit)}`);
    }
    chunks.push(value);
  }
  const all = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}
