/** Sends requests as they are written, byte for byte, and says who answered. */
import { connect } from 'node:net';
import { parseRequest } from '../../../src/rehearsal';
import type { Shares } from './gateway';

const AT_ONCE = 50;

/** Sends a request some times, and counts who answered. */
export async function ask(
  request: string,
  times: number,
  port: number,
  pods: ReadonlyMap<string, string>,
): Promise<Shares> {
  const bytes = bytesOf(request);
  const counts: Record<string, number> = {};
  for (let sent = 0; sent < times; sent += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, times - sent) }, () => send(bytes, port));
    for (const answer of await Promise.all(some)) {
      const who = whoAnswers(answer, pods);
      counts[who] = (counts[who] ?? 0) + 1;
    }
  }
  return Object.fromEntries(
    Object.entries(counts)
      .sort()
      .map(([who, count]) => [who, count / times]),
  );
}

/** The request as HTTP/1.1; the URL and the headers are sent as they are written. */
function bytesOf(request: string): string {
  const { method = 'GET', headers = {}, repeatedHeaders = {} } = parseRequest(request);
  const [, authority, target] = /\S+ https?:\/\/([^/\s]+)(\S*)/.exec(request)!;
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (repeatedHeaders[name] ?? [value]).map((each) => `${name}: ${each}`),
  );
  const head = [`${method} ${target} HTTP/1.1`, `host: ${authority}`, ...lines, 'connection: close'];
  return `${head.join('\r\n')}\r\n\r\n`;
}

function send(bytes: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.setTimeout(5000, () => socket.destroy(new Error(`no answer to ${bytes.split('\r\n')[0]}`)));
    socket.on('data', (chunk) => chunks.push(chunk));
    // A gateway may keep the connection, whatever it is asked.
    socket.on('data', () => isWhole(Buffer.concat(chunks)) && socket.destroy());
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}

/** Whether all of a body with a length is there. */
function isWhole(answer: Buffer): boolean {
  const text = answer.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const length = /^content-length: (\d+)/im.exec(text.slice(0, Math.max(0, end)))?.[1];
  return end >= 0 && length !== undefined && text.length >= end + 4 + Number(length);
}

/** `s1/v` for a pod of s1, else the status code. */
function whoAnswers(answer: string, pods: ReadonlyMap<string, string>): string {
  const status = /^HTTP\/1\.[01] (\d+)/.exec(answer)?.[1] ?? 'nothing';
  const address = /pod (?:::ffff:)?(\S+)/.exec(answer)?.[1];
  return status === '200' && address !== undefined ? `${pods.get(address) ?? address}/v` : status;
}
