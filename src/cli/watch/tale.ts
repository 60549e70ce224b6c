/** The story as it was, kept for a page: not more than a file can hold. */
import type { WatchedMoment } from '../../core/watched-release';
import { toAbsolute, writeAtomically } from '../../files/paths';
import { watchHtml } from '../../report/watch';
import type { Io } from '../io';

/** So many moments are kept from the beginning, and from the end. */
const KEPT = 500;

/** The page is written at most so often, and at the end. */
const PAUSE_MS = 2000;

/** The moments, and the page about them. */
export class Tale {
  private readonly first: WatchedMoment[] = [];
  private readonly last: WatchedMoment[] = [];
  private leftOut = 0;
  private written = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly file: string,
    private readonly io: Io,
  ) {}

  add(moment: WatchedMoment): void {
    if (this.first.length < KEPT) this.first.push(moment);
    else if (this.last.push(moment) > KEPT) {
      this.last.shift();
      this.leftOut++;
    }
    if (performance.now() - this.written >= PAUSE_MS) this.write();
  }

  /** @param end what ended the watch */
  write(end?: string): void {
    this.written = performance.now();
    const moments = [...this.first, ...this.last];
    const text = watchHtml({ moments, leftOut: this.leftOut, ...(end === undefined ? {} : { end }) });
    writeAtomically(toAbsolute(this.io, this.file), text, this.file);
  }
}
