import { type Io, write } from './io';

/** A run shorter than this needs no progress line. */
const QUIET_MILLISECONDS = 2000;
const REDRAW_MILLISECONDS = 100;

/** A line on a terminal that says how far a long run has come, gone when the run is over. */
export class ProgressLine {
  private readonly started = Date.now();
  private drawn = 0;

  constructor(private readonly io: Io) {}

  /** Says how far it has come; on a terminal, once it takes long, and not too often. */
  async show(text: string): Promise<void> {
    const now = Date.now();
    const isEarly = now - this.started < QUIET_MILLISECONDS || now - this.drawn < REDRAW_MILLISECONDS;
    if (!this.io.isTTY.stderr || isEarly) return;
    this.drawn = now;
    await write(this.io.stderr, `\r\u001b[K${text}`);
  }

  async end(): Promise<void> {
    if (this.drawn > 0) await write(this.io.stderr, '\r\u001b[K');
  }
}
