import { setImmediate } from 'node:timers/promises';
import { type Io, write } from '../io';

/** A run shorter than this needs no progress line. */
const QUIET_MILLISECONDS = 2000;
const REDRAW_MILLISECONDS = 100;

/** A line on a terminal that says how far a long run has come, gone when the run is over. */
export class Progress {
  private readonly started = Date.now();
  private drawn = 0;
  private done = 0;

  constructor(
    private readonly io: Io,
    private readonly total: number,
  ) {}

  /** Says that the next case begins. Lets other events in, Ctrl-C for one. */
  async next(): Promise<void> {
    await setImmediate();
    const now = Date.now();
    this.done++;
    if (!this.io.isTTY.stderr || now - this.started < QUIET_MILLISECONDS || now - this.drawn < REDRAW_MILLISECONDS)
      return;
    this.drawn = now;
    await write(this.io.stderr, `\r\u001b[Kcase ${this.done} of ${this.total}`);
  }

  async end(): Promise<void> {
    if (this.drawn > 0) await write(this.io.stderr, '\r\u001b[K');
  }
}
