import type { Readable } from 'node:stream';
import { UserError } from '../settings/user-error';

/**
 * The lines of a stream, read no faster than they are used. Only a line feed ends a line: node:readline would also
 * break at U+2028, which JSON text may hold.
 */
export async function* linesOf(stream: Readable, maxLength = 64 * 1024 * 1024): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk as Uint8Array, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      parts.push(text.slice(start, end));
      yield parts.join('').replace(/\r$/, '');
      [parts, length, start] = [[], 0, end + 1];
    }
    parts.push(text.slice(start));
    length += text.length - start;
    if (length > maxLength) throw new UserError(`a line on stdin is longer than ${maxLength} characters`);
  }
  parts.push(decoder.decode());
  const last = parts.join('');
  if (last !== '') yield last;
}
