import type { Readable, Writable } from 'node:stream';
import { UserError } from '../settings/user-error';

/** The environment of a command except for files, so that tests can replace it. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths in arguments start here. */
  readonly cwd: string;
  /** Which of the streams is a terminal with a person before it. */
  readonly isTTY: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  /** Calls the listener instead of ending the process at Ctrl-C; the returned function takes it back. */
  onInterrupt(listener: () => void): () => void;
}

function ignore(): void {}

/** The real process. */
export function processIo(): Io {
  for (const stream of [process.stdout, process.stderr]) {
    // Without a listener, a reader that goes away (`| head`) would end the process with a stack trace; `write` sees it too.
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  }
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    isTTY: { stdin: !!process.stdin.isTTY, stdout: !!process.stdout.isTTY, stderr: !!process.stderr.isTTY },
    onInterrupt(listener) {
      // Once: a second Ctrl-C ends the process as ever, should the first find it busy.
      process.once('SIGINT', listener);
      return () => process.off('SIGINT', listener);
    },
  };
}

/** Writes and waits until the text is on its way, so that a slow reader slows the writer. False once the reader has gone. */
export function write(stream: Writable, text: string): Promise<boolean> {
  if (text === '') return Promise.resolve(!stream.destroyed);
  if (stream.destroyed || stream.errored) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (!error) resolve(true);
      else if (GONE.has((error as NodeJS.ErrnoException).code ?? '')) resolve(false);
      else reject(new UserError(`cannot write the output: ${error.message}`));
    });
  });
}

const GONE = new Set(['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** How output may look. */
export interface Style {
  readonly color: boolean;
  /** Only ASCII, for terminals whose locale is not UTF-8. */
  readonly ascii: boolean;
}

/** What the terminal and the usual environment variables (NO_COLOR, FORCE_COLOR, TERM, LC_ALL, LANG) ask for. */
export function styleOf(io: Io, noColor = false): Style {
  const { env } = io;
  const forced = !!env.FORCE_COLOR && env.FORCE_COLOR !== '0';
  const color = !noColor && !env.NO_COLOR && (forced || (io.isTTY.stdout && env.TERM !== 'dumb'));
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || 'UTF-8';
  return { color, ascii: !/utf-?8/i.test(locale) };
}
