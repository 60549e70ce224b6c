import { setImmediate } from 'node:timers/promises';
import type { Io } from '../io';
import { ProgressLine } from '../progress';

/** Says which of all cases is running. */
export class Progress {
  private readonly line: ProgressLine;
  private done = 0;

  constructor(
    io: Io,
    private readonly total: number,
  ) {
    this.line = new ProgressLine(io);
  }

  /** Says that the next case begins. Lets other events in, Ctrl-C for one. */
  async next(): Promise<void> {
    await setImmediate();
    this.done++;
    await this.line.show(`case ${this.done} of ${this.total}`);
  }

  async end(): Promise<void> {
    await this.line.end();
  }
}
