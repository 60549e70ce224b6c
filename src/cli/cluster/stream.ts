/** An answer that goes on: line by line, with limits against servers that send without end or fall silent. */
import { request as plainRequest } from 'node:http';
import { type RequestOptions, request as tlsRequest } from 'node:https';
import { ApiError, messageOf, parsed, problemOf } from './api-error';

/** How an answer is read. */
export interface StreamOptions {
  /** The server has begun to answer. */
  readonly onOpen: () => void;
  readonly onLine: (line: string) => void;
  /** After so many seconds the connection counts as broken. */
  readonly longestSeconds: number;
  /** For the head of the answer. */
  readonly timeoutSeconds: number;
  /** Ends the request, which is then no error. */
  readonly signal: AbortSignal;
}

/** An object has at most 1.5 MiB in etcd. */
const MAX_LINE = 8 * 1024 * 1024;

/** A dead peer is noticed within half a minute, also while it has nothing to say. */
const KEEP_ALIVE_MS = 15_000;

/** Calls the listener for each line until the server ends the answer. */
export function streamLines(url: URL, secured: RequestOptions, options: StreamOptions): Promise<void> {
  const { onOpen, onLine, longestSeconds, timeoutSeconds, signal } = options;
  const send = url.protocol === 'http:' ? plainRequest : tlsRequest;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve();
    const request = send(url, { ...secured, method: 'GET' });
    const end = (error?: Error) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      request.destroy();
      if (error === undefined || signal.aborted) resolve();
      else reject(error instanceof ApiError ? error : new ApiError(0, problemOf(error)));
    };
    const abort = () => end();
    const noAnswer = () => end(new ApiError(0, `no answer within ${timeoutSeconds} s`));
    let timer = setTimeout(noAnswer, timeoutSeconds * 1000);
    signal.addEventListener('abort', abort);
    request.on('error', end);
    request.on('socket', (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MS));
    request.on('response', (response) => {
      clearTimeout(timer);
      timer = setTimeout(() => end(new ApiError(0, 'the connection fell silent')), longestSeconds * 1000);
      const { statusCode = 0, headers } = response;
      const isGood = statusCode === 200;
      if (isGood) onOpen();
      const problem: string[] = [];
      const lines = new Lines(isGood ? onLine : (line) => problem.push(line));
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        try {
          lines.add(text);
        } catch (error) {
          end(error as Error);
        }
      });
      response.on('aborted', () => end(new ApiError(0, 'the connection broke')));
      response.on('error', end);
      response.on('end', () => {
        if (isGood) return end();
        const retryAfter = Number(headers['retry-after']) || undefined;
        end(new ApiError(statusCode, messageOf(statusCode, parsed([...problem, lines.rest].join('\n'))), retryAfter));
      });
    });
    request.end();
  });
}

/** Splits text into lines. */
class Lines {
  private parts: string[] = [];
  private length = 0;

  constructor(private readonly onLine: (line: string) => void) {}

  add(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.parts.push(text.slice(start, end));
      const line = this.parts.join('');
      [this.parts, this.length, start] = [[], 0, end + 1];
      if (line !== '') this.onLine(line);
    }
    this.parts.push(text.slice(start));
    this.length += text.length - start;
    if (this.length > MAX_LINE) throw new ApiError(0, `an event has more than ${MAX_LINE / 1024 / 1024} MiB`);
  }

  /** What came behind the last line feed. */
  get rest(): string {
    return this.parts.join('');
  }
}
