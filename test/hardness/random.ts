/** Chance that is the same on every machine: a fault that was found once is found again. */

/** A source of numbers from 0 (included) to 1 (excluded), the same for the same seed. */
export class Chance {
  constructor(private state: number) {}

  /** The next number, by mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number below the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** One of several. */
  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** True once in so many times. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }
}
